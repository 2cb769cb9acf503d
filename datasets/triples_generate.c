/* Synthetic knowledge graphs: for tests, benchmarks and trials without any download. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/triples.h"

#define CELLS_LEAST 2.0     /* minimum of possible triples per drawn one, so that a free one is found quickly */
#define GROUPS 8            /* groups of entities: a relation leads from each group to one */
#define RULE_SHARE 0.8      /* share of triples that follow their relation's rule */
#define TRIES 64            /* for an entity of the group, and for a new triple by its skew */
#define SHOWN_EACH 65536    /* triples between two progress reports */
#define PART_SHARE 10       /* one triple in this many validates, and as many test */

/* The order of the bits below. */
static const char *const awkward_words[] = {"crlf", "mark", "no-final-newline", "blank-tail", "names", "repeated", "shared", "loops",
                                            "unseen", "no-valid", NULL};

enum awkward {
    CRLF = 1 << 0,
    MARK = 1 << 1, /* a byte order mark */
    NO_FINAL_NEWLINE = 1 << 2,
    BLANK_TAIL = 1 << 3,
    NAMES = 1 << 4,    /* names have several words and letters beyond ASCII */
    REPEATED = 1 << 5, /* one line in ten twice */
    SHARED = 1 << 6,   /* one line in ten of validation and test is also in train.txt */
    LOOPS = 1 << 7,    /* one line in ten with head = tail */
    UNSEEN = 1 << 8,   /* the last entity, as --unseen 1 */
    NO_VALID = 1 << 9  /* no valid.txt */
};

const struct dse_generate_option dse_triples_options[DSE_TRIPLES_OPTIONS] = {
    [DSE_TRIPLES_ENTITIES] = {"entities", "N|SHARE", "generate: entities (default 200); profile, show: keep only the most connected entities, N or a share such as 0.1", true, 2, 100000000, 200, NULL, "entities", NULL},
    [DSE_TRIPLES_RELATIONS] = {"relations", "N", "generate: relations (default 10)", true, 1, 1000000, 10, NULL, "relations", NULL},
    [DSE_TRIPLES_TRIPLES] = {"triples", "N", "generate: triples, a tenth each for validation and test (default 2000)", true, 10, 100000000,
                             2000, NULL, "train_triples", NULL},
    [DSE_TRIPLES_SKEW] = {"skew", "X", "generate: entity i is drawn with weight (i+1)^-X (default 0.7)", false, 0, 4, 0.7, NULL, NULL, NULL},
    [DSE_TRIPLES_UNSEEN] = {"unseen", "N", "generate: entities that occur only in test.txt, at least N (default 0)", true, 0, 100000000, 0, NULL, "entities_unseen", NULL},
    [DSE_TRIPLES_AWKWARD] = {"awkward", "LIST", DSE_AWKWARD_HELP, true, 0, 0, 0, awkward_words, NULL, NULL},
};

/* The graph that is being generated. */
struct maker {
    const struct dse_generation *what;
    size_t entities, relations, triples;
    size_t seen;                /* entities of drawn triples: the first ones */
    unsigned awkward;
    double *reach;              /* [entities] cumulative weights */
    struct dse_triple *drawn;   /* [triples] */
    int32_t *slot;              /* [slots] drawn triples, by hash; −1: free */
    size_t slots;
    struct dse_strbuf text[DSE_TRIPLE_PARTS];
};

static int32_t draw_entity(const struct maker *m, struct dse_rng *rng)
{
    size_t low = 0, high = m->seen - 1;
    double at = dse_rng_uniform(rng) * m->reach[high];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->reach[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return (int32_t)low;
}

static struct dse_triple draw_triple(const struct maker *m, struct dse_rng *rng)
{
    struct dse_triple t = {draw_entity(m, rng), (int32_t)dse_rng_below(rng, m->relations), draw_entity(m, rng)};
    bool rule = dse_rng_uniform(rng) < RULE_SHARE;
    for (int tries = 0; rule && tries < TRIES && (t.tail - t.head - t.relation) % GROUPS != 0; tries++)
        t.tail = draw_entity(m, rng);
    return t;
}

static struct dse_triple draw_evenly(const struct maker *m, struct dse_rng *rng)
{
    return (struct dse_triple){(int32_t)dse_rng_below(rng, m->seen), (int32_t)dse_rng_below(rng, m->relations),
                               (int32_t)dse_rng_below(rng, m->seen)};
}

/* Adds a triple to the drawn ones; false if it is there. */
static bool put_triple(struct maker *m, struct dse_triple t, size_t number)
{
    uint64_t key = ((uint64_t)t.head * m->relations + (uint64_t)t.relation) * m->entities + (uint64_t)t.tail;
    size_t at = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & (m->slots - 1);
    for (; m->slot[at] >= 0; at = (at + 1) & (m->slots - 1))
        if (dse_by_triple(&m->drawn[m->slot[at]], &t) == 0)
            return false;
    m->slot[at] = (int32_t)number;
    m->drawn[number] = t;
    return true;
}

static enum dse_status draw_all(struct maker *m, struct dse_error *err)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, m->what->seed, 0);
    for (size_t i = 0; i < m->triples; i++) {
        bool put = false;
        if (i % SHOWN_EACH == 0 && dse_monitor_cancelled(m->what->monitor))
            return dse_fail_cancelled(err);
        for (int tries = 0; !put && tries < TRIES; tries++)
            put = put_triple(m, draw_triple(m, &rng), i);
        while (!put)
            put = put_triple(m, draw_evenly(m, &rng), i);
    }
    return DSE_OK;
}

