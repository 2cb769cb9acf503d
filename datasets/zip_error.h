/* The message of libzip for a failure. */
#pragma once

#include <zip.h>
#include <zlib.h>

#include "core/memory.h"

/* Does not return if it, or zlib behind it, had no memory. */
static inline void dse_zip_check_memory(const zip_error_t *why)
{
    int code = zip_error_code_zip(why);
    if (code == ZIP_ER_MEMORY || (code == ZIP_ER_ZLIB && zip_error_code_system(why) == Z_MEM_ERROR))
        dse_memory_exhausted();
}
