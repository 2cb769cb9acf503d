/* Stands between the program and its system (LD_PRELOAD), and fails or ends it where the environment says:
 *
 *   NYSX_FAIL_ALLOCATION=n  the n-th allocation fails, counted from main on; with NYSX_FAIL_EVERY=1 every one from there on
 *   NYSX_EXEMPT=a:b         allocations of a library whose path has one of these words are not counted
 *   NYSX_KILL_AT=n          SIGKILL in place of the n-th call that changes what a disk holds: fsync, fdatasync, rename,
 *                           renameat2, link, unlink, mkdir, rmdir, ftruncate
 *   NYSX_READ_ONLY=PREFIX   below it nothing can be opened to write, made, renamed or removed: EROFS
 *   NYSX_DESCRIPTORS=n      from main on there are n descriptors: with 3 nothing can be opened
 *   NYSX_SHIM_PLACES=FILE   a line for the first allocation by each place of the program, a place being the calls that led to it
 *                           (the twelve nearest): its n
 *   NYSX_SERVE=LAST         every allocation up to the LAST is failed by a process of its own, forked where it comes: descriptor 3 is asked
 *                           and answers, see served(). With NYSX_SERVE_NAMED=1 no process is forked behind the first question for
 *                           the working folder, by which a file that is to be made would get its full path
 *   NYSX_SHIM_LOG=FILE      at the end, how many calls there were: "allocations N" and "steps N" */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define REAL(name, type) (__extension__(type)dlsym(RTLD_NEXT, name))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_long allocations, steps;
static long fail_at, kill_at;
static bool fail_every, counting;
static const char *read_only, *log_file;
static int places_file = -1;
static atomic_long serve_last; /* 0: nothing is served */
static pid_t server;

#define RANGES 64
struct ranges {
    struct {
        uintptr_t begin, end;
    } at[RANGES];
    int count;
};
static struct ranges exempt, passing; /* passing: what allocates for whoever calls it */

struct wanted {
    const char *words; /* of a library's path, between colons */
    struct ranges *ranges;
};

static int add_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    const struct wanted *wanted = user;
    struct ranges *ranges = wanted->ranges;
    char copy[512];
    snprintf(copy, sizeof copy, "%s", wanted->words);
    for (char *rest = copy, *word; (word = strsep(&rest, ":")) != NULL;)
        if (*word != '\0' && info->dlpi_name != NULL && strstr(info->dlpi_name, word) != NULL)
            for (int i = 0; i < info->dlpi_phnum && ranges->count < RANGES; i++)
                if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
                    ranges->at[ranges->count].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
                    ranges->at[ranges->count].end = ranges->at[ranges->count].begin + info->dlpi_phdr[i].p_memsz;
                    ranges->count++;
                }
    return 0;
}

static void find_libraries(void)
{
    const char *words = getenv("NYSX_EXEMPT");
    exempt.count = passing.count = 0;
    if (words == NULL)
        return;
    dl_iterate_phdr(add_library, &(struct wanted){words, &exempt});
    dl_iterate_phdr(add_library, &(struct wanted){"libc.so:libz.so", &passing});
}

static bool lies_in(const struct ranges *ranges, const void *caller)
{
    for (int i = 0; i < ranges->count; i++)
        if ((uintptr_t)caller >= ranges->at[i].begin && (uintptr_t)caller < ranges->at[i].end)
            return true;
    return false;
}

static long number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atol(text) : 0;
}

/* The last initialiser before main: it is the executable's libraries that ran before. */
static void begin(void)
{
    find_libraries();
    fail_at = number("NYSX_FAIL_ALLOCATION");
    fail_every = number("NYSX_FAIL_EVERY") != 0;
    kill_at = number("NYSX_KILL_AT");
    read_only = getenv("NYSX_READ_ONLY");
    log_file = getenv("NYSX_SHIM_LOG");
    if (number("NYSX_DESCRIPTORS") > 0)
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)number("NYSX_DESCRIPTORS"), (rlim_t)number("NYSX_DESCRIPTORS")});
    serve_last = number("NYSX_SERVE");
    server = getpid();
    if (getenv("NYSX_SHIM_PLACES") != NULL)
        places_file = open(getenv("NYSX_SHIM_PLACES"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
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

/* The one way to stand right before main, behind every constructor. */
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
        fprintf(stream, "allocations %ld\nsteps %ld\n", atomic_load(&allocations), atomic_load(&steps));
        fclose(stream);
    }
}

