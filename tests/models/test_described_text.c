/* Small described families: stages, pipelines and many blocks, computed by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/described/described.h"
#include "models/estimate.h"
#include "tests/test.h"

static const char *const head = "accelerator: 1\nname: small\nboard: zcu104\nknobs:\n  p: {oneof: [1, 2, 4], default: 1}\n  clock_mhz: {oneof: [100]}\n";

/* The estimate of a text at p. */
static enum dse_status try_estimate(const char *text, int64_t p, struct dse_estimate *out, struct dse_error *err)
{
    const struct dse_model_family *family = NULL;
    struct dse_space *space = NULL;
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    struct dse_profile *profile = NULL;
    struct dse_config config;
    OK(dse_described_read("small.yaml", text, &family, &why));
    OK(dse_model_space(family, NULL, &space, &why));
    OK(dse_board_open("zcu104", &board, &why));
    OK(dse_costs_for_board(board, NULL, &costs, &why));
    OK(family->own_profile(family, NULL, &profile, &why));
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs, .workload = &profile->workloads[0], .headroom = -1.0};
    dse_space_default(space, &config);
    config.value[0] = p;
    enum dse_status status = dse_estimate_built(&setup, &config, out, err);
    dse_profile_free(profile);
    dse_costs_free(costs);
    dse_board_free(board);
    dse_space_free(space);
    return status;
}

static struct dse_estimate *estimate(const char *text, int64_t p)
{
    struct dse_estimate *out = dse_calloc(1, sizeof *out);
    OK(try_estimate(text, p, out, &why));
    return out;
}

static char *text_over(const char *knobs, const char *stages, const char *blocks)
{
    struct dse_strbuf text = {0};
    dse_strbuf_printf(&text, "%s%sstages: %s\nblocks:\n%s", head, knobs, stages, blocks);
    return text.text;
}

static char *text_of(const char *stages, const char *blocks)
{
    return text_over("", stages, blocks);
}

#define THREE                                                                       \
    "  a: {parts: [{loop: {stage: x, trips: 1000 / p, depth: 11}}]}\n"             \
    "  b: {parts: [{loop: {stage: y, trips: 3000, ii: 2, depth: 10}}]}\n"          \
    "  c: {parts: [{cycles: {stage: z, busy: 500, fill: 20}}, {datapath: }]}\n"

TEST(stages_one_after_another_add_up)
{
    char *text DSE_CLEANUP(dse_free_at) = text_of("[x, y, z]", THREE);
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(text, 1);
    assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - (1010 + 6008 + 520)) < 0.5);
    assert_true(fabs(e->metrics[DSE_METRIC_THROUGHPUT] * e->metrics[DSE_METRIC_LATENCY] - 1.0) < 1e-9);
}

TEST(a_pipeline_has_the_throughput_of_its_slowest_stage)
{
    char *text DSE_CLEANUP(dse_free_at) = text_of("{compose: pipeline, names: [x, y, z]}", THREE);
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(text, 2);
    assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - (510 + 6008 + 520)) < 0.5);
    assert_true(fabs(e->metrics[DSE_METRIC_THROUGHPUT] - 1e8 / 6008.0) < 1e-3);
    double watt = e->metrics[DSE_METRIC_POWER]; /* a full pipeline pays for its items */
    assert_true(fabs(e->metrics[DSE_METRIC_ENERGY] * e->metrics[DSE_METRIC_THROUGHPUT] - watt) < 1e-9 * watt);
}

TEST(many_blocks_of_one_engine_are_one_and_add_up_the_same)
{
    struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int i = 0; i < 200; i++)
        dse_strbuf_printf(&blocks, "  b%d: {engine: e, parts: [{loop: {stage: x, trips: %d * p}}, {raw: {lut: 3, source: r}}]}\n", i, 10 + i % 50);
    dse_strbuf_add(&blocks, "sources: {r: a report}\n");
    char *text DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&blocks));
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(text, 2);
    assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - 2 * 59) < 0.5);
    assert_true(fabs(e->metrics[DSE_METRIC_LUT] - 600) < 0.5);
    struct dse_strbuf apart DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int i = 0; i < 70; i++)
        dse_strbuf_printf(&apart, "  b%d: {engine: e, parts: [{loop: {stage: x, trips: 10%s}}]}\n", i, i < 69 ? " * p" : "");
    char *fits DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&apart));
    struct dse_estimate *f DSE_CLEANUP(dse_free_at) = estimate(fits, 4);
    assert_true(fabs(f->metrics[DSE_METRIC_CYCLES] - 40) < 0.5);
}

