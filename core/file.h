/* Whole files in and out: bounded reads, and writes that are either complete or not there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/status.h"

/* Reads at most `max_bytes` of `path` into malloc'd memory with a NUL behind (not counted in `size`).
 * DSE_BAD_INPUT when missing, unreadable, a folder or larger than that. */
enum dse_status dse_file_read(const char *path, size_t max_bytes, char **data, size_t *size,
                              struct dse_error *err);

/* A command never overwrites a file that it reads, also not through links. Between dse_files_watch and dse_files_forget (which takes the
 * former's result; pairs may nest) dse_file_read and dse_file_reads note each file. dse_file_begin rejects noted files (DSE_BAD_USAGE), and
 * readers are refused a file that dse_file_check has allowed for writing. */
size_t dse_files_watch(void);
void dse_files_forget(size_t mark);

/* In place of dse_files_forget within another pair: a step of a command. What it has read and the command has not written is rejected to the
 * writers of later steps. */
void dse_files_keep(size_t mark);

/* A file that a step will read, and one that a step has written (dse_file_commit says so itself). */
void dse_file_keeps(const char *path);
void dse_file_made(const char *path);

/* A file that is opened for reading by other means. */
enum dse_status dse_file_reads(const char *path, struct dse_error *err);

/* A file that this command reads in order to replace it: no clash. To be said before it is read. */
void dse_file_replaces(const char *path);

/* Whether the file may be written by other means than dse_file_begin. */
enum dse_status dse_file_spares(const char *path, struct dse_error *err);

/* The failure of those that are rejected. */
enum dse_status dse_file_keep(const char *path, struct dse_error *err);

/* The bytes that an archive of so many may unpack to. Text and lists of edges compress to a twentieth; one-hot features, as NumPy
 * writes them, to a two-hundredth (Cora) and more, which the free part is for: CiteSeer's 3,327 × 3,703 doubles are 99 MB. */
#define DSE_UNPACKED_FREE ((uint64_t)128 << 20)
#define DSE_UNPACKED_RATIO 64
static inline uint64_t dse_unpacked_max(uint64_t packed_bytes)
{
    return packed_bytes < UINT64_MAX / (2 * DSE_UNPACKED_RATIO) ? DSE_UNPACKED_FREE + DSE_UNPACKED_RATIO * packed_bytes : UINT64_MAX;
}

/* A file being written beside its destination. */
struct dse_file_writer {
    FILE *stream; /* write here */
    char *path;
    char *temporary; /* NULL when the destination is no regular file (a pipe, a device) or already open */
};

/* Opens `path`.tmp-XXXXXX in the same folder; of a symbolic link, in the folder that it leads to. A
 * pipe, a device and the program's own standard output (/dev/stdout, redirected or not) are written
 * on directly. DSE_LIMIT when the folder cannot be written to. */
enum dse_status dse_file_begin(const char *path, struct dse_file_writer *writer, struct dse_error *err);

/* Flushes, syncs and renames over the destination. On any failure the destination is untouched and
 * the temporary file gone. Releases the writer either way. */
enum dse_status dse_file_commit(struct dse_file_writer *writer, struct dse_error *err);

/* Gives a file that is written by other means the permissions that dse_file_begin would: those of the file `replaced`, if it is there. */
void dse_file_permit(int descriptor, const char *replaced);

/* Throws the temporary file away. Harmless on a zeroed or committed writer. */
void dse_file_abort(struct dse_file_writer *writer);

/* begin, write, commit. */
enum dse_status dse_file_write(const char *path, const char *data, size_t size, struct dse_error *err);

/* Whether dse_file_begin would succeed, without leaving anything behind: asked before long work whose result goes there.
 * Nothing is opened that another program may listen to (a pipe, a device). */
enum dse_status dse_file_check(const char *path, struct dse_error *err);

/* The same for a folder that dse_folder_create may have to make, and files in it. */
enum dse_status dse_folder_check(const char *path, struct dse_error *err);

/* Whether writing to `a` and then to `b` would leave the second alone: the same place, there or not yet, by whatever
 * links. False for pipes and devices, which take both. */
bool dse_file_same(const char *a, const char *b);

/* Whether what is written to both ends up in one file, pipe or terminal. False for /dev/null. */
bool dse_file_mixes(const char *a, const char *b);

bool dse_file_exists(const char *path);
bool dse_file_is_folder(const char *path);

/* Creates the folder and its missing parents. */
enum dse_status dse_folder_create(const char *path, struct dse_error *err);

/* The last component of `path` without `suffix` (when it ends so), in malloc'd memory.
 * "a/b/MUTAG.zip", ".zip" gives "MUTAG"; a trailing slash is not a component. */
char *dse_path_stem(const char *path, const char *suffix);

/* "a/b" of two parts, malloc'd; the second where the first is empty. */
char *dse_path_join(const char *folder, const char *name);

/* Where a shipped file lies (`boards/zcu104.xml`): $NYSX_DSE_SHARE, else share/nysx-dse beside the
 * program's own bin folder, beside the shared library's lib folder, else the installation's data folder. malloc'd; DSE_BAD_INPUT, naming the
 * places looked at, when it is nowhere. */
enum dse_status dse_share_find(const char *relative, char **path, struct dse_error *err);

/* The shipped names in `folder` that end in `suffix`, sorted, suffix taken off: `boards`, `.xml`. Free
 * with dse_share_names_free. */
enum dse_status dse_share_names(const char *folder, const char *suffix, char ***names, size_t *count,
                                struct dse_error *err);
void dse_share_names_free(char **names, size_t count);
