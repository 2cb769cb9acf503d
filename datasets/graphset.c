#include "datasets/graphset.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/file.h"
#include "datasets/pack.h"
#include "datasets/tudataset.h"

/* What one file of a data set may hold once unpacked: forty times DD's edges, far under what a machine of today
 * has. */
#define FILE_BYTES_MAX ((size_t)1 << 30)

/* Where a set's files stand in its pack: "MUTAG/MUTAG_" for MUTAG/MUTAG_A.txt, and the name "MUTAG". */
struct place {
    char *prefix, *name;
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* How well an entry fits as the edge file of the set called `stem`: 3 STEM/STEM_A.txt, 2 STEM_A.txt,
 * 1 any other …_A.txt, 0 none. */
static int rank_entry(const char *entry, const char *stem)
{
    const char *slash = strrchr(entry, '/');
    const char *base = slash != NULL ? slash + 1 : entry;
    size_t length = strlen(stem);
    if (!ends_with(base, "_A.txt"))
        return 0;
    if (strncmp(base, stem, length) != 0 || strcmp(base + length, "_A.txt") != 0)
        return 1;
    if (slash == NULL)
        return 2;
    return (size_t)(slash - entry) == length && strncmp(entry, stem, length) == 0 ? 3 : 1;
}

/* The edge file: the best that fits by name, or the only one there is. */
static enum dse_status find_edges(const struct dse_pack *pack, const char *stem, const char **entry,
                                  struct dse_error *err)
{
    int best = 0;
    const char *rival = NULL;
    *entry = NULL;
    for (size_t i = 0; i < dse_pack_count(pack); i++) {
        int rank = rank_entry(dse_pack_entry(pack, i), stem);
        if (rank > best) {
            best = rank;
            *entry = dse_pack_entry(pack, i);
        } else if (rank == 1 && best == 1) {
            rival = dse_pack_entry(pack, i);
        }
    }
    if (best == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: no TUDataset: holds no %s_A.txt", dse_pack_path(pack), stem);
    if (best == 1 && rival != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds several data sets and none called %s: %s, %s",
                        dse_pack_path(pack), stem, *entry, rival);
    return DSE_OK;
}

static enum dse_status find_place(const struct dse_pack *pack, struct place *place, struct dse_error *err)
{
    const char *entry;
    char *stem = dse_path_stem(dse_pack_path(pack), ".zip");
    if (stem == NULL)
        return dse_fail_memory(err);
    enum dse_status status = find_edges(pack, stem, &entry, err);
    free(stem);
    if (status != DSE_OK)
        return status;
    place->prefix = strndup(entry, strlen(entry) - strlen("A.txt"));
    place->name = dse_path_stem(entry, "_A.txt");
    char *back = place->name != NULL ? strrchr(place->name, '\\') : NULL; /* archives made on Windows have NAME\NAME_A.txt */
    if (back != NULL)
        memmove(place->name, back + 1, strlen(back));
    return place->prefix != NULL && place->name != NULL ? DSE_OK : dse_fail_memory(err);
}

static enum dse_status read_part(struct dse_pack *pack, const char *prefix, const char *suffix,
                                 struct dse_text *text, struct dse_error *err)
{
    size_t length = strlen(prefix) + strlen(suffix) + 1;
    char *entry = malloc(length);
    if (entry == NULL)
        return dse_fail_memory(err);
    memcpy(entry, prefix, strlen(prefix));
    memcpy(entry + strlen(prefix), suffix, strlen(suffix) + 1);
    enum dse_status status = dse_pack_read(pack, entry, FILE_BYTES_MAX, text, err);
    free(entry);
    return status;
}

static enum dse_status read_pack(struct dse_pack *pack, const struct place *place, struct dse_graph_set **out,
                                 struct dse_error *err)
{
    struct dse_text parts[DSE_TUDATASET_PARTS] = {{0}};
    enum dse_status status = DSE_OK;
    for (int i = 0; i < DSE_TUDATASET_PARTS && status == DSE_OK; i++)
        status = read_part(pack, place->prefix, dse_tudataset_suffixes[i], &parts[i], err);
    if (status == DSE_OK)
        status = dse_tudataset_parse(place->name, parts, out, err);
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++)
        dse_text_free(&parts[i]);
    return status;
}

enum dse_status dse_graph_set_read(const char *path, struct dse_graph_set **out, struct dse_error *err)
{
    struct dse_pack *pack;
    struct place place = {0};
    *out = NULL;
    enum dse_status status = dse_pack_open(path, &pack, err);
    if (status != DSE_OK)
        return status;
    status = find_place(pack, &place, err);
    if (status == DSE_OK)
        status = read_pack(pack, &place, out, err);
    free(place.prefix);
    free(place.name);
    dse_pack_close(pack);
    return status;
}

void dse_graph_set_free(struct dse_graph_set *set)
{
    if (set == NULL)
        return;
    free(set->name);
    free(set->graph_begin);
    free(set->row_begin);
    free(set->column);
    free(set->node_label);
    free(set->node_label_values);
    free(set->node_attribute);
    free(set->graph_label);
    free(set->class_values);
    free(set);
}

uint64_t dse_graph_set_hash(const struct dse_graph_set *set)
{
    const uint64_t counts[] = {set->graph_count,     set->node_count,      set->arc_count,
                               set->node_label_count, set->attribute_count, set->class_count};
    const struct {
        const void *data;
        size_t bytes;
    } pieces[] = {
        {counts, sizeof counts},
        {set->graph_begin, (set->graph_count + 1) * sizeof *set->graph_begin},
        {set->row_begin, (set->node_count + 1) * sizeof *set->row_begin},
        {set->column, set->arc_count * sizeof *set->column},
        {set->node_label, set->node_label != NULL ? set->node_count * sizeof *set->node_label : 0},
        {set->node_label_values, set->node_label_count * sizeof *set->node_label_values},
        {set->node_attribute, set->node_count * set->attribute_count * sizeof *set->node_attribute},
        {set->graph_label, set->graph_count * sizeof *set->graph_label},
        {set->class_values, set->class_count * sizeof *set->class_values},
    };
    /* A hash of the pieces' hashes: no state to allocate, and no two pieces can trade bytes. */
    XXH64_hash_t hashes[sizeof pieces / sizeof *pieces];
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        hashes[i] = XXH3_64bits(pieces[i].data, pieces[i].bytes);
    return XXH3_64bits(hashes, sizeof hashes);
}
