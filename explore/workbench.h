/* Inputs of the analytical commands, opened from the shared options: family, space, boards with their costs, and
 * profiles. */
#pragma once

#include "datasets/profile.h"
#include "explore/request.h"
#include "explore/grid.h"
#include "models/estimate.h"
#include "search/question.h"

/* Location of a profile's data, for further measurements. */
struct dse_source {
    char *word;             /* argument of dse_dataset_open */
    struct dse_grid survey; /* settings to measure if nothing was measured yet; otherwise empty */
    bool bare;              /* nothing was measured yet */
};

struct dse_workbench {
    const struct dse_model_family *family;
    struct dse_space *space; /* shared by all; restrict only a copy */
    struct dse_board **boards;
    struct dse_costs **costs; /* one per board */
    size_t board_count;
    struct dse_profile **profiles;
    struct dse_source *sources; /* one per profile */
    size_t profile_count;
    bool measures_later; /* data sets without a profile get a bare one; a search measures their settings on demand */
    bool ranks; /* "model" was trained on graphs of ranked edges, which its data then are too */
    double headroom; /* −1: the boards' own */
    char from_host[16]; /* host path of --from's study; or "" */
    int64_t from_batch; /* 0 without --from */
    struct dse_setting from; /* knobs of --from's point, or those that "preset" changes in the published design; empty without both */
};

/* Opens everything named by "family", "board", "dataset", "space", "headroom" and "calibration". A data set that matches a shipped profile's name or
 * pattern is that profile. A folder, a zip, or a name found in --data-dir is measured on the fly. "across" names more, comma-separated. "preset" must be DSE_REFERENCE or DSE_LITERAL. The default
 * of "board" is the publication's board. DSE_BAD_USAGE if there is none. With "from", unnamed boards and data sets are those of its point, as stored
 * in the study. */
enum dse_status dse_workbench_open(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);

/* As dse_workbench_open, but does not measure data sets without a profile yet. */
enum dse_status dse_workbench_open_bare(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);
void dse_workbench_close(struct dse_workbench *bench);

/* The paper's design on a board at the profile's preset, with the point of --from or the training of "preset". Every --set applies on top.
 * The result is canonical. */
enum dse_status dse_workbench_base(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                                   struct dse_config *config, struct dse_error *err); /* without --set */
enum dse_status dse_workbench_config(const struct dse_request *request, const struct dse_workbench *bench, size_t board,
                                     const struct dse_profile *profile, struct dse_config *config,
                                     struct dse_error *err);

/* Applies every value KNOB=VALUE of a word ("set", "base") to a configuration and makes it canonical. DSE_BAD_USAGE also if a knob is set
 * twice. */
enum dse_status dse_workbench_assign(const struct dse_request *request, const char *word, const struct dse_workbench *bench,
                                     struct dse_config *config, struct dse_error *err);
enum dse_status dse_workbench_set(const struct dse_request *request, const struct dse_workbench *bench, struct dse_config *config,
                                  struct dse_error *err);

/* DSE_BAD_USAGE, with the option ("--set "), for a clock that no board reaches. */
enum dse_status dse_workbench_reaches(const struct dse_workbench *bench, const char *option, int64_t mhz, struct dse_error *err);

/* A setup for one board and a configuration's workload. */
enum dse_status dse_workbench_setup(const struct dse_workbench *bench, size_t board,
                                    const struct dse_profile *profile, const struct dse_config *config,
                                    struct dse_setup *setup, struct dse_error *err);
