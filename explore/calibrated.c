#include "explore/calibrated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"

/* User's data folder; a relative path in the environment is ignored, as the XDG base directory specification requires. */
static char *data_folder(void)
{
    const char *own = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (own != NULL && *own == '/')
        return dse_strdup(own);
    return home != NULL && *home == '/' ? dse_path_join(home, ".local/share") : NULL;
}

/* Whether the board is shipped with the program: its name alone finds the same file. */
static bool is_shipped(const struct dse_board *board)
{
    struct dse_error unused;
    char relative[256], *path = NULL;
    snprintf(relative, sizeof relative, "boards/%s.xml", board->name);
    bool shipped = dse_share_find(relative, &path, &unused) == DSE_OK && dse_file_same(path, board->file);
    free(path);
    return shipped;
}

char *dse_calibrated_path(const struct dse_board *board, const char *flow)
{
    struct dse_strbuf name = {0};
    bool shipped = is_shipped(board);
    const char *base = strrchr(board->file, '/');
    char *folder = shipped ? data_folder() : NULL, *stem = shipped ? NULL : dse_path_stem(board->file, ".xml"), *path = NULL;
    if (shipped)
        dse_strbuf_printf(&name, "nysx-dse/boards/%s.%s.calibration.xml", board->name, flow);
    else if (stem != NULL)
        dse_strbuf_printf(&name, "%.*s%s.%s.calibration.xml", base != NULL ? (int)(base - board->file) + 1 : 0, board->file, stem, flow);
    if (name.length > 0 && (folder != NULL || !shipped))
        path = shipped ? dse_path_join(folder, dse_strbuf_text(&name)) : dse_strdup(dse_strbuf_text(&name));
    dse_strbuf_free(&name);
    free(folder);
    free(stem);
    return path;
}

char *dse_calibrated_of(const struct dse_request *request, const struct dse_board *board)
{
    const char *word = dse_request_word(request, "calibration"), *flow = dse_request_word(request, "flow");
    if (word != NULL)
        return strcmp(word, "none") != 0 ? dse_strdup(word) : NULL;
    char *path = dse_calibrated_path(board, flow != NULL ? flow : "hls");
    if (path != NULL && dse_file_exists(path))
        return path;
    free(path);
    return NULL;
}

enum dse_status dse_calibrated_keep(const char *path, const struct dse_strbuf *xml, struct dse_error *err)
{
    const char *end = strrchr(path, '/');
    char *folder DSE_CLEANUP(dse_free_at) = end != NULL && end > path ? dse_strndup(path, (size_t)(end - path)) : NULL;
    if (folder != NULL)
        DSE_TRY(dse_folder_create(folder, err));
    return dse_file_write(path, xml->text, xml->length, err);
}
