/* Intercepts system calls of the program (LD_PRELOAD), and fails them or kills the program as the environment says:
 *
 *   NYSX_KILL_AT=n          SIGKILL in place of the n-th call that changes what a disk holds, counted from main on: fsync, fdatasync,
 *                           rename, renameat2, link, unlink, mkdir, rmdir, ftruncate
 *   NYSX_READ_ONLY=PREFIX   below it nothing can be opened for writing, created, renamed or removed: EROFS
 *   NYSX_DESCRIPTORS=n      from main on there are n descriptors; with 3, no file can be opened
 *   NYSX_SHIM_LOG=FILE      receives the number of calls at the end: "steps N" */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name, type) (__extension__(type)dlsym(RTLD_NEXT, name))

static atomic_long steps;
static long kill_at;
static bool counting;
static const char *read_only, *log_file;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atol(text) : 0;
}

/* The last initialiser before main: those of the libraries have run. */
static void begin(void)
{
    kill_at = number("NYSX_KILL_AT");
    read_only = getenv("NYSX_READ_ONLY");
    log_file = getenv("NYSX_SHIM_LOG");
    if (number("NYSX_DESCRIPTORS") > 0)
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)number("NYSX_DESCRIPTORS"), (rlim_t)number("NYSX_DESCRIPTORS")});
    counting = true;
}

typedef int main_function(int, char **, char **);
static main_function *real_main;

static int counted_main(int argc, char **argv, char **environment)
{
    begin();
    return real_main(argc, argv, environment);
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack);

/* The only way to run directly before main, after every constructor. */
int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack)
{
    typedef int starter(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    starter *start = REAL("__libc_start_main", starter *);
    real_main = program;
    return start(counted_main, argc, argv, init, fini, loader, stack);
}

__attribute__((destructor)) static void end(void)
{
    FILE *stream = counting && log_file != NULL ? fopen(log_file, "w") : NULL;
    counting = false;
    if (stream != NULL) {
        fprintf(stream, "steps %ld\n", atomic_load(&steps));
        fclose(stream);
    }
}

static void step(void)
{
    if (counting && atomic_fetch_add(&steps, 1) + 1 == kill_at)
        kill(getpid(), SIGKILL);
}

static bool rejects(const char *path)
{
    if (!counting || read_only == NULL || path == NULL)
        return false;
    bool below = strncmp(path, read_only, strlen(read_only)) == 0;
    if (below)
        errno = EROFS;
    return below;
}

/* A call that changes the disk; `path` is its target, or NULL. */
#define CHANGE(name, path, parameters, ...)                                              \
    int name parameters                                                                  \
    {                                                                                    \
        step();                                                                          \
        return rejects(path) ? -1 : REAL(#name, int (*) parameters)(__VA_ARGS__); \
    }

CHANGE(fsync, NULL, (int descriptor), descriptor)
CHANGE(fdatasync, NULL, (int descriptor), descriptor)
CHANGE(ftruncate, NULL, (int descriptor, off_t length), descriptor, length)
CHANGE(ftruncate64, NULL, (int descriptor, off_t length), descriptor, length)
CHANGE(rename, to, (const char *from, const char *to), from, to)
CHANGE(renameat2, to, (int old, const char *from, int new, const char *to, unsigned flags), old, from, new, to, flags)
CHANGE(link, to, (const char *from, const char *to), from, to)
CHANGE(linkat, to, (int old, const char *from, int new, const char *to, int flags), old, from, new, to, flags)
CHANGE(unlink, path, (const char *path), path)
CHANGE(rmdir, path, (const char *path), path)
CHANGE(mkdir, path, (const char *path, mode_t mode), path, mode)

static int open_as(const char *name, const char *path, int flags, mode_t mode)
{
    struct stat facts;
    bool there = stat(path, &facts) == 0;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || ((flags & O_CREAT) != 0 && !there);
    return writes && rejects(path) ? -1 : REAL(name, int (*)(const char *, int, ...))(path, flags, mode);
}

#define OPEN(name)                                                    \
    int name(const char *path, int flags, ...)                        \
    {                                                                 \
        va_list more;                                                 \
        va_start(more, flags);                                        \
        mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                 \
        return open_as(#name, path, flags, mode);                     \
    }

OPEN(open)
OPEN(open64)

int access(const char *path, int mode)
{
    return (mode & W_OK) != 0 && rejects(path) ? -1 : REAL("access", int (*)(const char *, int))(path, mode);
}
