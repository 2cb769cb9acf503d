/* A profile: measurements on one data set, as numbers that can be shipped without the data.
 *
 * It knows no family: a workload is a list of named series, a quality a named mean with its spread. Both are keyed by the algorithmic setting of the
 * measurement. The family's executor fills series in, and the family's models read them by name. docs/reference/profiles.md lists the names of each
 * family. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"
#include "core/strbuf.h"

/* Maximum sizes of one series, and of one profile. A reader of hostile files needs limits; these are far above the sizes that the families write. */
#define DSE_SERIES_VALUES_MAX 400000
#define DSE_PROFILE_WORKLOADS_MAX 4096
#define DSE_PROFILE_QUALITIES_MAX 16384
#define DSE_VALIDATION_MAX 64
#define DSE_PROFILE_ASSUMED "assumed" /* a fact of profiles made from counts alone: the part of their work that is not measured … */
#define DSE_PROFILE_ASSUMED_STAGE "assumed.stage" /* … and the family's stage whose cycles depend on it */

/* `rows` × `columns` finite numbers, row-major; 1 × 1 is a scalar. */
struct dse_series {
    char *name; /* "nnz_h", "sample.nodes", … */
    size_t rows, columns;
    double *values;
};

/* The workload at one algorithmic setting. */
struct dse_workload {
    struct dse_setting setting; /* the knobs that shape the work: landmarks, hops, codes, width, … */
    struct dse_series *series;  /* series_count, ascending by name */
    size_t series_count;
    bool assumed; /* some of it is not measured (DSE_PROFILE_ASSUMED) */
};

/* The measured quality of one algorithmic setting. */
struct dse_quality {
    struct dse_setting setting; /* every algorithmic knob */
    char *name;                 /* "accuracy", "mse", … */
    bool higher_is_better;
    double mean, std;           /* over n runs; std is the sample deviation, 0 for n = 1 */
    int64_t n;
    char *protocol;             /* how: "80/20 splits, seeds 1 to 10" */
    double *validation;         /* validation_count: the scores behind the mean, on validation parts of common splits, in their order, so that any two
                                 * settings can be compared in pairs; NULL if they are not kept */
    size_t validation_count;
    double reported_mean, reported_std; /* over reported_n splits held out from choosing among settings; 0: none */
    int64_t reported_n;
};

/* Facts of a data set from which the quality of a prediction without a model follows; NaN if unknown. Of classes: the share of the largest class, and their
 * number; of a table: range, standard deviation and mean absolute deviation of its target; of triples: the number of entities. */
struct dse_chance {
    double majority, classes, range, deviation, absolute, entities;
};

/* Quality of a prediction without a model. Classes: always the largest one, which has its share as accuracy, 1/classes as balanced accuracy,
 * 2·majority/((1 + majority)·classes) as macro F1, 0.5 as area under the curve. Targets: always their mean (mse, rmse, mae, r2, quality). Ranks: a random
 * order of the entities (mrr, hits, mean_rank). That of a negative is negative. NaN if a fact is, and for loss. */
double dse_quality_constant(const char *metric, const struct dse_chance *of);

/* The name of this prediction: "constant prediction", or "random order" for ranks. Whether a figure is that prediction's value of the metric: "rmse_constant". */
const char *dse_quality_chance_title(const char *metric);
bool dse_quality_is_chance(const char *figure, const char *metric);

/* The name of a quality or figure as people read it: "balanced accuracy" for "balanced", "constant prediction" for "majority", "RMSE" for "rmse" and
 * its negative. Its value as people read it: −value of a negative. */
const char *dse_quality_title(const char *name);
double dse_quality_plain(const char *name, double value);

/* Whether less of a quality or figure is better: of errors, ranks and losses. */
bool dse_quality_is_cost(const char *name);

/* The name by which searches and profiles hold a metric, so that more is always better: "neg_rmse", which is −rmse, for "rmse" (the names are
 * scikit-learn's); otherwise the name itself. Whether a name is such a negative, with the metric that it negates in `of` (may be NULL). */
