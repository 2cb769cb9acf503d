/* Finds a board by the text after --board. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/text.h"
#include "devices/hosts.h"

#define NAME_MAX_LENGTH 64
#define NEAREST_SHOWN 3

/* Lower case, with '-' for '_' and ' '. False if the text is too long for a name. */
static bool normalise(const char *name, char out[NAME_MAX_LENGTH])
{
    size_t length = strlen(name);
    if (length >= NAME_MAX_LENGTH)
        return false;
    for (size_t i = 0; i <= length; i++)
        out[i] = name[i] == '_' || name[i] == ' ' ? '-' : (char)tolower((unsigned char)name[i]);
    return true;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance of two short names. O(length²). */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_LENGTH + 1];
    size_t columns = least(strlen(b), NAME_MAX_LENGTH);
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(substituted, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[columns];
}

/* DSE_BAD_USAGE that names the shipped boards nearest to `name`. */
static enum dse_status unknown(const char *name, const char *normal, char *const *names, size_t count,
                               struct dse_error *err)
{
    struct dse_strbuf nearest DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t shown = 0;
    for (size_t d = 0; d <= NAME_MAX_LENGTH && shown < NEAREST_SHOWN; d++)
        for (size_t i = 0; i < count && shown < NEAREST_SHOWN; i++)
            if ((strncmp(names[i], normal, strlen(normal)) == 0 ? 0 : distance(normal, names[i])) == d)
                dse_strbuf_printf(&nearest, "%s%s", shown++ > 0 ? ", " : "", names[i]);
    return dse_fail(err, DSE_BAD_USAGE, "%.60s: no such board%s; nearest: %s; see `nysx-dse boards list`", name,
                    strchr(name, ',') != NULL ? "; give each board its own --board" : "", dse_strbuf_text(&nearest));
}

static enum dse_status open_shipped(const char *name, struct dse_board **out, struct dse_error *err)
{
    struct dse_strbuf relative DSE_CLEANUP(dse_strbuf_free) = {0};
    char *path DSE_CLEANUP(dse_free_at) = NULL;
    dse_strbuf_printf(&relative, "boards/%s.xml", name);
    DSE_TRY(dse_share_find(relative.text, &path, err));
    return dse_board_read(path, out, err);
}

/* Opens a board file. If it has a shipped board's name but other values, the board gets its file's name. Its answers then cannot be mistaken for
 * those of the shipped board. */
static enum dse_status open_file(const char *path, struct dse_board **out, struct dse_error *err)
{
    struct dse_board *shipped DSE_CLEANUP(dse_board_free_at) = NULL;
    struct dse_strbuf own DSE_CLEANUP(dse_strbuf_free) = {0}, other DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_error none;
    DSE_TRY(dse_board_read(path, out, err));
    if (open_shipped((*out)->name, &shipped, &none) != DSE_OK)
        return DSE_OK;
    dse_board_write(*out, &own);
    dse_board_write(shipped, &other);
    if (strcmp(dse_strbuf_text(&own), dse_strbuf_text(&other)) == 0)
        return DSE_OK;
    char *name DSE_CLEANUP(dse_free_at) = dse_path_stem(path, "");
    dse_board_rename(*out, name);
    return DSE_OK;
}

static bool has_alias(const struct dse_board *board, const char *alias)
{
    for (size_t i = 0; i < board->alias_count; i++)
        if (strcmp(board->aliases[i], alias) == 0)
            return true;
    return false;
}

/* Reads the shipped boards until one has the alias; takes milliseconds, only for names that are not file stems. `*out` stays NULL if none
 * has it. An unreadable board is skipped; its error is reported only if no board has the alias. */
static enum dse_status open_by_alias(const char *alias, char *const *names, size_t count,
                                     struct dse_board **out, struct dse_error *err)
{
    enum dse_status worst = DSE_OK;
    for (size_t i = 0; i < count; i++) {
        struct dse_board *board = NULL;
        struct dse_error why = {0};
        enum dse_status status = open_shipped(names[i], &board, &why);
        if (status == DSE_OK && has_alias(board, alias)) {
            *out = board;
            return DSE_OK;
        }
        dse_board_free(board);
        if (status != DSE_OK && worst == DSE_OK)
            worst = dse_fail(err, status, "%s", why.message);
    }
    return worst;
}

