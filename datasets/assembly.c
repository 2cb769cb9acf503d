#include "datasets/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"

static enum dse_status check_count(size_t count, const char *what, struct dse_error *err)
{
    return count < INT32_MAX ? DSE_OK : dse_fail(err, DSE_LIMIT, "more than %d %s", INT32_MAX, what);
}

enum dse_status dse_assembly_add_node(struct dse_assembly *a, int32_t graph, struct dse_error *err)
{
    DSE_TRY(check_count(a->node_count, "nodes", err));
    int32_t *room = dse_list_more(&a->graph_of, &a->node_count, sizeof *room);
    *room = graph;
    return DSE_OK;
}

enum dse_status dse_assembly_add_arc(struct dse_assembly *a, int32_t from, int32_t to, bool both, struct dse_error *err)
{
    for (int way = 0; way < (both && from != to ? 2 : 1); way++) {
        DSE_TRY(check_count(a->arc_count, "arcs", err));
        struct dse_arc *room = dse_list_more(&a->arcs, &a->arc_count, sizeof *room);
        *room = way == 0 ? (struct dse_arc){from, to} : (struct dse_arc){to, from};
    }
    return DSE_OK;
}

enum dse_status dse_assembly_add_label(struct dse_assembly *a, struct dse_assembly_labels *labels, struct dse_word word,
                                       struct dse_error *err)
{
    int32_t number = dse_numbering_find(&labels->words, word);
    bool known;
    if (number < 0) {
        word.start = dse_arena_strndup(&a->texts, word.start, word.length);
        DSE_TRY(dse_numbering_add(&labels->words, word, &number, &known, err));
    }
    int32_t *room = dse_list_more(&labels->item, &labels->count, sizeof *room);
    *room = number;
    return DSE_OK;
}

/* The value of each word: its number if all words are whole numbers, else its position. */
static struct dse_labels make_labels(const struct dse_assembly_labels *labels, const int32_t *order)
{
    int64_t *of_word DSE_CLEANUP(dse_free_at) = dse_malloc(labels->words.count * sizeof *of_word);
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc(labels->count * sizeof *values);
    struct dse_labels out;
    bool whole = true;
    for (size_t w = 0; w < labels->words.count; w++) {
        char text[32] = "";
        if (labels->words.words[w].length < sizeof text)
            memcpy(text, labels->words.words[w].start, labels->words.words[w].length);
        whole &= dse_number_whole(text, &of_word[w]) == DSE_NUMBER_READ;
    }
    for (size_t w = 0; !whole && w < labels->words.count; w++)
        of_word[w] = (int64_t)w;
    for (size_t i = 0; i < labels->count; i++)
        values[i] = of_word[labels->item[order != NULL ? order[i] : (int32_t)i]];
    dse_labels_make(values, labels->count, &out);
    return out;
}

