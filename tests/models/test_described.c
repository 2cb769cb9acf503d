/* Families in C that are also described in files: every accumulator of every block is equal at every band, on random designs over three
 * boards; tabulating a file takes at most three times as long. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/loops.h"
#include "tests/test.h"

/* DSE_DESCRIBED_DESIGNS sets another number of designs. */
static long designs(void)
{
    const char *asked = getenv("DSE_DESCRIBED_DESIGNS");
    return asked != NULL ? strtol(asked, NULL, 10) : 600;
}

struct pair {
    const struct dse_model_family *family[2]; /* in C, and as a file */
    struct dse_space *space;
    struct dse_profile *profile;
    void *work[2];
};

/* Kind and swept values of a knob; the family's space has every word of a choice that declares no domain. */
static void compare_knobs(const struct dse_knob *in_c, const struct dse_knob *as_file)
{
    assert_string_equal(in_c->name, as_file->name);
    if (in_c->type != as_file->type || in_c->kind != as_file->kind || in_c->minimum != as_file->minimum || in_c->maximum != as_file->maximum ||
        in_c->fallback != as_file->fallback || in_c->power_of_two != as_file->power_of_two || in_c->shapes_work != as_file->shapes_work)
        fail_msg("the knob %s differs", in_c->name);
    for (size_t c = 0; c < in_c->choice_count; c++)
        assert_string_equal(in_c->choices[c], as_file->choices[c]);
    for (size_t i = 0; as_file->domain != NULL && i < in_c->domain_count; i++)
        if (i >= as_file->domain_count || in_c->domain[i] != as_file->domain[i])
            fail_msg("the values of %s differ", in_c->name);
}

static void open_pair(const char *name, const char *file, const char *profile, struct pair *out)
{
    *out = (struct pair){{dse_model_find(name)}, NULL, NULL, {NULL, NULL}};
    OK(dse_model_open(file, &out->family[1], &why));
    OK(dse_model_space(out->family[0], NULL, &out->space, &why));
    OK(dse_profile_open(profile, &out->profile, &why));
    assert_int_equal(out->family[0]->block_count, out->family[1]->block_count);
    assert_int_equal(out->family[0]->stage_count, out->family[1]->stage_count);
    assert_int_equal(out->family[0]->engine_count, out->family[1]->engine_count);
    assert_int_equal(out->family[0]->knobs->count, out->family[1]->knobs->count);
    for (size_t k = 0; k < out->space->count; k++)
        compare_knobs(&out->space->knobs[k], &out->family[1]->knobs->knobs[k]);
    for (size_t b = 0; b < out->family[0]->block_count; b++)
        assert_string_equal(out->family[0]->blocks[b].name, out->family[1]->blocks[b].name);
    for (int f = 0; f < 2; f++)
        OK(out->family[f]->prepare(out->family[f], &out->profile->workloads[0], &out->work[f], &why));
}

static void close_pair(struct pair *pair)
{
    for (int f = 0; f < 2; f++)
        pair->family[f]->release(pair->work[f]);
    dse_profile_free(pair->profile);
    dse_space_free(pair->space);
}

/* A design of the sweep's values; of half of the word knobs any word, as --set would have it. */
static void draw(const struct pair *pair, struct dse_rng *rng, struct dse_config *config)
{
    dse_space_default(pair->space, config);
    dse_space_draw(pair->space, dse_bits_all(), rng, config);
    for (size_t k = 0; k < pair->space->count; k++)
        if (pair->space->knobs[k].type == DSE_KNOB_CHOICE && dse_rng_below(rng, 2) == 0)
            config->value[k] = (int64_t)dse_rng_below(rng, pair->space->knobs[k].choice_count);
    dse_config_canonical(pair->space, config);
}

static bool cost(const struct pair *pair, int f, size_t block, const struct dse_board *board, const struct dse_costs *costs, enum dse_band band,
                    const struct dse_config *config, struct dse_accumulators *out, size_t *loops)
{
    struct dse_rejection rejection = {0};
    struct dse_loops noted = {.stretch = 1.0};
    struct dse_context context = {.board = board, .costs = costs, .work = pair->work[f], .band = band, .rejection = &rejection, .loops = &noted};
    OK(dse_block_cost(pair->family[f], block, &context, config, out, &why));
    *loops = noted.count;
    dse_loops_free(&noted);
    return !rejection.rejected;
}