/* "xczu7ev", "XCZU7EV-ffvc1156" of "xczu7ev-ffvc1156-2-e". */
static bool is_part(const char *name, const char *part)
{
    size_t length = strlen(name);
    return length > 0 && strncasecmp(name, part, length) == 0 && (part[length] == '\0' || part[length] == '-');
}

/* Opens the only shipped board with the part; if there are several, the error names them. `*out` stays NULL if none has it. */
static enum dse_status open_by_part(const char *name, char *const *names, size_t count, struct dse_board **out, struct dse_error *err)
{
    struct dse_strbuf having DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_board *found = NULL;
    size_t boards = 0;
    for (size_t i = 0; i < count; i++) {
        struct dse_board *board = NULL;
        struct dse_error unreadable = {0};
        if (open_shipped(names[i], &board, &unreadable) != DSE_OK || !is_part(name, board->part)) {
            dse_board_free(board);
            continue;
        }
        dse_strbuf_printf(&having, "%s%s", boards++ > 0 ? ", " : "", names[i]);
        dse_board_free(found);
        found = board;
    }
    if (boards <= 1) {
        *out = found;
        return DSE_OK;
    }
    dse_board_free(found);
    return dse_fail(err, DSE_BAD_USAGE, "%.60s: is the part of several boards: %s; choose one of them", name, dse_strbuf_text(&having));
}

static enum dse_status find(const char *name, struct dse_board **out, struct dse_error *err)
{
    *out = NULL;
    if (dse_is_xml_path(name))
        return open_file(name, out, err);
    char normal[NAME_MAX_LENGTH] = "";
    char **names = NULL;
    size_t count = 0;
    DSE_TRY(dse_share_names("boards", ".xml", &names, &count, err));
    bool found = false;
    if (normalise(name, normal))
        for (size_t i = 0; i < count && !found; i++)
            found = strcmp(names[i], normal) == 0;
    enum dse_status status = found ? open_shipped(normal, out, err) : open_by_alias(normal, names, count, out, err);
    if (status == DSE_OK && *out == NULL)
        status = open_by_part(name, names, count, out, err);
    if (status == DSE_OK && *out == NULL)
        status = unknown(name, normal, names, count, err);
    dse_share_names_free(names, count);
    return status;
}

enum dse_status dse_board_open(const char *name, struct dse_board **out, struct dse_error *err)
{
    DSE_TRY(find(name, out, err));
    enum dse_status status = dse_host_choose(*out, NULL, 1, err);
    if (status != DSE_OK)
        dse_board_free(*out);
    return status;
}

/* Moves the matching shipped names to the front, and frees the others. */
static size_t keep_matching(const char *pattern, char **names, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (fnmatch(pattern, names[i], 0) == 0)
            names[kept++] = names[i];
        else
            free(names[i]);
    }
    return kept;
}

enum dse_status dse_board_names(const char *pattern, char ***names, size_t *count, struct dse_error *err)
{
    *names = NULL;
    *count = 0;
    if (dse_is_xml_path(pattern) || strpbrk(pattern, "*?") == NULL) {
        char **room = dse_list_more(names, count, sizeof *room);
        *room = dse_strdup(pattern);
        return DSE_OK;
    }
    char normal[NAME_MAX_LENGTH] = "";
    char **all = NULL;
    size_t all_count = 0;
    DSE_TRY(dse_share_names("boards", ".xml", &all, &all_count, err));
    if (!normalise(pattern, normal))
        normal[0] = '\0';
    size_t kept = keep_matching(normal, all, all_count);
    if (kept == 0) {
        dse_share_names_free(all, 0);
        return dse_fail(err, DSE_BAD_USAGE, "%.60s: matches no shipped board; see `nysx-dse boards list`",
                        pattern);
    }
    *names = all;
    *count = kept;
    return DSE_OK;
}
