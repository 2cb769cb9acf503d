/* A folder of files that belong together: all of them are written, or none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/strbuf.h"

struct dse_folder_file;

/* Empty except for the path and the members set by callers; dse_folder_free releases it. */
struct dse_folder {
    const char *path;
    struct dse_folder_file *files;
    size_t count;
    bool overwrite; /* write also where another design lies */
    /* In the files' texts and names, words that begin with the family's name ("nysx_top", "NYSX_DIM", "nysx.h") get the prefix instead, also behind an x. Of binaries
     * (.bin), only the name changes. NULL: unchanged. */
    const char *family, *prefix;
};

/* Adds a file ("top.c", "host/host.cpp"). Returns its text, to be filled in before the next is added. */
struct dse_strbuf *dse_folder_add(struct dse_folder *folder, const char *name);

/* Adds a file as shipped in a folder of shared files: "top.c" of "hls/nysx". */
enum dse_status dse_folder_add_shipped(struct dse_folder *folder, const char *from, const char *name, struct dse_error *err);

/* The file beside the others that lists them: the hash of each file as written, and its name. */
#define DSE_FOLDER_LIST "emitted.txt"

/* Creates the folder if it is missing, and writes all files and their list. Unchanged files of an earlier emission that are not in the new list are
 * removed. DSE_BAD_USAGE if its first file exists with other content: it holds another design. After DSE_LIMIT the old state is unchanged, without
 * new files or folders. The same files give the same bytes.
 *
 * The folder is exchanged as a whole (emit/swap.h). If the program is ended at any instant, it is the old or the new one; a leftover beside it is
 * called FOLDER.tmp-XXXXXX. An exchange is impossible for the working folder, a mount, and a file system without hard links or exchange. The files
 * are then replaced one by one. emitted.txt is last; its hashes show an unfinished folder. */
enum dse_status dse_folder_write(struct dse_folder *folder, struct dse_error *err);

/* Calls `changed` for each file of the folder's list that differs from the written one; for the list itself if there is none. */
/* The files of a folder's list as written, in its order; none for a folder without a list. */
enum dse_status dse_folder_list(const char *path, void (*listed)(void *context, const char *name, uint64_t hash), void *context, struct dse_error *err);

enum dse_status dse_folder_changes(const char *path, void (*changed)(void *context, const char *name, bool missing), void *context,
                                   struct dse_error *err);

void dse_folder_free(struct dse_folder *folder);
