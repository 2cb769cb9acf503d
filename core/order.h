/* Orders for qsort and bsearch: ascending, of numbers and of texts (char *). */
#pragma once

int dse_by_int32(const void *a, const void *b);
int dse_by_int64(const void *a, const void *b);
int dse_by_uint64(const void *a, const void *b);
int dse_by_double(const void *a, const void *b);
int dse_by_text(const void *a, const void *b);
