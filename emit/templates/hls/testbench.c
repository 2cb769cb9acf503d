/* SPDX-License-Identifier: MIT */ /* The test bench of the C simulation: replays the calls of @FAMILY@_cases.bin and compares the memories afterwards with the
 * executor's answers, bit for bit. Exit code 0 if all are equal. A kernel with a queue gets as many calls per start as its ring has slots. If loops
 * are counted, standard output has a line per loop: "loop", its name, and for each call its entries and its iterations; then "answers", and how many these
 * calls give. Written by nysx-dse @VERSION@. */
#include "@FAMILY@_bench.h"
#include "@FAMILY@_calls.h"
#include "@FAMILY@_kit.h"

#ifdef @PREFIX@_LOOPS
struct @FAMILY@_counts @FAMILY@_counted;
#endif

@IF QUEUE@
#ifdef @PREFIX@_LOOPS
#define CALLS_MOST 1 /* a start: what is counted is a call's */
#else
#define CALLS_MOST @PREFIX@_RING_SLOTS
#endif
#define RING @PREFIX@_RING_SLOTS
#define SLOTS(port) (@FAMILY@_port_step(port) > 0 ? RING : 1)
#define BEHIND(port, slot) (buffer[port] + @FAMILY@_slot_word(port, slot))
@ELSE@
#define CALLS_MOST 1
#define RING 1
#define SLOTS(port) 1
#define BEHIND(port, slot) ((void)(slot), buffer[port])
@END@

static uint32_t *buffer[@PREFIX@_PORTS];

/* The calls of the next start: slot of the first, and number. */
static struct @FAMILY@_call calls[CALLS_MOST];
static uint32_t first_slot, waiting;

/* Unwritten memory is filled with fives. */
static void open_ports(void)
{
    for (uint32_t p = 0; p < @PREFIX@_PORTS; p++) {
        size_t bytes = (size_t)@FAMILY@_port_words(p) * 4 * SLOTS(p) + LINE;
        buffer[p] = (uint32_t *)malloc(bytes);
        if (buffer[p] == NULL)
            exit(2);
        memset(buffer[p], 0x55, bytes);
    }
}

static int write_ranges(const struct @FAMILY@_call *call, const uint32_t *end, uint32_t slot)
{
    struct @FAMILY@_range range = {0, 0, 0, 0, NULL};
    const uint32_t *at = call->writes;
    int bad = 0;
    for (uint32_t i = 0; i < call->write_count; i++) {
        at = @FAMILY@_range_read(at, end, 1, &range);
        uint32_t from = range.array > 0 ? @FAMILY@_array_at(model, model_words, range.array, range.count) : 0;
        bad |= differs("array of the model", range.array, range.array > 0 && from == 0, 0);
        if (!bad)
            memcpy(BEHIND(range.port, slot) + range.first, range.array > 0 ? model + from : range.words, (size_t)range.count * 4);
    }
    return bad;
}

static int compare_ranges(const struct @FAMILY@_call *call, const uint32_t *end, uint32_t slot, unsigned long index)
{
    static const char *const names[@PREFIX@_PORTS] = {
#define NAME(number, argument, type, words, written, step) #argument,
        @PREFIX@_EACH_PORT(NAME)};
    struct @FAMILY@_range range = {0, 0, 0, 0, NULL};
    const uint32_t *at = call->expected;
    int bad = 0;
    for (uint32_t i = 0; i < call->expected_count && !bad; i++) {
        at = @FAMILY@_range_read(at, end, 0, &range);
        for (uint32_t w = 0; w < range.count && !bad; w++)
            bad = differs(names[range.port], range.first + w, BEHIND(range.port, slot)[range.first + w], range.words[w]);
    }
    if (bad)
        printf("call %lu differs\n", index);
    return bad;
}

/* Starts the kernel on the waiting calls, the last of which is call `index`, and compares the memories of each. */
static int start(const uint32_t *end, unsigned long index)
{
    int bad = 0;
@IF QUEUE@
    uint32_t registers[2] = {first_slot, waiting};
    if (waiting > 0)
        @PREFIX@_CALL(buffer, registers);
@ELSE@
    if (waiting > 0)
        @PREFIX@_CALL(buffer, calls[0].registers);
@END@
    for (uint32_t i = 0; i < waiting; i++)
        bad |= compare_ranges(&calls[i], end, (first_slot + i) % RING, index + 1 - waiting + i);
    first_slot = (first_slot + waiting) % RING;
    waiting = 0;
    return bad;
}

static int run_call(const struct @FAMILY@_call *call, const uint32_t *end, unsigned long index)
{
    uint32_t slot = (first_slot + waiting) % RING;
    int bad = 0;
@IF QUEUE@
    int alone = @FAMILY@_call_shares(call, end);
    if (alone) {
        bad = start(end, index - 1);
        slot = first_slot;
    }
    @FAMILY@_describe(call->registers, slot, buffer[@PREFIX@_CALL_PORTS]);
@ELSE@
    int alone = 1;
@END@
    bad |= write_ranges(call, end, slot);
    calls[waiting++] = *call;
    return bad | (alone || waiting == CALLS_MOST ? start(end, index) : 0);
}

#ifdef @PREFIX@_LOOPS
static struct @FAMILY@_counts *counted; /* counts of each counted call */

static void print_counts(size_t calls, unsigned long answers)
{
    static const char *const loops[@PREFIX@_LOOPS] = {@PREFIX@_LOOP_NAMES};
    for (size_t k = 0; k < @PREFIX@_LOOPS; k++) {
        printf("loop %s", loops[k]);
        for (size_t i = 0; i < calls; i++)
            printf(" %llu %llu", (unsigned long long)counted[i].entered[k], (unsigned long long)counted[i].turned[k]);
        printf("\n");
    }
    printf("answers %lu\n", answers);
    free(counted);
}
#endif

int main(void)
{
    size_t count;
    uint32_t *cases = read_words("@FAMILY@_cases.bin", &count);
    const uint32_t *at = cases + 2, *end = cases + count;
    model = read_words("@FAMILY@_model.bin", &model_words);
    int bad = compare_model();
    open_ports();
#ifdef @PREFIX@_LOOPS
    size_t call_count = 0;
    unsigned long answers = 0;
    counted = (struct @FAMILY@_counts *)calloc(cases[1] + 1, sizeof *counted);
    if (counted == NULL)
        return 2;
#endif
    for (uint32_t i = 0; i < cases[1] && at != NULL; i++) {
        struct @FAMILY@_call call;
        at = @FAMILY@_call_read(at, end, &call);
        bad |= at != NULL ? run_call(&call, end, i) : differs("the length of the cases, at call", i, 0, 1);
#ifdef @PREFIX@_LOOPS
        if (at != NULL && call.items > 0) { /* others prepare the memories */
            counted[call_count++] = @FAMILY@_counted;
            answers += (call.items & @PREFIX@_GOES_ON) == 0;
        }
        memset(&@FAMILY@_counted, 0, sizeof @FAMILY@_counted);
#endif
    }
    bad |= start(end, cases[1] - 1);
    bad |= differs("words behind the last call", 0, at != end, 0);
#ifdef @PREFIX@_LOOPS
    print_counts(call_count, answers);
#endif
    printf("%lu items: %s\n", (unsigned long)cases[0], bad ? "DIFFERENT" : "equal");
    for (uint32_t p = 0; p < @PREFIX@_PORTS; p++)
        free(buffer[p]);
    free(cases);
    free(model);
    return bad;
}
