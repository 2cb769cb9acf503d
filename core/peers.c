#include "core/peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/transport.h"

#ifndef DSE_MODULES_INSTALLED
#define DSE_MODULES_INSTALLED "/usr/local/lib/nysx-dse"
#endif
#define MPI_LIBRARY "libmpi.so.40" /* loaded with its symbols visible to all: the module and OpenMPI's own parts look for them */

#define BEAT_S 1.0
/* Pause between two checks for messages. Soon after a message, more are likely; otherwise checking would cost a core more than it gains. */
#define HEAR_NS 200000
#define QUIET_NS 2000000
#define QUIET_S 0.005 /* without a message until the pause is QUIET_NS */
#define LISTEN_S 0.1    /* between two checks of the monitor */

enum kind { REQUEST, ANSWER, CALL_OFF, END, BEAT };

struct head {
    uint64_t kind, number;
};

/* A thread that waits for the answer to its request. */
struct ask {
    uint64_t number;
    struct dse_strbuf *reply;
    bool done;
    pthread_cond_t changed;
    struct ask *next;
};

struct peer {
    double heard_s;
    bool lost;
    struct ask *asks;
};

/* A received request. */
struct job {
    uint64_t number;
    char *bytes; /* as received, with its header */
    size_t size;
    struct job *next;
};

struct dse_peers {
    const struct dse_transport *transport;
    struct peer *each; /* [transport->count] */
    pthread_t pump;    /* receives messages, and reports that this process is alive */
    pthread_mutex_t lock; /* guards all below, and `each` */
    pthread_cond_t come;
    uint64_t asked;
    struct job *jobs; /* the oldest first */
    uint64_t working;       /* the number of the request that is being answered */
    bool called_off, ended, stops;
    bool silent; /* a process is silent: leaving does not wait for the others */
};

/* ---- joining ---- */

static size_t number_of(const char *name)
{
    const char *text = getenv(name);
    long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 ? (size_t)value : 0;
}

/* The number of processes started together: from OpenMPI, or from Slurm's launcher if it speaks PMIx or PMI-2 to this process. */
static size_t started_together(void)
{
    if (number_of("OMPI_COMM_WORLD_SIZE") > 0)
        return number_of("OMPI_COMM_WORLD_SIZE");
    if (number_of("PMI_SIZE") > 0)
        return number_of("PMI_SIZE");
    return getenv("PMIX_RANK") != NULL ? number_of("SLURM_NTASKS") : 1;
}

/* lib/nysx-dse/mpi.so beside the program's own folder, else where the installation has it. */
static void *load_module(void)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    void *module = NULL;
    program[length > 0 ? length : 0] = '\0';
    for (int level = 0; level < 2 && strrchr(program, '/') != NULL; level++)
        *strrchr(program, '/') = '\0';
    char *beside DSE_CLEANUP(dse_free_at) = dse_path_join(program, "lib/nysx-dse/mpi.so");
    if (dse_file_exists(beside))
        module = dlopen(beside, RTLD_NOW | RTLD_LOCAL);
    else
        module = dlopen(DSE_MODULES_INSTALLED "/mpi.so", RTLD_NOW | RTLD_LOCAL);
    return module;
}

