#include "datasets/graphs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "datasets/assembly.h"
#include "datasets/csr.h"
#include "datasets/edgelist.h"
#include "datasets/facts.h"
#include "datasets/generate.h"
#include "datasets/graphml.h"
#include "datasets/ranks.h"
#include "datasets/tudataset.h"

/* Maximum size of an unpacked file of a data set: forty times DD's edges, far below the memory of a present machine. */
#define FILE_BYTES_MAX ((size_t)1 << 30)

/* Prefix of a set's files in its pack, "MUTAG/MUTAG_" for MUTAG/MUTAG_A.txt, and its name "MUTAG". */
struct place {
    char *prefix, *name;
};

/* How well an entry fits as the edge file of the set called `stem`: 3 STEM/STEM_A.txt, 2 STEM_A.txt,
 * 1 any other …_A.txt, 0 none. */
static int rank_entry(const char *entry, const char *stem)
{
    const char *slash = strrchr(entry, '/'), *base = dse_path_base(entry);
    size_t length = strlen(stem);
    if (!dse_ends_in(base, "_A.txt"))
        return 0;
    if (strncmp(base, stem, length) != 0 || strcmp(base + length, "_A.txt") != 0)
        return 1;
    if (slash == NULL)
        return 2;
    return (size_t)(slash - entry) == length && strncmp(entry, stem, length) == 0 ? 3 : 1;
}

/* The edge file: the one that fits the name best, or the only one. */
static enum dse_status find_edges(const struct dse_bundle *pack, const char *stem, const char **entry,
                                  struct dse_error *err)
{
    int best = 0;
    const char *rival = NULL;
    *entry = NULL;
    for (size_t i = 0; i < dse_bundle_count(pack); i++) {
        int rank = rank_entry(dse_bundle_entry(pack, i), stem);
        if (rank > best) {
            best = rank;
            *entry = dse_bundle_entry(pack, i);
        } else if (rank == 1 && best == 1) {
            rival = dse_bundle_entry(pack, i);
        }
    }
    if (best == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: not a TUDataset: holds no %s_A.txt", dse_bundle_path(pack), stem);
    if (best == 1 && rival != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds several data sets, but none is called %s: %s, %s",
                        dse_bundle_path(pack), stem, *entry, rival);
    return DSE_OK;
}

static void find_place(const struct dse_bundle *pack, const char *entry, struct place *place)
{
    place->prefix = dse_strndup(entry, strlen(entry) - strlen("A.txt"));
    place->name = dse_path_stem(entry, "_A.txt");
    char *back = strrchr(place->name, '\\'); /* archives made on Windows have NAME\NAME_A.txt */
    if (back != NULL && back[1] != '\0' && !dse_file_is_folder(dse_bundle_path(pack)))
        memmove(place->name, back + 1, strlen(back));
}

static enum dse_status read_parts(struct dse_bundle *pack, const struct place *place, struct dse_text parts[DSE_TUDATASET_PARTS],
                                  struct dse_error *err)
{
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++) {
        struct dse_strbuf entry DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&entry, "%s%s", place->prefix, dse_tudataset_suffixes[i]);
        DSE_TRY(dse_bundle_read(pack, entry.text, FILE_BYTES_MAX, &parts[i], err));
    }
    for (size_t i = 0; i < dse_bundle_count(pack); i++) { /* also files that are not read, such as NAME_edge_attributes.txt */
        const char *entry = dse_bundle_entry(pack, i);
        if (strncmp(entry, place->prefix, strlen(place->prefix)) == 0 && dse_ends_in(entry, ".txt"))
            DSE_TRY(dse_bundle_spare(pack, entry, err));
    }
    return DSE_OK;
}

static enum dse_status read_edges(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_text parts[DSE_TUDATASET_PARTS] = {{0}};
    struct place place;
    const char *entry;
    char *stem DSE_CLEANUP(dse_free_at) = dse_path_stem(dse_bundle_path(pack), ".zip");
    DSE_TRY(find_edges(pack, stem, &entry, err));
    find_place(pack, entry, &place);
    enum dse_status status = read_parts(pack, &place, parts, err);
    if (status == DSE_OK)
        status = dse_tudataset_parse(place.name, parts, out, err);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++)
        dse_text_free(&parts[i]);
    free(place.prefix);
    free(place.name);
    return status;
}

