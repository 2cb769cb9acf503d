/* usage: mpirun -n 2 bench_messages [ASKED]: what a task costs rank 0 besides the training: the time until an answer is there that takes no
 * work, for requests of 100 bytes and of 64 KiB (core/peers.h), and a commit of a result with a workload, as the study makes it (the file
 * is made where it is run). Times in ms: median and 99th percentile. Feeds tests/bench/ranks.py. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/peers.h"

#define COMMITS 200
#define RESULT_BYTES 4096

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void report(const char *what, double *seconds, size_t count)
{
    qsort(seconds, count, sizeof *seconds, compare);
    printf("%-34s %8.3f %8.3f\n", what, 1e3 * seconds[count / 2], 1e3 * seconds[count * 99 / 100]);
}

static bool ask_often(struct dse_peers *peers, size_t size, size_t count, double *seconds)
{
    static char request[65536];
    struct dse_error err;
    memset(request, 'x', sizeof request);
    for (size_t i = 0; i < count; i++) {
        struct dse_strbuf reply = {0};
        bool lost = false;
        double start = dse_clock_s();
        enum dse_status status = dse_peers_ask(peers, 1, request, size, NULL, &reply, &lost, &err);
        seconds[i] = dse_clock_s() - start;
        dse_strbuf_free(&reply);
        if (status != DSE_OK || lost)
            return false;
    }
    return true;
}

static bool commit_often(double *seconds)
{
    char path[64], row[RESULT_BYTES];
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    snprintf(path, sizeof path, "bench_messages.%ld.db", (long)getpid());
    memset(row, 'x', sizeof row);
    bool well = sqlite3_open(path, &db) == SQLITE_OK &&
                sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a TEXT)", NULL, NULL, NULL) ==
                    SQLITE_OK &&
                sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?)", -1, &insert, NULL) == SQLITE_OK;
    for (size_t i = 0; i < COMMITS && well; i++) {
        double start = dse_clock_s();
        well = sqlite3_bind_text(insert, 1, row, (int)sizeof row, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
        seconds[i] = dse_clock_s() - start;
    }
    sqlite3_finalize(insert);
    sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(db);
    unlink(path);
    return well;
}

int main(int argc, char **argv)
{
    struct dse_peers *peers = NULL;
    struct dse_error err = {0};
    struct dse_strbuf request = {0};
    size_t asked = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2000;
    if (dse_peers_join(&peers, &err) != DSE_OK || peers == NULL) {
        fprintf(stderr, "bench_messages: %s\n", peers == NULL && err.message[0] == '\0' ? "start it by mpirun -n 2" : err.message);
        return 4;
    }
    bool well = true;
    while (dse_peers_rank(peers) > 0 && dse_peers_next(peers, &request))
        dse_peers_answer(peers, "done", 4);
    if (dse_peers_rank(peers) == 0) {
        double *seconds = calloc(asked + COMMITS + 1, sizeof *seconds);
        well = seconds != NULL && asked > 0 && ask_often(peers, 100, asked, seconds);
        if (well) {
            report("there and back, 100 bytes", seconds, asked);
            well = ask_often(peers, 65536, asked, seconds);
        }
        if (well) {
            report("there and back, 64 KiB", seconds, asked);
            well = commit_often(seconds);
        }
        if (well)
            report("a commit of 4 KiB", seconds, COMMITS);
        free(seconds);
    }
    dse_strbuf_free(&request);
    dse_peers_leave(peers);
    return well ? 0 : 4;
}
