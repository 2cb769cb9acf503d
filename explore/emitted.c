#include "explore/emitted.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"

#define EXPECTED_BYTES_MAX (16u << 20)
#define LEVELS_MAX 12

static const char *keep(struct dse_emitted *e, const json_t *root, const char *key, bool *missing)
{
    const char *text = json_string_value(json_object_get(root, key));
    *missing |= text == NULL;
    return text != NULL ? dse_arena_strdup(&e->arena, text) : NULL;
}

static void keep_config(struct dse_emitted *e, const json_t *config)
{
    const char **list = dse_arena_alloc(&e->arena, json_object_size(config) + 1, sizeof *list);
    const char *knob;
    json_t *value;
    json_object_foreach((json_t *)config, knob, value) {
        struct dse_strbuf text = {0};
        if (json_is_string(value))
            dse_strbuf_printf(&text, "%s=%s", knob, json_string_value(value));
        else
            dse_strbuf_printf(&text, "%s=%" JSON_INTEGER_FORMAT, knob, json_integer_value(value));
        list[e->config_count++] = dse_arena_strdup(&e->arena, dse_strbuf_text(&text));
        dse_strbuf_free(&text);
    }
    e->config = list;
}

static void keep_modules(struct dse_emitted *e, const json_t *modules)
{
    const char *(*list)[2] = dse_arena_alloc(&e->arena, json_object_size(modules) + 1, sizeof *list);
    const char *module;
    json_t *engine;
    json_object_foreach((json_t *)(uintptr_t)modules, module, engine) {
        const char *name = json_string_value(engine);
        list[e->module_count][0] = dse_arena_strdup(&e->arena, module);
        list[e->module_count++][1] = name != NULL ? dse_arena_strdup(&e->arena, name) : "";
    }
    e->modules = (const char *const (*)[2])list;
}

static enum dse_status read_expected(const char *path, struct dse_emitted *e, struct dse_error *err)
{
    char *text = NULL;
    size_t size = 0;
    bool missing = false;
    json_error_t where;
    DSE_TRY(dse_file_read(path, EXPECTED_BYTES_MAX, &text, &size, err));
    json_auto_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (root == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s:%d: %s", path, where.line, where.text);
    const json_t *config = json_object_get(root, "config");
    e->top = keep(e, root, "top", &missing);
    e->family = keep(e, root, "family", &missing);
    e->board = keep(e, root, "board", &missing);
    e->dataset = keep(e, root, "dataset", &missing);
    e->flow = keep(e, root, "flow", &missing);
    if (missing || !json_is_object(config))
        return dse_fail(err, DSE_BAD_INPUT, "%s: does not name its design (family, board, dataset, flow, "
                        "config): written by another version; emit it again", path);
    keep_config(e, config);
    keep_modules(e, json_object_get(root, "modules"));
    return DSE_OK;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void find_reports(struct dse_emitted *e)
{
    char *roots[2] = {(char *)e->folder, NULL};
    const char **list DSE_CLEANUP(dse_free_at) = NULL;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; (entry = fts_read(walk)) != NULL;) {
        if (entry->fts_info == FTS_D && entry->fts_level >= LEVELS_MAX)
            fts_set(walk, entry, FTS_SKIP);
        bool counts = e->module_count > 0 && dse_ends_in(entry->fts_name, ".json") && strcmp(entry->fts_name, "expected.json") != 0;
        if (entry->fts_info == FTS_F && (counts || dse_ends_in(entry->fts_name, ".rpt") || dse_ends_in(entry->fts_name, ".xml")))
            *(const char **)dse_list_more(&list, &e->report_count, sizeof *list) = dse_arena_strdup(&e->arena, entry->fts_path);
    }
    fts_close(walk);
    const char **kept = dse_arena_alloc(&e->arena, e->report_count + 1, sizeof *kept);
    if (e->report_count > 0)
        memcpy(kept, list, e->report_count * sizeof *kept);
    e->reports = kept;
}

enum dse_status dse_emitted_open(const char *folder, struct dse_emitted *out, struct dse_error *err)
{
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(folder, "expected.json");
    *out = (struct dse_emitted){0};
    out->folder = dse_arena_strdup(&out->arena, folder);
    enum dse_status status = dse_file_exists(path)
                                 ? read_expected(path, out, err)
                                 : dse_fail(err, DSE_BAD_INPUT, "%s: not a folder that `emit` wrote: it has no expected.json", folder);
    if (status == DSE_OK)
        find_reports(out);
    else
        dse_emitted_free(out);
    return status;
}

void dse_emitted_free(struct dse_emitted *emitted)
{
    dse_arena_free(&emitted->arena);
    *emitted = (struct dse_emitted){0};
}