static bool holds_edges(const struct dse_bundle *pack)
{
    return dse_bundle_ending(pack, "_A.txt", NULL) > 0;
}

/* ---- edges.csv with its tables ---- */

/* The entry that is called NAME, or SET_NAME, or NULL. */
static const char *entry_called(const struct dse_bundle *pack, const char *name)
{
    for (size_t i = 0; i < dse_bundle_count(pack); i++) {
        const char *entry = dse_bundle_entry(pack, i), *base = dse_path_base(entry);
        if (strcmp(base, name) == 0 || (dse_ends_in(base, name) && base[strlen(base) - strlen(name) - 1] == '_'))
            return entry;
    }
    return NULL;
}

static bool holds_tables(const struct dse_bundle *pack)
{
    return entry_called(pack, dse_edgelist_files[DSE_EDGELIST_EDGES]) != NULL;
}

/* The name of a set without its own name: the folder's or the archive's. */
static char *pack_name(const struct dse_bundle *pack)
{
    const char *path = dse_bundle_path(pack);
    return dse_path_stem(path, dse_ends_in(path, ".npz") ? ".npz" : ".zip");
}

static enum dse_status read_texts(struct dse_bundle *pack, struct dse_text parts[DSE_EDGELIST_PARTS], struct dse_error *err)
{
    for (int i = 0; i < DSE_EDGELIST_PARTS; i++) {
        const char *entry = entry_called(pack, dse_edgelist_files[i]);
        if (entry == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "%s: has edges.csv but no %s (docs/reference/data.md)", dse_bundle_path(pack),
                            dse_edgelist_files[i]);
        DSE_TRY(dse_bundle_read(pack, entry, FILE_BYTES_MAX, &parts[i], err));
    }
    return DSE_OK;
}

static enum dse_status read_tables(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_text parts[DSE_EDGELIST_PARTS] = {{0}};
    char *name DSE_CLEANUP(dse_free_at) = pack_name(pack);
    enum dse_status status = read_texts(pack, parts, err);
    if (status == DSE_OK)
        status = dse_edgelist_parse(name, parts, out, err);
    for (int i = 0; i < DSE_EDGELIST_PARTS; i++)
        dse_text_free(&parts[i]);
    return status;
}

/* ---- GraphML ---- */

static bool holds_graphml(const struct dse_bundle *pack)
{
    return dse_bundle_ending(pack, ".graphml", NULL) > 0;
}

static enum dse_status add_graphml(struct dse_bundle *pack, struct dse_assembly *assembly, struct dse_error *err)
{
    for (size_t i = 0; i < dse_bundle_count(pack); i++) {
        struct dse_text text DSE_CLEANUP(dse_text_free) = {0};
        if (!dse_ends_in(dse_bundle_entry(pack, i), ".graphml"))
            continue;
        DSE_TRY(dse_bundle_read(pack, dse_bundle_entry(pack, i), FILE_BYTES_MAX, &text, err));
        DSE_TRY(dse_graphml_add(&text, assembly, err));
    }
    return DSE_OK;
}

static enum dse_status read_graphml(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_assembly assembly DSE_CLEANUP(dse_assembly_free) = {0};
    char *name DSE_CLEANUP(dse_free_at) = pack_name(pack);
    DSE_TRY(add_graphml(pack, &assembly, err));
    return dse_assembly_finish(&assembly, name, dse_bundle_path(pack), out, err);
}

/* A plain GraphML file. */
static enum dse_status read_graphml_file(const char *path, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_assembly assembly DSE_CLEANUP(dse_assembly_free) = {0};
    struct dse_text text DSE_CLEANUP(dse_text_free) = {.name = dse_strdup(path)};
    char *name DSE_CLEANUP(dse_free_at) = dse_path_stem(path, ".graphml");
    DSE_TRY(dse_file_read(path, FILE_BYTES_MAX, &text.data, &text.size, err));
    DSE_TRY(dse_graphml_add(&text, &assembly, err));
    return dse_assembly_finish(&assembly, name, path, out, err);
}

/* ---- any of them ---- */

static enum dse_status read_arrays(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err)
{
    char *name DSE_CLEANUP(dse_free_at) = pack_name(pack);
    return dse_csr_read(dse_bundle_path(pack), name, out, err);
}

/* The forms in which a folder or an archive holds graphs, in the order in which they are tried. If none is found, the error names the files of the
 * first. */
