/* Synthetic citation networks: for tests, benchmarks and trials without any download. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/nodes.h"

#define TOTAL_MOST 200000000.0 /* bytes of features, or citations */
#define SHOWN_EACH 256        /* nodes between two progress reports */

enum stream { STREAM_CLASSES, STREAM_FEATURES, STREAM_CITATIONS };

/* The order of the bits below. */
static const char *const awkward_words[] = {"crlf", "blanks", "no-final-newline", "blank-tail", "repeated", "self", "unknown",
                                            "isolated", NULL};

enum awkward {
    CRLF = 1 << 0,
    BLANKS = 1 << 1, /* instead of tabs */
    NO_FINAL_NEWLINE = 1 << 2,
    BLANK_TAIL = 1 << 3,
    REPEATED = 1 << 4, /* some citations once more, the other way round */
    SELF = 1 << 5,     /* and some of a node by itself */
    UNKNOWN = 1 << 6,  /* and some of an id that is no node */
    ISOLATED = 1 << 7  /* one node in eight without a citation */
};

const struct dse_generate_option dse_nodes_options[DSE_NODES_OPTIONS] = {
    [DSE_NODES_NODES] = {"nodes", "N", "generate: nodes (default 300)", true, 4, 10000000, 300, NULL, "nodes", NULL},
    [DSE_NODES_CLASSES] = {"classes", "N", "generate: classes, as many nodes of each (default 3)", true, 1, 1000, 3, NULL, "classes", NULL},
    [DSE_NODES_FEATURES] = {"features", "N", "generate: features, each 0 or 1 (default 100)", true, 1, 1000000, 100, NULL, "features", NULL},
    [DSE_NODES_WORDS] = {"words", "X", "generate: how many features of a node are 1 (default 12)", false, 1, 100000, 12, NULL, "feature_nonzeros", "nodes"},
    [DSE_NODES_DEGREE] = {"degree", "X", "generate: mean number of neighbours (default 4)", false, 0, 1000, 4, NULL, "degree_mean", NULL},
    [DSE_NODES_SIGNAL] = {"signal", "X", "generate: how strongly features and citations depend on the class, 0 to 1 (default 0.6)",
                          false, 0, 1, 0.6, NULL, NULL, NULL},
    [DSE_NODES_AWKWARD] = {"awkward", "LIST", DSE_AWKWARD_HELP, true, 0, 0, 0, awkward_words, NULL, NULL},
};

/* The graph that is being generated. */
struct maker {
    const struct dse_generation *what;
    size_t nodes, classes, features, words;
    double signal;
    unsigned awkward;
    int32_t *class_of;
    char *row; /* [features] '0' or '1' */
    struct dse_strbuf content, cites;
};

static double option(const struct maker *m, enum dse_nodes_option which)
{
    return m->what->values[which];
}

static void end_line(const struct maker *m, struct dse_strbuf *text)
{
    dse_strbuf_add(text, m->awkward & CRLF ? "\r\n" : "\n");
}

static char separator(const struct maker *m)
{
    return m->awkward & BLANKS ? ' ' : '\t';
}

/* One feature of a node: from its class's part of the features, or from all of them. */
static size_t draw_feature(const struct maker *m, struct dse_rng *rng, int32_t class_index)
{
    size_t part = m->features / m->classes;
    bool own = part > 0 && dse_rng_uniform(rng) < m->signal;
    return own ? (size_t)class_index * part + dse_rng_below(rng, part) : dse_rng_below(rng, m->features);
}

static void write_node(struct maker *m, struct dse_rng *rng, size_t node)
{
    memset(m->row, '0', m->features);
    for (size_t w = 0; w < m->words; w++)
        m->row[draw_feature(m, rng, m->class_of[node])] = '1';
    dse_strbuf_printf(&m->content, "p%zu", node);
    for (size_t f = 0; f < m->features; f++) {
        const char field[2] = {separator(m), m->row[f]};
        dse_strbuf_add_n(&m->content, field, sizeof field);
    }
    dse_strbuf_printf(&m->content, "%cclass_%d", separator(m), (int)m->class_of[node]);
    end_line(m, &m->content);
}

static enum dse_status write_content(struct maker *m, struct dse_error *err)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, m->what->seed, STREAM_FEATURES);
    for (size_t v = 0; v < m->nodes; v++) {
        if (v % SHOWN_EACH == 0 && dse_monitor_cancelled(m->what->monitor))
            return dse_fail_cancelled(err);
        write_node(m, &rng, v);
    }
    return DSE_OK;
}

static void write_citation(struct maker *m, size_t cited, size_t citing)
{
    dse_strbuf_printf(&m->cites, "p%zu%cp%zu", cited, separator(m), citing);
    end_line(m, &m->cites);
}

static bool is_isolated(const struct maker *m, size_t node)
{
    return (m->awkward & ISOLATED) && node % 8 == 7;
}

