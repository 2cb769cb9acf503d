/* Where the program begins. */
#include <stdlib.h>

#include "core/memory.h"
#include "dse/cli.h"

/* Grows the stack to the size that commands need. Without memory the kernel ends a program whose stack must grow. */
static __attribute__((noinline)) void grow_stack(void)
{
    volatile char room[1 << 20];
    for (size_t at = 0; at < sizeof room; at += 4096)
        room[at] = 0;
}

int main(int argc, char **argv)
{
    grow_stack();
    dse_memory_keep();
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* before there are threads: executor/algebra.h */
    return dse_cli_main(argc, argv);
}
