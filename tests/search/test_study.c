/* A study resumes after any interruption; files that are not studies are rejected. */

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/rng.h"
#include "reports/study.h"
#include "search/study.h"
#include "tests/models/opened.h"
#include "tests/test.h"

static struct dse_space *space;
#define SETTINGS 12
static struct dse_alternative alternatives[SETTINGS];
static char folder[] = "/tmp/nysx-study-XXXXXX";

static int open_all(void **state)
{
    struct dse_error err;
    open_fixture(state);
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &space, &err), DSE_OK);
    assert_non_null(mkdtemp(folder));
    return 0;
}

static int close_all(void **state)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    dse_space_free(space);
    close_fixture(state);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char paths[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

/* A search with some slices for each of a dozen settings: quality grows with the dimension. */
static void ask(struct dse_question *question)
{
    static const char *const kept[] = {"nee.lanes=16", "nee.port_bits=128", "nee.outstanding=16", "mphe.lookups=1",
                                       "sce.bits=128", "sce.pe=1", "place.p=bram"};
    struct dse_error err;
    *question = (struct dse_question){.family = fixture.setup.family, .space = space, .board = fixture.board,
                                      .costs = fixture.costs, .headroom = -1.0, .jobs = 2};
    dse_space_default(fixture.space, &question->base);
    assert_int_equal(dse_config_apply(fixture.space, &question->base, &fixture.profile->preset, &err), DSE_OK);
    for (int i = 0; i < SETTINGS; i++) {
        char dim[32];
        snprintf(dim, sizeof dim, "%d", 1000 * (i + 1));
        alternatives[i] = (struct dse_alternative){question->base, fixture.workload, 0.5 + 0.02 * i};
        assert_int_equal(dse_config_set(fixture.space, &alternatives[i].config, "dim", dim, &err), DSE_OK);
    }
    question->alternatives = alternatives;
    question->alternative_count = SETTINGS;
    question->free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct dse_config config = question->base;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(kept[i], "="), kept[i]);
        int knob = dse_space_find(space, name);
        if (knob < 0 || dse_config_assign(space, &config, kept[i], &err) != DSE_OK)
            continue;
        dse_space_restrict(space, (size_t)knob, &config.value[knob], 1);
    }
    static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    memcpy(question->objectives, objectives, sizeof objectives);
    question->objective_count = 3;
}

static struct dse_study_input inputs[] = {{"board", "zcu104", "boards/zcu104.xml", "<board/>", 0x1234, false},
                                          {"profile", "made-up", "", "<profile/>", 0x5678, false}};

static enum dse_status begin(const char *path, bool resume, struct dse_study **out, struct dse_error *err)
{
    struct dse_setting question = {0};
    dse_setting_put(&question, "objectives", "latency,energy,quality");
    struct dse_study_exploration exploration = {.board = "zcu104", .dataset = "made-up"};
    struct dse_study_description description = {.family = "nysx", .program = "1.2.3", .command = "nysx-dse sweep",
                                                .question = &question, .inputs = inputs, .input_count = 2,
                                                .explorations = &exploration, .exploration_count = 1};
    enum dse_status status = dse_study_begin(path, &description, resume, out, err);
    dse_setting_free(&question);
    return status;
}

/* A checkpoint that kills the program by SIGKILL before or after a round is stored. */
struct deadly {
    struct dse_checkpoint inner;
    int rounds; /* left; negative: never */
    bool before;
};

static enum dse_status keep_or_die(void *user, const struct dse_search_state *state, struct dse_error *err)
{
    struct deadly *deadly = user;
    bool dies = deadly->rounds-- == 0;
    if (dies && deadly->before)
        raise(SIGKILL);
    enum dse_status status = deadly->inner.keep(deadly->inner.user, state, err);
    if (dies)
        raise(SIGKILL);
    return status;
}