/* A node that `citing` cites: of its own class with the probability that the signal gives. */
static size_t draw_cited(const struct maker *m, struct dse_rng *rng, size_t citing)
{
    size_t cited = citing;
    bool own = dse_rng_uniform(rng) < m->signal;
    for (int tries = 0; tries < 64; tries++) {
        cited = dse_rng_below(rng, m->nodes);
        if (cited != citing && !is_isolated(m, cited) && (!own || m->class_of[cited] == m->class_of[citing]))
            break;
    }
    return cited;
}

static void write_oddities(struct maker *m, size_t citing, size_t cited)
{
    if ((m->awkward & REPEATED) && citing % 5 == 0)
        write_citation(m, citing, cited);
    if ((m->awkward & SELF) && citing % 11 == 0)
        write_citation(m, citing, citing);
    if ((m->awkward & UNKNOWN) && citing % 13 == 0)
        write_citation(m, m->nodes + citing, citing);
}

static enum dse_status write_cites(struct maker *m, struct dse_error *err)
{
    struct dse_rng rng;
    double degree = option(m, DSE_NODES_DEGREE);
    dse_rng_seed(&rng, m->what->seed, STREAM_CITATIONS);
    for (size_t v = 0; v < m->nodes; v++) {
        if (v % SHOWN_EACH == 0 && dse_monitor_cancelled(m->what->monitor))
            return dse_fail_cancelled(err);
        if (is_isolated(m, v))
            continue;
        size_t count = (size_t)(degree / 2.0 + dse_rng_uniform(&rng));
        for (size_t i = 0; i < count; i++) {
            size_t cited = draw_cited(m, &rng, v);
            if (cited == v || is_isolated(m, cited))
                continue;
            write_citation(m, cited, v);
            write_oddities(m, v, cited);
        }
    }
    if (m->cites.length == 0)
        write_citation(m, 0, 1); /* a file without a citation is rejected */
    return DSE_OK;
}

static void finish_text(const struct maker *m, struct dse_strbuf *text)
{
    if (m->awkward & NO_FINAL_NEWLINE)
        text->text[text->length -= m->awkward & CRLF ? 2 : 1] = '\0';
    else if (m->awkward & BLANK_TAIL)
        dse_strbuf_add(text, "\n\n");
}

static enum dse_status make_texts(struct maker *m, struct dse_error *err)
{
    struct dse_rng rng;
    m->class_of = dse_malloc(m->nodes * sizeof *m->class_of);
    m->row = dse_malloc(m->features);
    for (size_t v = 0; v < m->nodes; v++)
        m->class_of[v] = (int32_t)(v % m->classes);
    dse_rng_seed(&rng, m->what->seed, STREAM_CLASSES);
    dse_rng_shuffle(&rng, m->class_of, m->nodes);
    DSE_TRY(write_content(m, err));
    DSE_TRY(write_cites(m, err));
    finish_text(m, &m->content);
    finish_text(m, &m->cites);
    return DSE_OK;
}

static enum dse_status write_folder(const struct maker *m, const char *folder, struct dse_error *err)
{
    struct dse_strbuf content DSE_CLEANUP(dse_strbuf_free) = {0}, cites DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&content, "%s.content", m->what->name);
    dse_strbuf_printf(&cites, "%s.cites", m->what->name);
    const struct dse_text texts[] = {{content.text, m->content.text, m->content.length}, {cites.text, m->cites.text, m->cites.length}};
    return dse_texts_write(folder, texts, 2, err);
}

static enum dse_status check(const struct maker *m, const char *folder, struct dse_error *err)
{
    if (m->classes > m->nodes)
        return dse_fail(err, DSE_BAD_USAGE, "classes = %zu: must be from 1 to the %zu nodes", m->classes, m->nodes);
    if ((double)m->nodes * (double)m->features > TOTAL_MOST || (double)m->nodes * option(m, DSE_NODES_DEGREE) > TOTAL_MOST)
        return dse_fail(err, DSE_LIMIT, "a graph of more than %.0f features or citations in all is too large", TOTAL_MOST);
    return dse_texts_check(folder, err);
}

enum dse_status dse_nodes_generate(const struct dse_generation *what, const char *folder, struct dse_error *err)
{
    const double *v = what->values;
    struct maker maker = {.what = what, .nodes = (size_t)v[DSE_NODES_NODES], .classes = (size_t)v[DSE_NODES_CLASSES],
                          .features = (size_t)v[DSE_NODES_FEATURES], .words = (size_t)v[DSE_NODES_WORDS],
                          .signal = v[DSE_NODES_SIGNAL], .awkward = (unsigned)v[DSE_NODES_AWKWARD]};
    DSE_TRY(check(&maker, folder, err));
    enum dse_status status = make_texts(&maker, err);
    if (status == DSE_OK)
        status = write_folder(&maker, folder, err);
    free(maker.class_of);
    free(maker.row);
    dse_strbuf_free(&maker.content);
    dse_strbuf_free(&maker.cites);
    return status;
}
