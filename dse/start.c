/* Where the program begins. */
#include <stdlib.h>

#include "core/memory.h"
#include "dse/cli.h"

int main(int argc, char **argv)
{
    dse_memory_keep();
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* before there are threads: executor/algebra.h */
    return dse_cli_main(argc, argv);
}