/* Sorts nodes so that those of a graph follow each other: order[new] = found and place[found] = new. */
static enum dse_status sort_nodes(const struct dse_assembly *a, const char *source, struct dse_graph_set *set, int32_t *order,
                                  int32_t *place, struct dse_error *err)
{
    set->graph_begin = dse_calloc(a->graph_count + 2, sizeof *set->graph_begin);
    for (size_t v = 0; v < a->node_count; v++)
        set->graph_begin[a->graph_of[v] + 1]++;
    for (size_t g = 0; g < a->graph_count; g++) {
        if (set->graph_begin[g + 1] == 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: graph %zu has no node", source, g + 1);
        set->graph_begin[g + 1] += set->graph_begin[g];
    }
    for (size_t v = 0; v < a->node_count; v++) {
        place[v] = (int32_t)set->graph_begin[a->graph_of[v]]++;
        order[place[v]] = (int32_t)v;
    }
    for (size_t g = a->graph_count; g > 0; g--)
        set->graph_begin[g] = set->graph_begin[g - 1];
    set->graph_begin[0] = 0;
    set->graph_count = a->graph_count;
    set->node_count = a->node_count;
    return DSE_OK;
}

static void place_nodes(struct dse_assembly *a, const int32_t *order, const int32_t *place, struct dse_graph_set *set)
{
    if (a->node_labels.count > 0)
        dse_graph_set_label_nodes(set, make_labels(&a->node_labels, order));
    size_t columns = a->attribute_count;
    if (columns > 0) {
        set->attribute_count = columns;
        bool moved = false;
        for (size_t v = 0; v < a->node_count; v++)
            moved |= (size_t)order[v] != v;
        if (!moved) { /* already in order: skips copies of large arrays */
            set->node_attribute = a->attributes;
            a->attributes = NULL;
        } else
            set->node_attribute = dse_malloc(a->node_count * columns * sizeof *set->node_attribute);
        for (size_t v = 0; v < a->node_count && moved; v++)
            memcpy(set->node_attribute + v * columns, a->attributes + (size_t)order[v] * columns, columns * sizeof *a->attributes);
    }
    dse_graph_set_label_graphs(set, make_labels(&a->graph_labels, NULL));
    for (size_t i = 0; i < a->arc_count; i++)
        a->arcs[i] = (struct dse_arc){place[a->arcs[i].from], place[a->arcs[i].to]};
    for (size_t g = 0; g < set->graph_count; g++)
        for (size_t v = set->graph_begin[g]; v < set->graph_begin[g + 1]; v++)
            a->graph_of[v] = (int32_t)g;
    dse_arcs_to_rows(a->arcs, a->arc_count, a->graph_of, set);
}

void dse_graph_set_label_nodes(struct dse_graph_set *set, struct dse_labels labels)
{
    set->node_label = labels.index;
    set->node_label_values = labels.values;
    set->node_label_count = labels.value_count;
}

void dse_graph_set_label_graphs(struct dse_graph_set *set, struct dse_labels labels)
{
    set->graph_label = labels.index;
    set->class_values = labels.values;
    set->class_count = labels.value_count;
}

#define AXES 3          /* axes of positions, at most */
#define BOND_SPREAD 0.25 /* relative standard deviation of edge lengths: BZR 0.13; drawings of letters 0.35, attributes of ENZYMES 0.8 to 1.1 */

bool dse_graph_set_has_positions(const struct dse_graph_set *set)
{
    size_t columns = set->attribute_count;
    double sum = 0.0, squares = 0.0, arcs = (double)set->arc_count;
    for (size_t g = 0; columns >= 2 && columns <= AXES && g < set->graph_count; g++)
        for (size_t v = set->graph_begin[g]; v < set->graph_begin[g + 1]; v++)
            for (size_t e = set->row_begin[v]; e < set->row_begin[v + 1]; e++) {
                const double *from = set->node_attribute + v * columns, *to = set->node_attribute + (set->graph_begin[g] + (size_t)set->column[e]) * columns;
                double square = 0.0;
                for (size_t j = 0; j < columns; j++)
                    square += (from[j] - to[j]) * (from[j] - to[j]);
                sum += sqrt(square);
                squares += square;
            }
    return sum > 0.0 && squares / arcs - sum / arcs * (sum / arcs) < BOND_SPREAD * BOND_SPREAD * (sum / arcs) * (sum / arcs);
}

void dse_graph_set_label_by_degree(struct dse_graph_set *set)
{
    struct dse_labels labels;
    if (set->node_label != NULL || (set->node_attribute != NULL && !dse_graph_set_has_positions(set)))
        return;
    int64_t *degrees DSE_CLEANUP(dse_free_at) = dse_malloc(set->node_count * sizeof *degrees);
    for (size_t v = 0; v < set->node_count; v++)
        degrees[v] = (int64_t)(set->row_begin[v + 1] - set->row_begin[v]);
    dse_labels_make(degrees, set->node_count, &labels);
    dse_graph_set_label_nodes(set, labels);
    set->labelled_by_degree = true;
}

enum dse_status dse_assembly_finish(struct dse_assembly *a, const char *name, const char *source, struct dse_graph_set **out,
                                    struct dse_error *err)
{
    *out = NULL;
    if (a->graph_count == 0 || a->node_count == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds no %s", source, a->graph_count == 0 ? "graph" : "node");
    if (a->graph_labels.count != a->graph_count)
        return dse_fail(err, DSE_BAD_INPUT, "%s: %zu graphs, but only %zu have a class", source, a->graph_count, a->graph_labels.count);
    struct dse_graph_set *set = dse_calloc(1, sizeof *set);
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_malloc(a->node_count * sizeof *order);
    int32_t *place DSE_CLEANUP(dse_free_at) = dse_malloc(a->node_count * sizeof *place);
    set->name = dse_strdup(name);
    enum dse_status status = sort_nodes(a, source, set, order, place, err);
    if (status != DSE_OK) {
        dse_graph_set_free(set);
        return status;
    }
    place_nodes(a, order, place, set);
    dse_graph_set_label_by_degree(set);
    set->hash = dse_graph_set_hash(set);
    *out = set;
    return DSE_OK;
}

void dse_assembly_free(struct dse_assembly *a)
{
    dse_numbering_free(&a->node_labels.words);
    dse_numbering_free(&a->graph_labels.words);
    free(a->node_labels.item);
    free(a->graph_labels.item);
    free(a->graph_of);
    free(a->attributes);
    free(a->arcs);
    dse_arena_free(&a->texts);
    *a = (struct dse_assembly){0};
}