/* Searches into a study, as the commands do. */
static enum dse_status search(const char *path, size_t jobs, int rounds, bool before, struct dse_error *err)
{
    struct dse_study *study = NULL;
    struct dse_question question;
    struct dse_answer answer = {0};
    struct deadly deadly = {.rounds = rounds, .before = before};
    ask(&question);
    question.jobs = jobs;
    enum dse_status status = begin(path, true, &study, err);
    if (status == DSE_OK)
        status = dse_study_checkpoint(study, 0, &question, &deadly.inner, err);
    struct dse_checkpoint checkpoint = {deadly.inner.from, keep_or_die, &deadly};
    question.checkpoint = &checkpoint;
    if (status == DSE_OK)
        status = dse_search_exact(&question, &answer, err);
    if (status == DSE_OK)
        status = dse_study_finish(study, 0, &question, &answer, DSE_STUDY_DONE, "", err);
    dse_answer_free(&answer);
    dse_study_close(study);
    return status;
}

static char *export(const char *path)
{
    struct dse_study *study = NULL;
    struct dse_error err = {0};
    struct dse_strbuf text = {0};
    json_t *json = NULL;
    assert_int_equal(dse_study_open(path, &study, &err), DSE_OK);
    assert_int_equal(dse_study_json(study, &json, &err), DSE_OK);
    dse_json_add(&text, json);
    assert_int_equal(dse_study_write_csv(study, true, NULL, &text, &err), DSE_OK);
    dse_study_close(study);
    return text.text;
}

/* Checks a study's export against the expected text, which is freed. */
static void expect_export(const char *path, char *expected)
{
    char *found = export(path);
    assert_string_equal(found, expected);
    free(found);
    free(expected);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit = {bytes, bytes};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Runs a search in a separate process; returns its status from waitpid(). */
static int search_apart(const char *path, size_t jobs, int rounds, bool before, rlim_t bytes)
{
    struct dse_error err = {0};
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (bytes > 0)
            limit_files(bytes);
        _exit((int)search(path, jobs, rounds, before, &err));
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    return result;
}

/* Creates a complete study at `path`: a copy of a study made once. */
static void put_whole(const char *path)
{
    static char *data;
    static size_t size;
    struct dse_error err = {0};
    if (data == NULL) {
        assert_int_equal(search(path, 2, -1, false, &err), DSE_OK);
        assert_int_equal(dse_file_read(path, 1 << 26, &data, &size, &err), DSE_OK);
    }
    assert_int_equal(dse_file_write(path, data, size, &err), DSE_OK);
}

TEST(test_killed_at_every_round)
{
    const char *whole = path_of("whole.db"), *killed = path_of("killed.db");
    put_whole(whole);
    char *expected = export(whole);
    int deaths = 0;
    for (int step = 0;; step++) {
        int result = search_apart(killed, 1 + (size_t)step % 2, step % 3, step % 2 == 0, 0);
        if (!WIFSIGNALED(result)) {
            assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
            break;
        }
        assert_int_equal(WTERMSIG(result), SIGKILL);
        assert_true(++deaths < 1000);
    }
    assert_true(deaths >= 4);
    expect_export(killed, expected);
}

TEST(test_disk_full)
{
    struct dse_error err = {0};
    const char *whole = path_of("roomy.db"), *full = path_of("full.db");
    put_whole(whole);
    char *expected = export(whole);
    static const rlim_t sizes[] = {1, 4096, 40000, 90000, 120000, 160000};
    int rejected = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int result = search_apart(full, 1, -1, false, sizes[i]);
        assert_true(WIFEXITED(result));
        assert_true(WEXITSTATUS(result) == DSE_LIMIT || WEXITSTATUS(result) == DSE_OK);
        rejected += WEXITSTATUS(result) == DSE_LIMIT;
    }
    assert_true(rejected >= 3);
    assert_int_equal(search(full, 2, -1, false, &err), DSE_OK);
    expect_export(full, expected);
}

