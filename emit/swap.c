/* Replaces a folder as a whole: the new one is made beside it and exchanged with it. */
#define _GNU_SOURCE /* renameat2, nftw */
#include "emit/swap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/strbuf.h"

static void sync_folder(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

/* Whether `path`, with all links followed, is or contains the working folder: it cannot be exchanged then. */
static bool holds_us(const char *path)
{
    char *here = getcwd(NULL, 0);
    size_t length = strlen(path);
    bool holds = here == NULL || (strncmp(here, path, length) == 0 && (here[length] == '/' || here[length] == '\0'));
    free(here);
    return holds;
}

/* Whether the two are in different file systems: another one is then mounted at the folder. */
static bool is_mounted(const char *path, const char *parent)
{
    struct stat own, above;
    return stat(path, &own) != 0 || stat(parent, &above) != 0 || own.st_dev != above.st_dev;
}

/* `path` without trailing slashes and, if it exists, with all links followed; malloc'd. */
static char *real_place(const char *path)
{
    char *place = realpath(path, NULL);
    if (place == NULL) {
        size_t length = strlen(path);
        while (length > 1 && path[length - 1] == '/')
            length--;
        place = dse_strndup(path, length);
    }
    return place;
}

bool dse_swap_begin(const char *path, struct dse_swap *swap)
{
    struct stat facts;
    struct dse_strbuf made DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_rehearsal_ends();
    *swap = (struct dse_swap){.place = real_place(path), .there = dse_file_exists(path)};
    const char *slash = strrchr(swap->place, '/');
    swap->parent = slash == NULL ? dse_strdup(".") : dse_strndup(swap->place, slash > swap->place ? (size_t)(slash - swap->place) : 1);
    dse_strbuf_printf(&made, "%s.tmp-XXXXXX", swap->place);
    if ((!swap->there || (!holds_us(swap->place) && !is_mounted(swap->place, swap->parent))) && mkdtemp(made.text) != NULL) {
        mode_t mask = umask(0);
        umask(mask);
        chmod(made.text, swap->there && stat(swap->place, &facts) == 0 ? facts.st_mode & 07777 : 0777 & ~mask);
        swap->made = dse_strdup(made.text);
    } else {
        dse_swap_abort(swap);
    }
    return swap->made != NULL;
}

/* Adds everything in `from` that `to` lacks, as further names of the same files. */
static bool carry(const char *from, const char *to)
{
    DIR *entries = opendir(from);
    bool good = entries != NULL;
    for (const struct dirent *entry; good && (entry = readdir(entries)) != NULL;) {
        struct stat facts;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *old DSE_CLEANUP(dse_free_at) = dse_path_join(from, entry->d_name), *new DSE_CLEANUP(dse_free_at) = dse_path_join(to, entry->d_name);
        good = lstat(old, &facts) == 0;
        if (good && S_ISDIR(facts.st_mode))
            good = (mkdir(new, facts.st_mode & 07777) == 0 || errno == EEXIST) && carry(old, new);
        else if (good)
            good = linkat(AT_FDCWD, old, AT_FDCWD, new, 0) == 0 || errno == EEXIST;
    }
    if (entries != NULL)
        closedir(entries);
    sync_folder(to);
    return good;
}

bool dse_swap_carry(const struct dse_swap *swap)
{
    if (swap->there)
        return carry(swap->place, swap->made);
    sync_folder(swap->made);
    return true;
}

bool dse_swap_commit(struct dse_swap *swap)
{
    sync_folder(swap->made);
    bool good = swap->there ? renameat2(AT_FDCWD, swap->made, AT_FDCWD, swap->place, RENAME_EXCHANGE) == 0
                            : rename(swap->made, swap->place) == 0;
    if (good)
        sync_folder(swap->parent);
    int reason = errno;
    dse_swap_abort(swap); /* removes the folder under the other name: the old one, or the one that could not take its place */
    errno = reason;
    return good;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

void dse_swap_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void dse_swap_abort(struct dse_swap *swap)
{
    if (swap->made != NULL)
        dse_swap_remove(swap->made);
    free(swap->made);
    free(swap->place);
    free(swap->parent);
    *swap = (struct dse_swap){0};
}
