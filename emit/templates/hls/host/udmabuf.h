/* SPDX-License-Identifier: MIT */ /* Cached memory of u-dma-buf: one system call writes lines of the cache to memory, or forgets them. Written by nysx-dse @VERSION@. */
#ifndef DSE_UDMABUF_H
#define DSE_UDMABUF_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* pwrite */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#define UDMABUF_LINE ((size_t)64) /* bytes of a cache line */

/* Opens the file in /sys that synchronises `device` ("/dev/udmabuf0"). Returns -1 if `device` is other memory. */
static inline int udmabuf_open_sync(const char *device, bool to_device)
{
    const char *name = strrchr(device, '/');
    char path[256];
    snprintf(path, sizeof path, "/sys/class/u-dma-buf/%s/%s", name != NULL ? name + 1 : device, to_device ? "sync_for_device" : "sync_for_cpu");
    return open(path, O_WRONLY);
}

/* Synchronises bytes first to end - 1 by a file of udmabuf_open_sync. u-dma-buf takes offset, size, direction and a 1 as one number. */
static inline bool udmabuf_sync(int file, bool to_device, size_t first, size_t end)
{
    char text[32];
    first = first / UDMABUF_LINE * UDMABUF_LINE;
    end = (end + UDMABUF_LINE - 1) / UDMABUF_LINE * UDMABUF_LINE;
    const int length = snprintf(text, sizeof text, "0x%08lX%08lX", (unsigned long)first, (unsigned long)(end - first) | (to_device ? 5ul : 9ul));
    return pwrite(file, text, (size_t)length, 0) == length;
}

#endif
