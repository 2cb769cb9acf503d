/* The inputs of the analytical commands, opened from the shared options: family, space, boards with their costs, and
 * profiles. */
#pragma once

#include "datasets/profile.h"
#include "explore/request.h"
#include "explore/grid.h"
#include "models/estimate.h"
#include "search/question.h"

/* Where the data of a profile is, for those who measure more of it. */
struct dse_source {
    char *word;             /* what dse_dataset_open finds it by */
    struct dse_grid survey; /* the settings to measure where nothing was measured yet; else empty */
    bool bare;              /* nothing was measured yet */
};

struct dse_workbench {
    const struct dse_model_family *family;
    struct dse_space *space; /* shared by all; restrict a copy */
    struct dse_board **boards;
    struct dse_costs **costs; /* a board each */
    size_t board_count;
    struct dse_profile **profiles;
    struct dse_source *sources; /* a profile each */
    size_t profile_count;
    bool measures_later; /* data sets without a profile get a bare one: their settings are measured when a search asks */
    double headroom; /* −1: the boards' own */
    char from_host[16]; /* of --from's study; "" without one */
    int64_t from_batch; /* 0 without one */
    struct dse_setting from; /* the knobs of --from's point; empty without it */
};

/* Opens everything that "family", "board", "dataset", "space", "headroom" and "calibration" name. A data set that is a
 * shipped profile's name or pattern is that; a folder, a zip, or a name found in --data-dir is measured on the fly.
 * "across" names more, parted by commas. Without "board" the paper's board. DSE_BAD_USAGE
 * without any. With "from", boards and data sets that are not named are those of its point, as the study holds them. */
enum dse_status dse_workbench_open(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);

/* The same, but data sets without a profile are not measured yet. */
enum dse_status dse_workbench_open_bare(const struct dse_request *request, struct dse_workbench *bench, struct dse_error *err);
void dse_workbench_close(struct dse_workbench *bench);

/* The paper's design at the profile's preset, with the point of --from and every --set on top, canonical. */
enum dse_status dse_workbench_base(const struct dse_workbench *bench, const struct dse_profile *profile,
                                   struct dse_config *config, struct dse_error *err); /* without --set */
enum dse_status dse_workbench_config(const struct dse_request *request, const struct dse_workbench *bench,
                                     const struct dse_profile *profile, struct dse_config *config,
                                     struct dse_error *err);

/* Every value KNOB=VALUE of a word ("set", "base") on top of a configuration, made canonical. DSE_BAD_USAGE also where one knob is set
 * twice. */
enum dse_status dse_workbench_assign(const struct dse_request *request, const char *word, const struct dse_workbench *bench,
                                     struct dse_config *config, struct dse_error *err);
enum dse_status dse_workbench_set(const struct dse_request *request, const struct dse_workbench *bench, struct dse_config *config,
                                  struct dse_error *err);

/* A setup for one board and the workload of a configuration. */
enum dse_status dse_workbench_setup(const struct dse_workbench *bench, size_t board,
                                    const struct dse_profile *profile, const struct dse_config *config,
                                    struct dse_setup *setup, struct dse_error *err);