static void rejected(const char *text, const char *words)
{
    const struct dse_model_family *family = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_described_read("small.yaml", text, &family, &err), DSE_BAD_INPUT);
    if (strstr(err.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

TEST(limits_are_told_at_their_place)
{
    struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int i = 0; i < 100; i++) /* a layer each */
        dse_strbuf_printf(&blocks, "  b%d: {parts: [{loop: {trips: %d * p}}, {raw: {dsp: p, source: r}}]}\n", i, 10 + i);
    dse_strbuf_add(&blocks, "sources: {r: a report}\n");
    char *engines DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&blocks));
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(engines, 2);
    assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - 2 * 109) < 0.5 && fabs(e->metrics[DSE_METRIC_DSP] - 200) < 0.5);
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0}, shared DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int i = 0; i < 513; i++)
        dse_strbuf_printf(&names, "%ss%d", i == 0 ? "[" : ", ", i);
    char *stages DSE_CLEANUP(dse_free_at) = text_of(strcat(names.text, "]"), "  b: {parts: [{loop: {stage: s0, trips: p}}]}\n");
    rejected(stages, "513 stages: at most 512");
    for (int i = 0; i < 18; i++)
        dse_strbuf_printf(&shared, "  b%d: {parts: [{loop: {stage: s%d, trips: p * %c}}]}\n", i, i / 2, i % 2 == 0 ? 'x' : 'y');
    const char *const nine = "[s0, s1, s2, s3, s4, s5, s6, s7, s8]";
    char *both DSE_CLEANUP(dse_free_at) = text_over("  x: {range: 1..300}\n  y: {range: 1..300}\n", nine, dse_strbuf_text(&shared));
    rejected(both, "9 stages whose several blocks read knobs of more than 65536 combinations together: at most 8; s0 is one of 270000");
    char *fewer DSE_CLEANUP(dse_free_at) = text_over("  x: {range: 1..20}\n  y: {oneof: [3]}\n", nine, dse_strbuf_text(&shared));
    struct dse_estimate *joined DSE_CLEANUP(dse_free_at) = estimate(fewer, 2);
    assert_true(fabs(joined->metrics[DSE_METRIC_CYCLES] - 9 * 2 * 3) < 0.5); /* the longer of each stage's two */
    struct dse_strbuf knobs DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int i = 0; i < 510; i++)
        dse_strbuf_printf(&knobs, "  k%d: {oneof: [1]}\n", i);
    char *many DSE_CLEANUP(dse_free_at) = text_over(dse_strbuf_text(&knobs), "[x]", THREE);
    rejected(many, "has 512 knobs: at most 511");
}

/* Stages beyond those in reports take the same time as separate stages: their engine or their bytes, whichever is longer, and their
 * fill. The board's memory moves 19.2 GB/s at its efficiency; a stage begins with a cycle. */
TEST(a_hundred_stages_add_up)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0}, blocks DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_board *board = NULL;
    OK(dse_board_open("zcu104", &board, &why));
    double bytes_per_s = dse_memory_sustained_bytes_per_s(&board->memories[0]), bytes_per_cycle = bytes_per_s / 1e8, cycles = 0.0, longest = 0.0, bytes = 0.0;
    dse_board_free(board);
    for (int i = 0; i < 100; i++) {
        double trips = i == 3 ? 3000.0 : 50.0 + 14 * i, moved = i % 30 == 0 ? 40000.0 + 10 * i : 10.0, time = fmax(trips / 2.0, ceil(moved / bytes_per_cycle)) + 6.0;
        dse_strbuf_printf(&names, "%ss%d", i == 0 ? "[" : ", ", i);
        dse_strbuf_printf(&blocks, "  b%d: {parts: [{loop: {stage: s%d, trips: %g / p, depth: 7}}, {traffic: {stage: s%d, bytes: %g}}]}\n", i, i, trips, i, moved);
        cycles += time;
        longest = fmax(longest, time);
        bytes += moved;
    }
    dse_strbuf_add(&names, "]");
    for (int pipeline = 0; pipeline < 2; pipeline++) {
        struct dse_strbuf stages DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&stages, pipeline ? "{compose: pipeline, names: %s}" : "%s", dse_strbuf_text(&names));
        char *text DSE_CLEANUP(dse_free_at) = text_of(dse_strbuf_text(&stages), dse_strbuf_text(&blocks));
        struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(text, 2);
        double rate = pipeline ? fmin(1e8 / longest, bytes_per_s / bytes) : 1.0 / e->metrics[DSE_METRIC_LATENCY];
        assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - cycles) <= 8.5); /* up to a cycle in each stage that reports show */
        assert_true(fabs(e->metrics[DSE_METRIC_THROUGHPUT] / rate - 1.0) < 1e-6);
        assert_true(fabs(e->metrics[DSE_METRIC_DDR_BYTES] - bytes) < 0.5);
        assert_int_equal(e->bottleneck, 3); /* no stage and no engine is lost in a sum */
        assert_true(e->engines[99].cycles == (50 + 14 * 99) / 2 + 6);
    }
}

