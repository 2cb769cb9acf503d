#include "datasets/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum dse_status put_count(struct dse_setting *facts, const char *name, size_t count, struct dse_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    return dse_setting_put(facts, name, text, err);
}

static enum dse_status put_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of,
                                 struct dse_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)count / (double)of);
    return dse_setting_put(facts, name, text, err);
}

/* The pairs of nodes that are joined; an arc with one the other way is half a pair. */
static size_t count_edges(const struct dse_graph_set *set)
{
    return (set->arc_count - set->self_loops - set->one_way_arcs) / 2 + set->self_loops + set->one_way_arcs;
}

static enum dse_status put_sizes(const struct dse_graph_set *set, struct dse_setting *facts, struct dse_error *err)
{
    size_t most_nodes = 0, least_nodes = SIZE_MAX, most_arcs = 0;
    for (size_t g = 0; g < set->graph_count; g++) {
        size_t nodes = dse_graph_nodes(set, g), arcs = dse_graph_arcs(set, g);
        most_nodes = nodes > most_nodes ? nodes : most_nodes;
        least_nodes = nodes < least_nodes ? nodes : least_nodes;
        most_arcs = arcs > most_arcs ? arcs : most_arcs;
    }
    DSE_TRY(put_count(facts, "nodes_max", most_nodes, err));
    DSE_TRY(put_count(facts, "nodes_min", least_nodes, err));
    return put_count(facts, "arcs_max", most_arcs, err);
}

static enum dse_status put_majority(const struct dse_graph_set *set, struct dse_setting *facts,
                                    struct dse_error *err)
{
    size_t *counts = calloc(set->class_count, sizeof *counts), largest = 0;
    if (counts == NULL)
        return dse_fail_memory(err);
    for (size_t g = 0; g < set->graph_count; g++) {
        size_t count = ++counts[set->graph_label[g]];
        largest = count > largest ? count : largest;
    }
    free(counts);
    return put_ratio(facts, "majority", largest, set->graph_count, err);
}

static enum dse_status graph_facts(const struct dse_graph_set *set, struct dse_setting *facts, struct dse_error *err)
{
    const struct {
        const char *name;
        size_t count;
    } counts[] = {
        {"graphs", set->graph_count},          {"classes", set->class_count},
        {"nodes", set->node_count},            {"edges", count_edges(set)},
        {"node_labels", set->node_label_count}, {"node_attributes", set->attribute_count},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        DSE_TRY(put_count(facts, counts[i].name, counts[i].count, err));
    DSE_TRY(put_ratio(facts, "nodes_mean", set->node_count, set->graph_count, err));
    DSE_TRY(put_ratio(facts, "arcs_mean", set->arc_count, set->graph_count, err));
    DSE_TRY(put_sizes(set, facts, err));
    if (set->labelled_by_degree)
        DSE_TRY(dse_setting_put(facts, "node_labels_from", "degrees", err));
    const size_t unusual[] = {set->duplicate_arcs, set->self_loops, set->one_way_arcs};
    static const char *const unusual_names[] = {"duplicate_arcs", "self_loops", "one_way_arcs"};
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++)
        if (unusual[i] > 0)
            DSE_TRY(put_count(facts, unusual_names[i], unusual[i], err));
    return put_majority(set, facts, err);
}

/* ---- tables ---- */

static enum dse_status put_real(struct dse_setting *facts, const char *name, double value, struct dse_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return dse_setting_put(facts, name, text, err);
}

/* Mean, standard deviation and ends of one column. */
struct column_facts {
    double mean, deviation, least, most;
};

static struct column_facts column_facts(const struct dse_data_table *table, size_t column)
{
    const double *value = table->values + column;
    struct column_facts facts = {.least = *value, .most = *value};
    double squares = 0.0;
    for (size_t r = 0; r < table->rows; r++) {
        double v = value[r * table->columns], delta = v - facts.mean; /* Welford's recurrence: no cancellation */
        facts.mean += delta / (double)(r + 1);
        squares += delta * (v - facts.mean);
        facts.least = fmin(facts.least, v);
        facts.most = fmax(facts.most, v);
    }
    facts.deviation = sqrt(squares / (double)table->rows);
    return facts;
}

static enum dse_status put_target(const struct dse_data_table *table, struct dse_setting *facts, struct dse_error *err)
{
    struct column_facts target = column_facts(table, table->target);
    const struct {
        const char *name;
        double value;
    } values[] = {{"target_mean", target.mean}, {"target_std", target.deviation}, {"target_min", target.least},
                  {"target_max", target.most}};
    char *name = strdup(table->column[table->target]);
    if (name == NULL)
        return dse_fail_memory(err);
    for (char *at = name; *at != '\0'; at++) /* a profile's texts hold no blanks */
        if (*at == ' ' || *at == '=')
            *at = '_';
    enum dse_status status = dse_setting_put(facts, "target", *name != '\0' ? name : "_", err);
    free(name);
    for (size_t i = 0; i < sizeof values / sizeof *values && status == DSE_OK; i++)
        status = put_real(facts, values[i].name, values[i].value, err);
    return status;
}

static const char *separator_word(char separator)
{
    return separator == ';' ? "semicolon" : separator == '\t' ? "tab" : separator == ',' ? "comma" : "blanks";
}

static enum dse_status table_facts(const struct dse_data_table *table, struct dse_setting *facts, struct dse_error *err)
{
    size_t constant = 0;
    for (size_t c = 0; c < table->columns; c++) {
        struct column_facts column = column_facts(table, c);
        constant += c != table->target && column.least == column.most;
    }
    DSE_TRY(put_count(facts, "rows", table->rows, err));
    DSE_TRY(put_count(facts, "inputs", table->columns - 1, err));
    DSE_TRY(dse_setting_put(facts, "header", table->header ? "yes" : "no", err));
    DSE_TRY(dse_setting_put(facts, "separator", separator_word(table->separator), err));
    if (constant > 0)
        DSE_TRY(put_count(facts, "constant_inputs", constant, err));
    return put_target(table, facts, err);
}

enum dse_status dse_dataset_facts(const struct dse_dataset *dataset, struct dse_setting *facts,
                                  struct dse_error *err)
{
    return dataset->kind == DSE_DATASET_TABLE ? table_facts(dataset->table, facts, err)
                                              : graph_facts(dataset->graphs, facts, err);
}