/* ---- memory ---- */

#define PLACES ((size_t)1 << 17)
#define CALLS 12

static _Thread_local bool noting; /* what the unwinder and dprintf allocate is not the program's */

/* Notes an allocation by a place that had none before. */
static void note_place(long n)
{
    static uint64_t known[PLACES];
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    void *calls[CALLS + 2];
    noting = true;
    uint64_t place = 0xcbf29ce484222325u;
    int count = backtrace(calls, CALLS + 2);
    for (int i = 2; i < count; i++)
        place = (place ^ (uintptr_t)calls[i]) * 0x100000001b3u;
    while (atomic_flag_test_and_set(&busy)) {
    }
    size_t at = (size_t)(place % PLACES);
    for (size_t tried = 0; tried < PLACES && known[at] != 0 && known[at] != place; tried++)
        at = (at + 1) % PLACES;
    if (known[at] == 0) {
        known[at] = place;
        dprintf(places_file, "%ld\n", n);
    }
    atomic_flag_clear(&busy);
    noting = false;
}

/* ---- a process for every allocation that fails ---- */

enum { SERVED = 3, FILES = 32, PATIENCE_S = 60 };

/* Where open files are read next is one place for all copies: it is kept, and put back. */
static void places_of_files(off_t *places, bool back)
{
    for (int i = 0; i < FILES; i++)
        if (!back)
            places[i] = lseek(SERVED + 1 + i, 0, SEEK_CUR);
        else if (places[i] >= 0)
            lseek(SERVED + 1 + i, places[i], SEEK_SET);
}

/* In the folder that was answered, with files of its own for what it says. */
static void move_to(const char *folder)
{
    static const char *const names[] = {NULL, "../out", "../err"};
    bool moved = chdir(folder) == 0;
    for (int i = 1; moved && i <= 2; i++) {
        int file = openat(AT_FDCWD, names[i], O_RDWR);
        moved = file >= 0 && ftruncate(file, 0) == 0 && dup2(file, i) == i && close(file) == 0;
    }
    if (!moved)
        _exit(99);
    close(SERVED);
    alarm(PATIENCE_S);
}

/* A line with a number to who listens; dprintf would allocate. */
static void tell(long what)
{
    char line[32];
    int length = snprintf(line, sizeof line, "%ld\n", what);
    if (write(SERVED, line, (size_t)length) != length)
        _exit(98);
}

/* Asks who listens at the descriptor with "n\n"; the answer is a line, a folder or nothing. In the folder a copy of this process goes on,
 * whose n-th allocation fails: true in it. How it ended, as wait() has it, is told in a line. */
static bool served(long n)
{
    char folder[1024];
    tell(n);
    ssize_t length = read(SERVED, folder, sizeof folder - 1);
    if (length <= 0)
        _exit(98);
    folder[length - 1] = '\0';
    if (folder[0] == '\0')
        return false;
    int status = 0;
    off_t places[FILES];
    places_of_files(places, false);
    /* By the system's call: libc's fork would give the thread another number, and a recursive mutex that it holds would not know it. */
    pid_t copy = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (copy == 0) {
        serve_last = 0;
        fail_at = n;
        move_to(folder);
        return true;
    }
    if (copy < 0 || waitpid(copy, &status, 0) != copy)
        _exit(97);
    places_of_files(places, true);
    tell(status);
    return false;
}

/* The n-th allocation, in the one thread there is. */
static bool serve(long n)
{
    return n <= serve_last && gettid() == server && served(n);
}

/* Before a first change of the disk, which copies would share: what is left is failed from here, where all that is not
 * to be made anew has been made. True in a copy. */
static bool serve_rest(void)
{
    long last = atomic_exchange(&serve_last, 0);
    for (long n = atomic_load(&allocations) + 1; counting && n <= last && gettid() == server; n++)
        if (served(n))
            return true;
    return false;
}

/* Of an exempt library, also by way of libc (a folder that is opened) or zlib (a stream). */
static bool is_exempt(const void *caller)
{
    void *calls[CALLS];
    bool found = lies_in(&exempt, caller);
    if (found || !lies_in(&passing, caller))
        return found;
    noting = true;
    int count = backtrace(calls, CALLS);
    noting = false;
    for (int i = 0; i < count && !found; i++)
        found = lies_in(&exempt, calls[i]);
    return found;
}

