/* A vector as the kernels of whole formats take it: in digits, each of which a byte or a pair of int16 holds. */
#include <stdlib.h>

#include "core/memory.h"
#include "models/nysx/executor/nee_kernels.h"

enum dse_status nysx_input_alloc(size_t columns, struct nysx_input *out, struct dse_error *err)
{
    size_t padded = (columns + 7) / 8 * 8;
    *out = (struct nysx_input){.columns = columns, .padded = padded};
    out->real = dse_calloc(padded + 1, sizeof *out->real);
    out->whole = dse_calloc(padded + 1, sizeof *out->whole);
    out->digit = dse_calloc(NYSX_DIGITS * padded + 1, sizeof *out->digit);
    out->signed_digit = dse_calloc(NYSX_DIGITS * padded + 2, sizeof *out->signed_digit);
    if (out->real != NULL && out->whole != NULL && out->digit != NULL && out->signed_digit != NULL)
        return DSE_OK;
    nysx_input_free(out);
    return dse_fail_memory(err);
}

void nysx_input_free(struct nysx_input *input)
{
    free(input->real);
    free(input->whole);
    free(input->digit);
    free(input->signed_digit);
    *input = (struct nysx_input){0};
}

static void split_digits(struct nysx_input *input, int64_t least, int64_t largest)
{
    int64_t mask = ((int64_t)1 << input->digit_bits) - 1;
    input->offset = -least;
    input->shifted_sum = 0;
    for (input->digits = 1; (largest - least) >> (input->digit_bits * input->digits) > 0;)
        input->digits++;
    for (size_t j = 0; j < input->columns; j++) {
        int64_t shifted = input->whole[j] + input->offset;
        input->shifted_sum += shifted;
        for (int k = 0; k < input->digits; k++)
            input->digit[(size_t)k * input->padded + j] = (uint8_t)(shifted >> (input->digit_bits * k) & mask);
    }
}

static void split_signed(int64_t least, int64_t largest, struct nysx_input *input)
{
    int64_t half = 127; /* the largest number of so many digits: 127, 127 · 257, … */
    for (input->signed_digits = 1; largest > half || -least > half; input->signed_digits++)
        half = 256 * half + 127;
    for (size_t j = 0; j < input->columns; j++) {
        int64_t rest = input->whole[j];
        for (int k = 0; k < input->signed_digits; k++) {
            int64_t digit = (int8_t)(rest & 255);
            rest = (rest - digit) >> 8;
            input->signed_digit[(size_t)k * input->padded + j] = (int16_t)digit;
        }
    }
}

void nysx_input_split(enum nysx_vectors vectors, enum nysx_precision precision, struct nysx_input *input)
{
    int64_t least = 0, largest = 0;
    input->magnitude = 0;
    for (size_t j = 0; j < input->columns; j++) {
        int64_t x = input->whole[j];
        least = x < least ? x : least;
        largest = x > largest ? x : largest;
        input->magnitude += x < 0 ? -x : x;
    }
    input->digit_bits = vectors == NYSX_AVX2 ? 7 : 8;
    if (precision == NYSX_INT16)
        split_signed(least, largest, input);
    else if (precision != NYSX_BINARY)
        split_digits(input, least, largest);
}
