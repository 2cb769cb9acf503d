#include "validation/toggles.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A net, by its code. It has a name in every scope that sees it. The name of the highest rank counts; among equals the deepest. */
struct dse_toggles_net {
    uint32_t width;
    int part;
    int8_t rank; /* rank of the name so far; 0: no net */
    enum dse_net kind;
    uint64_t changes;
    char *value; /* value of `width` digits, the highest first */
};

#define CODES_MOST (1u << 24)
#define WIDTH_MOST (1u << 20)

/* Printable characters as digits of base 94, the lowest first. */
static size_t number_of(const char *code, size_t length)
{
    size_t number = 0, weight = 1;
    for (size_t i = 0; i < length && number < CODES_MOST; i++, weight *= 94)
        number += (size_t)((unsigned char)code[i] - 32) * weight;
    return number;
}

static struct dse_toggles_net *net_at(struct dse_toggles *t, size_t number)
{
    if (number >= CODES_MOST)
        return NULL;
    if (number >= t->net_count) {
        size_t count = t->net_count < 1024 ? 1024 : t->net_count;
        while (count <= number)
            count *= 2;
        t->nets = dse_realloc(t->nets, count * sizeof *t->nets);
        memset(t->nets + t->net_count, 0, (count - t->net_count) * sizeof *t->nets);
        t->net_count = count;
    }
    return &t->nets[number];
}

static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), end = strlen(with);
    return length >= end && strcmp(name + length - end, with) == 0;
}

/* 1: an external name; 2: its own name; 3: an output port of its driver; 4: the driver. */
static int8_t rank_of(const char *name, enum dse_net *kind)
{
    *kind = DSE_NET_LOGIC;
    if (strncmp(name, "product", 7) == 0 || (name[0] == 'p' && isdigit((unsigned char)name[1]) && ends(name, "_q")))
        *kind = DSE_NET_PRODUCT;
    else if (strcmp(name, "data_o") == 0 || strcmp(name, "read_q") == 0)
        *kind = DSE_NET_MEMORY;
    else if (ends(name, "_q"))
        *kind = DSE_NET_REGISTER;
    return *kind != DSE_NET_LOGIC ? 4 : ends(name, "_o") ? 3 : ends(name, "_i") ? 1 : 2;
}

/* "$var wire 8 code name[3] [7:0] $end" */
static void declare(struct dse_toggles *t, const char *line)
{
    char kind[16], code[16], name[96];
    unsigned width;
    enum dse_net net;
    if (sscanf(line, " $var %15s %u %15s %95s", kind, &width, code, name) != 4 || width == 0 || width > WIDTH_MOST) {
        t->failed = "a damaged declaration";
        return;
    }
    if (strncmp(name, "word[", 5) == 0 || strncmp(name, "entry[", 6) == 0 || ends(name, "clk_i") || ends(name, "aclk") ||
        strcmp(kind, "parameter") == 0)
        return; /* the clock, and a memory's contents, which are no net */
    name[strcspn(name, "[")] = '\0';
    int8_t rank = rank_of(name, &net);
    struct dse_toggles_net *n = net_at(t, number_of(code, strlen(code)));
    if (n == NULL) {
        t->failed = "not enough memory for the nets";
        return;
    }
    if (n->value == NULL && (n->value = dse_calloc(1, width)) == NULL)
        t->failed = "not enough memory for the nets";
    n->width = n->rank > 0 && n->width < width ? n->width : width;
    if (rank >= n->rank) {
        n->rank = rank;
        n->kind = net;
        n->part = t->depth > 0 && t->scope_part[t->depth - 1] >= 0 ? t->scope_part[t->depth - 1] : t->rest;
    }
}

static void define(struct dse_toggles *t, const char *line)
{
    char kind[16], name[96];
    if (sscanf(line, " $scope %15s %95s", kind, name) == 2) {
        int above = t->depth > 0 ? t->scope_part[t->depth - 1] : -1;
        if (t->depth == (int)(sizeof t->scope_part / sizeof *t->scope_part)) {
            t->failed = "scopes are nested too deeply";
            return;
        }
        t->scope_part[t->depth++] = above >= 0 ? above : t->part_of(t->user, name);
    } else if (strstr(line, "$upscope") != NULL) {
        t->depth -= t->depth > 0;
    } else if (strstr(line, "$var") != NULL) {
        declare(t, line);
    } else if (strstr(line, "$enddefinitions") != NULL) {
        t->values = t->first = true;
    }
}

/* Omitted leading bits are zeros, as the standard has it. */
static void change(struct dse_toggles *t, const char *bits, size_t count, const char *code)
{
    struct dse_toggles_net *n = net_at(t, number_of(code, strcspn(code, " \n")));
    if (n == NULL || n->value == NULL)
        return;
    for (size_t i = 0; i < n->width; i++) {
        char bit = i + count < n->width ? '0' : bits[i + count - n->width];
        if (n->value[i] != bit && !t->first)
            n->changes++;
        n->value[i] = bit;
    }
}

void dse_toggles_line(const char *line, void *toggles)
{
    struct dse_toggles *t = toggles;
    if (t->failed != NULL)
        return;
    t->begun = t->begun || strncmp(line, "$version", 8) == 0 || strncmp(line, "$timescale", 10) == 0 || strncmp(line, "$date", 5) == 0;
    if (!t->begun) {
        if (line[0] != '\n')
            snprintf(t->other, sizeof t->other, "%.*s", (int)strcspn(line, "\n"), line);
    } else if (!t->values) {
        define(t, line);
    } else if (line[0] == '#') {
        t->first = t->instants == 0.0;
        t->instants++;
    } else if (line[0] == '0' || line[0] == '1') {
        change(t, line, 1, line + 1);
    } else if (line[0] == 'b') {
        size_t count = strspn(line + 1, "01xz");
        if (line[1 + count] == ' ')
            change(t, line + 1, count, line + 2 + count);
        else
            t->failed = "a damaged value";
    } else if (line[0] != '$' && line[0] != '\n') {
        snprintf(t->other, sizeof t->other, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

enum dse_status dse_toggles_finish(struct dse_toggles *t, struct dse_error *err)
{
    if (t->failed != NULL || t->instants < 2.0)
        return dse_fail(err, DSE_BAD_INPUT, "value changes: %s", t->failed != NULL ? t->failed : "none");
    for (size_t i = 0; i < t->net_count; i++) {
        const struct dse_toggles_net *n = &t->nets[i];
        if (n->rank == 0 || n->part < 0 || n->part >= DSE_TOGGLES_PARTS)
            continue;
        t->parts[n->part].bits[n->kind] += n->width;
        t->parts[n->part].changes[n->kind] += (double)n->changes;
    }
    return DSE_OK;
}

void dse_toggles_free(struct dse_toggles *t)
{
    for (size_t i = 0; i < t->net_count; i++)
        free(t->nets[i].value);
    free(t->nets);
    t->nets = NULL;
    t->net_count = 0;
}