/* Stated errors at the levels of validation, which widen the answer's bands. */
static void compare_errors(const struct dse_model_family *in_c, const struct dse_model_family *as_file)
{
    assert_int_equal(in_c->error_count, as_file->error_count);
    for (size_t i = 0; i < in_c->error_count; i++) {
        const struct dse_model_error *a = &in_c->errors[i], *b = &as_file->errors[i];
        assert_string_equal(a->level, b->level);
        assert_true(a->metric == b->metric && a->share == b->share && (a->engine == NULL) == (b->engine == NULL));
    }
}

static void compare(const char *name, const char *file, const char *profile, const char *const boards[3])
{
    struct pair pair;
    struct dse_rng rng;
    size_t built = 0;
    open_pair(name, file, profile, &pair);
    compare_errors(pair.family[0], pair.family[1]);
    assert_int_equal(pair.family[0]->host_stages, pair.family[1]->host_stages);
    dse_rng_seed(&rng, 20261126, 0);
    for (int b = 0; b < 3; b++) {
        struct dse_board *board = NULL;
        struct dse_costs *costs = NULL;
        OK(dse_board_open(boards[b], &board, &why));
        OK(dse_costs_for_board(board, NULL, &costs, &why));
        for (long d = 0; d < designs() / 3; d++) {
            struct dse_config config;
            draw(&pair, &rng, &config);
            for (size_t block = 0; block < pair.family[0]->block_count; block++)
                for (int band = 0; band < 3; band++) {
                    struct dse_accumulators sums[2];
                    size_t loops[2];
                    bool first = cost(&pair, 0, block, board, costs, (enum dse_band)band, &config, &sums[0], &loops[0]);
                    bool second = cost(&pair, 1, block, board, costs, (enum dse_band)band, &config, &sums[1], &loops[1]);
                    if (first != second || loops[0] != loops[1] || (first && memcmp(&sums[0], &sums[1], sizeof sums[0]) != 0))
                        fail_msg("%s on %s, design %ld, block %s, band %d: differs", file, boards[b], d, pair.family[0]->blocks[block].name, band);
                    built += first;
                }
        }
        dse_costs_free(costs);
        dse_board_free(board);
    }
    assert_true(built > (size_t)designs());
    close_pair(&pair);
}

TEST(hydraf_as_a_file_costs_what_the_family_costs)
{
    compare("hydraf", "examples/accelerators/hydraf.yaml", "airfoil", (const char *const[3]){"u200", "zcu104", "u280"});
}

TEST(gat_as_a_file_costs_what_the_family_costs)
{
    compare("gat", "examples/accelerators/gat.yaml", "cora", (const char *const[3]){"zcu106", "zcu104", "u280"});
}

/* Processor seconds (the machine may be shared) for the costs of every block for 400 designs. */
static double seconds_of(const struct pair *pair, int f, const struct dse_config *configs, const struct dse_board *board, const struct dse_costs *costs)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (int d = 0; d < 400; d++) {
        struct dse_rejection rejection = {0};
        struct dse_context context = {.board = board, .costs = costs, .work = pair->work[f], .rejection = &rejection};
        struct dse_accumulators sums;
        for (size_t block = 0; block < pair->family[f]->block_count; block++)
            OK(dse_block_cost(pair->family[f], block, &context, &configs[d], &sums, &why));
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

TEST(tabulating_a_file_takes_at_most_three_times_as_long)
{
    static const char *const all[][3] = {{"hydraf", "examples/accelerators/hydraf.yaml", "airfoil"}, {"gat", "examples/accelerators/gat.yaml", "cora"}};
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    OK(dse_board_open("zcu106", &board, &why));
    OK(dse_costs_for_board(board, NULL, &costs, &why));
    for (size_t i = 0; i < 2; i++) {
        struct pair pair;
        open_pair(all[i][0], all[i][1], all[i][2], &pair);
        static struct dse_config configs[400];
        double fastest[2] = {INFINITY, INFINITY}; /* undisturbed by what else the machine runs */
        struct dse_rng rng;
        dse_rng_seed(&rng, 7, 0);
        for (int d = 0; d < 400; d++)
            draw(&pair, &rng, &configs[d]);
        int turn = 0;
        for (; turn < 41 || (fastest[1] > 3.0 * fastest[0] && turn < 2000); turn++) /* longer on a busy machine */
            for (int f = 0; f < 2; f++)
                fastest[f] = fmin(fastest[f], seconds_of(&pair, f, configs, board, costs));
        print_message("%s: as a file %.2f times the family in C, fastest of %d runs each\n", all[i][0], fastest[1] / fastest[0], turn);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        assert_true(fastest[1] <= 3.0 * fastest[0]);
#endif
        close_pair(&pair);
    }
    dse_costs_free(costs);
    dse_board_free(board);
}

TESTS(NULL, NULL)
