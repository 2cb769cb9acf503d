/* What libzip says of a failure. */
#ifndef DSE_DATASETS_ZIP_ERROR_H
#define DSE_DATASETS_ZIP_ERROR_H

#include <stdbool.h>

#include <zip.h>
#include <zlib.h>

/* Whether it, or zlib behind it, had no memory. */
static inline bool dse_zip_ran_out(const zip_error_t *why)
{
    int code = zip_error_code_zip(why);
    return code == ZIP_ER_MEMORY || (code == ZIP_ER_ZLIB && zip_error_code_system(why) == Z_MEM_ERROR);
}

#endif
