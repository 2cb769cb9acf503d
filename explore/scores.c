#include "explore/scores.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"

#define FILE_MAX (64u << 20)
static const char head[] = "nysx-dse scores 1\n";

/* Format: "validation 1001 codes=wl dim=4096 …" */
static void write_key(const struct dse_setting *setting, uint64_t seed, bool inside, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "%s %" PRIu64, inside ? "validation" : "reported", seed);
    for (size_t i = 0; i < setting->count; i++)
        dse_strbuf_printf(out, " %s=%s", setting->pairs[i].name, setting->pairs[i].value);
}

static void add(struct dse_scores *scores, const char *key, size_t length, double value)
{
    char *copy = dse_strndup(key, length);
    struct dse_score *score = dse_list_more(&scores->scores, &scores->count, sizeof *score);
    *score = (struct dse_score){copy, value};
}

void dse_scores_read(const char *path, struct dse_scores *out)
{
    char *text = NULL;
    size_t size = 0;
    struct dse_error ignored;
    *out = (struct dse_scores){0};
    if (path != NULL)
        dse_file_replaces(path);
    if (path == NULL || !dse_file_exists(path) || dse_file_read(path, FILE_MAX, &text, &size, &ignored) != DSE_OK)
        return;
    char *line = text + (size >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0 ? sizeof head - 1 : size);
    for (char *end; line < text + size && (end = memchr(line, '\n', (size_t)(text + size - line))) != NULL; line = end + 1) {
        char *key = line;
        *end = '\0';
        double value = strtod(line, &key);
        if (key != line && *key == ' ' && isfinite(value))
            add(out, key + 1, strlen(key + 1), value);
    }
    free(text);
}

bool dse_scores_write(const struct dse_scores *scores, const char *path)
{
    struct dse_strbuf text = {0};
    struct dse_error ignored;
    if (path == NULL)
        return false;
    if (scores->count == 0)
        return remove(path) == 0;
    dse_strbuf_add(&text, head);
    for (size_t i = 0; i < scores->count; i++)
        dse_strbuf_printf(&text, "%.17g %s\n", scores->scores[i].value, scores->scores[i].key);
    bool written = dse_file_write(path, dse_strbuf_text(&text), text.length, &ignored) == DSE_OK;
    dse_strbuf_free(&text);
    return written;
}

bool dse_scores_find(const struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double *out)
{
    struct dse_strbuf key = {0};
    bool found = false;
    if (scores->count == 0)
        return false;
    write_key(setting, seed, inside, &key);
    for (size_t i = 0; i < scores->count && !found; i++)
        if ((found = strcmp(scores->scores[i].key, dse_strbuf_text(&key)) == 0))
            *out = scores->scores[i].value;
    dse_strbuf_free(&key);
    return found;
}

void dse_scores_add(struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double value)
{
    struct dse_strbuf key = {0};
    double known;
    if (dse_scores_find(scores, setting, seed, inside, &known))
        return;
    write_key(setting, seed, inside, &key);
    add(scores, dse_strbuf_text(&key), key.length, value);
    dse_strbuf_free(&key);
}

void dse_scores_free(struct dse_scores *scores)
{
    for (size_t i = 0; i < scores->count; i++)
        free(scores->scores[i].key);
    free(scores->scores);
    *scores = (struct dse_scores){0};
}
