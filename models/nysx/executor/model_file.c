/* The model file (docs/reference/model-file.md): a table of its arrays, and further checks. An array's type, shape and content are checked before
 * use, also against the other arrays. */
#include "core/memory.h"
#include "executor/model_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/executor/generator.h"
#include "models/nysx/executor/model.h"

#define MAX_COLUMNS 65536
#define MAX_CLASSES 65536
#define MAX_PROJECTION ((size_t)1 << 31)

/* ---- checks of single arrays ---- */

static const char *check_labels(const void *owner, const void *elements, size_t count, const char *type)
{
    const struct nysx_model *model = owner;
    if ((count > 0) != nysx_reads_labels(model->setting.features))
        return "does not agree with the setting's features";
    return dse_array_ascending(owner, elements, count, type);
}

static const char *check_classes(const void *owner, const void *elements, size_t count, const char *type)
{
    return count == 0 || dse_array_ascending(owner, elements, count, type) != NULL ? "must ascend and not be empty" : NULL;
}

static const char *check_bits(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)count, (void)type;
    const struct nysx_model *model = owner;
    return *(const int32_t *)elements != model->setting.prototype_bits ? "does not agree with the setting" : NULL;
}

static const char *check_shift(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner, (void)count, (void)type;
    int32_t shift = *(const int32_t *)elements;
    return shift < 0 || shift > NYSX_TABLE_SHIFT_MAX ? "must be 0 to " NYSX_TABLE_SHIFT_MAX_WORD : NULL;
}

static const char *check_weights(const void *owner, const void *elements, size_t count, const char *type)
{
    const struct nysx_model *model = owner;
    const int16_t *weight = elements;
    (void)count, (void)type;
    for (size_t i = 0; i < model->prototypes.places; i++)
        if (weight[i] != 0)
            return "must be 0 of the first class";
    return NULL;
}

/* ---- presence and shape of arrays ---- */

#define WHEN(name, condition)                                                             \
    static bool name(const void *owner)                                                   \
    {                                                                                     \
        const struct nysx_model *model = owner;                                           \
        const struct nysx_setting *setting = &model->setting;                             \
        (void)setting;                                                                    \
        return condition;                                                                 \
    }

WHEN(is_tuple, setting->codes != NYSX_CODES_SCALAR) /* an offset of the LSH for each column */
WHEN(is_scalar, setting->codes == NYSX_CODES_SCALAR)
WHEN(is_factored, setting->form == NYSX_FACTORED)
WHEN(is_direct, setting->form == NYSX_DIRECT)
WHEN(has_landmarks, setting->form != NYSX_DIRECT)
WHEN(is_whole, setting->form != NYSX_DIRECT && setting->form != NYSX_FACTORED)
WHEN(has_threshold, setting->form == NYSX_DIRECT && setting->center)
WHEN(is_centred, setting->form != NYSX_DIRECT && setting->center)
WHEN(has_offsets, setting->prototypes != NYSX_BUNDLED && setting->prototype_bits != 32)
WHEN(has_real_offsets, setting->prototypes != NYSX_BUNDLED && setting->prototype_bits == 32)
WHEN(has_table, setting->table > 0)
WHEN(is_scaled, model->nee.projection.scale != NULL)

static const char *projection_type(const void *owner)
{
    return nysx_format(((const struct nysx_model *)owner)->setting.precision)->npy_type;
}

static enum dse_status open_projection(void *holder, const size_t *shape, const struct dse_model *model, struct dse_error *err)
{
    return nysx_projection_alloc(nysx_model_of(model)->setting.precision, shape[0], shape[1], holder, err);
}

static const char *put_projection(void *holder, size_t row, const void *elements, size_t count)
{
    struct nysx_projection *projection = holder;
    if (!nysx_elements_valid(projection->precision, elements, count))
        return "an element is NaN, infinite or outside its precision";
    nysx_projection_put(projection, row, elements);
    return NULL;
}

static void get_projection(const void *holder, size_t row, void *elements, size_t count)
{
    (void)count;
    nysx_projection_get(holder, row, elements);
}

static const char *prototype_type(const void *owner)
{
    return ((const struct nysx_model *)owner)->setting.prototype_bits == 32 ? "<f4" : "|i1";
}

