/* Reads and writes whole files: reads are bounded, and writes are either complete or absent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/status.h"

/* Reads at most `max_bytes` of `path` into malloc'd memory, followed by a NUL (not counted in `size`). DSE_BAD_INPUT if it is missing, unreadable, a
 * folder or larger. */
enum dse_status dse_file_read(const char *path, size_t max_bytes, char **data, size_t *size,
                              struct dse_error *err);

/* A command never overwrites a file that it reads, also not through links. dse_file_read and dse_file_reads note each file from dse_files_watch on.
 * The noting ends with dse_files_forget, which takes the former's result; pairs may nest. Writers (dse_file_begin) reject noted files
 * (DSE_BAD_USAGE). Readers reject a file that dse_file_check has allowed for writing. */
size_t dse_files_watch(void);
void dse_files_forget(size_t mark);

/* Replaces dse_files_forget within another pair, for a step of a command. Writers of later steps reject the files that it has read, unless the
 * command has written them. */
void dse_files_keep(size_t mark);

/* Marks a file that a step will read, and one that a step has written (dse_file_commit does so itself). */
void dse_file_keeps(const char *path);
void dse_file_made(const char *path);

/* A file that is opened for reading by other means. */
enum dse_status dse_file_reads(const char *path, struct dse_error *err);

/* Marks a file that this command reads in order to replace it: no clash. Call it before the file is read. */
void dse_file_replaces(const char *path);

/* Whether the file may be written by other means than dse_file_begin. */
enum dse_status dse_file_spares(const char *path, struct dse_error *err);

/* The error for rejected files. */
enum dse_status dse_file_keep(const char *path, struct dse_error *err);

/* Maximum unpacked size of an archive of a given size. Text and lists of edges compress to a twentieth. One-hot features, as NumPy writes them,
 * compress to a two-hundredth (Cora) or further. The free part covers these: CiteSeer's 3,327 × 3,703 doubles are 99 MB. */
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
    char *temporary; /* NULL if the destination is no regular file (a pipe, a device) or is already open */
};

/* Opens `path`.tmp-XXXXXX in the same folder; for a symbolic link, in the folder that it leads to. Pipes, devices and the program's own standard
 * output (/dev/stdout, redirected or not) are written directly. DSE_LIMIT if the folder cannot be written to. */
enum dse_status dse_file_begin(const char *path, struct dse_file_writer *writer, struct dse_error *err);

/* Flushes, syncs and renames over the destination. After any failure the destination is unchanged and the temporary file removed. Releases the writer
 * in either case. */
enum dse_status dse_file_commit(struct dse_file_writer *writer, struct dse_error *err);

/* Gives a file written by other means the permissions that dse_file_begin would give: those of the file `replaced`, if it exists. */
void dse_file_permit(int descriptor, const char *replaced);

/* Throws the temporary file away. Harmless on a zeroed or committed writer. */
void dse_file_abort(struct dse_file_writer *writer);

/* begin, write, commit. */
enum dse_status dse_file_write(const char *path, const char *data, size_t size, struct dse_error *err);

/* Whether dse_file_begin would succeed, without leaving anything behind. Called before long work that writes its result there. Does not open files
 * that another program may listen to (a pipe, a device). */
enum dse_status dse_file_check(const char *path, struct dse_error *err);

/* As dse_file_check, for a folder that dse_folder_create may have to make, and files in it. */
enum dse_status dse_folder_check(const char *path, struct dse_error *err);

/* Whether writing to `a` and then to `b` would leave only the second: the same place, existing or not, through any links. False for pipes and
 * devices, which take both. */
bool dse_file_same(const char *a, const char *b);

/* Whether texts written to both end up in one file, pipe or terminal. False for /dev/null. */
bool dse_file_mixes(const char *a, const char *b);

bool dse_file_exists(const char *path);
bool dse_file_is_folder(const char *path);

/* Creates the folder and its missing parents. */
enum dse_status dse_folder_create(const char *path, struct dse_error *err);

/* The last component of `path`, without `suffix` if it ends so, in malloc'd memory. "a/b/MUTAG.zip", ".zip" gives "MUTAG"; a trailing slash is not a
 * component. */
char *dse_path_stem(const char *path, const char *suffix);

/* "a/b" of two parts, malloc'd; the second where the first is empty. */
char *dse_path_join(const char *folder, const char *name);

/* Path of a shipped file (`boards/zcu104.xml`). It is searched in $NYSX_DSE_SHARE, else in share/nysx-dse beside the program's own bin folder or the
 * shared library's lib folder, else in the installation's data folder. malloc'd. DSE_BAD_INPUT, naming the places searched, if it is not found. */
enum dse_status dse_share_find(const char *relative, char **path, struct dse_error *err);

/* The shipped names in `folder` that end in `suffix`, sorted, without the suffix: `boards`, `.xml`. Free with dse_share_names_free. */
enum dse_status dse_share_names(const char *folder, const char *suffix, char ***names, size_t *count,
                                struct dse_error *err);
void dse_share_names_free(char **names, size_t count);
