/* A folder of files that belong together: all of them are written, or none. */
#ifndef DSE_EMIT_FOLDER_H
#define DSE_EMIT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "core/strbuf.h"

struct dse_folder_file;

/* Empty but for the path; dse_folder_free releases it. */
struct dse_folder {
    const char *path;
    struct dse_folder_file *files;
    size_t count;
    bool overwrite; /* write also where another design lies */
};

/* One more file; its text, to be filled in before the next is added, or NULL when memory runs out. */
struct dse_strbuf *dse_folder_add(struct dse_folder *folder, const char *name);

/* One more, as it is shipped in a folder of shared files: "top.c" of "hls/nysx". */
enum dse_status dse_folder_add_shipped(struct dse_folder *folder, const char *from, const char *name, struct dse_error *err);

/* Makes the folder where it is missing and writes all files. DSE_BAD_USAGE where its first file is there already and says
 * another thing: another design's. On DSE_LIMIT what was there before is there still: no file
 * and no folder is left behind. */
enum dse_status dse_folder_write(struct dse_folder *folder, struct dse_error *err);

/* Whether file `index` lies in the folder already: an earlier design's. */
bool dse_folder_has(const struct dse_folder *folder, size_t index);

/* Takes away a file that an earlier design left in the folder and this one has not. */
enum dse_status dse_folder_remove_stale(const struct dse_folder *folder, const char *name, struct dse_error *err);

/* The same of shipped files of a suffix: one goes only as it was written, so that what somebody changed, or has of the
 * same name, stays. */
enum dse_status dse_folder_remove_shipped(const struct dse_folder *folder, const char *from, const char *suffix,
                                          struct dse_error *err);

void dse_folder_free(struct dse_folder *folder);

#endif
