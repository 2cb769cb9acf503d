/* The transport over MPI, as a module of its own. It uses MPI from only one thread at a time, and waits in no call, since a waiting MPI occupies a
 * whole core. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/transport.h"

#define TAG 22
#define PATIENCE_S 10.0 /* for a large message to be taken */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool is_sent(MPI_Request *request)
{
    int done = 0;
    pthread_mutex_lock(&turn);
    bool well = MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    pthread_mutex_unlock(&turn);
    return !well || done != 0;
}

static bool send_bytes(size_t to, const void *bytes, size_t size)
{
    MPI_Request request = MPI_REQUEST_NULL;
    double until_s = dse_clock_s() + PATIENCE_S;
    pthread_mutex_lock(&turn);
    bool well = MPI_Isend(bytes, (int)size, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &request) == MPI_SUCCESS;
    pthread_mutex_unlock(&turn);
    if (!well)
        return false;
    while (!is_sent(&request)) {
        if (dse_clock_s() > until_s)
            return false;
        nanosleep(&(struct timespec){0, 50000}, NULL);
    }
    return true;
}

static bool receive_bytes(size_t *from, char **bytes, size_t *size)
{
    int come = 0, count = 0;
    MPI_Status status;
    bool taken = false;
    pthread_mutex_lock(&turn);
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &come, &status) == MPI_SUCCESS && come != 0 &&
        MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS && (*bytes = dse_malloc((size_t)count + 1)) != NULL) {
        taken = MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
        *from = (size_t)status.MPI_SOURCE;
        *size = (size_t)count;
        if (!taken)
            free(*bytes);
    }
    pthread_mutex_unlock(&turn);
    return taken;
}

static void leave(bool whole)
{
    if (whole)
        MPI_Finalize();
}

const struct dse_transport *dse_transport_join(void);

const struct dse_transport *dse_transport_join(void)
{
    static struct dse_transport transport = {.send = send_bytes, .receive = receive_bytes, .leave = leave};
    int threads = 0, rank = 0, count = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS || threads < MPI_THREAD_SERIALIZED)
        return NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    transport.rank = (size_t)rank;
    transport.count = (size_t)count;
    return &transport;
}
