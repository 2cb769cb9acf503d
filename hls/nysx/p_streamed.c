/* P_nys from external memory: words of every port go through FIFOs, their elements are used as they come. */
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
        NYSX_TALLY(port_words, NYSX_P_WORDS - w * NYSX_NEE_PORTS < NYSX_NEE_PORTS ? NYSX_P_WORDS - w * NYSX_NEE_PORTS
                                                                                  : NYSX_NEE_PORTS);
    }
}

void nysx_p_open(struct nysx_p_source *source)
{
    source->filled = 0;
    source->next = 0;
}

/* Fills the window with at least `wanted` elements. */
static void fill(struct nysx_p_source *source, int32_t wanted,
                 nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS])
{
NYSX_LABEL(nee_fill)
    for (int32_t i = 0; i < (NYSX_NEE_LANES + NYSX_P_BEAT - 1) / NYSX_P_BEAT; i++)
        if (source->filled < wanted) {
            for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
                for (int32_t k = 0; k < NYSX_P_WORD_ELEMENTS; k++) {
                    int32_t bit = k * NYSX_P_BITS;
                    uint32_t part = nee_fifo[p][source->next].part[bit / 32] >> (bit % 32);
                    source->window[source->filled + p * NYSX_P_WORD_ELEMENTS + k] = nysx_element(part);
                }
            source->filled += NYSX_P_BEAT;
            source->next++;
        }
}

/* Drops the first `used` elements. */
static void drop(struct nysx_p_source *source, int32_t used)
{
    source->filled -= used;
NYSX_LABEL(nee_drop)
    for (int32_t k = 0; k < NYSX_P_WINDOW; k++)
        if (k < source->filled)
            source->window[k] = source->window[k + used];
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t turn, int32_t rows,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_FIFO)
{
    (void)group; /* the words come in the order of their use */
    (void)column;
    (void)turn;
    fill(source, rows, nee_fifo);
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++)
        elements[l] = l < rows ? source->window[l] : 0;
    drop(source, rows);
}
