/* A kind of data set: everything that a room above needs to find, read, describe, split and generate data without knowing their content. A new kind
 * is one struct dse_kind in a file of its own and a line in datasets/registry.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "core/setting.h"
#include "core/status.h"
#include "datasets/bundle.h"
#include "datasets/split.h"

struct dse_dataset;

/* A selection from a table: only these columns (none: all), without the dropped ones, and without rows that miss a value. */
struct dse_table_reading {
    char **columns, **drop; /* column_count, drop_count: names, or numbers from 1 */
    size_t column_count, drop_count;
    bool drops_missing;
};

/* Where a data set is read from. */
struct dse_data_source {
    const char *path;
    struct dse_bundle *pack; /* the opened folder or archive; NULL: `path` is a plain file */
    const struct dse_table_reading *reading; /* NULL: all of it */
    const char *called;    /* the name by which it was requested; NULL for a path */
};

/* One number of `datasets generate`, or a list of words that may be combined. */
struct dse_generate_option {
    const char *name, *argument, *help; /* name, argument and help of the command's option: "graphs", "N", "generate: graphs (default 100)" */
    bool whole;                         /* a number without a fraction */
    double minimum, maximum, initial;
    const char *const *words;           /* NULL-ended: word i is bit i of the value; NULL: it is a number */
    const char *fact, *per;             /* profile's fact that gives the value for similar generated data (NULL: none), divided by the
                                         * fact `per` (NULL: undivided) */
};

/* Help for every kind's option `awkward`, since the command shows an option once; its words are the kind's own. */
#define DSE_AWKWARD_HELP \
    "generate: unusual features of the files: crlf, no-final-newline, blank-tail, repeated, or others by the kind (a wrong word lists them)"

/* Parameters of generated data: equal values give equal bytes. */
struct dse_generation {
    const char *name;     /* name of the set and its files */
    const double *values; /* one for each of the kind's options, in their order */
    uint64_t seed;
    const struct dse_monitor *monitor; /* may be NULL */
};

struct dse_kind {
    const char *name;         /* "graphs": the word of `generate --kind` */
    const char *title;        /* name of one in messages: "a set of graphs" */
    const char *item, *items; /* its parts: "graph", "graphs" */
    const char *sign;         /* typical file in a folder or archive of it: "NAME_A.txt" */

    /* Endings of plain files that this kind reads (".csv"), NULL-ended; NULL: it takes a folder or an archive. */
    const char *const *endings;

    /* Whether the files of a folder or archive are of this kind. Kinds are asked in the registry's order. */
    bool (*holds)(const struct dse_bundle *pack);

    /* Fills in name (malloc'd), hash (of the content, independent of packing and way of writing) and content. The caller releases these, also after a
     * failure. */
    enum dse_status (*read)(const struct dse_data_source *source, struct dse_dataset *out, struct dse_error *err);
    void (*free)(void *content);

    /* How many items there are. */
    size_t (*count)(const void *content);

    /* The class of each item, from 0; NULL: items have none. */
    const int32_t *(*classes)(const void *content);

    /* The data set in a few numbers: the facts of a profile, words without blanks. */
    void (*facts)(const void *content, struct dse_setting *facts);

    /* A remark on the content for those who train on it, put after the set's name; NULL, or returns NULL: none. */
    const char *(*remark)(const void *content);

    /* Makes a column the one to predict; NULL: it has no columns. */
    enum dse_status (*set_target)(void *content, const char *column, struct dse_error *err);

    /* Keeps the most connected entities and the triples among them, for short runs. A word gives their number ("1454", or "0.1" of all). Name and
     * hash become those of the remainder. NULL: it has no entities. */
    enum dse_status (*keep_entities)(struct dse_dataset *data, const char *amount, struct dse_error *err);

    /* Describes graphs by their edges' ranks (datasets/ranks.h); name and hash become those of the result. NULL: it has no graphs. */
    void (*rank_edges)(struct dse_dataset *data);

    /* The kind's own split, shipped with the data or drawn in a special way, and its name ("published"). NULL: the split is drawn as 80/20 or as
     * folds. Not called for a draw with `given`. */
    enum dse_status (*split)(const void *content, const struct dse_draw *draw, struct dse_split *out, struct dse_error *err);
    const char *split_title;

    /* Writes a generated set into the new folder `folder`; NULL: none can be generated. */
    enum dse_status (*generate)(const struct dse_generation *what, const char *folder, struct dse_error *err);
    const struct dse_generate_option *options;
    size_t option_count;
};

/* The registry: all kinds, NULL-ended, in the order in which they are tried on a folder (datasets/registry.c). */
extern const struct dse_kind *const dse_kinds[];

/* The kind that reads a plain file called so, or NULL. */
const struct dse_kind *dse_kind_of_file(const char *path);