static enum dse_status open_prototypes(void *holder, const size_t *shape, const struct dse_model *model, struct dse_error *err)
{
    (void)err;
    *(struct nysx_prototypes *)holder = nysx_prototypes_make(shape[0], shape[1], nysx_model_of(model)->setting.prototype_bits);
    ((struct nysx_prototypes *)holder)->places = nysx_model_of(model)->setting.table;
    return DSE_OK;
}

static const char *put_prototype(void *holder, size_t row, const void *elements, size_t count)
{
    struct nysx_prototypes *p = holder;
    const int8_t *element = elements;
    int most = p->bits == 1 || p->bits == 32 ? 1 : (1 << (p->bits - 1)) - 1;
    if (p->bits == 32)
        memcpy(p->real + row * p->words * 64, elements, count * sizeof(float));
    for (size_t i = 0; p->bits != 32 && i < count; i++) {
        if (abs(element[i]) > most || (p->bits == 1 && element[i] == 0))
            return "an element does not fit prototype_bits";
        p->whole[row * count + i] = element[i];
    }
    return NULL;
}

static void get_prototype(const void *holder, size_t row, void *elements, size_t count)
{
    const struct nysx_prototypes *p = holder;
    if (p->bits == 32)
        memcpy(elements, p->real + row * p->words * 64, count * sizeof(float));
    else
        memcpy(elements, p->whole + row * count, count);
}

/* ---- the table ---- */

static const struct dse_array_group hops = {offsetof(struct nysx_model, encoder.tables),
                                            offsetof(struct nysx_model, encoder.hop), sizeof(struct nysx_hop)};

#define AT(member) .at = offsetof(struct nysx_model, member)
#define OF(member) DSE_SIZE(struct nysx_model, member)
#define FOUND(member) DSE_SIZE_FOUND(struct nysx_model, member)
#define HOP(member) .at = offsetof(struct nysx_hop, member), .group = &hops
#define HOP_OF(member) DSE_SIZE(struct nysx_hop, member)
#define HOP_FOUND(member) DSE_SIZE_FOUND(struct nysx_hop, member)
#define PROJECTION .typed = projection_type, .rank = 2, AT(nee.projection), .open = open_projection, .put = put_projection, .get = get_projection, \
                   .size = {OF(nee.projection.dim), OF(nee.landmarks)}, .most = MAX_PROJECTION

static const struct dse_model_array arrays[] = {
    {"lsh_u", "<f4", 2, {OF(encoder.lsh.rows), FOUND(encoder.lsh.columns)}, AT(encoder.lsh.u),
     .most = 64 * (size_t)MAX_COLUMNS},
    {"lsh_b", "<f4", 1, {OF(encoder.lsh.rows)}, AT(encoder.lsh.b), .present = is_scalar},
    {"lsh_b", "<f4", 2, {OF(encoder.lsh.rows), OF(encoder.lsh.columns)}, AT(encoder.lsh.b), .present = is_tuple},
    {"lsh_w", "<f4", 0, {{0}}, AT(encoder.lsh.width), .check = dse_array_positive},
    {"node_label_values", "<i8", 1, {FOUND(columns.labels)}, AT(columns.label_values), .check = check_labels,
     .most = MAX_COLUMNS},
    {"codebook_#", "<i8", 1, {HOP_FOUND(codes)}, HOP(codebook), .check = dse_array_ascending},
    {"landmark_hist_#_indptr", "<i4", 1, {{offsetof(struct nysx_hop, counts.rows), 1, false}}, HOP(counts.begin)},
    {"landmark_hist_#_indices", "<i4", 1, {HOP_FOUND(nonzeros)}, HOP(counts.column)},
    {"landmark_hist_#_data", "<i4", 1, {HOP_OF(nonzeros)}, HOP(counts.count)},
    {"p_nys", PROJECTION, .present = is_whole},
    {"phi_map", PROJECTION, .present = is_factored},
    {"p_nys_scale", "<f4", 1, {OF(nee.projection.dim)}, AT(nee.projection.scale), .present = is_scaled},
    {"phi_scale", "<f4", 0, {{0}}, AT(nee.phi_scale), .check = dse_array_positive, .present = is_factored},
    {"center", "<i4", 1, {OF(nee.landmarks)}, AT(nee.center), .check = dse_array_not_negative, .present = is_centred},
    {"threshold", "<i4", 1, {OF(nee.dim)}, AT(nee.threshold), .present = has_threshold},
    {"prototypes", .typed = prototype_type, .rank = 2, .size = {FOUND(prototypes.classes), OF(prototypes.dim)},
     AT(prototypes), .open = open_prototypes, .put = put_prototype, .get = get_prototype},
    {"prototype_bits", "<i4", 0, {{0}}, AT(prototypes.bits), .check = check_bits},
    {"prototype_offset", "<i4", 1, {OF(prototypes.classes)}, AT(prototypes.bias), .present = has_offsets},
    {"prototype_offset", "<f4", 1, {OF(prototypes.classes)}, AT(prototypes.real_bias), .present = has_real_offsets},
    {"code_weights", "<i2", 2, {OF(prototypes.classes), OF(prototypes.places)}, AT(prototypes.table), .check = check_weights, .present = has_table},
    {"code_weights_shift", "<i4", 0, {{0}}, AT(prototypes.table_shift), .check = check_shift, .present = has_table},
    {"class_labels", "<i8", 1, {OF(prototypes.classes)}, AT(class_values), .check = check_classes, .most = MAX_CLASSES},
    {"landmarks", "<i8", 1, {OF(encoder.landmarks)}, AT(landmarks), .indices = true, .present = has_landmarks},
};

