#define _GNU_SOURCE /* dladdr */
#include "core/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/order.h"
#include "core/rehearsal.h"
#include "core/text.h"

#ifndef DSE_SHARE_INSTALLED
#define DSE_SHARE_INSTALLED "/usr/local/share/nysx-dse"
#endif

#define MAX_LINKS 40 /* as Linux follows at most */

/* An object of the library; its address tells which file the library was loaded from. */
static const char share_marker;

static enum dse_status too_large(const char *path, size_t max_bytes, struct dse_error *err)
{
    return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the allowed %zu bytes", path, max_bytes);
}

static enum dse_status read_stream(FILE *stream, const char *path, size_t max_bytes, char **data,
                                   size_t *size, struct dse_error *err)
{
    size_t capacity = 64 * 1024, used = 0;
    char *bytes = dse_malloc(capacity + 1);
    while ((used += fread(bytes + used, 1, capacity - used, stream)) == capacity && used <= max_bytes)
        bytes = dse_realloc(bytes, (capacity *= 2) + 1);
    if (ferror(stream) || used > max_bytes) {
        free(bytes);
        if (used > max_bytes)
            return too_large(path, max_bytes, err);
        return dse_fail_errno(err, DSE_BAD_INPUT, path, "read", errno);
    }
    bytes[used] = '\0';
    *data = bytes;
    *size = used;
    return DSE_OK;
}