const char *dse_quality_gain(const char *name);
bool dse_quality_is_negative(const char *name, const char **of);

/* The value of a perfect model from which the metric `error` is measured: 0 for a negative, whose error is the metric that it negates; otherwise 1, also
 * for NULL. */
double dse_quality_error_from(const char *name);

/* A mean and a limit on it, as people read them, without a negative's sign: "rmse 1.23" for −1.23 of "neg_rmse"; "rmse <= 1.23" for it at least −1.23. */
char *dse_quality_amount(const char *name, double mean, char *text, size_t size);
char *dse_quality_limit(const char *name, bool at_least, double bound, char *text, size_t size);

/* The name of a metric that --metric gives, which may be "balanced_accuracy" or "balanced-accuracy" for "balanced". */
const char *dse_quality_word(const char *word);

struct dse_profile {
    char *family;               /* "nysx" */
    char *dataset;              /* "MUTAG" */
    uint64_t dataset_hash;
    char *tool_version;
    char *command;              /* command that makes it again */
    struct dse_setting facts;   /* "graphs" = "188", "classes" = "2", … */
    struct dse_setting preset;  /* the published setting for this data set: every algorithmic knob */
    struct dse_workload *workloads;
    size_t workload_count;
    struct dse_quality *qualities;
    size_t quality_count;
};

/* Reads profile XML (datasets/schema/profile.xsd). DSE_BAD_INPUT names file, line, element and value. */
enum dse_status dse_profile_read(const char *path, struct dse_profile **out, struct dse_error *err);

/* Whether its qualities are of splits drawn without regard to classes, as in `struct dse_dataset`. Added measurements must be made in the same way. */
bool dse_profile_unstratified(const struct dse_profile *profile);

/* The metric of its qualities if it differs from the family's `own`; else NULL. Lives as long as the profile. */
const char *dse_profile_metric(const struct dse_profile *profile, const char *own);

/* As dse_profile_read, from memory; `name` stands for the file's name in messages. */
enum dse_status dse_profile_parse(const char *data, size_t size, const char *name, struct dse_profile **out,
                                  struct dse_error *err);

/* `name` is a shipped profile's name (upper or lower case), or a file if it holds a '/' or ends in .xml. An unknown name is DSE_BAD_USAGE, with the
 * existing names and the nearest one. */
enum dse_status dse_profile_open(const char *name, struct dse_profile **out, struct dse_error *err);

/* The content hash of the data that the shipped profile of that name was measured on; 0 if there is none. */
uint64_t dse_profile_hash_of(const char *name);

/* The series that a family puts into a workload, one per row. */
struct dse_series_value {
    const char *name;
    size_t rows, columns;
    const double *values;
};
enum dse_status dse_workload_put(struct dse_workload *workload, const struct dse_series_value *series, size_t count,
                                 struct dse_error *err);

/* Adds every series of another workload. */
enum dse_status dse_workload_put_all(struct dse_workload *workload, const struct dse_workload *from, struct dse_error *err);

/* The series, which must exist with that many rows and columns (0: any number except none); otherwise DSE_BAD_INPUT names it. */
enum dse_status dse_workload_need(const struct dse_workload *workload, const char *name, size_t rows, size_t columns,
                                  const struct dse_series **out, struct dse_error *err);

/* A table of the series of a workload that a family's models read: whole numbers of least … most, each into an int64_t of `out`. DSE_BAD_INPUT names
 * a series that is missing, of another shape, or out of its range. */
struct dse_series_whole {
    const char *name;
    int64_t least, most;
    size_t at; /* its offset in `out` */
};
enum dse_status dse_workload_read(const struct dse_workload *workload, const struct dse_series_whole *series, size_t count,
                                  void *out, struct dse_error *err);

/* As dse_workload_read, into a new struct of `bytes` bytes, otherwise zeroed, that the caller frees; NULL after a failure. */
enum dse_status dse_workload_take(const struct dse_workload *workload, const struct dse_series_whole *series, size_t count,
                                  size_t bytes, void **out, struct dse_error *err);

