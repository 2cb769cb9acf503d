/* The interrupt of /dev/uio0 as generic-uio gives it, and the cached memory of /dev/udmabuf0, linked around host.c (-Wl,--wrap). The device is the file
 * `registers`, whose word UIO_ARMED asks the accelerator for an interrupt, and whose word UIO_EVENTS counts those that came. The accelerator's memory is
 * the file `buffer`; the host has a copy of its own, so data that are not synchronised are missing. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define UIO_ARMED 512
#define UIO_EVENTS 513

int __real_open(const char *path, int flags);
ssize_t __real_read(int file, void *to, size_t bytes);
ssize_t __real_write(int file, const void *from, size_t bytes);

ssize_t __real_pwrite(int file, const void *from, size_t bytes, off_t at);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);

enum { MEMORY = 5000, TO_DEVICE, TO_PROCESSOR }; /* files of the u-dma-buf */

static int device = -1;
static unsigned char *cache, *memory;
static size_t size;
static unsigned transfers;
static volatile uint32_t *words;
static uint32_t seen;

static void say(void)
{
    fprintf(stderr, "%u interrupts, %u transfers\n", (unsigned)seen, transfers);
}

int __wrap_open(const char *path, int flags)
{
    if (strcmp(path, "/dev/udmabuf0") == 0)
        return (flags & O_SYNC) == 0 ? MEMORY : -1;
    if (strcmp(path, "/sys/class/u-dma-buf/udmabuf0/sync_for_device") == 0)
        return TO_DEVICE;
    if (strcmp(path, "/sys/class/u-dma-buf/udmabuf0/sync_for_cpu") == 0)
        return TO_PROCESSOR;
    if (strcmp(path, "/dev/uio0") != 0)
        return __real_open(path, flags);
    device = __real_open("registers", flags);
    words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
    atexit(say);
    return device;
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (file != MEMORY)
        return __real_mmap(at, bytes, protection, flags, file, offset);
    memory = __real_mmap(NULL, size = bytes, PROT_READ | PROT_WRITE, MAP_SHARED, __real_open("buffer", O_RDWR), 0);
    return cache = malloc(bytes);
}

/* Offset, size, direction and a 1 as one number; a line has 64 bytes. */
ssize_t __wrap_pwrite(int file, const void *from, size_t bytes, off_t at)
{
    if (file != TO_DEVICE && file != TO_PROCESSOR)
        return __real_pwrite(file, from, bytes, at);
    const unsigned long long number = strtoull(from, NULL, 16);
    const size_t first = (size_t)(number >> 32), count = (size_t)(number & 0xfffffff0u);
    if ((number & 15u) != (file == TO_DEVICE ? 5u : 9u) || first % 64 != 0 || count % 64 != 0 || count == 0 || first + count > (size + 63) / 64 * 64)
        return -1;
    const size_t end = first + count < size ? first + count : size;
    memcpy(file == TO_DEVICE ? memory + first : cache + first, file == TO_DEVICE ? cache + first : memory + first, end - first);
    transfers++;
    return (ssize_t)bytes;
}

ssize_t __wrap_write(int file, const void *from, size_t bytes)
{
    if (file != device)
        return __real_write(file, from, bytes);
    words[UIO_ARMED] = *(const uint32_t *)from;
    return bytes == 4 ? 4 : -1;
}

int __wrap_poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    for (int i = 0; i < milliseconds && count == 1 && files->fd == device; i++) {
        if (words[UIO_EVENTS] != seen) {
            files->revents = POLLIN;
            return 1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

ssize_t __wrap_read(int file, void *to, size_t bytes)
{
    if (file != device)
        return __real_read(file, to, bytes);
    memcpy(to, &(uint32_t){seen = words[UIO_EVENTS]}, 4);
    return bytes == 4 ? 4 : -1;
}
