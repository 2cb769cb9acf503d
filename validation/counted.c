#include "validation/counted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/file.h"
#include "core/list.h"
#include "core/strbuf.h"

#define BYTES_MAX (64u << 20)
#define FILES_MOST 64 /* sources and tables of a module */
#define NAME_BYTES 64

const enum dse_resource dse_counted_resources[DSE_COUNTED_RESOURCES] = {DSE_LUT, DSE_FF, DSE_LUTRAM, DSE_DSP, DSE_BRAM18};

/* ---- the table ---- */

static const char heading[] = "key,module,lut,ff,lutram,dsp,bram18,source";

static enum dse_status read_row(struct dse_counted *counted, const char *line, struct dse_error *err)
{
    struct dse_counted_row row = {0};
    double *u = row.used;
    if (sscanf(line, "%16[0-9a-f],%63[a-z0-9_],%lf,%lf,%lf,%lf,%lf,%159[^,\n]", row.key, row.module, &u[DSE_LUT], &u[DSE_FF],
               &u[DSE_LUTRAM], &u[DSE_DSP], &u[DSE_BRAM18], row.source) != 8)
        return dse_fail(err, DSE_BAD_INPUT, "not a row of \"%s\"", heading);
    struct dse_counted_row *added = dse_list_more(&counted->rows, &counted->count, sizeof *added);
    *added = row;
    return DSE_OK;
}

static enum dse_status read_rows(struct dse_counted *counted, const char *text, struct dse_error *err)
{
    struct dse_error why = {0};
    size_t number = 1;
    if (strncmp(text, heading, sizeof heading - 1) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s:1: must be \"%s\"", counted->path, heading);
    for (const char *line = strchr(text, '\n'); line != NULL && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        number++;
        enum dse_status status = read_row(counted, line + 1, &why);
        if (status != DSE_OK)
            return dse_fail(err, status, "%s:%zu: %s", counted->path, number, why.message);
    }
    return DSE_OK;
}

enum dse_status dse_counted_open(struct dse_counted *out, struct dse_error *err)
{
    const char *path = getenv(DSE_COUNTED_VARIABLE);
    char *text = NULL;
    size_t size = 0;
    *out = (struct dse_counted){.path = path != NULL && *path != '\0' ? path : NULL};
    if (out->path == NULL || !dse_file_exists(out->path))
        return DSE_OK;
    dse_file_replaces(out->path);
    DSE_TRY(dse_file_read(out->path, BYTES_MAX, &text, &size, err));
    enum dse_status status = read_rows(out, text, err);
    free(text);
    if (status != DSE_OK)
        dse_counted_free(out);
    return status;
}

void dse_counted_free(struct dse_counted *counted)
{
    free(counted->rows);
    *counted = (struct dse_counted){0};
}

const struct dse_counted_row *dse_counted_find(const struct dse_counted *counted, const char *key)
{
    for (size_t i = 0; i < counted->count; i++)
        if (strcmp(counted->rows[i].key, key) == 0)
            return &counted->rows[i];
    return NULL;
}

static int by_module_and_key(const void *a, const void *b)
{
    const struct dse_counted_row *x = a, *y = b;
    int order = strcmp(x->module, y->module);
    return order != 0 ? order : strcmp(x->key, y->key);
}

enum dse_status dse_counted_add(struct dse_counted *counted, const struct dse_counted_row *row, struct dse_error *err)
{
    if (dse_counted_find(counted, row->key) != NULL)
        return DSE_OK;
    struct dse_counted_row *added = dse_list_more(&counted->rows, &counted->count, sizeof *added);
    *added = *row;
    if (counted->path == NULL)
        return DSE_OK;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    qsort(counted->rows, counted->count, sizeof *counted->rows, by_module_and_key);
    dse_strbuf_printf(&text, "%s\n", heading);
    for (size_t i = 0; i < counted->count; i++) {
        const struct dse_counted_row *r = &counted->rows[i];
        dse_strbuf_printf(&text, "%s,%s", r->key, r->module);
        for (size_t k = 0; k < DSE_COUNTED_RESOURCES; k++)
            dse_strbuf_printf(&text, ",%.0f", r->used[dse_counted_resources[k]]);
        dse_strbuf_printf(&text, ",%s\n", r->source);
    }
    return dse_file_write(counted->path, dse_strbuf_text(&text), text.length, err);
}

