#include "datasets/triples.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/strbuf.h"
#include "datasets/facts.h"

#define FILE_BYTES_MAX ((size_t)1 << 30) /* bytes of one file once unpacked, as for graph sets */

static const char *const part_files[DSE_TRIPLE_PARTS] = {"train.txt", "valid.txt", "test.txt"};

/* Whether an entry is called `file`, in any folder of the archive; gives the length of that folder with its slash. */
static bool is_called(const char *entry, const char *file, size_t *folder)
{
    const char *slash = strrchr(entry, '/');
    *folder = slash != NULL ? (size_t)(slash + 1 - entry) : 0;
    return strcmp(entry + *folder, file) == 0;
}

static bool holds_train(const struct dse_bundle *pack)
{
    size_t folder;
    for (size_t i = 0; i < dse_bundle_count(pack); i++)
        if (is_called(dse_bundle_entry(pack, i), part_files[DSE_TRAIN_PART], &folder))
            return true;
    return false;
}

/* The archive's folder with the only train.txt ("FB15K-237/", or ""), malloc'd. */
static enum dse_status find_folder(const struct dse_bundle *pack, char **out, struct dse_error *err)
{
    const char *found = NULL;
    size_t length = 0, folder;
    for (size_t i = 0; i < dse_bundle_count(pack); i++) {
        const char *entry = dse_bundle_entry(pack, i);
        if (!is_called(entry, part_files[DSE_TRAIN_PART], &folder))
            continue;
        if (found != NULL)
            return dse_fail(err, DSE_BAD_INPUT, "%s: holds several sets of triples: %s, %s", dse_bundle_path(pack), found, entry);
        found = entry;
        length = folder;
    }
    *out = dse_strndup(found != NULL ? found : "", length);
    return DSE_OK;
}

static enum dse_status read_texts(struct dse_bundle *pack, struct dse_text texts[DSE_TRIPLE_PARTS], struct dse_error *err)
{
    char *folder DSE_CLEANUP(dse_free_at) = NULL;
    DSE_TRY(find_folder(pack, &folder, err));
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++) {
        struct dse_strbuf entry DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&entry, "%s%s", folder, part_files[p]);
        DSE_TRY(dse_bundle_read(pack, entry.text, FILE_BYTES_MAX, &texts[p], err));
        if (texts[p].data == NULL && p != DSE_VALID_PART)
            return dse_fail(err, DSE_BAD_INPUT, "%s: %s is missing: a set of triples needs train.txt and test.txt; valid.txt is optional",
                            dse_bundle_path(pack), entry.text);
    }
    return DSE_OK;
}

static enum dse_status read_triples(const struct dse_data_source *source, struct dse_dataset *out, struct dse_error *err)
{
    struct dse_text texts[DSE_TRIPLE_PARTS] = {0};
    struct dse_triple_set *set = NULL;
    enum dse_status status = read_texts(source->pack, texts, err);
    if (status == DSE_OK)
        status = dse_triple_set_parse(texts, &set, err);
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++)
        dse_text_free(&texts[p]);
    DSE_TRY(status);
    out->content = set;
    out->hash = set->hash;
    out->name = dse_path_stem(source->path, ".zip");
    return DSE_OK;
}

static void free_triples(void *content)
{
    dse_triple_set_free(content);
}

static size_t count_triples(const void *content)
{
    return ((const struct dse_triple_set *)content)->begin[DSE_TRIPLE_PARTS];
}

/* ---- facts ---- */

/* A triple with its place. */
struct placed {
    struct dse_triple triple;
    int32_t part;
};

static int by_triple(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = dse_by_triple(&x->triple, &y->triple);
    return order != 0 ? order : x->part - y->part;
}

struct counts {
    size_t objects_most, without_object, unseen, repeated, shared, loops;
};

/* Over triples in order: the first of a run is new, later ones of the same part are repeated. */
static void count_ordered(const struct placed *order, size_t count, struct counts *out)
{
    size_t objects = 0;
    for (size_t i = 0, next; i < count; i = next) {
        bool first_part = order[i].part == DSE_TRAIN_PART, shared = false;
        for (next = i + 1; next < count && dse_by_triple(&order[i].triple, &order[next].triple) == 0; next++) {
            out->repeated += order[next].part == order[next - 1].part;
            shared |= order[next].part != order[next - 1].part;
        }
        out->shared += shared;
        if (i == 0 || order[i].triple.head != order[i - 1].triple.head)
            objects = 0;
        objects += first_part;
        out->objects_most = objects > out->objects_most ? objects : out->objects_most;
    }
}

