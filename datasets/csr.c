#include "datasets/csr.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/assembly.h"
#include "datasets/npz.h"

#define ELEMENTS_MAX ((size_t)1 << 28)
#define HELD 4 /* minimum bytes counted per element, also for a narrower type */

static const char *const edge_arrays[] = {"edge_index", "indptr", NULL};

bool dse_csr_holds(const struct dse_bundle *pack)
{
    for (size_t i = 0; i < dse_bundle_count(pack); i++)
        for (const char *const *name = edge_arrays; *name != NULL; name++) {
            size_t length = strlen(*name);
            const char *entry = dse_bundle_entry(pack, i);
            if (strncmp(entry, *name, length) == 0 && strcmp(entry + length, ".npy") == 0)
                return true;
        }
    return false;
}

/* NumPy's types of real numbers, and the conversion of one element to a double. All whole numbers of data fit: they are below 2^53. */
#define CONVERTER(name, type)                                                                                                    \
    static double from_##name(const void *elements, size_t i)                                                                    \
    {                                                                                                                            \
        type value;                                                                                                              \
        memcpy(&value, (const char *)elements + i * sizeof value, sizeof value);                                                 \
        return (double)value;                                                                                                    \
    }
CONVERTER(f4, float)
CONVERTER(f8, double)
CONVERTER(i8, int64_t)
CONVERTER(i4, int32_t)
CONVERTER(i2, int16_t)
CONVERTER(i1, int8_t)
CONVERTER(u8, uint64_t)
CONVERTER(u4, uint32_t)
CONVERTER(u2, uint16_t)
CONVERTER(u1, uint8_t)

static const struct type {
    const char *name;
    size_t bytes;
    double (*convert)(const void *elements, size_t i);
} types[] = {{"<f4", 4, from_f4}, {"<f8", 8, from_f8}, {"<i8", 8, from_i8}, {"<i4", 4, from_i4}, {"<i2", 2, from_i2},
             {"|i1", 1, from_i1}, {"<u8", 8, from_u8}, {"<u4", 4, from_u4}, {"<u2", 2, from_u2}, {"|u1", 1, from_u1},
             {"|b1", 1, from_u1}};

/* An array with the file's own type: as doubles it could take eight times the memory. */
struct array {
    const char *name; /* NULL: none of the names is there */
    size_t rank, shape[DSE_NPZ_MAX_RANK];
    const struct type *type;
    bool columns; /* lies column by column */
    void *elements;
};

/* The position of element `i`, counted row by row. */
static size_t place_of(const struct array *a, size_t i)
{
    size_t columns = a->rank == 2 ? a->shape[1] : 1;
    return a->columns ? i % columns * a->shape[0] + i / columns : i;
}

static double value_at(const struct array *a, size_t i)
{
    return a->type->convert(a->elements, place_of(a, i));
}

struct reader {
    struct dse_npz *npz;
    struct dse_assembly assembly;
    struct dse_error *err;
};

static enum dse_status wrong(const struct reader *r, const struct array *a, size_t index, const char *what)
{
    char text[200];
    snprintf(text, sizeof text, "[%zu] is %.17g: %s", index, value_at(a, index), what);
    return dse_npz_wrong(r->npz, a->name, text, r->err);
}

/* Reports the element as written in the file: a double does not hold the digits of a large one. */
static enum dse_status not_whole(const struct reader *r, const struct array *a, size_t index)
{
    char text[200], value[40];
    int64_t whole = 0;
    double real = value_at(a, index);
    snprintf(value, sizeof value, "%.17g", real);
    if (a->type->bytes == sizeof whole && a->type->convert != from_f8) {
        memcpy(&whole, (const char *)a->elements + place_of(a, index) * sizeof whole, sizeof whole);
        snprintf(value, sizeof value, a->type->convert == from_i8 ? "%" PRId64 : "%" PRIu64, whole);
    }
    snprintf(text, sizeof text, "[%zu] is %s: must be a whole number%s", index, value, fabs(real) >= 0x1p53 ? " below 2^53, in size" : "");
    return dse_npz_wrong(r->npz, a->name, text, r->err);
}

static enum dse_status wrong_type(const struct reader *r, const char *name, const char *type)
{
    char text[200];
    snprintf(text, sizeof text, "type '%s': must be little-endian: bool, whole numbers of 1 to 8 bytes, or floating point of 4 or 8", type);
    return dse_npz_wrong(r->npz, name, text, r->err);
}

