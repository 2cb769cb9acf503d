/* SPDX-License-Identifier: MIT */ /* P_nys from external memory: the words of all ports pass through FIFOs. A process regroups them into steps, one element per
 * lane; the lanes consume a step if it has rows. Words are packed without gaps, so a step can begin
 * inside a word. If the lanes divide the word or the word divides the lanes, all steps begin at the same position. */
#include "nysx.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_STREAMED
#error "p_streamed.c is for nee.form=streamed"
#endif

#define ELEMENT_MASK (UINT32_MAX >> (32 - NYSX_P_BITS))

void nysx_p_read(NYSX_PARAMETERS_P, NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS))
{
NYSX_LABEL(nee_words)
    for (int32_t w = 0; w < NYSX_P_PORT_WORDS; w++) {
        NYSX_PIPELINE_NEE_WORDS
        nysx_p_word_t word[NYSX_NEE_PORTS];
        NYSX_READ_P(word, w);
        for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
            NYSX_PUT(nee_fifo[p], w, word[p]);
        NYSX_TALLY(port_words, NYSX_NEE_PORTS);
    }
}

/* Packs the lanes' elements into a step. */
static nysx_p_step_t step_of(const uint32_t nee_held[NYSX_P_HELD])
{
    nysx_p_step_t step;
    for (int32_t i = 0; i < NYSX_P_STEP_PARTS; i++)
        step.part[i] = 0;
    for (int32_t l = 0; l < NYSX_P_STEP; l++)
        step.part[l * NYSX_P_BITS / 32] |= nee_held[l] << (l * NYSX_P_BITS % 32);
    return step;
}

/* Splits a word into elements. */
static void unpack(nysx_p_word_t word, uint32_t nee_moved[NYSX_P_WORD_ELEMENTS])
{
    for (int32_t e = 0; e < NYSX_P_WORD_ELEMENTS; e++) {
        int32_t bit = e * NYSX_P_BITS;
        nee_moved[e] = NYSX_PART_P_WORD(word, bit / 32) >> (bit % 32) & ELEMENT_MASK;
    }
}

/* Appends one word of every port after the `have` held units. A barrel shifter moves the new elements, one bit of `have` after
 * another; a held element passes one multiplexer, which keeps the loop-carried path short. */
static void append(uint32_t nee_moved[NYSX_P_HELD], uint32_t have, uint32_t nee_held[NYSX_P_HELD])
{
    for (uint32_t by = 1; by * NYSX_P_UNIT < NYSX_P_STEP; by *= 2)
        for (uint32_t e = NYSX_P_HELD - 1; e > 0; e--) {
            uint32_t here = nee_moved[e], before = e < by * NYSX_P_UNIT ? 0 : nee_moved[e - by * NYSX_P_UNIT];
            nee_moved[e] = have / by % 2 != 0 ? before : here;
        }
    for (uint32_t e = 0; e < NYSX_P_HELD; e++) {
        uint32_t held = nee_held[e], moved = nee_moved[e];
        nee_held[e] = e / NYSX_P_UNIT < have ? held : moved;
    }
}

/* Removes the elements of a step: a short step of the last trip, or a full step. */
static void drop(int32_t rest, uint32_t nee_held[NYSX_P_HELD])
{
    for (int32_t e = 0; e + NYSX_P_REST < NYSX_P_HELD; e++) {
        uint32_t next = e + NYSX_P_STEP < NYSX_P_HELD ? nee_held[e + NYSX_P_STEP] : 0;
        nee_held[e] = rest ? nee_held[e + NYSX_P_REST] : next;
    }
}

/* Steps of the last trip are short: the first one, and every NYSX_NEE_LAST_TRIPS steps after it. */
#define FIRST_SHORT \
    ((NYSX_NEE_GROUPS - 1) * NYSX_NEE_GROUP_TRIPS * NYSX_NEE_COLUMNS + NYSX_NEE_LAST_TRIPS - 1)