TEST(parts_that_cannot_be_are_rejected)
{
    static const char *const wrong[][3] = {
        {"[x, idle]", "[{loop: {stage: x, trips: p}}]", "small.yaml:7:13: no part is in this stage: name it in a loop, cycles or traffic, or leave it out"},
        {"[x]", "[{loop: {trips: p}}, {m_axi: {bits: 3000}}]", "small.yaml:9:50: bits: is 3000: must be a power of two from 8 to 1024"},
        {"[x]", "[{loop: {trips: p}}, {m_axi: {bits: 4}}]", "bits: is 4: must be a power of two from 8 to 1024"},
        {"[x]", "[{loop: {trips: p}}, {m_axi: {bits: 96}}]", "bits: is 96: must be a power of two from 8 to 1024"},
        {"[x]", "[{loop: {trips: p}}, {operator: {op: add, type: int16, times: 4 / 3}}]", "times: is 1.33333: must be a whole number; use ceil or round"},
        {"[x]", "[{loop: {trips: p}}, {memory: {place: bram, words: 512, bits: 18, banks: 1.5}}]", "banks: is 1.5: must be a whole number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&blocks, "  b: {parts: %s}\n", wrong[i][1]);
        char *text DSE_CLEANUP(dse_free_at) = text_of(wrong[i][0], dse_strbuf_text(&blocks));
        rejected(text, wrong[i][2]);
    }
    struct dse_error err = {0};
    struct dse_estimate *out DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *out);
    char *computed DSE_CLEANUP(dse_free_at) = text_of("[x]", "  b: {parts: [{loop: {trips: p}}, {operator: {op: add, type: int16, times: p / 4}}]}\n");
    OK(try_estimate(computed, 4, out, &err));
    assert_int_equal(try_estimate(computed, 2, out, &err), DSE_BAD_INPUT);
    assert_non_null(strstr(err.message, "times: is 0.5: must be a whole number"));
    char *port DSE_CLEANUP(dse_free_at) = text_of("[x]", "  b: {parts: [{loop: {trips: p}}, {m_axi: {bits: 512 * p}}]}\n");
    OK(try_estimate(port, 2, out, &err));
    assert_int_equal(try_estimate(port, 4, out, &err), DSE_ANSWER_NO);
    assert_non_null(strstr(err.message, "small.yaml:9: m_axi: bits is 2048: must be a power of two from 8 to 1024"));
}

TEST(malformed_sections_are_rejected)
{
    static const char *const wrong[][2] = {
        {"emit: {partition: [w]}\n", "small.yaml:10:8: must be a map of arrays and partitions"},
        {"emit: {storage: [w]}\n", "small.yaml:10:8: must be a map of arrays and places"},
        {"emit: {types: 3}\n", "small.yaml:10:8: must be a map of names and types"},
        {"emit: {pipeline: [y]}\n", "small.yaml:10:19: y: unknown label of a loop; there is loop_9"},
        {"emit: {pipeline: [loop_9, loop_9]}\n", "small.yaml:10:27: loop_9 stands twice"},
        {"emit: {pipeline: [{y: 1}]}\n", "small.yaml:10:19: must be the label of a loop"},
        {"emit: {types: {w: {of: e, lanes: 2}}}\n", "small.yaml:10:24: e: unknown type among those above; there are none"},
        {"emit: {types: {e: int, w: {of: e}}}\n", "small.yaml:10:24: needs `lanes`"},
        {"emit: {types: {e: int}, ports: {a: {type: x, words: 2}}}\n", "small.yaml:10:43: x: unknown type of emit; there is e"},
        {"emit: {types: {e: int}, ports: {a: {type: e}}}\n", "small.yaml:10:33: needs `words`"},
        {"emit: {types: {e: int}, ports: {a: {type: e, words: 2, access: append}}}\n", "small.yaml:10:64: append: unknown access; there are read, write, both"},
        {"emit: {types: {e: int}, ports: {a: {type: e, words: 2, memory: 1.5}}}\n", "small.yaml:10:64: a memory's index must be a whole number from 0 to"},
        {"published: [{case: a, set: 3, lut: 3}]\n", "small.yaml:10:23: must be a map of knobs and values"},
        {"published: [{case: a, workload: [3], lut: 3}]\n", "small.yaml:10:23: must be a map of quantities and values"},
        {"errors: 3\n", "small.yaml:10:1: must be a list"},
        {"errors: [{of: latncy, level: published, share: 0.1}]\n", "small.yaml:10:15: latncy: unknown metric, engine or `engines`; did you mean latency?"},
        {"errors: [{of: latency, level: guessed, share: 0.1}]\n", "small.yaml:10:31: guessed: unknown level"},
        {"errors: [{of: latency, level: published, share: -1}]\n", "small.yaml:10:49: must be a share from 0 to 10"},
        {"sources: [r]\n", "small.yaml:10:1: must be a map of names and texts"},
        {"profiles: nysy\n", "small.yaml:10:11: nysy: unknown profiles; did you mean nysx?"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&blocks, "  b: {parts: [{loop: {trips: p}}]}\n%s", wrong[i][0]);
        char *text DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&blocks));
        rejected(text, wrong[i][1]);
    }
}