/* The names of the shipped profiles that `pattern` matches, sorted. * stands for any text; upper and lower case are alike. DSE_BAD_USAGE if a pattern
 * matches none. A pattern without * or ? that is no shipped name is rejected as in dse_profile_open. dse_share_names_free releases the names. */
enum dse_status dse_profile_names(const char *pattern, char ***names, size_t *count, struct dse_error *err);

/* An empty profile with these texts. */
struct dse_profile *dse_profile_create(const char *family, const char *dataset, uint64_t dataset_hash,
                                       const char *tool_version, const char *command);

/* Writes it, atomically; reading it back gives the same numbers bit for bit. Bytes in its texts that XML cannot hold become U+FFFD. DSE_BAD_USAGE for
 * a setting that the format cannot hold (see dse_profile_add_workload). */
enum dse_status dse_profile_write(const struct dse_profile *profile, const char *path,
                                  struct dse_error *err);

/* Appends the XML text instead. */
enum dse_status dse_profile_format(const struct dse_profile *profile, struct dse_strbuf *xml, struct dse_error *err);

/* Whether the format can hold every name and setting: the check that dse_profile_write makes first. */
enum dse_status dse_profile_check(const struct dse_profile *profile, struct dse_error *err);

void dse_profile_free(struct dse_profile *profile);
static inline void dse_profile_free_at(struct dse_profile **profile) /* for DSE_CLEANUP */
{
    dse_profile_free(*profile);
}

/* The name of the measured quality: "accuracy", "mrr"; "quality" if none was measured. */
const char *dse_profile_quality_name(const struct dse_profile *profile);

/* Growing a profile. The returned pointers are valid until the next addition. DSE_BAD_USAGE for an empty setting or name, one with white space or
 * '=', a number that is not finite, and an existing entry. Likewise for a setting that some full setting would match together with an existing one (a
 * look-up could not choose). DSE_LIMIT beyond the sizes above. O(count) each. */
enum dse_status dse_profile_add_workload(struct dse_profile *profile, const struct dse_setting *setting,
                                         struct dse_workload **out, struct dse_error *err);
enum dse_status dse_workload_add_series(struct dse_workload *workload, const char *name, size_t rows,
                                        size_t columns, const double *values, struct dse_error *err);
enum dse_status dse_profile_add_quality(struct dse_profile *profile, const struct dse_quality *quality,
                                        struct dse_error *err); /* copies; one that is better when lower becomes its negative (dse_quality_gain) */

/* Moves a separately made workload (zeroed, then its setting and series added) into the profile. `workload` is empty afterwards, also after a
 * failure. */
enum dse_status dse_profile_take_workload(struct dse_profile *profile, struct dse_workload *workload,
                                          struct dse_error *err);

/* One workload as text, in the form of a profile with no other content, and back, bit for bit. `out` must be zeroed and is the caller's. Errors as of
 * profiles; `name` stands for the file's name in messages. */
enum dse_status dse_workload_format(const struct dse_workload *workload, const char *family, uint64_t dataset_hash,
                                    const char *tool_version, const char *command, struct dse_strbuf *xml, struct dse_error *err);
enum dse_status dse_workload_parse(const char *xml, size_t size, const char *name, struct dse_workload *out, struct dse_error *err);

/* Releases the memory of a workload and leaves it empty. */
void dse_workload_clear(struct dse_workload *workload);

/* The series called `name`, or NULL. O(log series). */
const struct dse_series *dse_workload_series(const struct dse_workload *workload, const char *name);

/* The workload whose setting is contained in `setting`, or NULL. `setting` is a full algorithmic setting: the profile's preset, overridden by the
 * configuration's knobs. O(workloads). */
const struct dse_workload *dse_profile_workload(const struct dse_profile *profile,
                                                const struct dse_setting *setting);

/* The quality whose setting is contained in `setting`, or NULL if none was measured there. O(qualities). */
const struct dse_quality *dse_profile_quality(const struct dse_profile *profile,
                                              const struct dse_setting *setting);