/* The first existing array of the names, with `rank` dimensions, and with whole numbers if `whole`. */
static enum dse_status read_array(struct reader *r, const char *const *names, size_t rank, bool whole, struct array *out)
{
    struct dse_npz_member member;
    *out = (struct array){0};
    size_t index = 0;
    while (*names != NULL && !dse_npz_find(r->npz, *names, &index))
        names++;
    if (*names == NULL)
        return DSE_OK;
    DSE_TRY(dse_npz_look(r->npz, index, &member, r->err));
    out->name = *names;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (strcmp(types[t].name, member.type) == 0)
            out->type = &types[t];
    if (out->type == NULL)
        return wrong_type(r, *names, member.type);
    if (member.rank != rank && !(rank == 1 && member.rank == 2 && member.shape[1] == 1))
        return dse_npz_wrong(r->npz, *names, rank == 1 ? "must have one dimension" : "must have two dimensions", r->err);
    out->rank = member.rank;
    DSE_TRY(dse_npz_read(r->npz, *names, member.type, out->type->bytes, member.rank, member.shape, ELEMENTS_MAX, &out->elements, r->err));
    memcpy(out->shape, member.shape, sizeof out->shape);
    out->columns = member.columns;
    size_t count = out->shape[0] * (out->rank == 2 ? out->shape[1] : 1), bytes = count * out->type->bytes;
    if (bytes < count * HELD) /* memory that a graph needs per element */
        DSE_TRY(dse_npz_charge(r->npz, *names, count * HELD - bytes, r->err));
    for (size_t i = 0; whole && i < count; i++)
        if (value_at(out, i) != rint(value_at(out, i)) || fabs(value_at(out, i)) >= 0x1p53)
            return not_whole(r, out, i);
    return DSE_OK;
}

static void free_array(struct array *array)
{
    free(array->elements);
}

static enum dse_status need(const struct reader *r, const struct array *a, const char *names)
{
    return a->name != NULL ? DSE_OK : dse_fail(r->err, DSE_BAD_INPUT, "%s: no array is called %s", dse_npz_path(r->npz), names);
}

/* Limit on nodes, which take no bytes in a file that only counts them. It is the number of four-byte values that an archive of this size may unpack
 * to: 64 times its size and 16 MiB. */
static double nodes_most(const struct reader *r)
{
    struct stat facts;
    bool known = stat(dse_npz_path(r->npz), &facts) == 0;
    return (16 << 20) / 4 + (known ? 64.0 / 4.0 * (double)facts.st_size : 0.0);
}

/* Adds the nodes; `ptr` has the first node of each graph. */
static enum dse_status nodes_by_start(struct reader *r, const struct array *ptr)
{
    double most = nodes_most(r);
    if (ptr->shape[0] < 2 || value_at(ptr, 0) != 0)
        return dse_npz_wrong(r->npz, ptr->name, "must begin with 0 and have graphs + 1 elements", r->err);
    for (size_t g = 0; g + 1 < ptr->shape[0]; g++) {
        if (value_at(ptr, g + 1) > most)
            return wrong(r, ptr, g + 1, "more nodes than a file of this size can have");
        if (value_at(ptr, g + 1) <= value_at(ptr, g) || value_at(ptr, g + 1) > INT32_MAX)
            return wrong(r, ptr, g + 1, "must be above the one before: each graph has a node");
        for (double v = value_at(ptr, g); v < value_at(ptr, g + 1); v++)
            DSE_TRY(dse_assembly_add_node(&r->assembly, (int32_t)g, r->err));
        r->assembly.graph_count = g + 1;
    }
    return DSE_OK;
}

static enum dse_status read_nodes(struct reader *r)
{
    struct array ptr DSE_CLEANUP(free_array) = {0}, batch DSE_CLEANUP(free_array) = {0};
    DSE_TRY(read_array(r, (const char *const[]){"ptr", "graph_ptr", "graph_indptr", NULL}, 1, true, &ptr));
    if (ptr.name != NULL)
        return nodes_by_start(r, &ptr);
    DSE_TRY(read_array(r, (const char *const[]){"batch", NULL}, 1, true, &batch));
    DSE_TRY(need(r, &batch, "ptr, graph_ptr or batch"));
    if ((double)batch.shape[0] > nodes_most(r)) {
        char text[100];
        snprintf(text, sizeof text, "%zu nodes: more than a file of this size may have", batch.shape[0]);
        return dse_npz_wrong(r->npz, batch.name, text, r->err);
    }
    for (size_t v = 0; v < batch.shape[0]; v++) {
        bool follows = v == 0 ? value_at(&batch, v) == 0 : value_at(&batch, v) == value_at(&batch, v - 1) || value_at(&batch, v) == value_at(&batch, v - 1) + 1;
        if (!follows)
            return wrong(r, &batch, v, "graphs must be in order from 0, each with a node");
        DSE_TRY(dse_assembly_add_node(&r->assembly, (int32_t)value_at(&batch, v), r->err));
        r->assembly.graph_count = (size_t)value_at(&batch, v) + 1;
    }
    return DSE_OK;
}

static enum dse_status add_arc(struct reader *r, const struct array *from, size_t i, const struct array *to, size_t j, double source)
{
    double ends[2] = {source, value_at(to, j)};
    for (int e = 0; e < 2; e++)
        if (ends[e] < 0 || ends[e] >= (double)r->assembly.node_count)
            return wrong(r, e == 0 ? from : to, e == 0 ? i : j, "no such node");
    if (r->assembly.graph_of[(size_t)ends[0]] != r->assembly.graph_of[(size_t)ends[1]])
        return wrong(r, to, j, "the arc joins two graphs: both ends must lie in one");
    return dse_assembly_add_arc(&r->assembly, (int32_t)ends[0], (int32_t)ends[1], false, r->err);
}

