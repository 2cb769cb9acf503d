#include "datasets/tripleset.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/utf8.h"
#include "datasets/numbering.h"
#include "datasets/scan.h"

/* Shared by the functions below. */
struct reader {
    struct dse_triple_set *set;
    struct dse_numbering entities, relations;
    struct dse_error *err;
};

static bool is_name(struct dse_word word)
{
    for (size_t i = 0; i < word.length;) {
        const unsigned char *at = (const unsigned char *)word.start + i;
        size_t length = dse_utf8_length(at, word.length - i);
        if (length == 0 || *at == '\0')
            return false;
        i += length;
    }
    return true;
}

/* A field's number. A name that no earlier line had is checked, every character once. */
static enum dse_status number_of(struct reader *r, struct dse_numbering *names, const struct dse_scan *scan, struct dse_word word,
                                 const char *called, int32_t *number)
{
    bool known = false;
    if (word.length == 0)
        return dse_scan_reject(scan, r->err, "the %s is empty: a line is head, tab, relation, tab, tail", called);
    DSE_TRY(dse_numbering_add(names, word, number, &known, r->err));
    if (!known && !is_name(word))
        return dse_scan_reject(scan, r->err, "the %s is not UTF-8 text, or holds a NUL", called);
    return DSE_OK;
}

/* The fields of a line of `length` bytes without its end. */
static enum dse_status take_triple(struct reader *r, struct dse_scan *scan, size_t length, struct dse_triple *out)
{
    const char *line = scan->line_start, *end = line + length;
    const char *first = memchr(line, '\t', length);
    const char *second = first != NULL ? memchr(first + 1, '\t', (size_t)(end - first - 1)) : NULL;
    const char *third = second != NULL ? memchr(second + 1, '\t', (size_t)(end - second - 1)) : NULL;
    if (second == NULL || third != NULL)
        return dse_scan_reject(scan, r->err, "has %s: must be head, tab, relation, tab, tail",
                               first == NULL ? "one field" : second == NULL ? "two fields" : "more than three fields");
    const struct dse_word head = {line, (size_t)(first - line)}, relation = {first + 1, (size_t)(second - first - 1)};
    const struct dse_word tail = {second + 1, (size_t)(end - second - 1)};
    DSE_TRY(number_of(r, &r->entities, scan, head, "head", &out->head));
    DSE_TRY(number_of(r, &r->relations, scan, relation, "relation", &out->relation));
    return number_of(r, &r->entities, scan, tail, "tail", &out->tail);
}

/* True if only line ends are left. */
static bool only_ends(const char *at, const char *end)
{
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    return at == end;
}

static enum dse_status read_part(struct reader *r, const struct dse_text *text, enum dse_triple_part part)
{
    struct dse_scan scan = dse_scan_begin(text);
    struct dse_triple_set *set = r->set;
    for (const char *at = scan.at; at < scan.end; ) {
        const char *newline = memchr(at, '\n', (size_t)(scan.end - at)), *end = newline != NULL ? newline : scan.end;
        size_t length = (size_t)(end - at);
        length -= length > 0 && at[length - 1] == '\r';
        scan.line++;
        scan.line_start = at;
        if (length == 0 && only_ends(at, scan.end))
            break;
        if (length == 0)
            return dse_fail_at(r->err, DSE_BAD_INPUT, text->name, scan.line, "empty line: allowed only at the end of the file");
        DSE_TRY(take_triple(r, &scan, length, &set->triple[set->begin[part + 1]]));
        set->begin[part + 1]++;
        at = newline != NULL ? newline + 1 : scan.end;
    }
    return DSE_OK;
}

static void keep_names(const struct dse_numbering *names, struct dse_triple_names *out)
{
    size_t bytes = 1;
    for (size_t i = 0; i < names->count; i++)
        bytes += names->words[i].length + 1;
    out->text = dse_malloc(bytes);
    out->at = dse_malloc((names->count + 1) * sizeof *out->at);
    size_t used = 0;
    for (; out->count < names->count; out->count++) {
        const struct dse_word *word = &names->words[out->count];
        out->at[out->count] = used;
        memcpy(out->text + used, word->start, word->length);
        used += word->length;
        out->text[used++] = '\0';
    }
    out->at[out->count] = used;
}

/* A chain of hashes: each has the previous one as its seed. */
static void set_hash(struct dse_triple_set *set)
{
    const struct {
        const void *data;
        size_t size;
    } parts[] = {{set->begin, sizeof set->begin},
                 {set->entity.text, set->entity.at[set->entity.count]},
                 {set->relation.text, set->relation.at[set->relation.count]},
                 {set->triple, set->begin[DSE_TRIPLE_PARTS] * sizeof *set->triple}};
    set->hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        set->hash = XXH3_64bits_withSeed(parts[i].data, parts[i].size, set->hash);
}