static struct counts count_all(const struct dse_triple_set *set)
{
    size_t count = set->begin[DSE_TRIPLE_PARTS];
    struct placed *order DSE_CLEANUP(dse_free_at) = dse_malloc(count * sizeof *order);
    unsigned char *seen DSE_CLEANUP(dse_free_at) = dse_calloc(set->entity.count, 1); /* 1: as head, 2: as tail, in training */
    struct counts out = {0};
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++)
        for (size_t i = set->begin[p]; i < set->begin[p + 1]; i++) {
            const struct dse_triple *t = &set->triple[i];
            order[i] = (struct placed){*t, (int32_t)p};
            out.loops += t->head == t->tail;
            if (p == DSE_TRAIN_PART) {
                seen[t->head] |= 1;
                seen[t->tail] |= 2;
            }
        }
    qsort(order, count, sizeof *order, by_triple);
    count_ordered(order, count, &out);
    for (size_t i = 0; i < set->entity.count; i++) {
        out.without_object += !(seen[i] & 1);
        out.unseen += seen[i] == 0;
    }
    return out;
}

static void triple_facts(const void *content, struct dse_setting *facts)
{
    const struct dse_triple_set *set = content;
    struct counts c = count_all(set);
    const struct {
        const char *name;
        size_t count;
    } counts[] = {
        {"entities", set->entity.count}, {"relations", set->relation.count},
        {"train_triples", dse_triple_count(set, DSE_TRAIN_PART)}, {"valid_triples", dse_triple_count(set, DSE_VALID_PART)},
        {"test_triples", dse_triple_count(set, DSE_TEST_PART)}, {"objects_most", c.objects_most},
        {"entities_without_object", c.without_object}, {"entities_unseen", c.unseen}, {"repeated_triples", c.repeated},
        {"triples_in_two_parts", c.shared}, {"head_is_tail", c.loops},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        dse_facts_count(facts, counts[i].name, counts[i].count);
    if (set->dropped > 0)
        dse_facts_count(facts, "entities_left_out", set->dropped);
    dse_facts_ratio(facts, "average_degree", dse_triple_count(set, DSE_TRAIN_PART), set->entity.count);
}

/* ---- fewer entities ---- */

static enum dse_status keep_entities(struct dse_dataset *data, const char *amount, struct dse_error *err)
{
    struct dse_triple_set *set = data->content;
    int64_t whole = 0;
    double share = 0.0;
    size_t keep = 0;
    if (dse_number_whole(amount, &whole) == DSE_NUMBER_READ && whole >= 2 && whole <= (int64_t)set->entity.count)
        keep = (size_t)whole;
    else if (strchr(amount, '.') != NULL && dse_number_real(amount, &share) == DSE_NUMBER_READ && share > 0.0 && share <= 1.0)
        keep = (size_t)(share * (double)set->entity.count + 0.5);
    if (keep < 2)
        return dse_fail(err, DSE_BAD_USAGE, "--entities %s: must be a whole number from 2 to the %zu entities of %s, or a share "
                        "such as 0.1 that leaves at least two", amount, set->entity.count, data->name);
    if (keep == set->entity.count)
        return DSE_OK;
    DSE_TRY(dse_triple_set_keep(set, keep, err));
    struct dse_strbuf name = {0};
    dse_strbuf_printf(&name, "%s-%zu", data->name, keep);
    free(data->name);
    data->name = name.text;
    data->hash = set->hash;
    return DSE_OK;
}

/* ---- the split ---- */

static void fill_range(size_t begin, size_t end, int32_t **items, size_t *count)
{
    *count = end - begin;
    *items = dse_malloc(*count * sizeof **items);
    for (size_t i = begin; i < end; i++)
        (*items)[i - begin] = (int32_t)i;
}

static enum dse_status split_triples(const void *content, const struct dse_draw *draw, struct dse_split *out, struct dse_error *err)
{
    const struct dse_triple_set *set = content;
    const size_t *begin = set->begin;
    (void)draw; /* the parts are the split, independent of the seed */
    *out = (struct dse_split){0};
    if (begin[DSE_TEST_PART] == begin[DSE_TRIPLE_PARTS])
        return dse_fail(err, DSE_BAD_INPUT, "test.txt holds no triple%s: nothing to rank",
                        set->dropped > 0 ? " of the entities that --entities keeps" : "");
    fill_range(begin[DSE_TRAIN_PART], begin[DSE_VALID_PART], &out->train, &out->n_train);
    fill_range(begin[DSE_TEST_PART], begin[DSE_TRIPLE_PARTS], &out->test, &out->n_test);
    fill_range(begin[DSE_VALID_PART], begin[DSE_TEST_PART], &out->validation, &out->n_validation);
    return DSE_OK;
}

const struct dse_kind dse_kind_triples = {
    .name = "triples",
    .title = "a knowledge graph of triples",
    .item = "triple",
    .items = "triples",
    .sign = "train.txt",
    .holds = holds_train,
    .read = read_triples,
    .free = free_triples,
    .count = count_triples,
    .facts = triple_facts,
    .keep_entities = keep_entities,
    .split = split_triples,
    .split_title = "train.txt, valid.txt and test.txt as published",
    .generate = dse_triples_generate,
    .options = dse_triples_options,
    .option_count = DSE_TRIPLES_OPTIONS,
};
