/* A front's designs, evaluated again. Several threads evaluate the designs that are shown. The others are evaluated one by one on
 * request, because an estimate takes 18 KB and a front may have a hundred thousand designs. */
#pragma once

#include "explore/bands.h"
#include "explore/baseline.h"
#include "explore/corners.h"
#include "explore/workbench.h"
#include "search/search.h"

struct dse_load_result;

/* An estimate with its context. Owns nothing. */
struct dse_design {
    const struct dse_setup *setup;
    const char *dataset;
    const struct dse_estimate *estimate;
    const struct dse_quality *quality; /* NULL if not measured */
    const struct dse_standard *standard; /* reference for the quality; NULL: none */
    int64_t id;                        /* number of the point in its study; 0 if in none */
    double chance;                     /* probability of being on its front, given the models' errors; 0: unknown */
    const struct dse_setting *facts;   /* facts of the design's profile; NULL: unknown */
    const char *origin;                /* source of the design: "as published" (explore/meant.h); NULL: unknown */
    const struct dse_load_result *load; /* queue of the design (explore/load.h); NULL: not requested */
};

/* Common to all designs with one algorithmic setting. */
struct dse_front_common {
    const struct dse_config *config;
    struct dse_setup setup; /* with the prepared workload if one of its designs is requested */
    const struct dse_quality *quality;
};

/* Factors of a design's speed-up over the modelled baseline; NaN if an intermediate design is infeasible. */
struct dse_speedup {
    double algorithm; /* the baseline's hardware with the design's setting */
    double hardware;  /* all other knobs at the baseline's clock */
    double clock;
    int with; /* hardware knob counted as algorithm, because the setting requires its value; −1: none */
};

/* An answer's designs in its order; empty when zeroed. */
struct dse_front {
    const struct dse_point *points; /* count; of the answer */
    struct dse_front_common *commons; /* common_count */
    size_t common_count;
    struct dse_estimate *estimates; /* estimates of the designs evaluated in advance */
    struct dse_design *designs;     /* count; estimate missing if not evaluated: dse_front_design() */
    size_t *order;                  /* "balanced" first, then by balance, near-clones of earlier ones last */
    size_t count;
    size_t distinct;                /* number of entries of `order` that are not near-clones (of a front beyond 1,000: among its first ones) */
    struct dse_corners corners;
    int shown_as[DSE_CORNER_COUNT]; /* the first corner that is the same design, or whose near-clone it is; mostly itself */
    /* Among the designs within one standard error of the best accuracy, the one with the least regret. Given the models' errors, its latency × energy
     * (or the view's objective) is at most `regret` times the least. DSE_CORNER_NONE if the front is too large. */
    size_t robust;
    double regret, plain_regret; /* regret of the balanced design; with a view's objective, of the design that the models rank best */
    /* The published design on the same board with the knobs that the question fixes, if it is feasible and its workload is known. */
    bool has_paper;
    struct dse_config paper_config; /* also if infeasible */
    dse_knob_set paper_fixed; /* knobs that differ from the publication */
    struct dse_setup paper_setup;
    struct dse_estimate paper_estimate;
    struct dse_design paper;
    struct dse_baseline baseline; /* published figures of the paper's design */
    const struct dse_quality *paper_own; /* quality of the published design, trained as its publication states, if the row has the quality of the preset
                                          * DSE_REFERENCE; NULL: the row's is its own */
    struct dse_config paper_trained; /* with `paper_by_reference`: the configuration that has the row's quality */
    bool paper_differs, paper_by_reference; /* the training of preset DSE_REFERENCE differs from the published one; the row has its quality */
    struct dse_speedup split; /* speed-up of the balanced design; NaN without a baseline */
};

/* Corners of a front, and its points by rank: "balanced" first, then by balance, near-clones of earlier ones last.
 * Fills `order` (front_count indices) and `distinct`, the number of entries that are not near-clones. */
void dse_front_rank(const struct dse_question *question, const struct dse_profile *profile, const struct dse_standard *standard,
                    const struct dse_answer *answer, struct dse_corners *corners, size_t *order, size_t *distinct);

/* Points of a front by balance: the sum of log(objective / best of that objective) over the objectives, ascending.
 * Fills `order` (front_count indices). O(n log n). */
void dse_front_balance(const struct dse_question *question, const struct dse_answer *answer, size_t *order);

/* Thins a front to a resolution: every removed design has a remaining design within that share in every objective. Keeps the best of each objective.
 * Of the others, more balanced ones are preferred. O(points × remaining points). */
void dse_front_cover(const struct dse_question *question, double resolution, struct dse_answer *answer);

/* Front index of row `row` of `shown` (1 or more): evenly spaced, both ends included. */
size_t dse_front_picked(size_t count, size_t shown, size_t row);

/* Designs evaluated in advance, besides the corners. */
struct dse_front_view {
    size_t best;  /* most balanced ones */
    size_t shown; /* rows of dse_front_picked(); 0: all designs */
    bool others;  /* the others can be requested later */
    uint64_t seed; /* seed of the draws of dse_bands_draw() */
    const struct dse_bands_regret *regret; /* NULL: latency × energy, among designs within one standard error of the best accuracy; otherwise among all */
};

/* Evaluates the answer's points on one board. The answer's front must stay in place while this one is used. On fronts of up to
 * DSE_BANDS_POINTS, evaluates every design and its chance. O(points), in that case O(points²). */
enum dse_status dse_front_make(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                               const struct dse_standard *standard, const struct dse_question *question,
                               const struct dse_answer *answer, const struct dse_front_view *view, struct dse_front *front,
                               struct dse_error *err);

/* The design at an index with its estimate, which is computed into `room` if missing. Thread-safe. */
enum dse_status dse_front_design(const struct dse_front *front, size_t place, struct dse_estimate *room, struct dse_design *out,
                                 struct dse_error *err);
void dse_front_free(struct dse_front *front);