static void reject(const char *path, const char *words)
{
    struct dse_study *study = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_study_open(path, &study, &err), DSE_BAD_INPUT);
    if (strstr(err.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
    assert_int_equal(begin(path, true, &study, &err), DSE_BAD_INPUT);
    assert_null(study);
}

static void make_foreign(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST(test_what_is_no_study)
{
    struct dse_error err = {0};
    struct dse_study *study = NULL;
    const char *text = path_of("text.db"), *other = path_of("other.db"), *newer = path_of("newer.db");
    assert_int_equal(dse_file_write(text, "this is not a study, nor any other data base at all", 51, &err), DSE_OK);
    reject(text, "not an SQLite file");
    make_foreign(other, "CREATE TABLE notes (text TEXT)");
    reject(other, "another program");
    put_whole(newer);
    make_foreign(newer, "PRAGMA user_version = 5");
    reject(newer, "schema 5");
    assert_int_equal(dse_study_open(path_of("missing.db"), &study, &err), DSE_BAD_INPUT);
    assert_int_equal(dse_study_open(folder, &study, &err), DSE_BAD_INPUT);
    make_foreign(newer, "PRAGMA user_version = 4; DELETE FROM study");
    reject(newer, "damaged");
}

/* Studies of schema 2 have another name for the energy-per-item column, and no system throughput; they are read and continued. */
TEST(test_earlier_schema)
{
    const char *path = path_of("earlier.db");
    put_whole(path);
    make_foreign(path, "UPDATE points SET throughput_system_hz = NULL");
    char *expected = export(path);
    make_foreign(path, "ALTER TABLE points DROP COLUMN throughput_system_hz; ALTER TABLE points RENAME COLUMN energy_per_item_j TO energy_system_j; PRAGMA user_version = 2");
    expect_export(path, expected);
    make_foreign(path, "PRAGMA user_version = 3"); /* with the current column name */
    reject(path, "schema");
}

/* A study with a foreign schema is never read. */
TEST(test_foreign_schema)
{
    static const char *const forgeries[] = {
        "DROP TABLE engines; CREATE VIEW engines AS WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n) "
        "SELECT x AS point FROM n",
        "CREATE TRIGGER empties AFTER INSERT ON commands BEGIN DELETE FROM points; END",
        "DROP TABLE study; CREATE VIEW study AS SELECT abs(-9223372036854775808) AS key, 1 AS value",
        "CREATE TABLE more (text TEXT)",
        "DROP INDEX points_of",
        "ALTER TABLE runs ADD COLUMN more TEXT",
    };
    const char *path = path_of("foreign.db");
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        remove(path);
        put_whole(path);
        make_foreign(path, forgeries[i]);
        reject(path, "is not a study of this program");
    }
}

/* Impossible numbers are rejected, and forged round counts prove nothing. */
TEST(test_forged_numbers)
{
    struct dse_error err = {0};
    const char *whole = path_of("true.db"), *forged = path_of("forged.db");
    put_whole(whole);
    char *expected = export(whole);
    put_whole(forged);
    make_foreign(forged, "UPDATE explorations SET state = 'open', rounds_done = 9223372036854775807, "
                         "rounds_total = 9223372036854775807; DELETE FROM points; DELETE FROM engines");
    assert_int_equal(search(forged, 2, -1, false, &err), DSE_OK);
    expect_export(forged, expected);
    make_foreign(forged, "UPDATE explorations SET evaluated = -1");
    reject(forged, "evaluated is -1");
    make_foreign(forged, "UPDATE explorations SET evaluated = 1; UPDATE inputs SET content = printf('%.*c', 69000000, 'x')");
    reject(forged, "more than");
    make_foreign(forged, "UPDATE inputs SET content = ''; WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n LIMIT 5000) "
                         "INSERT INTO inputs SELECT x + 10, 'board', x, '', '', '' FROM n");
    reject(forged, "at most 4096");
}

/* A point's setting index must be one of the search's. */
TEST(test_forged_alternative)
{
    struct dse_error err = {0};
    struct dse_study *study = NULL;
    struct dse_question question;
    struct dse_answer answer = {0};
    dse_knob_set own[SETTINGS] = {0};
    const char *path = path_of("alternative.db");
    put_whole(path);
    make_foreign(path, "UPDATE points SET alternative = 123456789012");
    ask(&question);
    question.own = own;
    assert_int_equal(dse_study_open(path, &study, &err), DSE_OK);
    FAILS(DSE_BAD_INPUT, "123456789012", dse_study_answer(study, 0, &question, &answer, &why));
    dse_answer_free(&answer);
    struct dse_checkpoint checkpoint;
    assert_int_equal(dse_study_checkpoint(study, 0, &question, &checkpoint, &err), DSE_BAD_INPUT);
    dse_study_close(study);
}

#define PAGE 4096

/* An interior page of a table: `cells` children, and the last. */
static void make_interior(unsigned char *page, size_t header, unsigned cells, unsigned child, unsigned last)
{
    unsigned char *head = page + header;
    memset(head, 0, PAGE - header);
    head[0] = 0x05;
    head[4] = (unsigned char)cells;
    head[5] = (unsigned char)((PAGE - 5 * cells) >> 8);
    head[6] = (unsigned char)(PAGE - 5 * cells);
    head[11] = (unsigned char)last;
    for (unsigned c = 0; c < cells; c++) {
        unsigned where = PAGE - 5 * (c + 1);
        head[12 + 2 * c] = (unsigned char)(where >> 8);
        head[13 + 2 * c] = (unsigned char)where;
        page[where + 3] = (unsigned char)child;
        page[where + 4] = (unsigned char)c;
    }
}

/* Thirty children per page, all referring to the next page: with seventeen pages the schema has 30^12 rows. */
TEST(test_endless_pages)
{
    struct dse_error err = {0};
    static unsigned char file[17 * PAGE];
    char *data = NULL;
    size_t size = 0;
    const char *path = path_of("endless.db");
    make_foreign(path, "PRAGMA page_size = 4096; CREATE TABLE study (key TEXT PRIMARY KEY); PRAGMA application_id = 1853453176; "
                       "PRAGMA user_version = 1");
    assert_int_equal(dse_file_read(path, sizeof file, &data, &size, &err), DSE_OK);
    assert_int_equal(size, 3 * PAGE);
    memcpy(file, data, size);
    free(data);
    unsigned char *tables = file + 3 * PAGE, *again = file + 4 * PAGE;
    memcpy(tables, file, PAGE); /* page 4: the rows of page 1, whose header follows the file's header */
    memmove(tables, tables + 100, 8 + 2 * 2);
    memcpy(again, tables, PAGE); /* page 5: the second of them, an index that SQLite accepts repeatedly */
    again[4] = 1;
    memcpy(again + 8, again + 10, 2);
    for (unsigned page = 6; page <= 17; page++)
        make_interior(file + (page - 1) * PAGE, 0, 30, page < 17 ? page + 1 : 5, page < 17 ? page + 1 : 5);
    make_interior(file, 100, 1, 4, 6);
    file[31] = 17; /* pages */
    assert_int_equal(dse_file_write(path, (const char *)file, sizeof file, &err), DSE_OK);
    struct dse_study *study = NULL;
    alarm(60);
    assert_int_equal(dse_study_open(path, &study, &err), DSE_BAD_INPUT);
    alarm(0);
    assert_non_null(strstr(err.message, "no end"));
}

/* With any wrong bytes, reading ends with an answer or an error. */
TEST(test_damage)
{
    struct dse_error err = {0};
    struct dse_rng rng;
    char *data = NULL;
    size_t size = 0;
    int rejected = 0;
    const char *whole = path_of("sound.db"), *damaged = path_of("damaged.db");
    put_whole(whole);
    assert_int_equal(dse_file_read(whole, 1 << 26, &data, &size, &err), DSE_OK);
    dse_rng_seed(&rng, 6, 0);
    for (int trial = 0; trial < 60; trial++) {
        char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, data, size);
        size_t kept = trial % 3 == 0 ? 1 + dse_rng_below(&rng, size) : size;
        for (int i = 0; i < 64 && trial % 3 != 0; i++)
            copy[dse_rng_below(&rng, trial % 3 == 1 ? size : 8192)] = (char)dse_rng_below(&rng, 256);
        assert_int_equal(dse_file_write(damaged, copy, kept, &err), DSE_OK);
        free(copy);
        struct dse_study *study = NULL;
        struct dse_strbuf text = {0};
        enum dse_status status = dse_study_open(damaged, &study, &err);
        if (status == DSE_OK)
            status = dse_study_write_csv(study, true, NULL, &text, &err);
        rejected += status != DSE_OK;
        dse_strbuf_free(&text);
        dse_study_close(study);
    }
    assert_true(rejected >= 20);
    free(data);
}