#define IS_SHORT(step) ((step) >= FIRST_SHORT && ((step) - FIRST_SHORT) % NYSX_NEE_LAST_TRIPS == 0)
#define UNTIL_SHORT(step) /* steps from this one to the next short one */ \
    ((step) < FIRST_SHORT ? FIRST_SHORT - (step) \
                          : (NYSX_NEE_LAST_TRIPS - ((step) - FIRST_SHORT) % NYSX_NEE_LAST_TRIPS) % NYSX_NEE_LAST_TRIPS)

/* Change of the number of held units in an iteration: a selected constant, without arithmetic. */
static int32_t change(int32_t takes, int32_t makes, int32_t rest)
{
    const int32_t beat = NYSX_P_BEAT_ELEMENTS / NYSX_P_UNIT, step = NYSX_P_STEP / NYSX_P_UNIT, last = NYSX_P_REST / NYSX_P_UNIT;
    if (takes)
        return makes ? rest ? beat - last : beat - step : beat;
    return makes ? rest ? -last : -step : 0;
}

/* Short steps are known two steps ahead, and so is the surplus of held units over the next step, with and without one
 * more word. The decisions of an iteration therefore depend only on signs. */
void nysx_p_gather(NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS),
                   NYSX_FIFO_PARAMETER(nysx_p_step_t, nee_steps, NYSX_P_STEPS))
{
    uint32_t nee_held[NYSX_P_HELD]; /* elements received, those of the next step first */
    NYSX_ARRAY_PARTITION_NEE_HELD
    int32_t have = 0, next_word = 0, next_step = 0;
    int32_t is_short = IS_SHORT(0), next_short = IS_SHORT(1), until = UNTIL_SHORT(2);
    int32_t spare = -(IS_SHORT(0) ? NYSX_P_REST : NYSX_P_STEP) / NYSX_P_UNIT, spare_then = spare + NYSX_P_BEAT_ELEMENTS / NYSX_P_UNIT;
NYSX_LABEL(nee_clear)
    for (int32_t e = 0; e < NYSX_P_HELD; e++) {
        NYSX_UNROLL_NEE_CLEAR
        nee_held[e] = 0;
    }
NYSX_LABEL(nee_gather)
    for (int32_t k = 0; k < NYSX_P_GATHERS; k++) {
        NYSX_PIPELINE_NEE_GATHER
        int32_t takes = spare < 0, makes = spare_then >= 0;
        int32_t more = change(takes, makes, next_short), stays = change(takes, makes, is_short);
        if (takes) {
            uint32_t nee_moved[NYSX_P_HELD];
            NYSX_ARRAY_PARTITION_NEE_MOVED
            for (int32_t e = NYSX_P_BEAT_ELEMENTS; e < NYSX_P_HELD; e++)
                nee_moved[e] = 0;
            for (int32_t p = 0; p < NYSX_NEE_PORTS; p++)
                unpack(NYSX_TAKE(nee_fifo[p], next_word), &nee_moved[p * NYSX_P_WORD_ELEMENTS]);
            append(nee_moved, (uint32_t)have, nee_held);
            next_word++;
        }
        if (makes) {
            NYSX_PUT(nee_steps, next_step, step_of(nee_held));
            next_step++;
            drop(is_short, nee_held);
            is_short = next_short;
            next_short = until == 0;
            until = until == 0 ? NYSX_NEE_LAST_TRIPS - 1 : until - 1;
        }
        have += stays;
        spare += more;
        spare_then += more;
    }
}

void nysx_p_open(struct nysx_p_source *source)
{
    source->next = 0;
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t trip,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_STEPS)
{
    (void)column; /* steps come in order of use; there is no step past the last row */
    nysx_p_step_t step;
    for (int32_t i = 0; i < NYSX_P_STEP_PARTS; i++)
        step.part[i] = 0;
    if (trip < (group == NYSX_NEE_GROUPS - 1 ? NYSX_NEE_LAST_TRIPS : NYSX_NEE_GROUP_TRIPS)) {
        step = NYSX_TAKE(nee_steps, source->next);
        source->next++;
    }
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        int32_t bit = l * NYSX_P_BITS;
        elements[l] = nysx_element(step.part[bit / 32] >> (bit % 32));
    }
}
