/* Published columns: HyDRAF's file, what its constants are worth, and files that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validation/columns.h"

static const struct dse_model_family *family;
static struct dse_columns columns;
static struct dse_column_answer answer;

static int open_all(void **state)
{
    (void)state;
    struct dse_error err;
    family = dse_model_find("hydraf");
    if (dse_columns_open("hydraf", &columns, &err) != DSE_OK ||
        dse_columns_validate(family, &columns, NULL, &answer, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    dse_column_answer_free(&answer);
    dse_columns_free(&columns);
    return 0;
}

static const struct dse_column_row *row_of(const char *column, const char *what)
{
    for (size_t i = 0; i < answer.row_count; i++)
        if (strcmp(answer.rows[i].column->name, column) == 0 && strcmp(answer.rows[i].figure->what, what) == 0)
            return &answer.rows[i];
    fail_msg("no row %s, %s", column, what);
    return NULL;
}

static const struct dse_column_summary *summary_of(const char *what)
{
    for (size_t i = 0; i < answer.summary_count; i++)
        if (strcmp(answer.summaries[i].what, what) == 0)
            return &answer.summaries[i];
    fail_msg("no summary of %s", what);
    return NULL;
}

/* The aims: cycles within 10 % on average, LUT and FF within 20 %. */
static void errors_are_small(void **state)
{
    (void)state;
    assert_true(summary_of("train_cycles")->mean <= 0.10 && summary_of("train_cycles")->n == 4);
    assert_true(summary_of("infer_cycles")->mean <= 0.10 && summary_of("infer_cycles")->n == 4);
    assert_true(summary_of("lut")->mean <= 0.20 && summary_of("lut")->n == 5);
    assert_true(summary_of("ff")->mean <= 0.20 && summary_of("ff")->n == 4);
    for (size_t i = 0; i < answer.row_count; i++) {
        const struct dse_column_row *row = &answer.rows[i];
        double reference = row->figure->value;
        bool has = isfinite(reference) && reference > 0.0 && strcmp(row->figure->metric, "fits") != 0;
        assert_true(has == (bool)isfinite(row->error));
        if (has)
            assert_true(fabs(row->error - (row->predicted / reference - 1.0)) < 1e-12);
    }
}

/* Withheld figures are predicted all the same. */
static void withheld_rows_are_there(void **state)
{
    (void)state;
    static const char *const what[] = {"train_cycles", "infer_cycles", "ff"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        const struct dse_column_row *row = row_of("D=4k", what[i]);
        assert_true(isnan(row->figure->value) && isnan(row->error) && isnan(row->left_out_error));
        assert_true(row->predicted > row_of("D=3k", what[i])->predicted);
        assert_true(row->low <= row->predicted && row->predicted <= row->high);
    }
}

/* The shipped constants are what a fit to all columns gives, within the cycle that rounding leaves them. */
static void shipped_constants_are_fitted(void **state)
{
    (void)state;
    for (size_t k = 0; k < family->fitted_count; k++)
        if (fabs(answer.refitted[k] / family->fitted[k].value - 1.0) > 0.02)
            fail_msg("%s: shipped %g, fitted %g", family->fitted[k].name, family->fitted[k].value, answer.refitted[k]);
}

/* Without its own column a prediction is worse, at the best as good; where only that column knew of an effect, the fit
 * without it has none. */
static void left_out_is_honest(void **state)
{
    (void)state;
    const struct dse_column_row *row = row_of("D=3k", "train_cycles");
    assert_true(fabs(row->error) < 0.01 && row->left_out_error < -0.10);
    assert_true(fabs(row->left_out - (48 * 80 + 860)) < 10); /* the line of the others */
    for (size_t i = 0; i < answer.row_count; i++)
        assert_true(isfinite(answer.rows[i].left_out) == answer.rows[i].figure->fitted_to);
    assert_true(isnan(summary_of("lut")->left_out_mean));
    assert_true(summary_of("train_cycles")->left_out_mean > summary_of("train_cycles")->mean);
}

