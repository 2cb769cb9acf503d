#define _GNU_SOURCE /* sched_getaffinity */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"

#define MAX_JOBS 4096 /* with many threads, most of them wait for other processes */

struct pool {
    size_t count;
    dse_parallel_body *body;
    void *user;
    const struct dse_monitor *monitor;
    atomic_size_t next;
    atomic_bool stop, exhausted; /* memory has run out */
    bool guarded;
    pthread_mutex_t lock; /* guards the three below */
    size_t failed_index;
    enum dse_status failed_status;
    struct dse_error failure;
};

struct worker {
    struct pool *pool;
    size_t thread;
    pthread_t handle;
};

/* Reports the lowest item's failure, whichever item fails first. */
static void note_failure(struct pool *pool, size_t index, enum dse_status status,
                         const struct dse_error *failure)
{
    pthread_mutex_lock(&pool->lock);
    if (pool->failed_status == DSE_OK || index < pool->failed_index) {
        pool->failed_index = index;
        pool->failed_status = status;
        pool->failure = *failure;
    }
    pthread_mutex_unlock(&pool->lock);
    atomic_store(&pool->stop, true);
}

static void take_items(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    while (!atomic_load(&pool->stop)) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count)
            break;
        struct dse_error failure = {0};
        enum dse_status status = dse_monitor_cancelled(pool->monitor)
                                     ? dse_fail_cancelled(&failure)
                                     : pool->body(pool->user, index, worker->thread, &failure);
        if (status != DSE_OK)
            note_failure(pool, index, status, &failure);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    if (!worker->pool->guarded) {
        take_items(worker);
    } else if (!dse_memory_guard(take_items, worker)) {
        atomic_store(&worker->pool->exhausted, true);
        atomic_store(&worker->pool->stop, true);
    }
    return NULL;
}

enum dse_status dse_parallel_for(size_t count, size_t jobs, dse_parallel_body *body, void *user,
                                 const struct dse_monitor *monitor, struct dse_error *err)
{
    struct pool pool = {.count = count, .body = body, .user = user, .monitor = monitor, .guarded = dse_memory_guarded()};
    atomic_init(&pool.next, 0);
    atomic_init(&pool.stop, false);
    atomic_init(&pool.exhausted, false);
    pthread_mutex_init(&pool.lock, NULL);
    if (jobs > count)
        jobs = count;
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    struct worker *workers = dse_calloc(jobs > 0 ? jobs : 1, sizeof *workers);
    size_t started = 1;
    workers[0] = (struct worker){.pool = &pool, .thread = 0};
    for (; started < jobs; started++) {
        workers[started] = (struct worker){.pool = &pool, .thread = started};
        /* Fewer threads than asked for only make the work slower. */
        if (pthread_create(&workers[started].handle, NULL, work, &workers[started]) != 0)
            break;
    }
    work(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].handle, NULL);
    pthread_mutex_destroy(&pool.lock);
    free(workers); /* before the next line, which may leave by longjmp */
    if (atomic_load(&pool.exhausted))
        dse_memory_exhausted();
    if (pool.failed_status != DSE_OK && err != NULL)
        *err = pool.failure;
    return pool.failed_status;
}

size_t dse_parallel_default_jobs(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (size_t)CPU_COUNT(&set);
    return 1;
}