static enum dse_status read_parts(struct reader *r, const struct dse_text parts[DSE_TRIPLE_PARTS])
{
    struct dse_triple_set *set = r->set;
    size_t lines = 1;
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++)
        lines += parts[p].data != NULL ? dse_scan_count_lines(&parts[p]) : 0;
    set->triple = dse_malloc(lines * sizeof *set->triple);
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++) {
        set->begin[p + 1] = set->begin[p];
        if (parts[p].data != NULL)
            DSE_TRY(read_part(r, &parts[p], (enum dse_triple_part)p));
    }
    if (dse_triple_count(set, DSE_TRAIN_PART) == 0)
        return dse_fail(r->err, DSE_BAD_INPUT, "%s: holds no triple", parts[DSE_TRAIN_PART].name);
    keep_names(&r->entities, &set->entity);
    keep_names(&r->relations, &set->relation);
    return DSE_OK;
}

enum dse_status dse_triple_set_parse(const struct dse_text parts[DSE_TRIPLE_PARTS], struct dse_triple_set **out, struct dse_error *err)
{
    struct reader reader = {.set = dse_calloc(1, sizeof *reader.set), .err = err};
    *out = NULL;
    enum dse_status status = read_parts(&reader, parts);
    dse_numbering_free(&reader.entities);
    dse_numbering_free(&reader.relations);
    if (status != DSE_OK) {
        dse_triple_set_free(reader.set);
        return status;
    }
    set_hash(reader.set);
    *out = reader.set;
    return DSE_OK;
}

/* ---- fewer entities ---- */

/* The new number of each old one, −1 for dropped ones. The others keep their order. */
static void renumber(int32_t *number, size_t count)
{
    for (size_t i = 0, next = 0; i < count; i++)
        number[i] = number[i] != 0 ? (int32_t)next++ : -1;
}

static void drop_names(struct dse_triple_names *names, const int32_t *number)
{
    size_t used = 0, kept = 0;
    for (size_t i = 0; i < names->count; i++) {
        size_t begin = names->at[i], length = names->at[i + 1] - begin;
        if (number[i] < 0)
            continue;
        memmove(names->text + used, names->text + begin, length);
        names->at[kept++] = used;
        used += length;
    }
    names->at[kept] = used;
    names->count = kept;
}

static void drop_triples(struct dse_triple_set *set, const int32_t *entity, int32_t *relation)
{
    size_t kept = 0, at = 0;
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++) {
        for (; at < set->begin[p + 1]; at++) {
            struct dse_triple t = set->triple[at];
            if (entity[t.head] < 0 || entity[t.tail] < 0)
                continue;
            relation[t.relation] = 1;
            set->triple[kept++] = (struct dse_triple){entity[t.head], t.relation, entity[t.tail]};
        }
        set->begin[p + 1] = kept;
    }
    renumber(relation, set->relation.count);
    for (size_t i = 0; i < kept; i++)
        set->triple[i].relation = relation[set->triple[i].relation];
}

/* The entities that occur in the first part most often. */
static void keep_most(struct dse_triple_set *set, size_t keep, struct dse_ranked *order, int32_t *entity, int32_t *relation)
{
    for (size_t i = 0; i < set->entity.count; i++)
        order[i] = (struct dse_ranked){0.0, i};
    for (size_t i = 0; i < set->begin[DSE_VALID_PART]; i++) {
        order[set->triple[i].head].value--;
        order[set->triple[i].tail].value--;
    }
    qsort(order, set->entity.count, sizeof *order, dse_by_rank);
    for (size_t i = 0; i < keep; i++)
        entity[order[i].index] = 1;
    renumber(entity, set->entity.count);
    set->dropped += set->entity.count - keep;
    drop_triples(set, entity, relation);
    drop_names(&set->entity, entity);
    drop_names(&set->relation, relation);
}

enum dse_status dse_triple_set_keep(struct dse_triple_set *set, size_t keep, struct dse_error *err)
{
    struct dse_ranked *order = dse_malloc(set->entity.count * sizeof *order);
    int32_t *entity = dse_calloc(set->entity.count, sizeof *entity), *relation = dse_calloc(set->relation.count, sizeof *relation);
    if (keep < set->entity.count)
        keep_most(set, keep, order, entity, relation);
    free(order);
    free(entity);
    free(relation);
    set_hash(set);
    return dse_triple_count(set, DSE_TRAIN_PART) > 0
               ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "no triple of train.txt joins two of the %zu most connected entities", keep);
}

void dse_triple_set_free(struct dse_triple_set *set)
{
    if (set == NULL)
        return;
    free(set->entity.text);
    free(set->entity.at);
    free(set->relation.text);
    free(set->relation.at);
    free(set->triple);
    free(set);
}

int dse_by_triple(const void *left, const void *right)
{
    const struct dse_triple *a = left, *b = right;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    if (a->relation != b->relation)
        return a->relation < b->relation ? -1 : 1;
    return (a->tail > b->tail) - (a->tail < b->tail);
}
