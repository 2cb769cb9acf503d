/* The counts that the C simulation's engines made, against the cycle-level simulation and the models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim.h"
#include "executor/nysx/engines.h"

void csim_read_counters(const char *path, size_t cases, struct counters *out)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    *out = (struct counters){.cases = cases};
    char name[32];
    while (out->count < sizeof out->items / sizeof *out->items && fscanf(file, " counted %31s", name) == 1) {
        struct counter *counter = &out->items[out->count++];
        memcpy(counter->name, name, sizeof name);
        for (size_t i = 0; i < cases; i++) {
            unsigned long long value;
            assert_int_equal(fscanf(file, "%llu", &value), 1);
            counter->of[i] = value;
        }
    }
    fclose(file);
    assert_true(out->count > 10);
}

static const struct counter *counter(const struct counters *counters, const char *name)
{
    for (size_t i = 0; i < counters->count; i++)
        if (strcmp(counters->items[i].name, name) == 0)
            return &counters->items[i];
    fail_msg("the bench counts no %s", name);
    return NULL;
}

static double mean(const struct counters *counters, const char *name)
{
    double sum = 0.0;
    for (size_t i = 0; i < counters->cases; i++)
        sum += (double)counter(counters, name)->of[i];
    return sum / (double)counters->cases;
}

static void must_be(const char *what, double counted, double expected)
{
    double difference = counted > expected ? counted - expected : expected - counted;
    if (difference > 1e-6 * (1.0 + expected))
        fail_msg("%s: the kernels count %.6f, and it must be %.6f", what, counted, expected);
}

static const struct dse_simulated_engine *engine(const struct dse_simulation *simulation, const char *name)
{
    for (size_t e = 0; e < simulation->engine_count; e++)
        if (strcmp(simulation->engines[e].name, name) == 0)
            return &simulation->engines[e];
    fail_msg("the simulation has no engine %s", name);
    return NULL;
}

static double simulated(const struct dse_simulation *simulation, const char *name, const char *count)
{
    const struct dse_simulated_engine *e = engine(simulation, name);
    for (size_t i = 0; i < e->count_count; i++)
        if (strcmp(e->counts[i].name, count) == 0)
            return e->counts[i].mean;
    fail_msg("the simulation's %s counts no %s", name, count);
    return 0.0;
}

/* The hardware knobs that `simulate` takes. */
static void read_knobs(const struct design *design, struct dse_setting *out)
{
    static const char *const names[] = {"lshu.pe", "lshu.balance", "mphe.lookups", "mphe.gamma", "hue.pe", "kse.pe",
                                        "kse.balance", "nee.lanes", "nee.ports", "nee.port_bits", "nee.outstanding",
                                        "nee.fifo_depth", "sce.pe", "sce.bits", "clock_mhz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        OK(dse_setting_put(out, names[i], dse_setting_get(&design->layout, names[i]), &why));
}

static double layout_number(const struct design *design, const char *name)
{
    return strtod(dse_setting_get(&design->layout, name), NULL);
}

static bool says(const struct design *design, const char *name, const char *word)
{
    return strcmp(dse_setting_get(&design->layout, name), word) == 0;
}

/* Every cycle of the sparse passes, a PE adds or idles. */
static void compare_engines(const struct design *design, const struct counters *c, const struct dse_simulation *s)
{
    double hops = layout_number(design, "hops"), pe = layout_number(design, "lshu.pe");
    if (!says(design, "features", "both")) must_be("bytes of the query", mean(c, "query_bytes"), simulated(s, "query", "bytes"));
    must_be("passes of the LSHU", mean(c, "lshu_passes"), simulated(s, "lshu", "passes"));
    must_be("idle cycles of the LSHU's PEs", mean(c, "lshu_slots") * pe - mean(c, "lshu_additions"),
            simulated(s, "lshu", "idle_pe_cycles"));
    must_be("probes", mean(c, "probes"), simulated(s, "mphe", "probes"));
    must_be("updates of histograms", mean(c, "updates"), simulated(s, "hue", "updates"));
    must_be("words of histograms merged", mean(c, "merged_words") + hops * NYSX_FILL_MERGE,
            simulated(s, "hue", "merge_cycles"));
    for (size_t i = 0; i < c->cases; i++) {
        must_be("cycles of the KSE", (double)counter(c, "kse_slots")->of[i] + hops * NYSX_FILL_KSE,
                (double)engine(s, "kse")->cycles[i]);
        must_be("cycles of the SCE",
                (double)counter(c, "sce_words")->of[i] + layout_number(design, "CLASSES") + NYSX_FILL_SCE,
                (double)engine(s, "sce")->cycles[i]);
    }
}

/* The whole words of every port hold the bytes of P_nys, and no port has a word too many. On the chip, the lanes' cycles
 * are the simulation's where its adder is as deep as the board's. */
static void compare_projection(const struct design *design, const struct counters *c, const struct dse_simulation *s)
{
    double word_bytes = layout_number(design, "nee.port_bits") / 8.0, ports = layout_number(design, "nee.ports");
    double turn = layout_number(design, "NEE_TURN");
    if (says(design, "nee.form", "streamed")) {
        double bytes = mean(c, "port_words") * word_bytes, needed = simulated(s, "port", "bytes");
        if (bytes < needed || bytes >= needed + (ports + 1.0) * word_bytes)
            fail_msg("%.0f bytes of P_nys came through the ports for %.0f", bytes, needed);
        return;
    }
    bool factored = says(design, "nee.form", "factored");
    if (turn != 1.0 && turn != NYSX_ADD_DEPTH)
        return;
    if (factored && layout_number(design, "PHI_TURN") != NYSX_ADD_DEPTH)
        return;
    must_be("cycles of the NEE",
            mean(c, "nee_steps") + mean(c, "phi_steps") + (factored ? 2.0 : 1.0) * NYSX_FILL_NEE,
            (double)engine(s, "nee")->cycles[0]);
}

void csim_compare_simulation(const struct bench *b, const struct design *design, const struct counters *counters)
{
    struct dse_setting knobs = {0};
    struct dse_simulation simulation;
    struct dse_run run = {.jobs = 1};
    read_knobs(design, &knobs);
    OK(b->executor->simulate(design->model, &b->data, &knobs, b->board, &run, &simulation, &why));
    assert_int_equal(simulation.graphs, counters->cases);
    assert_int_equal(simulation.equal, simulation.graphs);
    compare_engines(design, counters, &simulation);
    compare_projection(design, counters, &simulation);
    dse_simulation_free(&simulation);
    dse_setting_free(&knobs);
}

static void account(const struct bench *b, const struct design *design, const void *work, const char *block,
                    struct dse_accumulators *out)
{
    struct dse_context context = {.board = b->board, .costs = b->costs, .work = work};
    *out = (struct dse_accumulators){0};
    for (size_t i = 0; i < b->family->block_count; i++)
        if (strcmp(b->family->blocks[i].name, block) == 0) {
            OK(dse_block_account(b->family, i, &context, &design->estimate.config, out, &why));
            return;
        }
    fail_msg("the family has no block %s", block);
}

/* Busy cycles of a block in a stage. */
static double busy(const struct bench *b, const struct dse_accumulators *sums, const char *stage)
{
    for (size_t s = 0; s < b->family->stage_count; s++)
        if (strcmp(b->family->stages[s], stage) == 0)
            return (double)sums->busy_cycles[DSE_CASE_MEAN][s];
    fail_msg("the family has no stage %s", stage);
    return 0.0;
}

/* Bytes of a block over one memory in all stages. */
static double bytes_of(const struct dse_accumulators *sums, int memory)
{
    double bytes = 0.0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        bytes += (double)sums->bytes[DSE_CASE_MEAN][s][memory];
    return bytes;
}

static double operations(const struct dse_accumulators *sums)
{
    double all = 0.0;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        all += (double)sums->operations[p];
    return all;
}

/* Blocks whose work no graph changes: cycles, bytes and multiply-accumulates, which count as two operations. */
static void compare_blocks(const struct bench *b, const struct design *design, const void *work,
                           const struct counters *c, size_t i)
{
    struct dse_accumulators hue, kse, nee, port, sce;
    double landmarks = layout_number(design, "landmarks"), dim = layout_number(design, "dim");
    account(b, design, work, "hue", &hue);
    account(b, design, work, "kse", &kse);
    account(b, design, work, "nee", &nee);
    account(b, design, work, "port", &port);
    account(b, design, work, "sce", &sce);
    must_be("words of histograms, of the models", (double)counter(c, "merged_words")->of[i],
            busy(b, &hue, "histogram"));
    must_be("cycles of the KSE, of the models", (double)counter(c, "kse_slots")->of[i],
            busy(b, &kse, "similarity"));
    must_be("products of the KSE, of the models", 2.0 * (double)counter(c, "kse_products")->of[i], operations(&kse));
    must_be("cycles of the NEE, of the models",
            (double)(counter(c, "nee_steps")->of[i] + counter(c, "phi_steps")->of[i]),
            busy(b, &nee, "encode"));
    must_be("cycles of the SCE, of the models",
            (double)counter(c, "sce_words")->of[i] + layout_number(design, "CLASSES"),
            busy(b, &sce, "classify"));
    double centred = says(design, "nee.center", "yes") ? landmarks : 0.0;
    double phi = says(design, "nee.form", "factored") ? layout_number(design, "RANK") * landmarks : 0.0;
    must_be("products of the NEE, of the models", 2.0 * ((double)counter(c, "nee_products")->of[i] + phi) + centred,
            operations(&nee));
    if (says(design, "nee.form", "streamed")) {
        double bytes = bytes_of(&port, (int)layout_number(design, "nee.memory") - 1);
        double word = layout_number(design, "nee.port_bits") / 8.0, ports = layout_number(design, "nee.ports");
        double came = (double)counter(c, "port_words")->of[i] * word;
        double held = dim * landmarks * layout_number(design, "P_BITS") / 8.0;
        if (bytes < held - 1.0 || bytes > held + 1.0)
            fail_msg("P_nys has %.1f bytes, %.0f in the models", held, bytes);
        if (came < bytes - 1.0 || came >= bytes + (ports + 1.0) * word)
            fail_msg("%.0f bytes of P_nys came through the ports, %.0f in the models", came, bytes);
    }
    if (says(design, "place.h", "ddr")) {
        double bytes = bytes_of(&kse, 0);
        double word = bytes / layout_number(design, "H_NNZ_TOTAL") * layout_number(design, "H_WORD_ENTRIES");
        double came = (double)counter(c, "h_words")->of[i] * word;
        if (came < bytes || came >= bytes + word)
            fail_msg("%.0f bytes of H came through the port, %.0f in the models", came, bytes);
    }
}

void csim_compare_models(const struct bench *b, const struct design *design, const struct counters *counters)
{
    void *work = NULL;
    OK(b->family->prepare(design->setup.workload, &work, &why));
    for (size_t i = 0; i < counters->cases; i++)
        compare_blocks(b, design, work, counters, i);
    b->family->release(work);
}
