/* SPDX-License-Identifier: MIT */ /* P_nys in on-chip memory: a word holds one element per lane; words lie in order of use. */
#include "nysx.h"
#include "nysx_model.h"
#include "nysx_p_resident.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_RESIDENT
#error "p_resident.c is for nee.form=resident"
#endif

void nysx_p_open(struct nysx_p_source *source)
{
    source->next = 0;
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t trip,
                 nysx_term_t elements[NYSX_NEE_LANES])
{
    NYSX_ARRAY_RESHAPE_P_RESIDENT
    NYSX_BIND_STORAGE_P_RESIDENT
    (void)group;
    (void)column;
    (void)trip;
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        int32_t bit = l * NYSX_P_BITS;
        elements[l] = nysx_element(nysx_p_resident[source->next][bit / 32] >> (bit % 32));
    }
    source->next++;
    NYSX_TALLY(resident_words, 1);
}
