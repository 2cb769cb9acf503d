/* φ = Λ^(-1/2) Qᵀ (C − c̄) of the factored form, in single precision on lanes of its own: a lane takes PHI_TURN rows in
 * turn, each row adding its landmarks in ascending order. */
#include <math.h>

#include "nysx.h"
#include "nysx_model.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED
#error "phi.c is for nee.form=factored"
#endif

/* φ as the lanes of P_rp take it: fp32, or φ / scale rounded to nearest even and held within its bits. */
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

void nysx_phi(const nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_phi_t phi[NYSX_RANK])
{
    NYSX_LOCAL float input[NYSX_LANDMARKS];
    float phi_sums[NYSX_PHI_TURN][NYSX_PHI_LANES];
    NYSX_ARRAY_PARTITION_PHI_SUMS
    NYSX_ARRAY_PARTITION_PHI_MAP
NYSX_LABEL(phi_enter)
    for (int32_t j = 0; j < NYSX_LANDMARKS; j++) {
        NYSX_PIPELINE_PHI_ENTER
        input[j] = (float)nysx_centred(kernel, j);
    }
NYSX_LABEL(phi_groups)
    for (int32_t g = 0; g < NYSX_PHI_GROUPS; g++) {
    NYSX_LABEL(phi_landmarks)
        for (int32_t j = 0; j < NYSX_LANDMARKS; j++)
        NYSX_LABEL(phi_products)
            for (int32_t u = 0; u < NYSX_PHI_TURN; u++) {
                NYSX_PIPELINE_PHI_PRODUCTS
                NYSX_TALLY(phi_steps, 1);
            NYSX_LABEL(phi_lanes)
                for (int32_t l = 0; l < NYSX_PHI_LANES; l++) {
                    NYSX_UNROLL_PHI_LANES
                    float product = nysx_phi_map[(g * NYSX_LANDMARKS + j) * NYSX_PHI_TURN + u][l] * input[j];
                    phi_sums[u][l] = j == 0 ? 0.0f + product : phi_sums[u][l] + product;
                }
            }
    NYSX_LABEL(phi_rows)
        for (int32_t row = 0; row < NYSX_PHI_TURN * NYSX_PHI_LANES; row++)
            if (g * NYSX_PHI_TURN * NYSX_PHI_LANES + row < NYSX_RANK)
                phi[g * NYSX_PHI_TURN * NYSX_PHI_LANES + row] =
                    rounded(phi_sums[row / NYSX_PHI_LANES][row % NYSX_PHI_LANES]);
    }
}