/* A constant is rejected when the file is read if the part needs that argument; any other amount is rejected when a design evaluates it.
 * Both errors name file, line and column. */
TEST(amounts_that_cannot_be_are_rejected_at_their_place)
{
    static const char *const wrong[][2] = {
        {"memory: {place: bram, words: 0, bits: 8}", "small.yaml:9:65: words: is 0: must be at least 1"},
        {"memory: {place: bram, words: p, bits: 2 - 2}", "small.yaml:9:74: bits: is 0: must be at least 1"},
        {"loop: {trips: -1}", "small.yaml:9:50: trips: is -1: must be at least 0"},
    };
    static const char *const met[][2] = {
        {"loop: {trips: p, ii: 0}", "small.yaml:9:57: ii: the interval is 0 cycles: must be at least 1"},
        {"loop: {trips: p, ii: p - 1}", "small.yaml:9:57: ii: the interval is 0 cycles: must be at least 1"},
        {"memory: {place: bram, words: p, bits: 8, banks: 0}", "small.yaml:9:36: an array of 1 words of 8 bits in 0 banks"},
        {"fifo: {depth: p - 1, bits: 8}", "small.yaml:9:36: a FIFO of 0 words"},
        {"m_axi: {bits: p - 1}", "small.yaml:9:36: an m_axi adapter of 0 bits"},
        {"operator: {op: exp, type: int8, times: p}", "small.yaml:9:36: no cost for the operator \"exp\" at int8"},
        {"latency: {op: exp, type: int8, name: e}", "small.yaml:9:36: no cost for the operator \"exp\" at int8"},
    };
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *e);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong + sizeof met / sizeof *met; i++) {
        bool read = i < sizeof wrong / sizeof *wrong;
        const char *const *row = read ? wrong[i] : met[i - sizeof wrong / sizeof *wrong];
        struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_error err = {0};
        dse_strbuf_printf(&blocks, "  b: {parts: [{loop: {trips: p}}, {%s}]}\n", row[0]);
        char *text DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&blocks));
        if (read) {
            rejected(text, row[1]);
            continue;
        }
        assert_int_equal(try_estimate(text, 1, e, &err), DSE_BAD_INPUT);
        if (strncmp(err.message, row[1], strlen(row[1])) != 0) /* placed once */
            fail_msg("\"%s\" does not begin with \"%s\"", err.message, row[1]);
    }
    char *empty DSE_CLEANUP(dse_free_at) = text_of("[x]", "  b: {parts: [{loop: {trips: p}}, {memory: {place: bram, words: p - 1, bits: 8}}]}\n");
    struct dse_estimate *none DSE_CLEANUP(dse_free_at) = estimate(empty, 1);
    assert_true(none->metrics[DSE_METRIC_BRAM18] == 0.0);
}

/* Without a source, a stated band counts only if it is wider than the assumed one, 0.5 to 2 times the value. */
TEST(a_constant_without_a_source_has_at_least_the_widest_band)
{
    static const struct {
        const char *text;
        double low, high;
    } bands[] = {{"{value: 14 cycles, low: 13.99, high: 14.01}", 7, 28}, {"{value: 14 cycles, low: 2, high: 15}", 2, 28}, {"14 cycles", 7, 28},
                 {"{value: 14 cycles, low: 13.99, high: 14.01, source: r}", 13.99, 14.01}, {"{value: 14 cycles, source: r}", 9.8, 19.6}};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        struct dse_strbuf blocks DSE_CLEANUP(dse_strbuf_free) = {0};
        const struct dse_model_family *family = NULL;
        dse_strbuf_printf(&blocks, "  b: {parts: [{loop: {trips: p, depth: d}}]}\nsources: {r: a report}\nconstants:\n  d: %s\n", bands[i].text);
        char *text DSE_CLEANUP(dse_free_at) = text_of("[x]", dse_strbuf_text(&blocks));
        OK(dse_described_read("small.yaml", text, &family, &why));
        const struct dse_constant *d = &dse_described_of(family)->constants[0];
        if (fabs(d->low - bands[i].low) > 1e-9 || fabs(d->high - bands[i].high) > 1e-9)
            fail_msg("%s: from %g to %g", bands[i].text, d->low, d->high);
    }
}

