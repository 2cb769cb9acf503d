/* The graph attention family by hand: gradients, the softmax's reciprocal, GCSR, hidden words, and the machine's cycles. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/gat/executor/gcsr.h"
#include "models/gat/executor/machine.h"
#include "models/gat/executor/network.h"
#include "tests/ok.h"
#include "tests/test.h"

/* Three nodes: 0 and 1 cite each other; 2 is isolated and has no feature; node 1 has a feature of −2. */
static const char content[] = "a\t0\t2\t1\tX\nb\t4\t0\t-2\tY\nc\t0\t0\t0\tX\n", cites[] = "a\tb\nb\tb\nc\tnobody\n";

static struct dse_node_graph *small_graph(void)
{
    struct dse_node_graph *graph;
    const struct dse_text rows = {(char *)(uintptr_t)"small.content", (char *)(uintptr_t)content, sizeof content - 1}, links = {(char *)(uintptr_t)"small.cites", (char *)(uintptr_t)cites, sizeof cites - 1};
    OK(dse_node_graph_parse("small", &rows, &links, &graph, &why));
    assert_int_equal(graph->arc_count, 2);
    return graph;
}

/* The loss of all nodes by the first class's score, squared: its gradient is twice the score. */
static double loss_of(struct gat_pass *pass, const struct gat_network *network, size_t count, float *gradient)
{
    static const struct gat_dropout none = {0.0f, 0.0f, 0.0f};
    const float *score = gat_pass_forward(pass, network, &none, NULL);
    double loss = 0.0;
    for (size_t i = 0; i < count; i++) {
        loss += (double)score[i] * (double)score[i];
        if (gradient != NULL)
            gradient[i] = 2.0f * score[i];
    }
    return loss;
}

/* Every weight's gradient against a difference of the loss. Single precision: a thousandth of the largest. */
TEST(gradients_are_differences)
{
    struct dse_node_graph *graph = small_graph();
    struct gat_subgraphs subgraphs;
    struct gat_network network, gradient;
    struct gat_pass *pass;
    struct dse_rng rng;
    float output[6];
    dse_rng_seed(&rng, 3, 1);
    gat_subgraphs_make(graph, &subgraphs);
    gat_network_make(3, 2, 3, 2, &rng, &network);
    gat_network_make(3, 2, 3, 2, NULL, &gradient);
    gat_pass_make(&network, graph, &subgraphs, &pass);
    loss_of(pass, &network, 6, output);
    gat_pass_backward(pass, &network, output, &gradient);
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        struct gat_part weight[GAT_PARTS], found[GAT_PARTS];
        gat_layer_parts(&network.layer[l], weight);
        gat_layer_parts(&gradient.layer[l], found);
        for (size_t p = 0; p < GAT_PARTS; p++)
            for (size_t i = 0; i < weight[p].count; i++) {
                float kept = weight[p].values[i], step = 1e-2f;
                weight[p].values[i] = kept + step;
                double above = loss_of(pass, &network, 6, NULL);
                weight[p].values[i] = kept - step;
                double below = loss_of(pass, &network, 6, NULL), difference = (above - below) / (2.0 * (double)step);
                weight[p].values[i] = kept;
                if (fabs(difference - (double)found[p].values[i]) > 2e-2 * fmax(1.0, fabs(difference)))
                    fail_msg("layer %zu, part %zu, weight %zu: gradient %g, difference %g", l + 1, p, i, (double)found[p].values[i], difference);
            }
    }
    gat_pass_free(pass);
    gat_network_free(&network);
    gat_network_free(&gradient);
    gat_subgraphs_free(&subgraphs);
    dse_node_graph_free(graph);
}

/* By hand: ⌊2^(16 + most) / Σ 2^e⌋. 2^16/1; 2^16/2; 2^18/(1 + 4); of 127 thrice 2^16/3; 2^143/(2^127 + 1) = 65535. */
TEST(reciprocals_are_whole_quotients)
{
    static const struct {
        uint8_t e[3];
        size_t count;
        int most;
        uint32_t quotient;
    } cases[] = {{{0}, 1, 0, 65536}, {{5, 5}, 2, 5, 32768}, {{0, 2}, 2, 2, 52428}, {{127, 127, 127}, 3, 127, 21845},
                 {{127, 0}, 2, 127, 65535}, {{64, 63, 1}, 3, 64, 43690}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(gat_reciprocal(cases[i].e, cases[i].count, cases[i].most), cases[i].quotient);
}

__extension__ typedef unsigned __int128 wide;

/* Against 128-bit division, for exponents whose sums fit: far apart, and so close that one word suffices. */
TEST(reciprocals_are_those_of_wide_division)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 4, 1);
    for (size_t t = 0; t < 2000; t++) {
        uint8_t e[40];
        size_t count = 1 + dse_rng_below(&rng, 40);
        int most = 0, span = 1 + (int)dse_rng_below(&rng, 105), lowest = (int)dse_rng_below(&rng, (uint64_t)(106 - span));
        wide sum = 0;
        for (size_t i = 0; i < count; i++) {
            e[i] = (uint8_t)(lowest + (int)dse_rng_below(&rng, (uint64_t)span));
            most = e[i] > most ? e[i] : most;
            sum += (wide)1 << e[i];
        }
        uint32_t expected = (uint32_t)(((wide)1 << (16 + most)) / sum);
        assert_int_equal(gat_reciprocal(e, count, most), expected);
        assert_int_equal(gat_reciprocal_wide(e, count, most), expected);
    }
}