/* ---- the description ---- */

/* Words at the top level of `meta` as well as in its setting, for people and scripts. */
static const char *const top_words[][2] = {
    {"propagation", "propagation"}, {"features", "features"}, {"codes", "codes"},
    {"sampling", "sampling"},       {"lsh", "lsh"},           {"precision", "nee.precision"},
    {"form", "nee.form"},           {"generator", "nee.generator"}, {"phi_bits", "nee.phi_bits"},
};

static void describe(const struct dse_model *base, json_t *meta)
{
    const struct nysx_model *model = nysx_model_of(base);
    json_object_set_new(meta, "rank", json_integer((json_int_t)model->rank));
    if (model->algebra[0] != '\0')
        json_object_set_new(meta, "algebra", json_string(model->algebra));
    json_object_set_new(meta, "generator_seed", json_integer((json_int_t)model->nee.generator_seed));
    json_object_set_new(meta, "generator_columns", json_integer((json_int_t)nysx_generator_columns(model->nee.generator)));
    json_object_set_new(meta, "setting", dse_model_file_setting(&base->words));
    for (size_t i = 0; i < sizeof top_words / sizeof *top_words; i++)
        json_object_set_new(meta, top_words[i][0], json_string(dse_setting_get(&base->words, top_words[i][1])));
}

/* Older models drew signs one column per step; their P_rp can no longer be generated. */
static enum dse_status check_generator(struct dse_npz *file, json_t *meta, const struct nysx_model *model,
                                       struct dse_error *err)
{
    json_int_t columns = json_integer_value(json_object_get(meta, "generator_columns"));
    size_t needed = nysx_generator_columns(model->setting.generator);
    if (model->setting.form != NYSX_FACTORED || (columns == 0 ? 1 : columns) == (json_int_t)needed)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_INPUT,
                    "%s: meta: generator_columns %lld: must be %zu (written by another version: train the model again)",
                    dse_npz_path(file), (long long)columns, needed);
}