TEST(names_of_knobs_and_macros_mean_one_thing)
{
    static const char *const wrong[][2] = {
        {"q: {range: 1..2, macro: P}", "small.yaml:6:27: is the macro of the knob p already"},
        {"q: {range: 1..2, macro: while}", "small.yaml:6:27: must be a name of C, not a keyword"},
        {"q: {range: 1..2, macro: 2P}", "small.yaml:6:27: must be a name of C, not a keyword"},
        {"q: {range: 1..2, macro: a-b}", "small.yaml:6:27: must be a name of C, not a keyword"},
        {"q: {range: 1..2, macro: SMALL_P}", "small.yaml:6:27: names that begin with SMALL_ are reserved for the header"},
        {"q: {range: 1..2, macro: small_config_t}", "small.yaml:6:27: names that begin with small_ are reserved for the header"},
        {"lut: {range: 1..2}", "small.yaml:6:3: lut is the name of a metric"},
        {"latency: {range: 1..2}", "small.yaml:6:3: latency is the name of a metric"},
        {"error: {range: 1..2}", "small.yaml:6:3: error is the name of a metric"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, "accelerator: 1\nname: small\nboard: zcu104\nknobs:\n  p: {oneof: [1, 2], macro: P}\n  %s\n  clock_mhz: {oneof: [100]}\nstages: [x]\n"
                                    "blocks:\n  b: {parts: [{loop: {trips: p}}]}\n", wrong[i][0]);
        rejected(text, wrong[i][1]);
    }
}

TEST(a_long_path_bounds_the_clock)
{
    const struct dse_model_family *family = NULL;
    struct dse_error err;
    char *text DSE_CLEANUP(dse_free_at) = text_of("[x]", "  a: {parts: [{loop: {stage: x, trips: 9}}, {path: {levels: 40 * p, label: a chain}}]}\n");
    OK(dse_described_read("small.yaml", text, &family, &why));
    struct dse_estimate *e DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *e);
    assert_int_equal(try_estimate(text, 1, e, &err), DSE_ANSWER_NO); /* 40 levels of 0.3 ns and more are longer than 10 ns */
    assert_non_null(strstr(err.message, "a chain takes"));
    char *shorter DSE_CLEANUP(dse_free_at) = text_of("[x]", "  a: {parts: [{loop: {stage: x, trips: 9}}, {path: {levels: 4 * p, carry: 8}}]}\n");
    assert_int_equal(try_estimate(shorter, 1, e, &err), DSE_OK);
}

TEST(a_table_beyond_the_limit_is_rejected_with_its_knobs)
{
    rejected("accelerator: 1\nname: wide\nboard: zcu104\nknobs:\n  a: {range: 1..64}\n  b: {range: 1..64}\n  c: {range: 1..64}\n  d: {range: 1..65}\n"
            "  clock_mhz: {oneof: [100]}\nstages: [x]\nblocks:\n  all: {parts: [{loop: {trips: a + b + c + d}}]}\n",
            "17039360 rows, but at most 16777216 are allowed: a (64), b (64), c (64), d (65)");
}

/* Cached values of expressions belong to one family, design and workload. */
TEST(named_expressions_follow_their_design_and_family)
{
#define BLOCKS "  b: {parts: [{loop: {stage: x, trips: t}}]}\nworkload: {n: {default: 10}}\nlet: {t: "
    char *texts[] = {text_of("[x]", BLOCKS "n * p}\n"), text_of("[x]", BLOCKS "2 * n * p}\n")};
    for (int round = 0; round < 3; round++)
        for (int p = 1; p <= 4; p *= 2)
            for (int f = 0; f < 2; f++) {
                struct dse_estimate *e DSE_CLEANUP(dse_free_at) = estimate(texts[f], p);
                assert_true(fabs(e->metrics[DSE_METRIC_CYCLES] - 10.0 * p * (1 + f)) < 0.5);
            }
    free(texts[0]);
    free(texts[1]);
}

TESTS(NULL, NULL)
