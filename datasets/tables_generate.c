/* Generated tables: inputs uniform in [0, 1), the target a sum of a line and a sine of each, with noise. */
#include <math.h>

#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/tables.h"

#define STREAM_SHAPE 61
#define STREAM_ROWS 62
#define CELLS_MOST 1e8

const struct dse_generate_option dse_tables_options[DSE_TABLES_OPTIONS] = {
    [DSE_TABLES_ROWS] = {"rows", "N", "generate: rows (default 500)", true, 2, 100000000, 500, NULL, "rows", NULL},
    [DSE_TABLES_INPUTS] = {"inputs", "N", "generate: columns beside the target (default 5)", true, 1, 65535, 5, NULL, "inputs", NULL},
    [DSE_TABLES_NOISE] = {"noise", "X", "generate: standard deviation of the target's noise (default 0.1)", false, 0, 1000, 0.1, NULL, NULL, NULL},
};

static double shape_of(double x, double slope, double wave)
{
    return slope * x + wave * sin(6.283185307179586 * x);
}

enum dse_status dse_tables_generate(const struct dse_generation *what, const char *folder, struct dse_error *err)
{
    const double *v = what->values;
    size_t rows = (size_t)v[DSE_TABLES_ROWS], inputs = (size_t)v[DSE_TABLES_INPUTS];
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0}, text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_rng drawn;
    if ((double)rows * (double)(inputs + 1) > CELLS_MOST)
        return dse_fail(err, DSE_LIMIT, "a table of more than %.0f cells is too large", CELLS_MOST);
    DSE_TRY(dse_texts_check(folder, err));
    for (size_t c = 0; c < inputs; c++)
        dse_strbuf_printf(&text, "x%zu,", c + 1);
    dse_strbuf_add(&text, "y\n");
    dse_rng_seed(&drawn, what->seed, STREAM_ROWS);
    for (size_t r = 0; r < rows; r++) {
        struct dse_rng shape; /* the same in each row */
        double y = 0.0;
        dse_rng_seed(&shape, what->seed, STREAM_SHAPE);
        for (size_t c = 0; c < inputs; c++) {
            double x = dse_rng_uniform(&drawn), slope = dse_rng_normal(&shape), wave = 0.5 * dse_rng_normal(&shape);
            y += shape_of(x, slope, wave);
            dse_strbuf_printf(&text, "%.6f,", x);
        }
        dse_strbuf_printf(&text, "%.6f\n", y + v[DSE_TABLES_NOISE] * dse_rng_normal(&drawn));
        if (dse_monitor_cancelled(what->monitor))
            return dse_fail_cancelled(err);
    }
    dse_strbuf_printf(&name, "%s.csv", what->name);
    const struct dse_text file = {name.text, text.text, text.length};
    return dse_texts_write(folder, &file, 1, err);
}
