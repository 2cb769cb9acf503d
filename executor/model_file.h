/* The model file of any family: NumPy's .npz with `meta`, a JSON object that describes the model, and the arrays that the family declares in a table.
 * The table alone drives saving, loading, the checks and the release. */
#pragma once

#include <jansson.h>

#include "executor/executor.h"
#include "datasets/npz.h"

/* A length: a size_t of the array's owner, plus an offset. `found`: the file gives it, and it is stored there. */
struct dse_array_size {
    size_t at, plus;
    bool found;
};

/* Arrays that exist once per struct in a list of the model's: the owner is then the struct, not the model. */
struct dse_array_group {
    size_t count, base, stride; /* offsets in the model of the size_t and of the pointer to the first; bytes of one struct */
};

struct dse_model_array {
    const char *name; /* "lsh_u"; of a group with a # for the number: "codebook_#" */
    const char *type; /* NumPy's: "<f4"; NULL: `typed` says; "<U": strings of `letters` each, uint32_t in memory */
    size_t rank;      /* 0: a single number */
    struct dse_array_size size[DSE_NPZ_MAX_RANK];

    /* Offset in the owner of the pointer to the elements (malloc'd by loading, freed with the model) or of a single number. With `put` and `get`,
     * offset of their holder. */
    size_t at;

    /* The fault of the elements, as a text without a full stop ("must ascend"), or NULL. Sizes of this array and of the preceding rows of the table
     * are known. */
    const char *(*check)(const void *owner, const void *elements, size_t count, const char *type);

    bool indices;                               /* int32_t in memory, "<i8" in the file: items of the data set, ascending */
    bool (*present)(const void *owner);         /* NULL: always */
    const char *(*typed)(const void *owner);
    struct dse_array_size letters;
    const struct dse_array_group *group;        /* NULL: none */
    size_t most;                                /* elements that are read at all; 0: 2^28 */

    /* For elements with another layout in memory, a row at a time (all of a single one). `open` makes room for the shape (NULL: it is there). `put`
     * takes a row from the file and returns its fault, or NULL. `get` gives one. */
    enum dse_status (*open)(void *holder, const size_t *shape, const struct dse_model *model, struct dse_error *err);
    const char *(*put)(void *holder, size_t row, const void *elements, size_t count);
    void (*get)(const void *holder, size_t row, void *elements, size_t count);
};

#define DSE_SIZE(type, member) {.at = offsetof(type, member)}
#define DSE_SIZE_FOUND(type, member) {.at = offsetof(type, member), .found = true}

/* The arrays of a family's models. `train_index`, `test_index` and, if there is one, `validation_index` follow its arrays. */
struct dse_model_form {
    size_t bytes; /* size of the family's struct, whose first member is struct dse_model */
    const struct dse_model_array *arrays;
    size_t array_count;

    /* Adds to `meta`, after family, data set and seed; the setting follows unless it was added. May be NULL. */
    void (*describe)(const struct dse_model *model, json_t *meta);

    /* Reads these, and the model's words; sets the sizes that arrays are checked against. DSE_BAD_INPUT by dse_npz_wrong(). */
    enum dse_status (*read)(struct dse_model *model, json_t *meta, struct dse_npz *file, struct dse_error *err);

    /* Checks arrays against each other and makes the data that no array holds. May be NULL. */
    enum dse_status (*finish)(struct dse_model *model, struct dse_npz *file, struct dse_error *err);

    /* Frees data that no array of the table holds. May be NULL. */
    void (*release)(struct dse_model *model);
};

/* A setting as a JSON object of texts. */
json_t *dse_model_file_setting(const struct dse_setting *setting);

/* A whole number of `meta` in 0 … most. */
enum dse_status dse_model_file_count(struct dse_npz *file, json_t *meta, const char *name, json_int_t most, json_int_t *out,
                                     struct dse_error *err);

/* For `check`: of "<i8"; of "<i4", "<f4" and "<f8". */
const char *dse_array_ascending(const void *owner, const void *elements, size_t count, const char *type);
const char *dse_array_positive(const void *owner, const void *elements, size_t count, const char *type);
const char *dse_array_not_negative(const void *owner, const void *elements, size_t count, const char *type);
