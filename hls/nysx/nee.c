/* Nyström Encoding Engine: h = sign(P (C − c̄)), sign(0) being +1 (paper, section 5.2.5). Lanes run across rows; a lane
 * takes NEE_TURN rows in turn, each row adding its columns in ascending order. Where the elements of P come from is
 * the form's own file: p_streamed.c, p_resident.c, or p_generated.c with phi.c. */
#include "nysx.h"
#include "nysx_model.h"

int32_t nysx_centred(const nysx_kernel_t kernel[NYSX_LANDMARKS], int32_t landmark)
{
#if NYSX_NEE_CENTER == NYSX_NEE_CENTER_YES
    return kernel[landmark] - nysx_center[landmark];
#else
    return kernel[landmark];
#endif
}

/* Rows of the group that starts at row `first`, in the lanes of turn `turn`. */
static int32_t rows_in(int32_t first, int32_t turn)
{
    int32_t left = NYSX_DIM - first - turn * NYSX_NEE_LANES;
    return left < 0 ? 0 : left < NYSX_NEE_LANES ? left : NYSX_NEE_LANES;
}

/* A sign adds or subtracts, and needs no multiplier. */
static nysx_sum_t product_of(nysx_term_t element, nysx_term_t input)
{
#if (NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED && NYSX_NEE_GENERATOR == NYSX_NEE_GENERATOR_SIGN) || \
    (NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED && NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BINARY)
    return element < 0 ? -(nysx_sum_t)input : (nysx_sum_t)input;
#else
    return (nysx_sum_t)element * (nysx_sum_t)input;
#endif
}

static void add_products(const nysx_term_t elements[NYSX_NEE_LANES], int32_t rows, nysx_term_t input, int32_t first,
                         nysx_sum_t sums[NYSX_NEE_LANES])
{
NYSX_LABEL(nee_lanes)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        NYSX_UNROLL_NEE_LANES
        if (l < rows)
            sums[l] = (first ? 0 : sums[l]) + product_of(elements[l], input);
    }
    NYSX_TALLY(nee_products, rows);
}

/* The product of P with `input`, a group of lanes × turn rows after another, and its signs. */
static void nysx_nee(const nysx_factor_t input[NYSX_NEE_COLUMNS],
                     nysx_bit_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES] NYSX_AND_PARAMETERS_FIFO)
{
    NYSX_LOCAL struct nysx_p_source source;
    nysx_sum_t nee_sums[NYSX_NEE_TURN][NYSX_NEE_LANES];
    NYSX_ARRAY_PARTITION_NEE_SUMS
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    NYSX_ARRAY_PARTITION_SOURCE_WINDOW
#elif NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
    NYSX_ARRAY_PARTITION_SOURCE_STATE
#endif
    nysx_p_open(&source);
NYSX_LABEL(nee_groups)
    for (int32_t g = 0; g < NYSX_NEE_GROUPS; g++) {
        int32_t first = g * NYSX_NEE_GROUP_ROWS;
    NYSX_LABEL(nee_columns)
        for (int32_t j = 0; j < NYSX_NEE_COLUMNS; j++)
        NYSX_LABEL(nee_products)
            for (int32_t u = 0; u < NYSX_NEE_TURN; u++) {
                NYSX_PIPELINE_NEE_PRODUCTS
                nysx_term_t elements[NYSX_NEE_LANES];
                NYSX_ARRAY_PARTITION_ELEMENTS
                int32_t rows = rows_in(first, u);
                nysx_p_take(&source, g, j, u, rows, elements NYSX_AND_FIFO);
                add_products(elements, rows, (nysx_term_t)input[j], j == 0, nee_sums[u]);
                NYSX_TALLY(nee_steps, 1);
            }
    NYSX_LABEL(nee_signs)
        for (int32_t u = 0; u < NYSX_NEE_TURN; u++) {
            NYSX_PIPELINE_NEE_SIGNS
            for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
                if (l < rows_in(first, u))
                    hypervector[g * NYSX_NEE_TURN + u][l] = nee_sums[u][l] >= 0;
        }
    }
}

#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
void nysx_encode(const nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES])
{
    NYSX_LOCAL nysx_phi_t phi[NYSX_RANK];
    nysx_phi(kernel, phi);
    nysx_nee(phi, hypervector);
}

#else

static void enter(const nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_factor_t input[NYSX_LANDMARKS])
{
NYSX_LABEL(nee_enter)
    for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
        NYSX_PIPELINE_NEE_ENTER
        input[j] = (nysx_factor_t)nysx_centred(kernel, j);
    }
}

#if NYSX_NEE_FORM == NYSX_NEE_FORM_RESIDENT
void nysx_encode(const nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES])
{
    NYSX_LOCAL nysx_factor_t input[NYSX_LANDMARKS];
    enter(kernel, input);
    nysx_nee(input, hypervector);
}
#else

/* The consumer of the stream. */
static void nysx_multiply(const nysx_kernel_t kernel[NYSX_LANDMARKS],
                          nysx_bit_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES] NYSX_AND_PARAMETERS_FIFO)
{
    NYSX_LOCAL nysx_factor_t input[NYSX_LANDMARKS];
    enter(kernel, input);
    nysx_nee(input, hypervector NYSX_AND_FIFO);
}

void nysx_encode(NYSX_PARAMETERS_P, const nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES])
{
    NYSX_DATAFLOW_ENCODE
    NYSX_LOCAL nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS];
    NYSX_ARRAY_PARTITION_NEE_FIFO
    NYSX_STREAM_NEE_FIFO
    nysx_p_read(NYSX_ARGUMENTS_P, nee_fifo);
    nysx_multiply(kernel, hypervector NYSX_AND_FIFO);
}
#endif
#endif
