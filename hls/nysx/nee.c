/* Nyström Encoding Engine with P_nys streamed from memory: h = sign(P (C − c̄)), sign(0) being +1 (paper, section
 * 5.2.5). Lanes run across rows; a lane takes NEE_TURN rows in turn, each row adding its landmarks in ascending order. */
#include "nysx.h"
#include "nysx_model.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_STREAMED
#error "this source streams P_nys: nee.form=streamed"
#endif

#define WHOLE (NYSX_NEE_PRECISION >= NYSX_NEE_PRECISION_INT16)
#define BEAT (NYSX_NEE_PORTS * NYSX_P_WORD_ELEMENTS) /* elements that a word of every port brings */
#define WINDOW (NYSX_NEE_LANES + BEAT)

/* An element as it enters the arithmetic. */
#if WHOLE
typedef int32_t factor_t;
#else
typedef float factor_t;
#endif

#if !WHOLE
static float real_of(uint32_t bits)
{
    union {
        uint32_t bits;
        float real;
    } value;
    value.bits = bits;
    return value.real;
}
#endif

/* Element `index` of a word. */
static factor_t element_of(nysx_p_word_t word, int32_t index)
{
    int32_t first = index * NYSX_P_BITS;
    uint32_t bits = word.part[first / 32] >> (first % 32);
#if NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_FP32
    return real_of(bits);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BF16
    return real_of(bits << 16);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_FP16
    uint32_t sign = (bits >> 15 & 1) << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0) { /* zero or subnormal: fraction × 2^−24, exact */
        float magnitude = (float)fraction * real_of(0x33800000u);
        return sign != 0 ? -magnitude : magnitude;
    }
    return real_of(sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BINARY
    return bits & 1 ? 1 : -1;
#else
    int32_t half = 1 << (NYSX_P_BITS - 1);
    return ((int32_t)(bits & (uint32_t)(2 * half - 1)) ^ half) - half;
#endif
}

/* P_nys from memory into the FIFOs, a word of every port at a time. */
static void nysx_nee_read(NYSX_PARAMETERS_P, nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS])
{
NYSX_LABEL(nee_words)
    for (int32_t w = 0; w < NYSX_P_PORT_WORDS; w++) {
        NYSX_PIPELINE_NEE_WORDS
        nysx_p_word_t word[NYSX_NEE_PORTS];
        NYSX_READ_P(word, w);
        for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
            nee_fifo[p][w] = word[p];
        NYSX_TALLY(words, NYSX_NEE_PORTS);
    }
}

/* What has come out of the FIFOs and was not used yet. */
struct window {
    factor_t element[WINDOW];
    int32_t filled, next; /* elements in it; the next word of every FIFO */
};

/* Fills the window with at least `wanted` elements. */
static void fill(struct window *window, int32_t wanted,
                 const nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS])
{
NYSX_LABEL(nee_fill)
    for (int32_t i = 0; i < (NYSX_NEE_LANES + BEAT - 1) / BEAT; i++)
        if (window->filled < wanted) {
            for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
                for (int32_t k = 0; k < NYSX_P_WORD_ELEMENTS; k++)
                    window->element[window->filled + p * NYSX_P_WORD_ELEMENTS + k] =
                        element_of(nee_fifo[p][window->next], k);
            window->filled += BEAT;
            window->next++;
        }
}

/* Drops the first `used` elements. */
static void drop(struct window *window, int32_t used)
{
    window->filled -= used;
NYSX_LABEL(nee_drop)
    for (int32_t k = 0; k < WINDOW; k++)
        if (k < window->filled)
            window->element[k] = window->element[k + used];
}

/* C as it enters: less the training mean where that is asked for. */
static void enter(const nysx_kernel_t kernel[NYSX_LANDMARKS], factor_t input[NYSX_LANDMARKS])
{
NYSX_LABEL(nee_enter)
    for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
#if NYSX_NEE_CENTER == NYSX_NEE_CENTER_YES
        input[j] = (factor_t)(kernel[j] - nysx_center[j]);
#else
        input[j] = (factor_t)kernel[j];
#endif
    }
}

/* Rows of the group that starts at row `first`, in the lanes of turn `turn`. */
static int32_t rows_in(int32_t first, int32_t turn)
{
    int32_t left = NYSX_DIM - first - turn * NYSX_NEE_LANES;
    return left < 0 ? 0 : left < NYSX_NEE_LANES ? left : NYSX_NEE_LANES;
}

static void add_products(struct window *window, int32_t rows, factor_t input, nysx_sum_t sums[NYSX_NEE_LANES])
{
NYSX_LABEL(nee_lanes)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        NYSX_UNROLL_NEE_LANES
        if (l < rows)
            sums[l] += (nysx_sum_t)window->element[l] * (nysx_sum_t)input;
    }
    NYSX_TALLY(products, rows);
}

static void nysx_nee(const nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS],
                     const nysx_kernel_t kernel[NYSX_LANDMARKS],
                     uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES])
{
    NYSX_LOCAL factor_t input[NYSX_LANDMARKS];
    NYSX_LOCAL struct window window;
    nysx_sum_t nee_sums[NYSX_NEE_TURN][NYSX_NEE_LANES];
    NYSX_ARRAY_PARTITION_NEE_SUMS
    window.filled = 0;
    window.next = 0;
    enter(kernel, input);
NYSX_LABEL(nee_groups)
    for (int32_t g = 0; g < NYSX_NEE_GROUPS; g++) {
        int32_t first = g * NYSX_NEE_GROUP_ROWS;
        for (int32_t u = 0; u < NYSX_NEE_TURN; u++)
            for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
                nee_sums[u][l] = 0;
    NYSX_LABEL(nee_landmarks)
        for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
        NYSX_LABEL(nee_products)
            for (int32_t u = 0; u < NYSX_NEE_TURN; u++) {
                NYSX_PIPELINE_NEE_PRODUCTS
                int32_t rows = rows_in(first, u);
                fill(&window, rows, nee_fifo);
                add_products(&window, rows, input[j], nee_sums[u]);
                drop(&window, rows);
            }
        }
    NYSX_LABEL(nee_signs)
        for (int32_t u = 0; u < NYSX_NEE_TURN; u++)
            for (int32_t l = 0; l < rows_in(first, u); l++)
                hypervector[g * NYSX_NEE_TURN + u][l] = nee_sums[u][l] >= 0;
    }
}

void nysx_encode(NYSX_PARAMETERS_P, const nysx_kernel_t kernel[NYSX_LANDMARKS],
                 uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES])
{
    NYSX_DATAFLOW_ENCODE
    NYSX_LOCAL nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS];
    NYSX_ARRAY_PARTITION_NEE_FIFO
    NYSX_STREAM_NEE_FIFO
    nysx_nee_read(NYSX_ARGUMENTS_P, nee_fifo);
    nysx_nee(nee_fifo, kernel, hypervector);
}