TEST(test_other_inputs)
{
    struct dse_error err = {0};
    struct dse_study *study = NULL;
    const char *path = path_of("inputs.db");
    assert_int_equal(begin(path, false, &study, &err), DSE_OK);
    dse_study_close(study);
    FAILS(DSE_BAD_USAGE, "--resume", begin(path, false, &study, &why));
    inputs[0].hash = 0x4321;
    assert_int_equal(begin(path, true, &study, &err), DSE_BAD_INPUT);
    inputs[0].hash = 0x1234;
    assert_non_null(strstr(err.message, "0000000000001234"));
    assert_non_null(strstr(err.message, "0000000000004321"));
    assert_int_equal(begin(path, true, &study, &err), DSE_OK);
    struct dse_study *second = NULL; /* while one program writes, no other can */
    FAILS(DSE_LIMIT, "in use", begin(path, true, &second, &why));
    dse_study_close(study);
}

TEST(test_points)
{
    struct dse_error err = {0};
    struct dse_study *study = NULL;
    struct dse_study_point point, *points = NULL;
    size_t count = 0;
    const char *path = path_of("points.db");
    put_whole(path);
    assert_int_equal(dse_study_open(path, &study, &err), DSE_OK);
    assert_int_equal(dse_study_exploration_at(study, 0)->state, DSE_STUDY_DONE);
    assert_int_equal(dse_study_points(study, 0, true, &points, &count, &err), DSE_OK);
    assert_true(count > 3);
    for (size_t i = 0; i < count; i++) {
        struct dse_config config;
        struct dse_estimate estimate;
        assert_true(i == 0 || points[i - 1].metrics[DSE_METRIC_LATENCY] <= points[i].metrics[DSE_METRIC_LATENCY]);
        assert_int_equal(dse_study_point(study, points[i].id, &point, &err), DSE_OK);
        dse_space_default(space, &config);
        assert_int_equal(dse_config_apply(space, &config, &point.config, &err), DSE_OK);
        assert_int_equal(dse_estimate_built(&fixture.setup, &config, &estimate, &err), DSE_OK);
        for (int m = 0; m < DSE_METRIC_QUALITY; m++)
            assert_true(estimate.metrics[m] == point.metrics[m]);
        dse_setting_free(&point.config);
    }
    dse_study_points_free(points, count);
    assert_int_equal(dse_study_point(study, 123456789, &point, &err), DSE_BAD_USAGE);
    dse_study_close(study);
}