static enum dse_status load(dse_transport_joiner **join, size_t count, struct dse_error *err)
{
    const char *why = NULL;
    void *library = dlopen(MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    void *module = library != NULL ? load_module() : NULL;
    if (module != NULL && (*(void **)join = dlsym(module, "dse_transport_join")) != NULL)
        return DSE_OK;
    why = dlerror();
    return dse_fail(err, DSE_LIMIT, "started as one of %zu processes, but MPI cannot be used: %s", count,
                    why != NULL ? why : "the program was built without it");
}

bool dse_peers_is_other(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    bool other = false;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        other |= number_of(ranks[i]) > 0;
    return other && started_together() > 1;
}

size_t dse_peers_rank(const struct dse_peers *peers)
{
    return peers != NULL ? peers->transport->rank : 0;
}

size_t dse_peers_others(const struct dse_peers *peers)
{
    return peers != NULL ? peers->transport->count - 1 : 0;
}

/* ---- received messages ---- */

static void take_answer(struct peer *peer, uint64_t number, const char *bytes, size_t size)
{
    for (struct ask *ask = peer->asks; ask != NULL; ask = ask->next)
        if (ask->number == number) {
            dse_strbuf_add_n(ask->reply, bytes, size);
            ask->done = true;
            pthread_cond_signal(&ask->changed);
        }
}

/* Takes ownership of the bytes. */
static void take_request(struct dse_peers *peers, uint64_t number, char *bytes, size_t size)
{
    struct job *job = dse_malloc(sizeof *job), **place = &peers->jobs;
    *job = (struct job){number, bytes, size, NULL};
    while (*place != NULL)
        place = &(*place)->next;
    *place = job;
}

static void call_off(struct dse_peers *peers, uint64_t number)
{
    struct job **place = &peers->jobs;
    peers->called_off |= number == peers->working;
    while (*place != NULL && (*place)->number != number)
        place = &(*place)->next;
    struct job *job = *place;
    if (job != NULL) {
        *place = job->next;
        free(job->bytes);
        free(job);
    }
}

static void take(struct dse_peers *peers, size_t from, char *bytes, size_t size)
{
    struct head head;
    struct peer *peer = &peers->each[from];
    if (size < sizeof head) {
        free(bytes);
        return;
    }
    memcpy(&head, bytes, sizeof head);
    pthread_mutex_lock(&peers->lock);
    peer->heard_s = dse_clock_s();
    if (head.kind == ANSWER)
        take_answer(peer, head.number, bytes + sizeof head, size - sizeof head);
    if (head.kind == CALL_OFF)
        call_off(peers, head.number);
    peers->ended |= head.kind == END;
    if (head.kind == REQUEST)
        take_request(peers, head.number, bytes, size);
    else
        free(bytes);
    pthread_cond_broadcast(&peers->come);
    pthread_mutex_unlock(&peers->lock);
}

/* Ends all waiting for answers of this process. */
static void lose(struct dse_peers *peers, size_t rank)
{
    struct peer *peer = &peers->each[rank];
    peer->lost = true;
    peers->ended |= rank == 0;
    for (struct ask *ask = peer->asks; ask != NULL; ask = ask->next)
        pthread_cond_signal(&ask->changed);
    pthread_cond_broadcast(&peers->come);
}

static bool tell(struct dse_peers *peers, size_t to, enum kind kind, uint64_t number, const char *bytes, size_t size)
{
    struct head head = {kind, number};
    char *message = dse_malloc(sizeof head + size);
    memcpy(message, &head, sizeof head);
    if (size > 0)
        memcpy(message + sizeof head, bytes, size);
    bool sent = peers->transport->send(to, message, sizeof head + size);
    if (sent) /* if not sent, MPI may still read it at any time: never freed */
        free(message);
    return sent;
}

/* Every process sends its sign of life to rank 0, and rank 0 to every process. */
static void beat(struct dse_peers *peers)
{
    size_t first = peers->transport->rank == 0 ? 1 : 0, end = peers->transport->rank == 0 ? peers->transport->count : 1;
    double now_s = dse_clock_s();
    for (size_t i = first; i < end; i++) {
        pthread_mutex_lock(&peers->lock);
        bool lost = peers->each[i].lost, silent = now_s - peers->each[i].heard_s > DSE_PEERS_SILENCE_S;
        if (!lost && silent) {
            peers->silent = true;
            lose(peers, i);
        }
        pthread_mutex_unlock(&peers->lock);
        if (!lost && !silent)
            tell(peers, i, BEAT, 0, NULL, 0);
    }
}

/* While this process was stopped it received no messages; the other processes are not lost because of that. */
static void forgive(struct dse_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    for (size_t i = 0; i < peers->transport->count; i++)
        peers->each[i].heard_s = dse_clock_s();
    pthread_mutex_unlock(&peers->lock);
}

static void *pump(void *argument)
{
    struct dse_peers *peers = argument;
    double beaten_s = 0.0, looked_s = dse_clock_s(), come_s = looked_s;
    for (bool stops = false; !stops;) {
        size_t from = 0, size = 0;
        char *bytes = NULL;
        double now_s = dse_clock_s();
        if (now_s - looked_s > DSE_PEERS_SILENCE_S / 2)
            forgive(peers);
        looked_s = now_s;
        while (peers->transport->receive(&from, &bytes, &size)) {
            take(peers, from, bytes, size);
            come_s = now_s;
        }
        if (now_s - beaten_s > BEAT_S) {
            beat(peers);
            beaten_s = now_s;
        }
        nanosleep(&(struct timespec){0, now_s - come_s < QUIET_S ? HEAR_NS : QUIET_NS}, NULL);
        pthread_mutex_lock(&peers->lock);
        stops = peers->stops;
        pthread_mutex_unlock(&peers->lock);
    }
    return NULL;
}

/* ---- coming and going ---- */

static struct dse_peers *start(const struct dse_transport *transport)
{
    struct dse_peers *peers = dse_calloc(1, sizeof *peers);
    peers->each = dse_calloc(transport->count, sizeof *peers->each);
    peers->transport = transport;
    pthread_mutex_init(&peers->lock, NULL);
    pthread_cond_init(&peers->come, NULL);
    forgive(peers);
    if (pthread_create(&peers->pump, NULL, pump, peers) != 0)
        dse_memory_exhausted();
    return peers;
}

enum dse_status dse_peers_join(struct dse_peers **out, struct dse_error *err)
{
    dse_transport_joiner *join = NULL;
    size_t count = started_together();
    *out = NULL;
    if (count <= 1)
        return DSE_OK;
    DSE_TRY(load(&join, count, err));
    const struct dse_transport *transport = join();
    if (transport == NULL)
        return dse_fail(err, DSE_LIMIT, "MPI does not start, or does not support several threads");
    *out = start(transport);
    return DSE_OK;
}

void dse_peers_leave(struct dse_peers *peers)
{
    if (peers == NULL)
        return;
    for (size_t i = 1; peers->transport->rank == 0 && i < peers->transport->count; i++)
        tell(peers, i, END, 0, NULL, 0);
    pthread_mutex_lock(&peers->lock);
    peers->stops = true;
    pthread_mutex_unlock(&peers->lock);
    pthread_join(peers->pump, NULL);
    peers->transport->leave(!peers->silent);
    while (peers->jobs != NULL) {
        struct job *job = peers->jobs;
        peers->jobs = job->next;
        free(job->bytes);
        free(job);
    }
    pthread_cond_destroy(&peers->come);
    pthread_mutex_destroy(&peers->lock);
    free(peers->each);
    free(peers);
}

/* ---- asking ---- */

static struct timespec after(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += (long)(seconds * 1e9);
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void forget(struct peer *peer, const struct ask *ask)
{
    struct ask **place = &peer->asks;
    while (*place != ask)
        place = &(*place)->next;
    *place = ask->next;
}

enum dse_status dse_peers_ask(struct dse_peers *peers, size_t rank, const char *request, size_t size, const struct dse_monitor *monitor,
                              struct dse_strbuf *reply, bool *lost, struct dse_error *err)
{
    struct peer *peer = &peers->each[rank];
    struct ask ask = {.reply = reply, .changed = PTHREAD_COND_INITIALIZER};
    bool cancelled = false;
    pthread_mutex_lock(&peers->lock);
    ask.number = ++peers->asked;
    ask.next = peer->asks;
    peer->asks = &ask;
    *lost = peer->lost;
    pthread_mutex_unlock(&peers->lock);
    bool sent = !*lost && tell(peers, rank, REQUEST, ask.number, request, size);
    pthread_mutex_lock(&peers->lock);
    if (!sent && !peer->lost)
        lose(peers, rank);
    while (!ask.done && !peer->lost && !cancelled) {
        struct timespec until = after(LISTEN_S);
        pthread_cond_timedwait(&ask.changed, &peers->lock, &until);
        cancelled = !ask.done && dse_monitor_cancelled(monitor);
    }
    *lost = !ask.done && !cancelled;
    forget(peer, &ask);
    pthread_mutex_unlock(&peers->lock);
    pthread_cond_destroy(&ask.changed);
    if (cancelled)
        tell(peers, rank, CALL_OFF, ask.number, NULL, 0);
    return cancelled ? dse_fail_cancelled(err) : DSE_OK;
}

void dse_peers_drop(struct dse_peers *peers, size_t rank)
{
    pthread_mutex_lock(&peers->lock);
    lose(peers, rank);
    pthread_mutex_unlock(&peers->lock);
}

/* ---- answering ---- */

bool dse_peers_next(struct dse_peers *peers, struct dse_strbuf *request)
{
    pthread_mutex_lock(&peers->lock);
    while (peers->jobs == NULL && !peers->ended)
        pthread_cond_wait(&peers->come, &peers->lock);
    struct job *job = peers->ended ? NULL : peers->jobs;
    if (job != NULL) {
        peers->jobs = job->next;
        peers->working = job->number;
        peers->called_off = false;
    }
    pthread_mutex_unlock(&peers->lock);
    if (job == NULL)
        return false;
    dse_strbuf_add_n(request, job->bytes + sizeof(struct head), job->size - sizeof(struct head));
    free(job->bytes);
    free(job);
    return true;
}

bool dse_peers_called_off(struct dse_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    bool off = peers->called_off || peers->ended;
    pthread_mutex_unlock(&peers->lock);
    return off;
}

void dse_peers_answer(struct dse_peers *peers, const char *reply, size_t size)
{
    tell(peers, 0, ANSWER, peers->working, reply, size);
}
