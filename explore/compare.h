/* Compares machines: this processor measured now, others by publications and rooflines, and designs on boards by the models. */
#pragma once

#include "explore/load.h"
#include "explore/workbench.h"

enum dse_compared_kind { DSE_COMPARED_MEASURED, DSE_COMPARED_MODELLED, DSE_COMPARED_PUBLISHED };
extern const char *const dse_compared_kinds[]; /* "measured", "modelled", "published" and a NULL */

/* One machine. NaN if unknown. */
struct dse_compared {
    int kind;
    char machine[96];
    double latency_s;        /* time of latency_items items, at the system boundary; for a roofline a lower bound */
    double latency_items;    /* items of a launch (a design) or 1 (this machine) */
    double rate_hz;          /* items per second */
    struct dse_load_result load; /* under --rate, simulated; without it, p99_s is NaN */
    double energy_j;         /* per item */
    double quality, quality_error, quality_n; /* mean over quality_n splits and its standard error */
    double price_usd;
    char price_date[12], price_source[100]; /* date and source of the price */
    double per_watt, per_dollar; /* items per second */
    char source[160];
};

struct dse_compared_machines {
    struct dse_compared *rows; /* count: measured, designs, rooflines, published */
    size_t count;
    const char *items;   /* their name: "inferences" */
    const char *quality; /* its name: "accuracy"; "quality" if none was measured. Of the profile */
};

/* Price of a board given by the caller; replaces the shipped one. */
struct dse_board_price {
    const char *board;
    double usd;
};

/* Compares for the workbench's single data set. The processor runs the family's executor on one and on all cores, with a model trained
 * for the first board's design. Each board has the design that `estimate` would show for `infer`'s job and, from an answer, the fastest and the least-energy design at the boundary of the system. Energy of this machine is read from RAPL, if
 * readable. DSE_BAD_USAGE for several data sets, a family without an executor, a design of another job, or a price for a board outside the workbench. */
enum dse_status dse_compare_make(const struct dse_request *request, const struct dse_workbench *bench, const struct dse_board_price *prices,
                                 size_t price_count, struct dse_compared_machines *out, struct dse_error *err);
void dse_compared_free(struct dse_compared_machines *comparison);
