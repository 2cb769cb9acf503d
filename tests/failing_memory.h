/* An allocator that fails when a test says: the linker sends the calls of the program's own objects to it (--wrap;
 * nysx_failing_memory in tests/CMakeLists.txt). */
#ifndef DSE_TESTS_FAILING_MEMORY_H
#define DSE_TESTS_FAILING_MEMORY_H

#include <stdbool.h>

extern long calls_left; /* calls that succeed before one fails; negative: all do */
extern bool only_once;  /* the ones behind it succeed again, and calls_left is negative; true unless set */

#endif
