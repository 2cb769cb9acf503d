/* Whether every macro of a design's header has one meaning. The header is the first place where all names of a family's file (knobs, words, sizes,
 * directives, macros of the user's own) come together. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "emit/fields.h"

struct words {
    struct word {
        const char *text;
        size_t length;
        bool defined;     /* the word follows #define */
        bool conditional; /* within an #if besides the header's guard */
    } *all; /* count */
    size_t count;
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

/* Skips a comment, a literal or a character. */
static const char *pass(const char *at)
{
    const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at, "*/") : NULL;
    if (end != NULL)
        return end + 2;
    for (end = at + 1; *at == '"' && *end != '"' && *end != '\0'; end++)
        end += *end == '\\' && end[1] != '\0';
    return *at == '"' && *end == '"' ? end + 1 : end;
}

static void list_words(const char *text, struct words *out)
{
    bool defines = false;
    long depth = 0;
    for (const char *at = text; *at != '\0';) {
        size_t length = strspn(at, letters);
        if (length == 0) {
            at = pass(at);
            continue;
        }
        bool directive = at > text && at[-1] == '#';
        depth += directive && strncmp(at, "if", 2) == 0;
        depth -= directive && strncmp(at, "endif", 5) == 0;
        *(struct word *)dse_list_more(&out->all, &out->count, sizeof *out->all) = (struct word){at, length, defines, depth > 1};
        defines = directive && length == 6 && strncmp(at, "define", 6) == 0;
        at += length;
    }
}

static bool is_same(const struct word *a, const char *text, size_t length)
{
    return a->length == length && memcmp(a->text, text, length) == 0;
}

/* The key or macro of the family's file that gives a word of the header: FIRST_SEED is that of `seed`, FIRST_PIPELINE_LOAD of `load`. NULL if unknown. */
static const char *find_origin(const struct dse_model_family *family, const char *text, size_t length)
{
    for (size_t from = 0; from < length; from += strcspn(text + from, "_") + 1)
        for (const char *at = family->content; *at != '\0';) {
            size_t own = strspn(at, letters);
            bool macro = at - family->content > 7 && strncmp(at - 7, "macro: ", 7) == 0;
            if (own == length - from && strncasecmp(at, text + from, own) == 0 && (at[own] == ':' || macro))
                return at;
            at += own > 0 ? own : 1;
        }
    return NULL;
}

static enum dse_status reject(const struct dse_emission *design, const char *text, size_t length, const char *why, struct dse_error *err)
{
    const struct dse_model_family *family = design->setup->family;
    const char *at = find_origin(family, text, length);
    size_t line = 1, column = 1;
    for (const char *c = family->content; at != NULL && c < at; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + (((unsigned char)*c & 0xc0) != 0x80);
    }
    if (at == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the header's %.*s %s; rename one of them", family->file, (int)length, text, why);
    dse_fail(err, DSE_BAD_INPUT, "%s:%zu:%zu: the header's %.*s %s; rename one of them", family->file, line, column, (int)length, text, why);
    dse_utf8_caret(family->content, (size_t)(at - family->content), err->message, sizeof err->message);
    return DSE_BAD_INPUT;
}

enum dse_status dse_emission_check_names(const struct dse_emission *design, struct dse_error *err)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct words words = {0};
    enum dse_status status = DSE_OK;
    if (design->setup->family->content == NULL) /* the names of a family in C are its author's */
        return DSE_OK;
    DSE_TRY(dse_emission_text(design, "hls/config.h.in", &text, err));
    DSE_TRY(dse_emission_text(design, "hls/origin.h.in", &text, err));
    list_words(dse_strbuf_text(&text), &words);
    for (size_t i = 0; i < words.count && status == DSE_OK; i++)
        for (size_t j = 0; words.all[i].defined && j < words.count && status == DSE_OK; j++)
            if (i != j && words.all[j].defined && is_same(&words.all[i], words.all[j].text, words.all[j].length) && !words.all[i].conditional)
                status = reject(design, words.all[i].text, words.all[i].length, "is given by two knobs, words, sizes or directives, or is used by the header itself", err);
    for (size_t k = 0; k < design->setup->space->count && design->hls->aliases != NULL && status == DSE_OK; k++) {
        const char *macro = design->hls->aliases[k];
        size_t uses = 0;
        for (size_t i = 0; macro != NULL && i < words.count; i++)
            uses += is_same(&words.all[i], macro, strlen(macro));
        if (uses > 1)
            status = reject(design, macro, strlen(macro), "is the macro of a knob, but the header itself uses this word", err);
    }
    free(words.all);
    return status;
}