/* The publication against its own board. */
static void contradictions_are_told(void **state)
{
    (void)state;
    assert_true(row_of("D=4k", "lut")->contradicts == 1182240);
    assert_true(isnan(row_of("D=3k", "lut")->contradicts));
    assert_true(row_of("D=4k", "fits")->predicted == 0.0 && row_of("D=4k", "fits")->worst[0] != '\0');
    for (size_t i = 0; i < 4; i++)
        assert_true(row_of(columns.columns[i].name, "fits")->predicted == 1.0);
    assert_true(row_of("D=3k on u200", "fits")->predicted == 0.0 && row_of("T=128", "fits")->predicted == 0.0);
}

/* ---- files ---- */

static void open_text(const char *text, const char *message)
{
    char folder[] = "/tmp/nysx-columns-XXXXXX", path[128];
    struct dse_columns read;
    struct dse_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/published", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/published/hydraf.xml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    setenv("NYSX_DSE_SHARE", folder, 1);
    enum dse_status status = dse_columns_open("hydraf", &read, &err);
    unsetenv("NYSX_DSE_SHARE");
    unlink(path);
    snprintf(path, sizeof path, "%s/published", folder);
    rmdir(path);
    rmdir(folder);
    if (message == NULL) {
        assert_int_equal(status, DSE_OK);
        assert_int_equal(read.column_count, 0);
    } else {
        assert_int_equal(status, DSE_BAD_INPUT);
        if (strstr(err.message, message) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", err.message, message);
    }
    dse_columns_free(&read);
}

#define COLUMN(figure) "<columns family=\"hydraf\" board=\"u200\" profile=\"x\"><column name=\"a\">" figure "</column></columns>"

static void wrong_files_are_refused(void **state)
{
    (void)state;
    open_text("<validation/>", NULL); /* of the other kind */
    open_text("<columns", "hydraf.xml:");
    open_text("<columns family=\"nysx\" board=\"u200\" profile=\"x\"/>", "must be hydraf");
    open_text(COLUMN("<figure what=\"speed\" value=\"1\" source=\"t\"/>"), "must be a metric's key");
    open_text(COLUMN("<figure what=\"lut\" value=\"-1\" source=\"t\"/>"), "value");
    open_text(COLUMN("<figure what=\"lut\" value=\"1\"/>"), "source");
    open_text(COLUMN("<figure what=\"lut\" value=\"1\" source=\"t\" fit=\"perhaps\"/>"), "fit");
    open_text(COLUMN("<row/>"), "row");
}

/* Designs that do not exist are told, not predicted. */
static void wrong_words_are_refused(void **state)
{
    (void)state;
    struct dse_column_figure figure = {.what = "lut", .metric = "lut", .set = "", .source = "t", .note = "", .value = 1.0};
    struct dse_column column = {.name = "a", .board = "u200", .set = "dimension=3", .figures = &figure, .figure_count = 1};
    struct dse_columns made = {.family = "hydraf", .board = "u200", .profile = "airfoil", .columns = &column,
                               .column_count = 1};
    struct dse_column_answer none;
    struct dse_error err;
    assert_int_equal(dse_columns_validate(family, &made, NULL, &none, &err), DSE_BAD_USAGE);
    column.set = "dim=1";
    assert_int_equal(dse_columns_validate(family, &made, NULL, &none, &err), DSE_BAD_USAGE);
    column.set = "";
    column.board = "u20";
    assert_int_equal(dse_columns_validate(family, &made, NULL, &none, &err), DSE_BAD_USAGE);
    column.board = "u200";
    assert_int_equal(dse_columns_validate(family, &made, NULL, &none, &err), DSE_OK);
    assert_int_equal(none.row_count, 1);
    dse_column_answer_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_small),
        cmocka_unit_test(withheld_rows_are_there),
        cmocka_unit_test(shipped_constants_are_fitted),
        cmocka_unit_test(left_out_is_honest),
        cmocka_unit_test(contradictions_are_told),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(wrong_words_are_refused),
    };
    return cmocka_run_group_tests_name("columns", tests, open_all, close_all);
}
