/* SPDX-License-Identifier: MIT */ /* φ = Λ^(-1/2) Qᵀ (C − c̄) of the factored form, in single precision, on separate lanes. A lane interleaves PHI_INTERLEAVE rows,
 * and each row adds its landmarks in ascending order. */
#include <math.h>

#include "nysx.h"
#include "nysx_model.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED
#error "phi.c is for nee.form=factored"
#endif

/* φ for the lanes of P_rp: fp32, or φ / scale rounded to nearest even and saturated. */
static nysx_phi_t rounded(float phi)
{
#if NYSX_NEE_PHI_BITS == NYSX_NEE_PHI_BITS_FP32
    return phi;
#else
    float element = rintf(phi / nysx_phi_scale[0]);
    int32_t most = (int32_t)(((uint32_t)1 << (NYSX_PHI_BITS - 1)) - 1);
    float above = (float)((uint32_t)1 << (NYSX_PHI_BITS - 1));
    return (nysx_phi_t)(element >= above ? most : element <= -above ? -most : (int32_t)element);
#endif
}

/* Reads C from its rows' sums and converts it for the products. */
static void enter(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], float input[NYSX_LANDMARKS])
{
NYSX_LABEL(nee_phi_enter)
    for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
        NYSX_PIPELINE_NEE_PHI_ENTER
        nysx_kernel_t element = nysx_gathered(kse_sums, j);
        kernel[j] = element;
        input[j] = (float)nysx_centred(element, j);
    }
}

void nysx_phi(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_phi_t phi[NYSX_RANK])
{
    NYSX_LOCAL float input[NYSX_LANDMARKS];
    NYSX_LOCAL float phi_rows[NYSX_PHI_GROUPS * NYSX_PHI_INTERLEAVE][NYSX_PHI_LANES];
    float phi_sums[NYSX_PHI_INTERLEAVE][NYSX_PHI_LANES];
    int32_t group = 0, column = 0, trip = 0;
    NYSX_ARRAY_PARTITION_PHI_SUMS
    NYSX_ARRAY_PARTITION_PHI_MAP
    NYSX_ARRAY_PARTITION_PHI_ROWS
    enter(kse_sums, kernel, input);
NYSX_LABEL(nee_phi_products)
    for (int32_t k = 0; k < NYSX_PHI_GROUPS * NYSX_LANDMARKS * NYSX_PHI_INTERLEAVE; k++) {
        NYSX_PIPELINE_NEE_PHI_PRODUCTS
        NYSX_TALLY(phi_steps, 1);
    NYSX_LABEL(nee_phi_lanes)
        for (int32_t l = 0; l < NYSX_PHI_LANES; l++) {
            NYSX_UNROLL_NEE_PHI_LANES
            float product = nysx_phi_map[k][l] * input[column];
            float sum = (column == 0 ? 0.0f : phi_sums[NYSX_PHI_INTERLEAVE - 1][l]) + product;
            for (int32_t u = NYSX_PHI_INTERLEAVE - 1; u > 0; u--)
                phi_sums[u][l] = phi_sums[u - 1][l];
            phi_sums[0][l] = sum;
            if (column == NYSX_LANDMARKS - 1)
                phi_rows[group * NYSX_PHI_INTERLEAVE + trip][l] = sum;
        }
        int32_t wraps = trip == NYSX_PHI_INTERLEAVE - 1, ends = wraps && column == NYSX_LANDMARKS - 1;
        trip = wraps ? 0 : trip + 1;
        column = ends ? 0 : column + wraps;
        group += ends;
    }
NYSX_LABEL(nee_phi_out)
    for (int32_t row = 0; row < NYSX_RANK; row++) {
        NYSX_PIPELINE_NEE_PHI_OUT
        phi[row] = rounded(phi_rows[row / NYSX_PHI_LANES][row % NYSX_PHI_LANES]);
    }
}
