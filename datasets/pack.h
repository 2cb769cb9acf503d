/* The text files of one data set, which lie together in a folder or in a zip archive. */
#ifndef DSE_DATASETS_PACK_H
#define DSE_DATASETS_PACK_H

#include <stddef.h>

#include "core/status.h"

/* One file in memory. Owns both members. */
struct dse_text {
    char *name; /* for messages: "data/MUTAG/MUTAG_A.txt", "data/MUTAG.zip:MUTAG/MUTAG_A.txt" */
    char *data; /* `size` bytes with a NUL behind; NULL where there is no such file */
    size_t size;
};

void dse_text_free(struct dse_text *text);

/* An opened folder or archive. */
struct dse_pack;

/* Opens `path`: the files that lie directly in a folder, or every file of a zip archive. Hidden files and the
 * `__MACOSX` folders of archives are left out. DSE_BAD_INPUT where it is missing, neither of the two, or a
 * truncated or damaged archive, each with its own message. */
enum dse_status dse_pack_open(const char *path, struct dse_pack **out, struct dse_error *err);

void dse_pack_close(struct dse_pack *pack);

/* The path that it was opened with, and its entries ("MUTAG/MUTAG_A.txt"), ascending by name. */
const char *dse_pack_path(const struct dse_pack *pack);
size_t dse_pack_count(const struct dse_pack *pack);
const char *dse_pack_entry(const struct dse_pack *pack, size_t index);

/* Reads an entry of at most `max_bytes` (after unpacking: an archive cannot blow up memory). An entry that is
 * not there gives DSE_OK and an empty text. DSE_BAD_INPUT where it is too large, stands twice in the archive, is
 * encrypted, cut off, or fails its check sum. */
enum dse_status dse_pack_read(struct dse_pack *pack, const char *entry, size_t max_bytes,
                              struct dse_text *out, struct dse_error *err);

#endif