static bool fails(const void *caller)
{
    if (!counting || noting)
        return false;
    if (is_exempt(caller))
        return false;
    long n = atomic_fetch_add(&allocations, 1) + 1;
    if (places_file >= 0)
        note_place(n);
    if (serve_last > 0 && serve(n))
        return true;
    return fail_at > 0 && (n == fail_at || (fail_every && n > fail_at));
}

void *malloc(size_t size)
{
    if (fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, size);
}

/* libc's own call of malloc would be counted for whoever called it. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

/* A library that is loaded late is counted, or exempt, from when it is there. */
void *dlopen(const char *path, int flags)
{
    bool was = counting;
    counting = false;
    void *library = REAL("dlopen", void *(*)(const char *, int))(path, flags);
    find_libraries();
    counting = was;
    return library;
}

/* ---- the disk ---- */

static void step(void)
{
    serve_rest();
    if (counting && atomic_fetch_add(&steps, 1) + 1 == kill_at)
        kill(getpid(), SIGKILL);
}

static bool refuses(const char *path)
{
    if (!counting || read_only == NULL || path == NULL)
        return false;
    bool below = strncmp(path, read_only, strlen(read_only)) == 0;
    if (below)
        errno = EROFS;
    return below;
}

int fsync(int descriptor)
{
    step();
    return REAL("fsync", int (*)(int))(descriptor);
}

int fdatasync(int descriptor)
{
    step();
    return REAL("fdatasync", int (*)(int))(descriptor);
}

int ftruncate(int descriptor, off_t length)
{
    step();
    return REAL("ftruncate", int (*)(int, off_t))(descriptor, length);
}

int ftruncate64(int descriptor, off_t length)
{
    step();
    return REAL("ftruncate64", int (*)(int, off_t))(descriptor, length);
}

int rename(const char *from, const char *to)
{
    step();
    return refuses(to) ? -1 : REAL("rename", int (*)(const char *, const char *))(from, to);
}

int renameat2(int old, const char *from, int new, const char *to, unsigned flags)
{
    step();
    return refuses(to) ? -1 : REAL("renameat2", int (*)(int, const char *, int, const char *, unsigned))(old, from, new, to, flags);
}

int link(const char *from, const char *to)
{
    step();
    return refuses(to) ? -1 : REAL("link", int (*)(const char *, const char *))(from, to);
}

int linkat(int old, const char *from, int new, const char *to, int flags)
{
    step();
    return refuses(to) ? -1 : REAL("linkat", int (*)(int, const char *, int, const char *, int))(old, from, new, to, flags);
}

int unlink(const char *path)
{
    step();
    return refuses(path) ? -1 : REAL("unlink", int (*)(const char *))(path);
}

int rmdir(const char *path)
{
    step();
    return refuses(path) ? -1 : REAL("rmdir", int (*)(const char *))(path);
}

int mkdir(const char *path, mode_t mode)
{
    step();
    return refuses(path) ? -1 : REAL("mkdir", int (*)(const char *, mode_t))(path, mode);
}

static int open_as(const char *name, const char *path, int flags, mode_t mode)
{
    struct stat facts;
    bool there = stat(path, &facts) == 0;
    if ((flags & O_CREAT) != 0)
        serve_rest();
    bool writes = (flags & O_ACCMODE) != O_RDONLY || ((flags & O_CREAT) != 0 && !there);
    return writes && refuses(path) ? -1 : REAL(name, int (*)(const char *, int, ...))(path, flags, mode);
}

static mode_t mode_of(int flags, va_list more)
{
    return (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_as("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_as("open64", path, flags, mode);
}

/* libc opens and makes by itself in these. */
int mkstemp(char *path)
{
    serve_rest();
    return REAL("mkstemp", int (*)(char *))(path);
}

char *mkdtemp(char *path)
{
    serve_rest();
    return REAL("mkdtemp", char *(*)(char *))(path);
}

/* NYSX_SERVE_NAMED: what will be made is named by its full path. */
char *getcwd(char *path, size_t size)
{
    if (getenv("NYSX_SERVE_NAMED") != NULL)
        serve_rest();
    return REAL("getcwd", char *(*)(char *, size_t))(path, size);
}

int access(const char *path, int mode)
{
    return (mode & W_OK) != 0 && refuses(path) ? -1 : REAL("access", int (*)(const char *, int))(path, mode);
}
