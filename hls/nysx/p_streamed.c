/* P_nys from external memory: words of every port go through FIFOs, their elements are used as they come. What the ports
 * bring together begins with a step's first element and holds the elements of one step or more, or a step takes several
 * such: nothing has to be shifted into place. */
#include "nysx.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_STREAMED
#error "p_streamed.c is for nee.form=streamed"
#endif

void nysx_p_read(NYSX_PARAMETERS_P, nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS])
{
NYSX_LABEL(nee_words)
    for (int32_t w = 0; w < NYSX_P_PORT_WORDS; w++) {
        NYSX_PIPELINE_NEE_WORDS
        nysx_p_word_t word[NYSX_NEE_PORTS];
        NYSX_READ_P(word, w);
        for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
            nee_fifo[p][w] = word[p];
        NYSX_TALLY(port_words, NYSX_NEE_PORTS);
    }
}

void nysx_p_open(struct nysx_p_source *source)
{
    source->next = 0;
    source->steps = 0;
}

/* A word of every port, as many times as a step needs. */
static void fill(struct nysx_p_source *source, nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS])
{
    for (int32_t b = 0; b < NYSX_P_STEP_BEATS; b++)
        for (int32_t p = 0; p < NYSX_NEE_PORTS; p++) {
            nysx_p_word_t word = nee_fifo[p][source->next + b];
            for (int32_t k = 0; k < NYSX_P_WORD_ELEMENTS; k++) {
                int32_t bit = k * NYSX_P_BITS;
                source->held[(b * NYSX_NEE_PORTS + p) * NYSX_P_WORD_ELEMENTS + k] = word.part[bit / 32] >> (bit % 32);
            }
        }
    source->next += NYSX_P_STEP_BEATS;
    source->steps = NYSX_P_BEAT_STEPS;
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t turn,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_FIFO)
{
    (void)column; /* the words come in the order of their use; a step past the last row has none */
    int32_t there = group * NYSX_NEE_GROUP_ROWS + turn * NYSX_NEE_LANES < NYSX_DIM;
    if (there && source->steps == 0)
        fill(source, nee_fifo);
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
        elements[l] = nysx_element(source->held[l]);
    if (there) {
        for (int32_t k = 0; k + NYSX_NEE_LANES < NYSX_P_HELD; k++)
            source->held[k] = source->held[k + NYSX_NEE_LANES];
        source->steps--;
    }
}
