/* Published figures, between the files that predict them: a case is a data set with or without its DPP settings. */
#ifndef DSE_VALIDATION_PUBLISHED_H
#define DSE_VALIDATION_PUBLISHED_H

#include "validation/validation.h"

#define DSE_PUBLISHED_PORTS 16

/* The family's board with the memory that the publication states: 19.2 GB/s through a 512-bit port. Shares the texts of
 * the board, which must outlive it. */
struct dse_stated_board {
    struct dse_board board;
    struct dse_memory memories[DSE_MEMORY_MAX];
    struct dse_port ports[DSE_PUBLISHED_PORTS];
};

void dse_stated_board_make(const struct dse_board *board, const struct dse_validation_data *figures,
                           struct dse_stated_board *out);

/* What was predicted of a case as designed, and what the fit needs of it. */
struct dse_published_case {
    const char *dataset, *variant; /* "" or "dpp" */
    double latency_s, latency_low_s, latency_high_s;
    double power_w, power_low_w, power_high_w;
    double static_w, static_low_w, static_high_w;
    double stream_s;                           /* its bytes at the stated bandwidth: no build of it can be faster */
    double counted;                            /* the fit's quantity, a mean graph */
    double memory, memory_low, memory_high;    /* bytes: median, 5 and 95 % over the draws */
    double balance_speedup;                    /* sparse products without over with balanced rows */
    double operations, ddr_bytes;              /* of a mean graph */
};

/* One draw of a case: its workload and configuration. Clear with dse_published_draw_clear. */
struct dse_published_draw {
    struct dse_workload workload;
    struct dse_config config;
};

enum dse_status dse_published_draw_make(const struct dse_validation_ground *ground, const struct dse_dataset *data,
                                        const char *variant, uint64_t seed, struct dse_published_draw *out,
                                        struct dse_error *err);
/* Puts "name=value name=value" over a configuration. */
enum dse_status dse_published_words_apply(const struct dse_space *space, const char *words, struct dse_config *config,
                                          struct dse_error *err);
void dse_published_draw_clear(struct dse_published_draw *draw);

/* Profiles a data set `seeds` times from the ground's seed on; the first draw is the estimate's. */
enum dse_status dse_published_case_make(const struct dse_validation_ground *ground, const struct dse_dataset *data,
                                        const char *variant, size_t seeds, struct dse_published_case *out,
                                        struct dse_error *err);

/* Least squares of the relative errors of latency and of power, each linear in its one constant, over the cases that
 * have a published value and are not of the set `without` ("" for none). Bands are those of single cases. */
void dse_published_fit_make(const struct dse_validation_data *figures, const struct dse_published_case *cases, size_t count,
                            const char *without, struct dse_published_fit *out);

/* Resources of one design for all sets, each block as large as the set that needs the most of it: of the draw whose block
 * RAM is the median over the draws, with bands that hold the other draws' bands too. */
struct dse_published_design {
    int64_t nominal[DSE_RESOURCE_COUNT], low[DSE_RESOURCE_COUNT], high[DSE_RESOURCE_COUNT];
    struct dse_published_part parts[32]; /* a block of the family each */
    size_t part_count;
    double nodes, nonzeros; /* of the largest graph that it takes */
};

/* `words` are the design's knobs over the paper's ("capacity=max codes=scalar"). */
enum dse_status dse_published_design_make(const struct dse_validation_ground *ground, const struct dse_dataset *const *sets,
                                          size_t count, size_t draws, const char *words, struct dse_published_design *out,
                                          struct dse_error *err);

#endif
