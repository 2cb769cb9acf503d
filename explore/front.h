/* A front's designs, evaluated again. Several threads evaluate the designs that are shown. The others are evaluated one by one on
 * request, because an estimate takes 18 KB and a front may have a hundred thousand designs. */
#pragma once

#include "explore/bands.h"
#include "explore/baseline.h"
#include "explore/corners.h"
#include "explore/workbench.h"
#include "search/search.h"

struct dse_load_result;

/* An estimate with what it is about. Nothing is owned. */
struct dse_design {
    const struct dse_setup *setup;
    const char *dataset;
    const struct dse_estimate *estimate;
    const struct dse_quality *quality; /* NULL where nothing was measured */
    const struct dse_standard *standard; /* what that is held against; NULL: not told */
    int64_t id;                        /* of the point in its study; 0 where it is in none */
    double chance;                     /* of being on its front within the models' errors; 0: not told */
    const struct dse_setting *facts;   /* of its profile; NULL: not told */
    const char *origin;                /* why this design: "as published" (explore/meant.h); NULL: not told */
    const struct dse_load_result *load; /* its queue (explore/load.h); NULL: not asked for */
};

/* Common to all designs with one algorithmic setting. */
struct dse_front_common {
    const struct dse_config *config;
    struct dse_setup setup; /* with the prepared workload where a design of it is asked for */
    const struct dse_quality *quality;
};

/* Factors of a design's speed-up over the modelled baseline; NaN where a step in between cannot be built. */
struct dse_speedup {
    double algorithm; /* the baseline's hardware with the design's setting */
    double hardware;  /* all other knobs at the baseline's clock */
    double clock;
    int with; /* a hardware knob that counts to the algorithm, since the setting cannot be built without its value; −1: none */
};

/* An answer's designs in its order; empty when zeroed. */
struct dse_front {
    const struct dse_point *points; /* count: the answer's */
    struct dse_front_common *commons; /* common_count */
    size_t common_count;
    struct dse_estimate *estimates; /* of the designs that were evaluated at once */
    struct dse_design *designs;     /* count; without an estimate where it was not: dse_front_design() */
    size_t *order;                  /* "balanced" first, then by balance, near-clones of those before them last */
    size_t count;
    size_t distinct;                /* of the order, those that are no near-clones (of a front beyond 1,000: among its first ones) */
    struct dse_corners corners;
    int shown_as[DSE_CORNER_COUNT]; /* the first corner that is the same design, or that it is a near-clone of: itself for most */
    /* Among the designs within one standard error of the best accuracy, the one with the least regret: within the models' errors its
     * latency × energy (or the view's own objective) is at most `regret` times the least. DSE_CORNER_NONE if the front is too large. */
    size_t robust;
    double regret, plain_regret; /* the same of the balanced one; of the least by the models, where the view says what is regretted */
    /* The paper's design on the same board with the knobs that the question fixes, where it can be built and its work is known. */
    bool has_paper;
    struct dse_config paper_config; /* also where it cannot be built */
    dse_knob_set paper_fixed; /* knobs in which it is not as published */
    struct dse_setup paper_setup;
    struct dse_estimate paper_estimate;
    struct dse_design paper;
    struct dse_baseline baseline; /* what was published of it */
    const struct dse_quality *paper_own; /* of the paper's design, trained as its text says, where the row has the quality of the preset
                                          * DSE_REFERENCE; NULL: the row's is its own */
    struct dse_speedup split; /* of the balanced design; NaN without a baseline */
};

/* The corners of a front, and its points by rank: the "balanced" first, then by balance, near-clones of those before them last.
 * Fills `order` (front_count indices), and `distinct`: how many of them are no near-clones. */
void dse_front_rank(const struct dse_question *question, const struct dse_profile *profile, const struct dse_standard *standard,
                    const struct dse_answer *answer, struct dse_corners *corners, size_t *order, size_t *distinct);

/* The points of a front by balance: the sum of log(objective / best of that objective) over the objectives, smallest first.
 * Fills `order` (front_count indices). O(n log n). */
void dse_front_balance(const struct dse_question *question, const struct dse_answer *answer, size_t *order);

/* Leaves of a front what covers it at a resolution: every design that goes is matched, within that share, by one that stays in
 * every objective. The best of each objective stay; of the others the more balanced. O(points × those that stay). */
void dse_front_cover(const struct dse_question *question, double resolution, struct dse_answer *answer);

/* The place in the front of row `row` of `shown` (1 or more): evenly over the front, both ends included. */
size_t dse_front_picked(size_t count, size_t shown, size_t row);

/* Which designs are evaluated at once, besides the corners. */
struct dse_front_view {
    size_t best;  /* most balanced ones */
    size_t shown; /* rows of dse_front_picked(); 0: every design */
    bool others;  /* the others can be asked for */
    uint64_t seed; /* of the draws of dse_bands_draw() */
    const struct dse_bands_regret *regret; /* NULL: latency × energy, among designs within one standard error of the best accuracy; else among all */
};

/* Evaluates the answer's points on one board. The answer's front stays where it is as long as this one is used. Of a front of up to
 * DSE_BANDS_POINTS every design is evaluated, and its chance drawn. O(points), with those O(points²). */
enum dse_status dse_front_make(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                               const struct dse_standard *standard, const struct dse_question *question,
                               const struct dse_answer *answer, const struct dse_front_view *view, struct dse_front *front,
                               struct dse_error *err);

/* The design of a place with its estimate, which is put into `room` where it was not made yet. Several threads may ask. */
enum dse_status dse_front_design(const struct dse_front *front, size_t place, struct dse_estimate *room, struct dse_design *out,
                                 struct dse_error *err);
void dse_front_free(struct dse_front *front);