static const struct form {
    bool (*holds)(const struct dse_bundle *pack);
    enum dse_status (*read)(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err);
} forms[] = {{holds_edges, read_edges}, {holds_tables, read_tables}, {dse_csr_holds, read_arrays}, {holds_graphml, read_graphml}};
#define FORM_COUNT (sizeof forms / sizeof *forms)

/* The set of an opened pack, by the first form that it holds. */
static enum dse_status read_set(struct dse_bundle *pack, struct dse_graph_set **out, struct dse_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < FORM_COUNT; i++)
        if (forms[i].holds(pack))
            return forms[i].read(pack, out, err);
    return forms[0].read(pack, out, err);
}

enum dse_status dse_graph_set_read(const char *path, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_bundle *pack;
    *out = NULL;
    DSE_TRY(dse_bundle_open(path, &pack, err));
    enum dse_status status = read_set(pack, out, err);
    dse_bundle_close(pack);
    return status;
}

static bool holds_graphs(const struct dse_bundle *pack)
{
    for (size_t i = 0; i < FORM_COUNT; i++)
        if (forms[i].holds(pack))
            return true;
    return false;
}

/* Families compute in single precision, where a larger one is infinite. */
static enum dse_status check_attributes(const struct dse_graph_set *set, const char *path, struct dse_error *err)
{
    for (size_t i = 0; i < set->node_count * set->attribute_count; i++)
        if (fabs(set->node_attribute[i]) > (double)FLT_MAX)
            return dse_fail(err, DSE_BAD_INPUT, "%s: node %zu, attribute %zu: %g is beyond %g, the limit of single precision", path,
                            i / set->attribute_count + 1, i % set->attribute_count + 1, set->node_attribute[i], (double)FLT_MAX);
    return DSE_OK;
}

static enum dse_status read_graphs(const struct dse_data_source *source, struct dse_dataset *out, struct dse_error *err)
{
    struct dse_graph_set *set;
    if (source->pack == NULL && dse_ends_in(source->path, ".npz"))
        return dse_fail(err, DSE_BAD_INPUT, "%s: is not an .npz file (a zip of arrays)", source->path);
    DSE_TRY(source->pack != NULL ? read_set(source->pack, &set, err) : read_graphml_file(source->path, &set, err));
    out->content = set;
    out->hash = set->hash;
    out->name = dse_strdup(set->name);
    return check_attributes(set, source->path, err);
}

static void free_graphs(void *content)
{
    dse_graph_set_free(content);
}

static size_t count_graphs(const void *content)
{
    return ((const struct dse_graph_set *)content)->graph_count;
}

static const int32_t *classes_of_graphs(const void *content)
{
    const struct dse_graph_set *set = content;
    return set->graph_label;
}

static const char *remark_on_labels(const void *content)
{
    return ((const struct dse_graph_set *)content)->labelled_by_degree
               ? "has neither node labels nor attributes: the degree of each node is its label" : NULL;
}

/* ---- facts ---- */

/* The number of joined pairs of nodes; an arc with a reverse arc is half a pair. */
static size_t count_edges(const struct dse_graph_set *set)
{
    return (set->arc_count - set->self_loops - set->one_way_arcs) / 2 + set->self_loops + set->one_way_arcs;
}

static void put_sizes(const struct dse_graph_set *set, struct dse_setting *facts)
{
    size_t most_nodes = 0, least_nodes = SIZE_MAX, most_arcs = 0;
    for (size_t g = 0; g < set->graph_count; g++) {
        size_t nodes = dse_graph_nodes(set, g), arcs = dse_graph_arcs(set, g);
        most_nodes = nodes > most_nodes ? nodes : most_nodes;
        least_nodes = nodes < least_nodes ? nodes : least_nodes;
        most_arcs = arcs > most_arcs ? arcs : most_arcs;
    }
    dse_facts_count(facts, "nodes_max", most_nodes);
    dse_facts_count(facts, "nodes_min", least_nodes);
    dse_facts_count(facts, "arcs_max", most_arcs);
}