TEST(exponents_stay_in_their_range)
{
    assert_int_equal(gat_exponent(-5, 5, 0), 0);
    assert_int_equal(gat_exponent(9, 0, 2), 2);
    assert_int_equal(gat_exponent(1 << 20, 0, 3), 127);
    assert_int_equal(gat_exponent(3, 0, -4), 48);
    assert_int_equal(gat_exponent(1, 0, -90), 127);
    assert_int_equal(gat_exponent(INT64_MAX / 2, 0, 900), 0);
}

/* The thesis's example (section 3.3): 4||3||1 is 100||011||1, 3||3||0 is 011||011||0. */
TEST(node_info_is_the_thesis_example)
{
    const struct gat_gcsr gcsr = {.length_bits = gat_bits_of(4), .nodes_bits = 3};
    assert_int_equal(gat_bits_of(4), 3);
    assert_int_equal(gat_node_info(&gcsr, (struct gat_row_info){4, 3, true}), 0x47);
    assert_int_equal(gat_node_info(&gcsr, (struct gat_row_info){3, 3, false}), 0x36);
    struct gat_row_info back = gat_row_info_of(&gcsr, 0x47);
    assert_true(back.length == 4 && back.nodes == 3 && back.source);
}

/* Subgraphs {a, b}, {b, a}, {c}: rows of 2, 2, 2, 2 and no non-zeros; a stands in rows 0 and 3, b in 1 and 2, c in 4. */
TEST(rows_stand_in_every_subgraph)
{
    struct dse_node_graph *graph = small_graph();
    struct gat_subgraphs subgraphs;
    struct gat_gcsr gcsr;
    const struct gat_fixed fixed = {.steps = 127.0, .feature_step = 4.0 / 127.0};
    static const int8_t values[] = {64, 32, 127, -64, 127, -64, 64, 32}; /* 2 of 4 is 63.5: to even */
    static const int32_t columns[] = {1, 2, 0, 2, 0, 2, 1, 2};
    static const uint32_t index[] = {0 << 1, 3 << 1 | 1, 1 << 1, 2 << 1 | 1, 4 << 1 | 1};
    gat_subgraphs_make(graph, &subgraphs);
    OK(gat_gcsr_make(&fixed, graph, &subgraphs, &gcsr, &why));
    assert_int_equal(gcsr.rows, 5);
    assert_int_equal(gcsr.nonzeros, 8);
    assert_memory_equal(gcsr.value, values, sizeof values);
    assert_memory_equal(gcsr.column, columns, sizeof columns);
    assert_memory_equal(gcsr.subgraph_idx, index, sizeof index);
    assert_int_equal(gcsr.node_info[4], gat_node_info(&gcsr, (struct gat_row_info){0, 1, true}));
    gat_gcsr_free(&gcsr);
    gat_subgraphs_free(&subgraphs);
    dse_node_graph_free(graph);
}

/* One graph through machine and kernels, both approaches. Cycles by hand, of one lane with one SP-PE, two channels and two classes:
 * - Layer 1 loads 3 + 4 words. SPMM takes four rows of 2 + 2·2 cycles and one of 2 + 2·1: 28.
 * - Layer 2 loads 2 + 4 words and takes five rows of 2 + 2·2: 30.
 * - The dispatcher reads 3·2 words and writes 5 rows in a cycle each: 11.
 * WH holds 64 rows, so nothing waits for room. The last row of SPMM is the row of the lone node. The drain after that row has two halves in
 * DMVM with 3 + 1 stages, 2 cycles of collecting and 19 of dividing. The aggregator adds two of three cycles, since the first one is the
 * divider's last. The layers take 57 and 59 cycles. */
