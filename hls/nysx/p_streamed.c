/* P_nys from external memory: words of every port go through FIFOs, a process makes steps of the lanes of them, and the
 * lanes take a step where it has rows. What all ports bring at once follows what they brought before without a gap, so that
 * a step may begin inside of a word; where lanes and words divide one another there is one place for it. */
#include "nysx.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_STREAMED
#error "p_streamed.c is for nee.form=streamed"
#endif

#define ELEMENT_MASK (UINT32_MAX >> (32 - NYSX_P_BITS))

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

/* The lanes' elements side by side. */
static nysx_p_step_t step_of(const uint32_t nee_held[NYSX_P_HELD])
{
    nysx_p_step_t step;
    for (int32_t i = 0; i < NYSX_P_STEP_PARTS; i++)
        step.part[i] = 0;
    for (int32_t l = 0; l < NYSX_P_STEP; l++)
        step.part[l * NYSX_P_BITS / 32] |= nee_held[l] << (l * NYSX_P_BITS % 32);
    return step;
}

/* The elements of a port's word behind those that wait. */
static void append(nysx_p_word_t word, int32_t port, int32_t have, uint32_t nee_held[NYSX_P_HELD])
{
    for (int32_t at = port * NYSX_P_WORD_ELEMENTS; at < NYSX_P_STEP + port * NYSX_P_WORD_ELEMENTS; at += NYSX_P_UNIT)
        for (int32_t e = 0; e < NYSX_P_WORD_ELEMENTS; e++) {
            int32_t bit = e * NYSX_P_BITS;
            uint32_t element = word.part[bit / 32] >> (bit % 32) & ELEMENT_MASK;
            nee_held[at + e] = have == at - port * NYSX_P_WORD_ELEMENTS ? element : nee_held[at + e];
        }
}

/* Those of a step go, a short one of the last turn or another. */
static void drop(int32_t rest, uint32_t nee_held[NYSX_P_HELD])
{
    for (int32_t e = 0; e + NYSX_P_REST < NYSX_P_HELD; e++) {
        uint32_t next = e + NYSX_P_STEP < NYSX_P_HELD ? nee_held[e + NYSX_P_STEP] : 0;
        nee_held[e] = rest ? nee_held[e + NYSX_P_REST] : next;
    }
}

void nysx_p_gather(nysx_p_word_t nee_fifo[NYSX_NEE_PORTS][NYSX_P_PORT_WORDS], nysx_p_step_t nee_steps[NYSX_P_STEPS])
{
    uint32_t nee_held[NYSX_P_HELD]; /* elements that have come, those of the next step first */
    NYSX_ARRAY_PARTITION_NEE_HELD
    int32_t have = 0, next_word = 0, next_step = 0, group = 0, column = 0, turn = 0;
NYSX_LABEL(nee_clear)
    for (int32_t e = 0; e < NYSX_P_HELD; e++) {
        NYSX_UNROLL_NEE_CLEAR
        nee_held[e] = 0;
    }
NYSX_LABEL(nee_gather)
    for (int32_t k = 0; k < NYSX_P_GATHERS; k++) {
        NYSX_PIPELINE_NEE_GATHER
        int32_t last = group == NYSX_NEE_GROUPS - 1, turns = last ? NYSX_NEE_LAST_TURNS : NYSX_NEE_GROUP_TURNS;
        int32_t ends = turn == turns - 1, rest = NYSX_P_REST != NYSX_P_STEP && last && ends;
        int32_t need = rest ? NYSX_P_REST : NYSX_P_STEP;
        if (have < need) {
            for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
                append(nee_fifo[p][next_word], p, have, nee_held);
            next_word++;
            have += NYSX_P_BEAT_ELEMENTS;
        }
        if (have >= need) {
            nee_steps[next_step++] = step_of(nee_held);
            drop(rest, nee_held);
            have -= need;
            turn = ends ? 0 : turn + 1;
            group += ends && column == NYSX_NEE_COLUMNS - 1;
            column = ends ? (column == NYSX_NEE_COLUMNS - 1 ? 0 : column + 1) : column;
        }
    }
}

void nysx_p_open(struct nysx_p_source *source)
{
    source->next = 0;
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t turn,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_STEPS)
{
    (void)column; /* steps come in the order of their use; those past the last row are none */
    nysx_p_step_t step;
    for (int32_t i = 0; i < NYSX_P_STEP_PARTS; i++)
        step.part[i] = 0;
    if (turn < NYSX_NEE_GROUP_TURNS && (group * NYSX_NEE_GROUP_TURNS + turn) * NYSX_NEE_LANES < NYSX_DIM)
        step = nee_steps[source->next++];
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        int32_t bit = l * NYSX_P_BITS;
        elements[l] = nysx_element(step.part[bit / 32] >> (bit % 32));
    }
}