static enum dse_status read_edge_index(struct reader *r, const struct array *edges)
{
    size_t count = edges->shape[1];
    if (edges->shape[0] != 2)
        return dse_npz_wrong(r->npz, edges->name, "must be 2 x arcs", r->err);
    for (size_t i = 0; i < count; i++)
        DSE_TRY(add_arc(r, edges, i, edges, count + i, value_at(edges, i)));
    return DSE_OK;
}

static enum dse_status read_rows(struct reader *r, const struct array *indptr, const struct array *indices)
{
    if (indptr->shape[0] != r->assembly.node_count + 1 || value_at(indptr, 0) != 0 ||
        value_at(indptr, indptr->shape[0] - 1) != (double)indices->shape[0])
        return dse_npz_wrong(r->npz, indptr->name, "must have nodes + 1 elements, from 0 to the number of indices", r->err);
    for (size_t v = 0; v + 1 < indptr->shape[0]; v++) {
        if (value_at(indptr, v + 1) < value_at(indptr, v))
            return wrong(r, indptr, v + 1, "is below the one before");
        if (value_at(indptr, v + 1) > (double)indices->shape[0])
            return wrong(r, indptr, v + 1, "is beyond the indices");
        for (size_t i = (size_t)value_at(indptr, v); i < (size_t)value_at(indptr, v + 1); i++)
            DSE_TRY(add_arc(r, indptr, v, indices, i, (double)v));
    }
    return DSE_OK;
}

static enum dse_status read_arcs(struct reader *r)
{
    struct array edges DSE_CLEANUP(free_array) = {0}, indptr DSE_CLEANUP(free_array) = {0}, indices DSE_CLEANUP(free_array) = {0};
    DSE_TRY(read_array(r, (const char *const[]){"edge_index", NULL}, 2, true, &edges));
    if (edges.name != NULL)
        return read_edge_index(r, &edges);
    DSE_TRY(read_array(r, (const char *const[]){"indptr", NULL}, 1, true, &indptr));
    DSE_TRY(need(r, &indptr, "edge_index or indptr"));
    DSE_TRY(read_array(r, (const char *const[]){"indices", NULL}, 1, true, &indices));
    DSE_TRY(need(r, &indices, "indices"));
    return read_rows(r, &indptr, &indices);
}

static enum dse_status take_labels(struct reader *r, const char *const *names, size_t expected, bool needed,
                                   struct dse_assembly_labels *labels)
{
    struct array a DSE_CLEANUP(free_array) = {0};
    char text[120];
    DSE_TRY(read_array(r, names, 1, true, &a));
    if (needed)
        DSE_TRY(need(r, &a, names[0]));
    if (a.name != NULL && a.shape[0] != expected) {
        snprintf(text, sizeof text, "has %zu elements: must have %zu", a.shape[0], expected);
        return dse_npz_wrong(r->npz, a.name, text, r->err);
    }
    for (size_t i = 0; a.name != NULL && i < expected; i++) {
        int length = snprintf(text, sizeof text, "%" PRId64, (int64_t)value_at(&a, i));
        DSE_TRY(dse_assembly_add_label(&r->assembly, labels, (struct dse_word){text, (size_t)length}, r->err));
    }
    return DSE_OK;
}

static enum dse_status read_attributes(struct reader *r)
{
    struct array x DSE_CLEANUP(free_array) = {0};
    DSE_TRY(read_array(r, (const char *const[]){"x", "node_attributes", NULL}, 2, false, &x));
    if (x.name != NULL && x.shape[0] != r->assembly.node_count)
        return dse_npz_wrong(r->npz, x.name, "must have a row per node", r->err);
    size_t count = x.name != NULL ? x.shape[0] * x.shape[1] : 0;
    if (count == 0)
        return DSE_OK;
    r->assembly.attribute_count = x.shape[1];
    r->assembly.attributes = dse_malloc(count * sizeof *r->assembly.attributes);
    for (size_t i = 0; i < count; i++)
        r->assembly.attributes[i] = value_at(&x, i);
    return DSE_OK;
}

static enum dse_status read_all(struct reader *r, const char *path, const char *name, struct dse_graph_set **out)
{
    struct dse_assembly *a = &r->assembly;
    DSE_TRY(read_nodes(r));
    DSE_TRY(take_labels(r, (const char *const[]){"y", "graph_labels", NULL}, a->graph_count, true, &a->graph_labels));
    DSE_TRY(take_labels(r, (const char *const[]){"node_labels", "z", NULL}, a->node_count, false, &a->node_labels));
    DSE_TRY(read_attributes(r));
    DSE_TRY(read_arcs(r));
    return dse_assembly_finish(a, name, path, out, r->err);
}

enum dse_status dse_csr_read(const char *path, const char *name, struct dse_graph_set **out, struct dse_error *err)
{
    struct reader r = {.err = err};
    *out = NULL;
    DSE_TRY(dse_npz_open(path, &r.npz, err));
    dse_npz_take_columns(r.npz);
    enum dse_status status = read_all(&r, path, name, out);
    dse_assembly_free(&r.assembly);
    dse_npz_close(r.npz);
    return status;
}