TEST(the_machine_counts_what_the_page_says)
{
    struct dse_node_graph *graph = small_graph();
    struct gat_subgraphs subgraphs;
    struct gat_network network;
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 1);
    gat_subgraphs_make(graph, &subgraphs);
    gat_network_make(3, 1, 2, 2, &rng, &network);
    network.hidden_largest = 3.0f;
    for (int approach = GAT_LAYERBREAK; approach <= GAT_STREAMLINE; approach++) {
        struct gat_fixed fixed;
        struct gat_gcsr gcsr;
        struct gat_record record;
        int64_t wanted[6], score[6];
        const struct gat_hardware hardware = {.approach = (enum gat_approach)approach, .pes = 1, .lanes = 1, .task = GAT_EXECUTE,
                                              .clock_hz = 225e6, .bytes_a_cycle = 4.0};
        gat_fixed_make(&network, 4.0f, hardware.approach, 127.0, &fixed);
        OK(gat_gcsr_make(&fixed, graph, &subgraphs, &gcsr, &why));
        gat_fixed_run(&fixed, graph, &subgraphs, wanted, NULL, NULL);
        OK(gat_machine_run(&hardware, &fixed, &gcsr, 3, NULL, score, &record, &why));
        assert_memory_equal(score, wanted, sizeof score);
        assert_int_equal(record.work[GAT_UNIT_LOADER], 7 + 6);
        assert_int_equal(record.work[GAT_UNIT_SPMM], 28 + 30);
        assert_int_equal(record.stage[GAT_STAGE_DISPATCH], approach == GAT_STREAMLINE ? 11 : 0);
        assert_int_equal(record.stage[GAT_STAGE_LAYER1], 7 + 28 + 2 + 4 + 2 + 19 + 2);
        assert_int_equal(record.stage[GAT_STAGE_LAYER2], 6 + 30 + 2 + 4 + 2 + 19 + 2);
        assert_int_equal(record.spmm_full, 0);
        assert_int_equal(record.copies, 5);
        gat_gcsr_free(&gcsr);
        gat_fixed_free(&fixed);
    }
    gat_network_free(&network);
    gat_subgraphs_free(&subgraphs);
    dse_node_graph_free(graph);
}

/* h of at most 127 and W of at most 127/8 have steps of 1 and 1/8. The largest a is 3: in steps of 2^-8 over 1/8, 1/32, it is 96; half of
 * those would take 192, which 127 do not hold. */
TEST(the_step_of_a_is_the_least_that_holds_it)
{
    struct gat_network network;
    struct gat_fixed fixed;
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 1);
    gat_network_make(3, 1, 2, 2, &rng, &network);
    network.hidden_largest = 3.0f;
    for (size_t i = 0; i < 6; i++)
        network.layer[0].weight[i] = i == 4 ? -127.0f / 8.0f : 1.0f;
    for (size_t i = 0; i < 2; i++)
        network.layer[0].source[i] = network.layer[0].neighbour[i] = 0.5f;
    network.layer[0].neighbour[1] = -3.0f;
    gat_fixed_make(&network, 127.0f, GAT_LAYERBREAK, 127.0, &fixed);
    assert_int_equal(fixed.layer[0].shift, 8);
    assert_int_equal(fixed.layer[0].neighbour[1], -96);
    assert_int_equal(fixed.layer[0].source[0], 16);
    gat_fixed_free(&fixed);
    gat_network_free(&network);
}

/* Eight transfers of node_info, non-zeros and weights, of node_info, hidden features and weights, of answers and hidden features: 5 + 8 + 10 +
 * 5 + 10 + 8 + 6 + 6 words. Each waits 7 cycles for the memory, which then moves half a word per cycle; the last 12 words are of the
 * feature memory, and twice as wide. */
TEST(transfers_take_latency_and_words)
{
    struct dse_node_graph *graph = small_graph();
    struct gat_subgraphs subgraphs;
    struct gat_network network;
    struct gat_fixed fixed;
    struct gat_gcsr gcsr;
    struct gat_record record;
    struct dse_rng rng;
    int64_t score[6];
    const struct gat_hardware hardware = {.approach = GAT_LAYERBREAK, .pes = 1, .lanes = 1, .task = GAT_WHOLE, .clock_hz = 225e6,
                                          .latency_cycles = 6.5, .bytes_a_cycle = 2.0};
    dse_rng_seed(&rng, 5, 1);
    gat_subgraphs_make(graph, &subgraphs);
    gat_network_make(3, 1, 2, 2, &rng, &network);
    network.hidden_largest = 3.0f;
    gat_fixed_make(&network, 4.0f, GAT_LAYERBREAK, 127.0, &fixed);
    OK(gat_gcsr_make(&fixed, graph, &subgraphs, &gcsr, &why));
    OK(gat_machine_run(&hardware, &fixed, &gcsr, 3, NULL, score, &record, &why));
    assert_int_equal(record.words, 58);
    assert_int_equal(record.work[GAT_UNIT_CDMA], 8 * 7 + 2 * 46 + 4 * 12);
    assert_int_equal(record.memory, 46 + 3 * 12);
    gat_gcsr_free(&gcsr);
    gat_fixed_free(&fixed);
    gat_network_free(&network);
    gat_subgraphs_free(&subgraphs);
    dse_node_graph_free(graph);
}

TESTS(NULL, NULL)
