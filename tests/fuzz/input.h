/* The input of a target as the readers of text take it. */
#ifndef NYSX_TESTS_FUZZ_INPUT_H
#define NYSX_TESTS_FUZZ_INPUT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A copy that ends in a NUL behind its last byte; the caller's to free, NULL where there is no memory. */
static inline char *copy_input(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        return NULL;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
