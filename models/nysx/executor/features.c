#include "models/nysx/executor/features.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"

#define LABELS_MOST 4096 /* entries of the table by which the packers of the emitted hosts find columns */

bool nysx_labels_near(const struct dse_graph_set *set)
{
    const int64_t *value = set->node_label_values, last = set->node_label_count > 0 ? value[set->node_label_count - 1] : 0;
    return set->node_label_count == 0 || (value[0] >= INT32_MIN && last <= INT32_MAX - LABELS_MOST && last - value[0] < LABELS_MOST);
}

enum dse_status nysx_columns_check(const struct dse_graph_set *set, enum nysx_feature_kind kind, struct dse_error *err)
{
    const char *word = nysx_knobs.knobs[NYSX_FEATURES].choices[kind];
    if (nysx_reads_labels(kind) && set->node_label == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "features=%s: %s has no node labels", word, set->name);
    if (nysx_reads_attributes(kind) && set->node_attribute == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "features=%s: %s has no node attributes", word, set->name);
    if (kind == NYSX_CORES && !nysx_labels_near(set))
        return dse_fail(err, DSE_BAD_USAGE, "features=%s: %s has node labels from %lld to %lld; must lie within %d of each other", word, set->name,
                        (long long)set->node_label_values[0], (long long)set->node_label_values[set->node_label_count - 1], LABELS_MOST);
    return DSE_OK;
}

/* Adds each node's degree in its graph's 2-core to degree[node]. Nodes of degree 1 or less are removed until none is left; each removal lowers the
 * degree of the nodes in its row. A node is not its own neighbour. O(nodes + arcs). */
static void core_degrees(const struct dse_graph_set *set, size_t graph, int32_t *degree, int32_t *removed)
{
    size_t first = set->graph_begin[graph], nodes = dse_graph_nodes(set, graph), count = 0;
    const size_t *row = set->row_begin + first;
    for (size_t v = 0; v < nodes; v++) {
        for (size_t e = row[v]; e < row[v + 1]; e++)
            degree[v] += set->column[e] != (int32_t)v;
        if (degree[v] <= 1)
            removed[count++] = (int32_t)v;
    }
    for (size_t i = 0; i < count; i++) {
        size_t v = (size_t)removed[i];
        for (size_t e = row[v]; e < row[v + 1]; e++) {
            size_t w = (size_t)set->column[e];
            if (w != v && --degree[w] == 1)
                removed[count++] = (int32_t)w;
        }
    }
    for (size_t i = 0; i < count; i++)
        degree[removed[i]] = 0;
}

/* A dense number of each node's label, or pair of label and degree: label index × degrees + degree. */
static int32_t *places_of(const struct dse_graph_set *set, enum nysx_feature_kind kind, size_t degrees)
{
    int32_t *place = dse_calloc(set->node_count + 1, sizeof *place), *removed = dse_malloc((nysx_largest_graph(set) + 1) * sizeof *removed);
    for (size_t g = 0; kind == NYSX_CORES && g < set->graph_count; g++)
        core_degrees(set, g, place + set->graph_begin[g], removed);
    for (size_t v = 0; v < set->node_count; v++)
        place[v] = set->node_label[v] * (int32_t)degrees + (place[v] < (int32_t)degrees ? place[v] : (int32_t)degrees - 1);
    free(removed);
    return place;
}

static size_t degrees_of(enum nysx_feature_kind kind)
{
    return kind == NYSX_CORES ? NYSX_CORE_DEGREES : 1;
}

static int64_t value_of(const struct dse_graph_set *set, size_t place, size_t degrees)
{
    return set->node_label_values[place / degrees] * (int64_t)degrees + (int64_t)(place % degrees);
}

enum dse_status nysx_columns_make(const struct dse_graph_set *set, enum nysx_feature_kind kind,
                                  struct nysx_columns *out, struct dse_error *err)
{
    *out = (struct nysx_columns){.kind = kind};
    DSE_TRY(nysx_columns_check(set, kind, err));
    if (nysx_reads_attributes(kind))
        out->attributes = set->attribute_count;
    if (!nysx_reads_labels(kind))
        return DSE_OK;
    size_t degrees = degrees_of(kind), places = set->node_label_count * degrees;
    int32_t *place DSE_CLEANUP(dse_free_at) = places_of(set, kind, degrees);
    char *used DSE_CLEANUP(dse_free_at) = dse_calloc(places + 1, 1);
    for (size_t v = 0; v < set->node_count; v++)
        used[place[v]] = 1;
    out->label_values = dse_malloc((places + 1) * sizeof *out->label_values);
    for (size_t p = 0; p < places; p++)
        if (used[p] || kind != NYSX_CORES)
            out->label_values[out->labels++] = value_of(set, p, degrees);
    return DSE_OK;
}

void nysx_columns_free(struct nysx_columns *columns)
{
    free(columns->label_values);
    *columns = (struct nysx_columns){0};
}

/* Maps labels or pairs of another set by value, not by dense index. */
static int32_t *map_labels(const struct dse_graph_set *set, const struct nysx_columns *columns)
{
    size_t degrees = degrees_of(columns->kind), places = set->node_label_count * degrees;
    int32_t *map = dse_malloc((places + 1) * sizeof *map), *out = places_of(set, columns->kind, degrees);
    for (size_t p = 0; p < places; p++) {
        int64_t value = value_of(set, p, degrees);
        const int64_t *found = bsearch(&value, columns->label_values, columns->labels, sizeof value, dse_by_int64);
        map[p] = found != NULL ? (int32_t)(found - columns->label_values) : -1;
    }
    for (size_t v = 0; v < set->node_count; v++)
        out[v] = map[out[v]];
    free(map);
    return out;
}

enum dse_status nysx_features_make(const struct dse_graph_set *set, const struct nysx_columns *columns,
                                   struct nysx_features *out, struct dse_error *err)
{
    *out = (struct nysx_features){.set = set, .attributes = columns->attributes};
    if (columns->labels > 0 && set->node_label == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s has no node labels, which the model reads", set->name);
    if (columns->kind == NYSX_CORES)
        DSE_TRY(nysx_columns_check(set, columns->kind, err));
    if (columns->attributes > 0 && set->attribute_count != columns->attributes)
        return dse_fail(err, DSE_BAD_USAGE, "%s has %zu node attributes, but the model reads %zu", set->name,
                        set->attribute_count, columns->attributes);
    if (columns->labels > 0)
        out->column = map_labels(set, columns);
    size_t count = set->node_count * columns->attributes;
    out->attribute = count > 0 ? dse_malloc(count * sizeof *out->attribute) : NULL;
    for (size_t i = 0; i < count; i++)
        out->attribute[i] = (float)set->node_attribute[i];
    return DSE_OK;
}

void nysx_features_free(struct nysx_features *features)
{
    free(features->column);
    free(features->attribute);
    *features = (struct nysx_features){0};
}

size_t nysx_largest_graph(const struct dse_graph_set *set)
{
    size_t largest = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        if (dse_graph_nodes(set, g) > largest)
            largest = dse_graph_nodes(set, g);
    return largest;
}
