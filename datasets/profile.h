/* A profile: what was measured on one data set, as numbers that can be shipped without the data.
 *
 * It knows no family: a workload is a list of named series, a quality a named mean with its spread, both
 * keyed by the algorithmic setting at which they were measured. The family's executor fills series in,
 * the family's models read them by name; docs/profiles.md lists the names of each family. */
#ifndef DSE_DATASETS_PROFILE_H
#define DSE_DATASETS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"

/* `rows` × `columns` numbers, row-major; 1 × 1 is a scalar. */
struct dse_series {
    char *name; /* "nnz_h", "sample.nodes", … */
    size_t rows, columns;
    double *values;
};

/* What the work looks like at one algorithmic setting. */
struct dse_workload {
    struct dse_setting setting; /* the knobs that shape the work: landmarks, hops, codes, width, … */
    struct dse_series *series;  /* series_count, ascending by name */
    size_t series_count;
};

/* What was measured of the answers at one algorithmic setting. */
struct dse_quality {
    struct dse_setting setting; /* every algorithmic knob */
    char *name;                 /* "accuracy", "mse", … */
    bool higher_is_better;
    double mean, std;           /* over n runs; std is the sample deviation, 0 for n = 1 */
    int64_t n;
    char *protocol;             /* how: "80/20 splits, seeds 1 to 10" */
};

struct dse_profile {
    char *family;               /* "nysx" */
    char *dataset;              /* "MUTAG" */
    uint64_t dataset_hash;
    char *tool_version;
    char *command;              /* what makes it again */
    struct dse_setting facts;   /* "graphs" = "188", "classes" = "2", … */
    struct dse_setting preset;  /* the paper's setting for this data set: every algorithmic knob */
    struct dse_workload *workloads;
    size_t workload_count;
    struct dse_quality *qualities;
    size_t quality_count;
};

/* Reads profile XML. DSE_BAD_INPUT names file, line, element and value. */
enum dse_status dse_profile_read(const char *path, struct dse_profile **out, struct dse_error *err);

/* Writes it, atomically; reading it back gives the same numbers bit for bit. */
enum dse_status dse_profile_write(const struct dse_profile *profile, const char *path,
                                  struct dse_error *err);

void dse_profile_free(struct dse_profile *profile);

/* Growing a profile. The pointers returned are valid until the next addition. */
enum dse_status dse_profile_add_workload(struct dse_profile *profile, const struct dse_setting *setting,
                                         struct dse_workload **out, struct dse_error *err);
enum dse_status dse_workload_add_series(struct dse_workload *workload, const char *name, size_t rows,
                                        size_t columns, const double *values, struct dse_error *err);
enum dse_status dse_profile_add_quality(struct dse_profile *profile, const struct dse_quality *quality,
                                        struct dse_error *err); /* copies */

/* The series called `name`, or NULL. O(log series). */
const struct dse_series *dse_workload_series(const struct dse_workload *workload, const char *name);

/* The workload whose setting is contained in `setting` (a full algorithmic setting), or NULL. */
const struct dse_workload *dse_profile_workload(const struct dse_profile *profile,
                                                const struct dse_setting *setting);

/* The quality whose setting is contained in `setting`, or NULL where nothing was measured there. */
const struct dse_quality *dse_profile_quality(const struct dse_profile *profile,
                                              const struct dse_setting *setting);

#endif