static void add_entity(const struct maker *m, struct dse_strbuf *text, int32_t entity)
{
    dse_strbuf_printf(text, m->awkward & NAMES ? "Größe %d (物)" : "e%d", (int)entity);
}

static void add_line(const struct maker *m, struct dse_strbuf *text, struct dse_triple t)
{
    add_entity(m, text, t.head);
    dse_strbuf_printf(text, m->awkward & NAMES ? "\t/is part of/№%d\t" : "\tr%d\t", (int)t.relation);
    add_entity(m, text, t.tail);
    dse_strbuf_add(text, m->awkward & CRLF ? "\r\n" : "\n");
}

/* A triple and its oddities, as lines of one part. */
static void write_triple(struct maker *m, enum dse_triple_part part, size_t i)
{
    struct dse_triple t = m->drawn[i];
    add_line(m, &m->text[part], t);
    if ((m->awkward & REPEATED) && i % 10 == 3)
        add_line(m, &m->text[part], t);
    if ((m->awkward & SHARED) && i / PART_SHARE % 10 == 5 && part != DSE_TRAIN_PART)
        add_line(m, &m->text[DSE_TRAIN_PART], t);
    if ((m->awkward & LOOPS) && i % 10 == 7)
        add_line(m, &m->text[part], (struct dse_triple){t.head, t.relation, t.head});
}

static void write_texts(struct maker *m)
{
    bool no_valid = (m->awkward & NO_VALID) != 0;
    for (size_t p = 0; p < DSE_TRIPLE_PARTS && (m->awkward & MARK); p++)
        dse_strbuf_add(&m->text[p], "\xEF\xBB\xBF");
    for (size_t i = 0; i < m->triples; i++)
        write_triple(m, i % PART_SHARE == 8 && !no_valid ? DSE_VALID_PART : i % PART_SHARE == 9 ? DSE_TEST_PART : DSE_TRAIN_PART, i);
    bool *drawn DSE_CLEANUP(dse_free_at) = dse_calloc(m->entities, sizeof *drawn);
    for (size_t i = 0; i < m->triples; i++)
        drawn[m->drawn[i].head] = drawn[m->drawn[i].tail] = true;
    for (size_t e = m->entities; e > (m->what->values[DSE_TRIPLES_UNSEEN] > 0 ? 0 : m->seen); e--) /* with --unseen every entity occurs */
        if (!drawn[e - 1])
            add_line(m, &m->text[DSE_TEST_PART], (struct dse_triple){(int32_t)e - 1, 0, 0});
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++) {
        struct dse_strbuf *text = &m->text[p];
        if (m->awkward & BLANK_TAIL)
            dse_strbuf_add(text, "\r\n\n");
        else if ((m->awkward & NO_FINAL_NEWLINE) && text->length > 2)
            text->text[text->length -= m->awkward & CRLF ? 2 : 1] = '\0';
    }
}

static enum dse_status write_folder(struct maker *m, const char *folder, struct dse_error *err)
{
    static const char *const files[DSE_TRIPLE_PARTS] = {"train.txt", "valid.txt", "test.txt"};
    struct dse_text texts[DSE_TRIPLE_PARTS];
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++) {
        dse_strbuf_add(&m->text[p], "");
        bool absent = p == DSE_VALID_PART && (m->awkward & NO_VALID);
        texts[p] = (struct dse_text){(char *)(uintptr_t)files[p], absent ? NULL : m->text[p].text, m->text[p].length};
    }
    return dse_texts_write(folder, texts, DSE_TRIPLE_PARTS, err);
}

static enum dse_status make(struct maker *m, struct dse_error *err)
{
    for (m->slots = 64; m->slots < 2 * m->triples; m->slots *= 2)
        ;
    m->reach = dse_malloc(m->entities * sizeof *m->reach);
    m->drawn = dse_malloc(m->triples * sizeof *m->drawn);
    m->slot = dse_malloc(m->slots * sizeof *m->slot);
    memset(m->slot, 0xFF, m->slots * sizeof *m->slot);
    double sum = 0.0;
    for (size_t i = 0; i < m->entities; i++)
        m->reach[i] = sum += pow((double)(i + 1), -m->what->values[DSE_TRIPLES_SKEW]);
    DSE_TRY(draw_all(m, err));
    write_texts(m);
    return DSE_OK;
}

enum dse_status dse_triples_generate(const struct dse_generation *what, const char *folder, struct dse_error *err)
{
    const double *v = what->values;
    struct maker m = {.what = what, .entities = (size_t)v[DSE_TRIPLES_ENTITIES], .relations = (size_t)v[DSE_TRIPLES_RELATIONS],
                      .triples = (size_t)v[DSE_TRIPLES_TRIPLES], .awkward = (unsigned)v[DSE_TRIPLES_AWKWARD]};
    double drawn = (double)m.entities - fmax(v[DSE_TRIPLES_UNSEEN], (m.awkward & UNSEEN) != 0), possible = fmax(drawn, 0) * drawn * (double)m.relations;
    m.seen = (size_t)fmax(drawn, 0);
    if ((double)m.triples * CELLS_LEAST > possible)
        return dse_fail(err, DSE_BAD_USAGE, "triples = %zu: must be at most half of the %.0f that %.0f entities and %zu relations can form",
                        m.triples, possible, drawn, m.relations);
    DSE_TRY(dse_texts_check(folder, err));
    enum dse_status status = make(&m, err);
    if (status == DSE_OK)
        status = write_folder(&m, folder, err);
    free(m.reach);
    free(m.drawn);
    free(m.slot);
    for (size_t p = 0; p < DSE_TRIPLE_PARTS; p++)
        dse_strbuf_free(&m.text[p]);
    return status;
}
