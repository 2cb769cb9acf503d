/* SPDX-License-Identifier: MIT */ /* Nyström Encoding Engine: h = sign(P (C − c̄)), with sign(0) = +1 (paper, section 5.2.5). Lanes work on rows in parallel; a lane
 * interleaves NEE_INTERLEAVE rows, and each row adds its columns in ascending order. Each form's file supplies the elements of P:
 * p_streamed.c, p_resident.c, or p_generated.c with phi.c. */
#include "nysx.h"
#include "nysx_model.h"

int32_t nysx_centred(nysx_kernel_t element, int32_t landmark)
{
#if NYSX_NEE_CENTER == NYSX_NEE_CENTER_YES
    int32_t wide = element - nysx_center[landmark];
#else
    int32_t wide = element;
    (void)landmark;
#endif
    return (int32_t)((uint32_t)wide << (32 - NYSX_KERNEL_BITS)) >> (32 - NYSX_KERNEL_BITS);
}

/* A sign adds or subtracts without a multiplier. */
static nysx_sum_t product_of(nysx_term_t element, nysx_term_t input)
{
#if (NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED && NYSX_NEE_GENERATOR == NYSX_NEE_GENERATOR_SIGN) || \
    (NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED && NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BINARY)
    return element < 0 ? -(nysx_sum_t)input : (nysx_sum_t)input;
#else
    return (nysx_sum_t)element * (nysx_sum_t)input;
#endif
}

/* Multiplies one column with the rows of a trip. A lane's sums rotate: the oldest is added to. */
static void add_products(const nysx_term_t elements[NYSX_NEE_LANES], nysx_term_t input, int32_t first,
                         nysx_sum_t sums[NYSX_NEE_INTERLEAVE][NYSX_NEE_LANES])
{
NYSX_LABEL(nee_lanes)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        NYSX_UNROLL_NEE_LANES
        nysx_sum_t sum = (first ? 0 : sums[NYSX_NEE_INTERLEAVE - 1][l]) + product_of(elements[l], input);
        for (int32_t u = NYSX_NEE_INTERLEAVE - 1; u > 0; u--)
            sums[u][l] = sums[u - 1][l];
        sums[0][l] = sum;
    }
}

/* Multiplies P by `input`, one group of rows after another, and takes the signs. */
static void nysx_nee(const nysx_factor_t input[NYSX_NEE_COLUMNS],
                     nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_STEPS)
{
    NYSX_LOCAL struct nysx_p_source source;
    nysx_sum_t nee_sums[NYSX_NEE_INTERLEAVE][NYSX_NEE_LANES];
    NYSX_ARRAY_PARTITION_NEE_SUMS
#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
    NYSX_ARRAY_PARTITION_SOURCE_STATE
#endif
    int32_t group = 0, column = 0, trip = 0, row = 0;
    nysx_p_open(&source);
NYSX_LABEL(nee_products)
    for (int32_t k = 0; k < NYSX_NEE_STEPS; k++) {
        NYSX_PIPELINE_NEE_PRODUCTS
        nysx_term_t elements[NYSX_NEE_LANES];
        NYSX_ARRAY_PARTITION_ELEMENTS
        nysx_p_take(&source, group, column, trip, elements NYSX_AND_STEPS);
        add_products(elements, (nysx_term_t)input[column], column == 0, nee_sums);
        if (column == NYSX_NEE_COLUMNS - 1 && trip < NYSX_NEE_GROUP_TRIPS) {
            for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
                hypervector[row + l] = nee_sums[0][l] >= 0;
            row += NYSX_NEE_LANES;
        }
        int32_t wraps = trip == NYSX_NEE_INTERLEAVE - 1, ends = wraps && column == NYSX_NEE_COLUMNS - 1;
        trip = wraps ? 0 : trip + 1;
        column = ends ? 0 : column + wraps;
        group += ends;
        NYSX_TALLY(nee_steps, 1);
    }
}

#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
void nysx_encode(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL nysx_phi_t phi[NYSX_RANK];
    nysx_phi(kse_sums, kernel, phi);
    nysx_nee(phi, hypervector);
}

#else

/* Reads C from its rows' sums and converts it for the products. */
static void enter(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_factor_t input[NYSX_LANDMARKS])
{
NYSX_LABEL(nee_enter)
    for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
        NYSX_PIPELINE_NEE_ENTER
        nysx_kernel_t element = nysx_gathered(kse_sums, j);
        kernel[j] = element;
        input[j] = (nysx_factor_t)nysx_centred(element, j);
    }
}

#if NYSX_NEE_FORM == NYSX_NEE_FORM_RESIDENT
void nysx_encode(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL nysx_factor_t input[NYSX_LANDMARKS];
    enter(kse_sums, kernel, input);
    nysx_nee(input, hypervector);
}
#else

/* Consumer of the stream. */
static void nysx_multiply(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                          nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_STEPS)
{
    NYSX_LOCAL nysx_factor_t input[NYSX_LANDMARKS];
    enter(kse_sums, kernel, input);
    nysx_nee(input, hypervector NYSX_AND_STEPS);
}

void nysx_encode(NYSX_PARAMETERS_P, nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_DATAFLOW_ENCODE
    NYSX_LOCAL NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS);
    NYSX_ARRAY_PARTITION_NEE_FIFO
    NYSX_STREAM_NEE_FIFO
    NYSX_LOCAL NYSX_FIFO(nysx_p_step_t, nee_steps, NYSX_P_STEPS);
    NYSX_STREAM_NEE_STEPS
    nysx_p_read(NYSX_ARGUMENTS_P, nee_fifo);
    nysx_p_gather(nee_fifo, nee_steps);
    nysx_multiply(kse_sums, kernel, hypervector NYSX_AND_STEPS);
}
#endif
#endif