static void graph_facts(const void *content, struct dse_setting *facts)
{
    const struct dse_graph_set *set = content;
    const struct {
        const char *name;
        size_t count;
    } counts[] = {
        {"graphs", set->graph_count},          {"classes", set->class_count},
        {"nodes", set->node_count},            {"edges", count_edges(set)},
        {"node_labels", set->node_label_count}, {"node_attributes", set->attribute_count},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        dse_facts_count(facts, counts[i].name, counts[i].count);
    dse_facts_ratio(facts, "nodes_mean", set->node_count, set->graph_count);
    dse_facts_ratio(facts, "arcs_mean", set->arc_count, set->graph_count);
    put_sizes(set, facts);
    if (set->labelled_by_degree)
        dse_setting_put(facts, "node_labels_from", "degrees");
    const size_t unusual[] = {set->edge_label_count, set->duplicate_arcs, set->self_loops, set->one_way_arcs};
    static const char *const unusual_names[] = {"edge_labels", "duplicate_arcs", "self_loops", "one_way_arcs"};
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual; i++)
        if (unusual[i] > 0)
            dse_facts_count(facts, unusual_names[i], unusual[i]);
    dse_facts_majority(facts, set->graph_label, set->graph_count, set->class_count);
}

static void rank_edges(struct dse_dataset *data)
{
    struct dse_graph_set *set = data->content;
    struct dse_strbuf name = {0};
    dse_graph_set_rank_edges(set);
    dse_strbuf_printf(&name, "%s-ranked", data->name);
    free(data->name);
    free(set->name);
    data->name = name.text;
    set->name = dse_strdup(data->name);
    data->hash = set->hash;
    data->ranked = true;
}

/* ---- generated sets ---- */

/* The order of enum dse_awkward. */
static const char *const awkward_words[] = {"crlf", "no-space", "indent", "no-final-newline", "blank-tail", "shuffled",
                                            "repeated", "label-gaps", "isolated", NULL};

static const struct dse_generate_option options[] = {
    {"graphs", "N", "generate: graphs (default 100)", true, 1, 1000000, 100, NULL, "graphs", NULL},
    {"classes", "N", "generate: classes, as many graphs of each (default 2)", true, 1, 1000000, 2, NULL, "classes", NULL},
    {"nodes", "X", "generate: mean number of nodes (default 20)", false, 1, 100000, 20, NULL, "nodes_mean", NULL},
    {"spread", "X", "generate: standard deviation of that number (default 5); other actions: the spread after ±, se (default) or sd", false, 0, 100000, 5, NULL, NULL, NULL},
    {"degree", "X", "generate: mean number of neighbours (default 2.5)", false, 0, 1000, 2.5, NULL, "arcs_mean", "nodes_mean"},
    {"labels", "N", "generate: node labels; 0: none (default 5)", true, 0, 100000, 5, NULL, "node_labels", NULL},
    {"attributes", "N", "generate: node attributes (default 0)", true, 0, 10000, 0, NULL, "node_attributes", NULL},
    {"feature-signal", "X", "generate: how strongly labels and attributes depend on the class, 0 to 1 (default 0.5)", false, 0, 1, 0.5, NULL, NULL, NULL},
    {"structure-signal", "X", "generate: how strongly edges depend on the class, 0 to 1 (default 0.5)", false, 0, 1, 0.5, NULL, NULL, NULL},
    {"awkward", "LIST", DSE_AWKWARD_HELP, true, 0, 0, 0, awkward_words, NULL, NULL},
};

static enum dse_status generate(const struct dse_generation *what, const char *folder, struct dse_error *err)
{
    const double *v = what->values;
    const struct dse_generate set = {
        .name = what->name, .graphs = (int64_t)v[0], .classes = (int64_t)v[1], .mean_nodes = v[2], .node_spread = v[3],
        .mean_degree = v[4], .labels = (int64_t)v[5], .attributes = (int64_t)v[6], .feature_signal = v[7],
        .structure_signal = v[8], .awkward = (unsigned)v[9], .seed = what->seed, .monitor = what->monitor};
    return dse_generate_folder(&set, folder, err);
}

const struct dse_kind dse_kind_graphs = {
    .name = "graphs",
    .title = "a set of graphs",
    .item = "graph",
    .items = "graphs",
    .sign = "NAME_A.txt, edges.csv, .graphml file or array edge_index or indptr",
    .endings = (const char *const[]){".graphml", ".npz", NULL},
    .holds = holds_graphs,
    .read = read_graphs,
    .free = free_graphs,
    .count = count_graphs,
    .classes = classes_of_graphs,
    .facts = graph_facts,
    .remark = remark_on_labels,
    .rank_edges = rank_edges,
    .generate = generate,
    .options = options,
    .option_count = sizeof options / sizeof *options,
};
