/* The text files of one data set, together in a folder or in a zip archive. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* One file in memory. Owns both members. */
struct dse_text {
    char *name; /* for messages: "data/MUTAG/MUTAG_A.txt", "data/MUTAG.zip:MUTAG/MUTAG_A.txt" */
    char *data; /* `size` bytes followed by a NUL; NULL if there is no such file */
    size_t size;
};

void dse_text_free(struct dse_text *text);

/* Writes texts under their names into the new folder `folder`, except those without data. After a failure nothing of it is left. */
enum dse_status dse_texts_write(const char *folder, const struct dse_text *texts, size_t count, struct dse_error *err);

/* DSE_BAD_USAGE if something of that name exists. To be called before a data set is generated. */
enum dse_status dse_texts_check(const char *folder, struct dse_error *err);

/* An opened folder or archive. */
struct dse_bundle;

/* Whether a file begins as gzip or is a tar archive. */
bool dse_bundle_is_packed(const char *path);

/* Opens `path`: the files directly in a folder; or every file of a zip, tar or tar.gz archive; or the one file of a .gz. Hidden files and the
 * `__MACOSX` folders of archives are left out. DSE_BAD_INPUT if it is missing, of another kind, or a truncated or damaged archive, each with its own
 * message. */
enum dse_status dse_bundle_open(const char *path, struct dse_bundle **out, struct dse_error *err);

void dse_bundle_close(struct dse_bundle *pack);

/* The path that it was opened with, and its entries ("MUTAG/MUTAG_A.txt"), ascending by name. */
const char *dse_bundle_path(const struct dse_bundle *pack);
size_t dse_bundle_count(const struct dse_bundle *pack);
const char *dse_bundle_entry(const struct dse_bundle *pack, size_t index);

/* The number of entries whose name ends in `ending` and is longer. `entries` (may be NULL) gets the first two, or NULL. O(entries). */
size_t dse_bundle_ending(const struct dse_bundle *pack, const char *ending, const char *entries[2]);

/* Marks an entry of a folder as one that this command reads and does not overwrite (dse_file_reads). */
enum dse_status dse_bundle_spare(const struct dse_bundle *pack, const char *entry, struct dse_error *err);

/* Reads an entry of at most `max_bytes` (after unpacking: an archive cannot blow up memory). A missing entry gives DSE_OK and an empty text.
 * DSE_BAD_INPUT if it is too large, twice in the archive, encrypted, cut off, or fails its check sum. */
enum dse_status dse_bundle_read(struct dse_bundle *pack, const char *entry, size_t max_bytes,
                              struct dse_text *out, struct dse_error *err);