/* ---- the key ---- */

/* Files already and still to be read, each once. */
struct closure {
    const char *folder, *prefix;
    char name[FILES_MOST][NAME_BYTES];
    size_t count;
    uint64_t hash; /* XXH3; that of each piece is the next one's seed */
};

/* Adds a file if it is one of the folder's and new. */
static void want(struct closure *c, const char *stem, size_t length, const char *suffix)
{
    char name[NAME_BYTES], path[1024];
    int needed = snprintf(name, sizeof name, "%.*s%s", (int)length, stem, suffix);
    if (needed < 0 || (size_t)needed >= sizeof name || c->count == FILES_MOST)
        return;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0)
            return;
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    if (dse_file_exists(path))
        snprintf(c->name[c->count++], NAME_BYTES, "%s", name);
}

static bool of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Replaces comments by blanks. */
static void blank_comments(char *text)
{
    for (char *at = text; *at != '\0';) {
        const char *end = at[0] == '/' && at[1] == '/' ? at + strcspn(at, "\n")
                          : at[0] == '/' && at[1] == '*' ? strstr(at + 2, "*/") : at;
        if (end == at) {
            at++;
            continue;
        }
        end = end == NULL ? at + strlen(at) : end + (at[1] == '*' ? 2 : 0);
        memset(at, ' ', (size_t)(end - at));
        at += end - at;
    }
}

/* Hashes the text without its blanks, so that the layout does not count. Two valid sources do not differ in blanks between words alone. */
static void hash_text(uint64_t *hash, char *text)
{
    size_t length = 0;
    for (const char *at = text; *at != '\0'; at++)
        if (strchr(" \t\n", *at) == NULL)
            text[length++] = *at;
    *hash = XXH3_64bits_withSeed(text, length, *hash);
}

/* Modules and tables that a source names. */
static void follow(struct closure *c, const char *text)
{
    size_t length, prefix = strlen(c->prefix);
    for (const char *at = text; *at != '\0'; at += length) {
        for (length = 0; of_word(at[length]); length++)
            continue;
        if (strncmp(at, ".hex", 4) == 0 && at > text) {
            const char *from = at;
            while (from > text && of_word(from[-1]))
                from--;
            want(c, from, (size_t)(at - from), ".hex");
        } else if (length > prefix && strncmp(at, c->prefix, prefix) == 0 && at[prefix] == '_') {
            want(c, at, length, ".sv");
        }
        length = length > 0 ? length : 1;
    }
}

static enum dse_status add_file(struct closure *c, const char *name, struct dse_error *err)
{
    char path[1024], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    DSE_TRY(dse_file_read(path, BYTES_MAX, &text, &size, err));
    blank_comments(text);
    if (strstr(name, ".sv") != NULL)
        follow(c, text);
    hash_text(&c->hash, text);
    free(text);
    return DSE_OK;
}

enum dse_status dse_counted_key(const char *folder, const char *module, const char *prefix, const char *options,
                                char key[DSE_COUNTED_KEY_BYTES], struct dse_error *err)
{
    struct closure c = {.folder = folder, .prefix = prefix, .hash = XXH3_64bits(module, strlen(module))};
    char parameters[NAME_BYTES];
    c.hash = XXH3_64bits_withSeed(options, strlen(options), c.hash);
    snprintf(parameters, sizeof parameters, "%s_design", prefix);
    want(&c, parameters, strlen(parameters), ".svh");
    want(&c, module, strlen(module), ".sv");
    for (size_t i = 0; i < c.count; i++)
        DSE_TRY(add_file(&c, c.name[i], err));
    snprintf(key, DSE_COUNTED_KEY_BYTES, "%016" PRIx64, c.hash);
    return DSE_OK;
}
