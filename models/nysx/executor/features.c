#include "models/nysx/executor/features.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"

enum dse_status nysx_columns_check(const struct dse_graph_set *set, enum nysx_feature_kind kind, struct dse_error *err)
{
    if (kind != NYSX_ATTRIBUTES && set->node_label == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "features=%s: %s has no node labels",
                        nysx_knobs.knobs[NYSX_FEATURES].choices[kind], set->name);
    if (kind != NYSX_LABELS && set->node_attribute == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "features=%s: %s has no node attributes",
                        nysx_knobs.knobs[NYSX_FEATURES].choices[kind], set->name);
    return DSE_OK;
}

enum dse_status nysx_columns_make(const struct dse_graph_set *set, enum nysx_feature_kind kind,
                                  struct nysx_columns *out, struct dse_error *err)
{
    *out = (struct nysx_columns){.kind = kind};
    DSE_TRY(nysx_columns_check(set, kind, err));
    if (kind != NYSX_LABELS)
        out->attributes = set->attribute_count;
    if (kind != NYSX_ATTRIBUTES) {
        out->labels = set->node_label_count;
        out->label_values = dse_malloc((out->labels + 1) * sizeof *out->label_values);
        memcpy(out->label_values, set->node_label_values, out->labels * sizeof *out->label_values);
    }
    return DSE_OK;
}

void nysx_columns_free(struct nysx_columns *columns)
{
    free(columns->label_values);
    *columns = (struct nysx_columns){0};
}

/* Maps labels of another set by value, not by dense index. */
static int32_t *map_labels(const struct dse_graph_set *set, const struct nysx_columns *columns)
{
    int32_t *map = dse_malloc((set->node_label_count + 1) * sizeof *map), *out = dse_malloc((set->node_count + 1) * sizeof *out);
    for (size_t i = 0; i < set->node_label_count; i++) {
        const int64_t *found = bsearch(&set->node_label_values[i], columns->label_values, columns->labels,
                                       sizeof *columns->label_values, dse_by_int64);
        map[i] = found != NULL ? (int32_t)(found - columns->label_values) : -1;
    }
    for (size_t v = 0; v < set->node_count; v++)
        out[v] = map[set->node_label[v]];
    free(map);
    return out;
}

enum dse_status nysx_features_make(const struct dse_graph_set *set, const struct nysx_columns *columns,
                                   struct nysx_features *out, struct dse_error *err)
{
    *out = (struct nysx_features){.set = set, .attributes = columns->attributes};
    if (columns->labels > 0 && set->node_label == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s has no node labels, which the model reads", set->name);
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