enum dse_status dse_file_read(const char *path, size_t max_bytes, char **data, size_t *size,
                              struct dse_error *err)
{
    DSE_TRY(dse_file_reads(path, err));
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return dse_fail_errno(err, DSE_BAD_INPUT, path, "open", errno);
    struct stat facts;
    enum dse_status status = DSE_OK;
    if (fstat(fileno(stream), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 &&
        (uint64_t)facts.st_size > max_bytes)
        status = too_large(path, max_bytes, err); /* seen before any of it is read */
    else
        status = read_stream(stream, path, max_bytes, data, size, err);
    fclose(stream);
    return status;
}

/* ---- inputs are not overwritten ---- */

/* KEPT: an earlier step of this command has read it; MADE: this command has written it. */
enum file_use { FILE_UNUSED, FILE_READ, FILE_WRITTEN, FILE_REPLACED, FILE_KEPT, FILE_MADE };

/* A file by its name and its identity, whatever other names lead to it. */
struct known_file {
    char *path;
    dev_t device;
    ino_t inode;
    enum file_use use;
};

/* The files of the running commands; nothing is kept outside of a command. */
static struct {
    pthread_mutex_t lock;
    struct known_file *files;
    size_t count, depth;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

size_t dse_files_watch(void)
{
    pthread_mutex_lock(&known.lock);
    known.depth++;
    size_t mark = known.count;
    pthread_mutex_unlock(&known.lock);
    return mark;
}

/* Whether the file is noted for this use. A noted file counts while its name still leads to it: another may have replaced it. The lock is held. */
static bool is_known(const struct stat *facts, enum file_use use)
{
    struct stat now;
    for (size_t i = 0; i < known.count; i++) {
        const struct known_file *file = &known.files[i];
        if (file->use == use && file->device == facts->st_dev && file->inode == facts->st_ino && stat(file->path, &now) == 0 &&
            now.st_dev == file->device && now.st_ino == file->inode)
            return true;
    }
    return false;
}

static void add_known(const char *path, const struct stat *facts, enum file_use use)
{
    struct known_file *room = dse_list_more(&known.files, &known.count, sizeof *room);
    *room = (struct known_file){dse_strdup(path), facts->st_dev, facts->st_ino, use};
}

void dse_file_keeps(const char *path)
{
    struct stat facts;
    pthread_mutex_lock(&known.lock);
    if (known.depth > 0 && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && !is_known(&facts, FILE_MADE) && !is_known(&facts, FILE_KEPT))
        add_known(path, &facts, FILE_KEPT);
    pthread_mutex_unlock(&known.lock);
}

void dse_files_keep(size_t mark)
{
    pthread_mutex_lock(&known.lock);
    for (size_t i = mark; i < known.count; i++)
        if (known.files[i].use == FILE_WRITTEN || known.files[i].use == FILE_REPLACED)
            known.files[i].use = FILE_MADE;
    for (size_t i = mark; i < known.count; i++) {
        struct known_file *file = &known.files[i];
        const struct stat facts = {.st_dev = file->device, .st_ino = file->inode};
        if (file->use == FILE_READ)
            file->use = is_known(&facts, FILE_MADE) ? FILE_UNUSED : FILE_KEPT;
    }
    known.depth--;
    pthread_mutex_unlock(&known.lock);
}

void dse_files_forget(size_t mark)
{
    pthread_mutex_lock(&known.lock);
    while (known.count > mark)
        free(known.files[--known.count].path);
    if (--known.depth == 0) {
        free(known.files);
        known.files = NULL;
    }
    pthread_mutex_unlock(&known.lock);
}

enum dse_status dse_file_keep(const char *path, struct dse_error *err)
{
    return dse_fail(err, DSE_BAD_USAGE, "%s: this command reads the file and must not overwrite it", path);
}

/* Notes the file's use; rejects a file that is noted for the use `against`. */
static enum dse_status know_file(const char *path, enum file_use use, enum file_use against, struct dse_error *err)
{
    struct stat facts;
    bool clash = false;
    pthread_mutex_lock(&known.lock);
    if (known.depth > 0 && stat(path, &facts) == 0 && S_ISREG(facts.st_mode)) {
        bool replaced = is_known(&facts, FILE_REPLACED);
        clash = !replaced && (is_known(&facts, against) || (against == FILE_READ && use != FILE_REPLACED && is_known(&facts, FILE_KEPT)));
        /* A rejected read is noted too: the reader may report the error as a row of its answer. */
        if (use != FILE_UNUSED && !replaced && (!clash || use == FILE_READ) && !is_known(&facts, use))
            add_known(path, &facts, use);
    }
    pthread_mutex_unlock(&known.lock);
    return clash ? dse_file_keep(path, err) : DSE_OK;
}

enum dse_status dse_file_reads(const char *path, struct dse_error *err)
{
    return know_file(path, FILE_READ, FILE_WRITTEN, err);
}

void dse_file_replaces(const char *path)
{
    struct dse_error ignored;
    know_file(path, FILE_REPLACED, FILE_READ, &ignored); /* a file that is noted as read stays so */
}

enum dse_status dse_file_spares(const char *path, struct dse_error *err)
{
    return know_file(path, FILE_UNUSED, FILE_READ, err);
}

/* The temporary files of active writers. They are removed if the program ends before the writers, for example when memory runs out. */
static struct {
    pthread_mutex_t lock;
    pid_t owner; /* a child that ends does not touch its parent's files */
    char **names;
    size_t count, capacity;
} unfinished = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remove_unfinished(void)
{
    for (size_t i = 0; getpid() == unfinished.owner && i < unfinished.count; i++)
        unlink(unfinished.names[i]);
}

static void begin_temporary(char *name)
{
    pthread_mutex_lock(&unfinished.lock);
    if (unfinished.capacity == 0)
        atexit(remove_unfinished);
    unfinished.owner = getpid();
    dse_list_room(&unfinished.names, &unfinished.capacity, unfinished.count, sizeof *unfinished.names);
    unfinished.names[unfinished.count++] = name;
    pthread_mutex_unlock(&unfinished.lock);
}

static void end_temporary(const char *name)
{
    pthread_mutex_lock(&unfinished.lock);
    for (size_t i = 0; i < unfinished.count; i++)
        if (unfinished.names[i] == name)
            unfinished.names[i] = unfinished.names[--unfinished.count];
    pthread_mutex_unlock(&unfinished.lock);
}

static void release_writer(struct dse_file_writer *writer)
{
    end_temporary(writer->temporary);
    free(writer->path);
    free(writer->temporary);
    *writer = (struct dse_file_writer){0};
}

/* An existing destination that is no regular file (a pipe, a device) cannot be renamed over. */
static bool is_special(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

/* The program's own standard output or error if `path` is the same file (/dev/stdout, wherever it leads), else -1. Open files are written on, not
 * replaced. */
static int own_descriptor(const char *path)
{
    struct stat there, own;
    if (stat(path, &there) != 0)
        return -1;
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fstat(descriptor, &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino)
            return descriptor;
    return -1;
}

static FILE *open_descriptor(int descriptor)
{
    fflush(descriptor == STDOUT_FILENO ? stdout : stderr);
    int copy = dup(descriptor);
    FILE *stream = copy >= 0 ? fdopen(copy, "wb") : NULL;
    if (stream == NULL && copy >= 0)
        close(copy);
    return stream;
}

/* The target of symbolic links from `path`, existing or not: a link is written through, not replaced. malloc'd; NULL with errno set if links form a
 * circle. */
static char *follow_links(const char *path)
{
    char target[PATH_MAX];
    char *current = dse_strdup(path);
    for (int depth = 0; depth < MAX_LINKS; depth++) {
        ssize_t length = readlink(current, target, sizeof target - 1);
        if (length < 0)
            return current;
        target[length] = '\0';
        char *slash = strrchr(current, '/');
        slash = *target == '/' || slash == NULL ? current : slash + 1;
        *slash = '\0';
        char *next = dse_path_join(current, target);
        free(current);
        current = next;
    }
    free(current);
    errno = ELOOP;
    return NULL;
}

/* The folder of a path, including its trailing slash; malloc'd. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? dse_strndup(path, (size_t)(slash - path) + 1) : dse_strdup("./");
}

bool dse_file_same(const char *a, const char *b)
{
    struct stat facts[2];
    if (stat(a, &facts[0]) == 0 && stat(b, &facts[1]) == 0 && S_ISREG(facts[0].st_mode) && facts[0].st_dev == facts[1].st_dev &&
        facts[0].st_ino == facts[1].st_ino)
        return true;
    char *first DSE_CLEANUP(dse_free_at) = follow_links(a), *second DSE_CLEANUP(dse_free_at) = follow_links(b);
    if (is_special(a) || is_special(b) || first == NULL || second == NULL || strcmp(dse_path_base(first), dse_path_base(second)) != 0)
        return false;
    char *folder DSE_CLEANUP(dse_free_at) = folder_of(first), *other DSE_CLEANUP(dse_free_at) = folder_of(second);
    return stat(folder, &facts[0]) == 0 && stat(other, &facts[1]) == 0 && facts[0].st_dev == facts[1].st_dev &&
           facts[0].st_ino == facts[1].st_ino;
}

/* mkstemp makes files for their owner only. A result gets the permissions of the file that it replaces, or those of any other new file. */
void dse_file_permit(int descriptor, const char *replaced)
{
    struct stat facts;
    mode_t mask = umask(0);
    umask(mask);
    bool there = stat(replaced, &facts) == 0 && S_ISREG(facts.st_mode);
    if (fchmod(descriptor, there ? facts.st_mode & 0777 : 0666 & ~mask) != 0)
        errno = 0; /* a file system without permissions: nothing to give */
}

/* The temporary file beside writer->path. */
static FILE *open_temporary(struct dse_file_writer *writer)
{
    size_t length = strlen(writer->path) + sizeof ".tmp-XXXXXX";
    writer->temporary = dse_malloc(length);
    snprintf(writer->temporary, length, "%s.tmp-XXXXXX", writer->path);
    int descriptor = mkstemp(writer->temporary);
    if (descriptor < 0)
        return NULL;
    begin_temporary(writer->temporary);
    dse_file_permit(descriptor, writer->path);
    FILE *stream = fdopen(descriptor, "wb");
    int reason = errno;
    if (stream == NULL) {
        close(descriptor);
        unlink(writer->temporary);
    }
    errno = reason;
    return stream;
}

/* `checks`: the caller discards the writer, so a rehearsal goes on. */
static enum dse_status begin(const char *path, bool checks, struct dse_file_writer *writer, struct dse_error *err)
{
    *writer = (struct dse_file_writer){0};
    if (dse_file_is_folder(path))
        return dse_fail_errno(err, DSE_LIMIT, path, "write", EISDIR);
    int own = own_descriptor(path);
    bool special = own >= 0 || is_special(path);
    if (!special)
        DSE_TRY(dse_file_spares(path, err));
    if (!checks)
        dse_rehearsal_ends();
    writer->path = special ? dse_strdup(path) : follow_links(path);
    if (writer->path != NULL)
        writer->stream = own >= 0 ? open_descriptor(own) : special ? fopen(path, "wb") : open_temporary(writer);
    if (writer->stream == NULL) {
        int reason = errno;
        release_writer(writer);
        return dse_fail_errno(err, DSE_LIMIT, path, "write", reason);
    }
    return DSE_OK;
}

enum dse_status dse_file_begin(const char *path, struct dse_file_writer *writer, struct dse_error *err)
{
    return begin(path, false, writer, err);
}

/* A name is on the disk once its folder is. File systems that do not support this (EINVAL) have their own way. */
static void sync_parent(const char *path)
{
    char *folder = folder_of(path);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

void dse_file_made(const char *path)
{
    struct stat facts;
    pthread_mutex_lock(&known.lock);
    if (known.depth > 0 && stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        add_known(path, &facts, FILE_MADE);
    pthread_mutex_unlock(&known.lock);
}

enum dse_status dse_file_commit(struct dse_file_writer *writer, struct dse_error *err)
{
    bool good = !ferror(writer->stream) && fflush(writer->stream) == 0;
    if (good && writer->temporary != NULL)
        good = fsync(fileno(writer->stream)) == 0;
    int reason = errno;
    if (fclose(writer->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && writer->temporary != NULL && rename(writer->temporary, writer->path) != 0) {
        good = false;
        reason = errno;
    }
    enum dse_status status = DSE_OK;
    if (good && writer->temporary != NULL)
        dse_file_made(writer->path);
    if (good && writer->temporary != NULL)
        sync_parent(writer->path); /* the file is complete in any case; after a crash its name may lead to the old one */
    if (!good) {
        if (writer->temporary != NULL)
            unlink(writer->temporary);
        status = dse_fail_errno(err, DSE_LIMIT, writer->path, "write", reason);
    }
    release_writer(writer);
    return status;
}

void dse_file_abort(struct dse_file_writer *writer)
{
    if (writer->stream != NULL)
        fclose(writer->stream);
    if (writer->temporary != NULL)
        unlink(writer->temporary);
    release_writer(writer);
}

bool dse_file_mixes(const char *a, const char *b)
{
    struct stat first, second, null;
    if (dse_file_same(a, b))
        return true;
    if (stat(a, &first) != 0 || stat(b, &second) != 0 || S_ISDIR(first.st_mode) || first.st_dev != second.st_dev || first.st_ino != second.st_ino)
        return false;
    return stat("/dev/null", &null) != 0 || null.st_dev != first.st_dev || null.st_ino != first.st_ino;
}

enum dse_status dse_file_check(const char *path, struct dse_error *err)
{
    if (own_descriptor(path) >= 0)
        return DSE_OK;
    if (is_special(path))
        return access(path, W_OK) == 0 ? DSE_OK : dse_fail_errno(err, DSE_LIMIT, path, "write", errno);
    struct dse_file_writer writer;
    DSE_TRY(begin(path, true, &writer, err));
    dse_file_abort(&writer);
    return know_file(path, FILE_WRITTEN, FILE_READ, err); /* a later reader fails at once */
}

enum dse_status dse_folder_check(const char *path, struct dse_error *err)
{
    char *there DSE_CLEANUP(dse_free_at) = dse_strdup(path);
    /* The nearest existing parent. */
    while (!dse_file_exists(there) && strcmp(there, ".") != 0) {
        char *slash = strrchr(there, '/');
        if (slash == there)
            slash[1] = '\0';
        else if (slash != NULL)
            *slash = '\0';
        else
            strcpy(there, ".");
    }
    if (!dse_file_is_folder(there))
        return dse_fail_errno(err, DSE_LIMIT, there, strcmp(there, path) == 0 ? "write into" : "create a folder in", ENOTDIR);
    return access(there, W_OK | X_OK) == 0 ? DSE_OK : dse_fail_errno(err, DSE_LIMIT, path, "write", errno);
}

enum dse_status dse_file_write(const char *path, const char *data, size_t size, struct dse_error *err)
{
    struct dse_file_writer writer;
    DSE_TRY(dse_file_begin(path, &writer, err));
    fwrite(data, 1, size, writer.stream);
    return dse_file_commit(&writer, err);
}

bool dse_file_exists(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0;
}

bool dse_file_is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

enum dse_status dse_folder_create(const char *path, struct dse_error *err)
{
    dse_rehearsal_ends();
    char *partial DSE_CLEANUP(dse_free_at) = dse_strdup(path);
    for (char *p = partial + 1; *partial != '\0'; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char end = *p;
        *p = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST)
            return dse_fail_errno(err, DSE_LIMIT, partial, "create the folder", errno);
        if (!dse_file_is_folder(partial))
            return dse_fail_errno(err, DSE_LIMIT, partial, "create the folder", ENOTDIR);
        if (end == '\0')
            break;
        *p = end;
    }
    return DSE_OK;
}

char *dse_path_stem(const char *path, const char *suffix)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    size_t length = end - start, tail = strlen(suffix);
    if (length > tail && strncmp(path + end - tail, suffix, tail) == 0)
        length -= tail;
    return dse_strndup(path + start, length);
}

char *dse_path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder) + strlen(name) + 2;
    char *path = dse_malloc(length);
    const char *slash = *folder != '\0' && folder[strlen(folder) - 1] != '/' ? "/" : "";
    snprintf(path, length, "%s%s%s", folder, slash, name);
    return path;
}

/* share/nysx-dse in the folder `levels` above the file `path`, which is cut; NULL if there is none. */
static char *share_above(char *path, int levels)
{
    for (int level = 0; level < levels; level++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return NULL;
        *slash = '\0';
    }
    return dse_path_join(path, "share/nysx-dse");
}

/* <bin>/../share/nysx-dse of the running program: serves the build tree and a moved installation. */
static char *share_beside_program(void)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    return share_above(program, 2);
}

/* As share_beside_program, for the shared library, which may be in lib/ or in lib/<architecture>/. */
static char *share_beside_library(int levels)
{
    Dl_info found;
    char library[PATH_MAX];
    if (dladdr(&share_marker, &found) == 0 || found.dli_fname == NULL || realpath(found.dli_fname, library) == NULL)
        return NULL;
    return share_above(library, levels);
}

enum dse_status dse_share_find(const char *relative, char **path, struct dse_error *err)
{
    const char *chosen = getenv("NYSX_DSE_SHARE");
    char *program = share_beside_program(), *library = share_beside_library(2);
    char *deeper_library = share_beside_library(3);
    const char *places[] = {chosen, program, library, deeper_library, DSE_SHARE_INSTALLED};
    *path = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && *path == NULL; i++) {
        if (places[i] == NULL || *places[i] == '\0')
            continue;
        char *candidate = dse_path_join(places[i], relative);
        if (dse_file_exists(candidate))
            *path = candidate;
        else
            free(candidate);
    }
    free(program);
    free(library);
    free(deeper_library);
    if (*path != NULL)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_INPUT,
                    "%s: not among the shipped files (looked in $NYSX_DSE_SHARE, share/nysx-dse beside "
                    "the program's and the library's folder, and %s)",
                    relative, DSE_SHARE_INSTALLED);
}

enum dse_status dse_share_names(const char *folder, const char *suffix, char ***names, size_t *count,
                                struct dse_error *err)
{
    *names = NULL;
    *count = 0;
    char *path DSE_CLEANUP(dse_free_at) = NULL;
    DSE_TRY(dse_share_find(folder, &path, err));
    DIR *entries = opendir(path);
    if (entries == NULL)
        return dse_fail_errno(err, DSE_BAD_INPUT, path, "list", errno);
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (!dse_ends_in(entry->d_name, suffix))
            continue;
        char **room = dse_list_more(names, count, sizeof *room);
        *room = dse_strndup(entry->d_name, strlen(entry->d_name) - strlen(suffix));
    }
    closedir(entries);
    if (*count > 0)
        qsort(*names, *count, sizeof **names, dse_by_text);
    return DSE_OK;
}

void dse_share_names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