/* The sizes that the arrays are checked against. */
static enum dse_status set_sizes(struct nysx_model *model, struct dse_npz *file, struct dse_error *err)
{
    const struct nysx_setting *s = &model->setting;
    struct nysx_encoder *encoder = &model->encoder;
    if (s->form == NYSX_FACTORED && (model->rank == 0 || model->rank > s->landmarks))
        return dse_npz_wrong(file, "meta", "rank must be 1 to the number of landmarks", err);
    model->columns.kind = s->features;
    encoder->lsh = (struct nysx_lsh){.hops = s->hops * s->draws, .draws = s->draws, .rows = s->codes == NYSX_CODES_WL ? 1 : s->hops * s->draws,
                                     .tuple = s->codes == NYSX_CODES_TUPLE, .wl = s->codes == NYSX_CODES_WL,
                                     .normalised = s->propagation == NYSX_PROPAGATION_ROW_NORMALISED};
    encoder->landmarks = s->form == NYSX_DIRECT ? 0 : s->landmarks;
    model->nee = (struct nysx_nee){.form = s->form, .dim = s->dim, .landmarks = encoder->landmarks, .words = (s->dim + 63) / 64,
                                   .generator = s->generator, .generator_seed = model->nee.generator_seed,
                                   .phi_bits = s->phi_bits};
    model->prototypes.dim = s->dim;
    model->prototypes.places = s->table;
    if (s->form == NYSX_DIRECT)
        return DSE_OK;
    encoder->tables = encoder->lsh.hops;
    encoder->hop = dse_calloc(encoder->tables, sizeof *encoder->hop);
    for (size_t t = 0; t < encoder->tables; t++)
        encoder->hop[t].counts.rows = s->landmarks;
    model->nee.projection.dim = s->form == NYSX_FACTORED ? model->rank : s->dim;
    return DSE_OK;
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    struct nysx_model *model = (struct nysx_model *)base;
    json_int_t rank = json_integer_value(json_object_get(meta, "rank"));
    model->rank = rank > 0 ? (size_t)rank : 0;
    const char *algebra = json_string_value(json_object_get(meta, "algebra"));
    snprintf(model->algebra, sizeof model->algebra, "%s", algebra != NULL ? algebra : "");
    model->nee.generator_seed = (uint64_t)json_integer_value(json_object_get(meta, "generator_seed"));
    DSE_TRY(nysx_setting_parse(&base->words, &model->setting, err));
    DSE_TRY(check_generator(file, meta, model, err));
    return set_sizes(model, file, err);
}

/* ---- checks of arrays against each other ---- */

/* Row starts, columns and counts of one landmark histogram. */
static const char *csr_wrong(const struct nysx_csr *csr, size_t nonzeros)
{
    if (csr->begin[0] != 0 || csr->begin[csr->rows] < 0 || (size_t)csr->begin[csr->rows] != nonzeros)
        return "must begin with 0 and end with the number of entries";
    for (size_t r = 0; r < csr->rows; r++)
        if (csr->begin[r] > csr->begin[r + 1])
            return "row starts must not descend";
    for (size_t r = 0; r < csr->rows; r++)
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++)
            if (csr->column[e] < 0 || (size_t)csr->column[e] >= csr->columns || csr->count[e] < 1 ||
                (e > csr->begin[r] && csr->column[e - 1] >= csr->column[e]))
                return "an entry's column is outside the codebook or not ascending, or its count is not positive";
    return NULL;
}

static enum dse_status finish(struct dse_model *base, struct dse_npz *file, struct dse_error *err)
{
    struct nysx_model *model = (struct nysx_model *)base;
    struct nysx_lsh *lsh = &model->encoder.lsh;
    if (lsh->columns == 0 || lsh->columns < model->columns.labels ||
        (lsh->columns > model->columns.labels) != nysx_reads_attributes(model->setting.features))
        return dse_npz_wrong(file, "lsh_u", "must have one column for each feature", err);
    model->columns.attributes = lsh->columns - model->columns.labels;
    for (size_t t = 0; t < model->encoder.tables; t++) {
        struct nysx_hop *hop = &model->encoder.hop[t];
        hop->counts.columns = hop->codes;
        const char *wrong = csr_wrong(&hop->counts, hop->nonzeros);
        char name[64];
        snprintf(name, sizeof name, "landmark_hist_%zu_indptr", t);
        if (wrong != NULL)
            return dse_npz_wrong(file, name, wrong, err);
    }
    if (is_direct(model))
        nysx_direct_seal(&model->nee);
    else
        DSE_TRY(nysx_encoder_finish(&model->encoder, err));
    nysx_prototypes_seal(&model->prototypes);
    return DSE_OK;
}

static void release(struct dse_model *base)
{
    struct nysx_model *model = (struct nysx_model *)base;
    nysx_encoder_free(&model->encoder);
    nysx_nee_free(&model->nee);
    nysx_prototypes_free(&model->prototypes);
}

const struct dse_model_form nysx_model_form = {
    .bytes = sizeof(struct nysx_model),
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .describe = describe,
    .read = read_meta,
    .finish = finish,
    .release = release,
};
