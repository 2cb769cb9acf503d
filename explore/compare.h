/* Machines side by side: this one's processor measured now, others by publications and by roofs, and designs on boards by the models. */
#pragma once

#include "explore/workbench.h"

enum dse_compared_kind { DSE_COMPARED_MEASURED, DSE_COMPARED_MODELLED, DSE_COMPARED_PUBLISHED };
extern const char *const dse_compared_kinds[]; /* "measured", "modelled", "published" and a NULL */

/* One machine. NaN where nothing is known. */
struct dse_compared {
    int kind;
    char machine[96];
    double latency_s;        /* of one item, with all that delivers its answer; of a roof at least */
    double rate_hz;          /* items per second */
    double p99_load_s;       /* under the load of --rate, simulated; infinity where more comes than it serves */
    double energy_j;         /* per item */
    double quality, quality_error, quality_n; /* mean over so many splits and its standard error */
    double price_usd;
    char price_date[12], price_source[100]; /* when and where it was stated */
    double per_watt, per_dollar; /* items per second */
    char source[160];
};

struct dse_compared_machines {
    struct dse_compared *rows; /* count: measured, designs, roofs, published */
    size_t count;
};

/* The price of a board, as the caller knows it; it replaces the shipped one. */
struct dse_board_price {
    const char *board;
    double usd;
};

/* Compares for the one data set of the workbench: its processor runs the executor of the family on one and on all cores, with a model trained
 * for the design of the first board; each board has the design that `estimate` would show for the job that `infer` does and, of an answer, the fastest and that of least energy. Energy of this machine is RAPL's, where it can be
 * read. DSE_BAD_USAGE for several data sets, a family without an executor, a design of another job, and a price of no board of the workbench. */
enum dse_status dse_compare_make(const struct dse_request *request, const struct dse_workbench *bench, const struct dse_board_price *prices,
                                 size_t price_count, struct dse_compared_machines *out, struct dse_error *err);
void dse_compared_free(struct dse_compared_machines *comparison);