TEST(test_runs)
{
    struct dse_error err = {0};
    struct dse_study *study = NULL;
    const char *path = path_of("runs.db");
    struct dse_study_run run = {.family = "nysx", .program = "1", .dataset_hash = UINT64_MAX, .setting = "dim=1",
                                .protocol = "80/20", .seed = 3, .quality_name = "accuracy", .higher_is_better = true,
                                .quality = 0.1 + 0.2, .train_quality = 1.0 / 3.0, .n_train = 8, .n_test = 2};
    bool found = true;
    assert_int_equal(begin(path, false, &study, &err), DSE_OK);
    struct dse_study_run key = run;
    assert_int_equal(dse_study_run_find(study, &key, &found, &err), DSE_OK);
    assert_false(found);
    assert_int_equal(dse_study_run_keep(study, &run, &err), DSE_OK);
    key.quality = 0;
    assert_int_equal(dse_study_run_find(study, &key, &found, &err), DSE_OK);
    assert_true(found && key.quality == 0.1 + 0.2 && key.train_quality == 1.0 / 3.0 && key.n_test == 2);
    key.program = "2";
    assert_int_equal(dse_study_run_find(study, &key, &found, &err), DSE_OK);
    assert_false(found);
    dse_study_close(study);
}

TESTS(open_all, close_all)
