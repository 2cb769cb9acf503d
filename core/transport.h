/* The carrier of messages between the processes of one program. It is a module (core/transport_mpi.c), loaded only if the program was started as one
 * of several (core/peers.h), so that nothing else is linked to MPI. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Any thread may call `send` and `receive`; `leave` is for the thread that joined. */
struct dse_transport {
    size_t rank, count; /* rank of this process; number of processes */
    /* False if it cannot be sent, or is not received within some seconds. */
    bool (*send)(size_t to, const void *bytes, size_t size);
    /* Takes a received message, malloc'd; false if there is none. */
    bool (*receive)(size_t *from, char **bytes, size_t *size);
    /* `whole`: every process is still there, and they leave together. */
    void (*leave)(bool whole);
};

/* The function that the module exports, under the name "dse_transport_join"; NULL if it cannot join. */
typedef const struct dse_transport *dse_transport_joiner(void);
