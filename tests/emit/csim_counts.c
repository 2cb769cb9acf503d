/* The counts that the C simulation's engines made, against the cycle-level simulation and the models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim.h"
#include "models/nysx/executor/engines.h"

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

static double at(const struct counters *counters, const char *name, size_t item)
{
    return (double)counter(counters, name)->of[item];
}

static double mean(const struct counters *counters, const char *name)
{
    double sum = 0.0;
    for (size_t i = 0; i < counters->cases; i++)
        sum += at(counters, name, i);
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

/* A size or a knob of the design. */
static double size_of(const struct design *design, const char *name)
{
    const struct dse_hls_size *size = dse_hls_find_size(design->hls, name);
    int k = dse_space_find(design->setup.space, name);
    return size != NULL ? (double)size->value : dse_knob_number(&design->setup.space->knobs[k], design->estimate.config.value[k]);
}

static bool says(const struct design *design, const char *name, const char *word)
{
    int k = dse_space_find(design->setup.space, name);
    return strcmp(design->setup.space->knobs[k].choices[design->estimate.config.value[k]], word) == 0;
}

/* Cycles of a slot of the KSE: one, or the transfer time of its words. */
static double slot_cycles(const struct design *design)
{
    return !says(design, "nee.form", "direct") && says(design, "place.h", "ddr") ? size_of(design, "H_BEATS") : 1.0;
}

/* Bytes of P_nys through the ports: steps of the lanes (those of the last round may be short), in whole words of all ports. */
static double bytes_with_filling(const struct design *design)
{
    if (!says(design, "nee.form", "streamed"))
        return 0.0;
    double lanes = size_of(design, "nee.lanes"), turns = ceil(size_of(design, "dim") / lanes);
    double elements = ((turns - 1.0) * lanes + size_of(design, "P_REST")) * size_of(design, "landmarks");
    double word = size_of(design, "nee.ports") * size_of(design, "nee.port_bits");
    return ceil(elements * size_of(design, "P_BITS") / word) * word / 8.0;
}

/* The direct form's: words of the list, codes through the table and its sweep, the rounds of the lanes. */
static double direct_cycles(const struct design *design, const struct nysx_hardware *h, const struct counters *c, size_t i)
{
    double words = at(c, "list_words", i), table = at(c, "table_steps", i);
    double fills = words > 0.0 ? size_of(design, "hops") * ((double)h->list_depth - 1.0) : 0.0;
    fills += table > 0.0 ? (double)h->table_depth - 1.0 : 0.0;
    return at(c, "nee_steps", i) + (double)h->nee_depth - 1.0 + words + table + fills;
}

/* Cycles of the NEE's loops in sequence: reading C, φ, the product. */
static double encode_cycles(const struct design *design, const struct nysx_hardware *h, double steps, double phi)
{
    double cycles = size_of(design, "landmarks") + (double)h->enter_depth - 1.0 + steps + (double)(h->gather_depth + h->nee_depth) - 1.0;
    if (says(design, "nee.form", "factored"))
        cycles += phi + (double)h->phi_depth - 1.0 + size_of(design, "RANK") + (double)h->phi_out_depth - 1.0 +
                  size_of(design, "NEE_GENERATORS") + (double)h->first_depth - 1.0;
    return cycles;
}

/* Cycles of the SCE's: words, the sums of fp32 elements, the largest. */
static double classify_cycles(const struct design *design, const struct nysx_hardware *h, double words)
{
    double turns = size_of(design, "SCE_TRIPS"), rows = size_of(design, "SCE_ROWS");
    double sums = says(design, "sce.prototype_bits", "32") ? (double)h->sum_depth + 63.0 * (double)h->sum_interval : 0.0;
    return words * (double)h->sce_interval + turns * ((double)h->sce_depth - (double)h->sce_interval) + turns * rows * sums +
           (double)h->argmax_depth + (size_of(design, "CLASSES") - 1.0) * (double)h->argmax_interval;
}

/* In every cycle of a sparse pass a PE adds or waits; in the KSE it multiplies or waits. The simulation's engine cycles are loop cycles
 * plus pipeline depths. */
static void compare_engines(const struct design *design, const struct counters *c, const struct dse_simulation *s,
                            const struct nysx_hardware *h)
{
    double hops = says(design, "nee.form", "direct") ? 0.0 : size_of(design, "hops"); /* with histograms */
    must_be("bytes of the query", mean(c, "query_bytes"), simulated(s, "query", "bytes"));
    must_be("passes of the LSHU", mean(c, "lshu_passes"), simulated(s, "lshu", "passes"));
    must_be("idle cycles of the LSHU's PEs", mean(c, "lshu_slots") * (double)h->lshu_pe - mean(c, "lshu_additions"),
            simulated(s, "lshu", "idle_pe_cycles"));
    must_be("probes", mean(c, "probes"), simulated(s, "mphe", "probes"));
    must_be("updates of histograms", mean(c, "updates"), simulated(s, "hue", "updates"));
    must_be("words of histograms merged", mean(c, "merged_words") + hops * (double)(h->merge_depth - 1), simulated(s, "hue", "merge_cycles"));
    must_be("idle cycles of the KSE's PEs", mean(c, "kse_slots") * (double)h->kse_pe - mean(c, "kse_products"),
            simulated(s, "kse", "idle_pe_cycles"));
    for (size_t i = 0; i < c->cases; i++) {
        must_be("cycles of the KSE", at(c, "kse_slots", i) * slot_cycles(design) +
                    hops * ((double)h->kse_depth - slot_cycles(design)) + simulated(s, "kse", "stall_memory_cycles"),
                (double)engine(s, "kse")->cycles[i]);
        double encode = says(design, "nee.form", "direct")
                            ? direct_cycles(design, h, c, i)
                            : encode_cycles(design, h, at(c, "nee_steps", i), at(c, "phi_steps", i));
        must_be("cycles of the NEE", encode + simulated(s, "nee", "stall_memory_cycles"), (double)engine(s, "nee")->cycles[i]);
        must_be("cycles of the SCE", classify_cycles(design, h, at(c, "sce_words", i)), (double)engine(s, "sce")->cycles[i]);
    }
}

/* Traffic from memory, in whole words. */
static void compare_streams(const struct design *design, const struct counters *c, const struct dse_simulation *s)
{
    double moved = mean(c, "port_words") * size_of(design, "nee.port_bits") / 8.0;
    must_be("bytes of P_nys", moved, bytes_with_filling(design));
    must_be("bytes of P_nys, of the simulation", moved, simulated(s, "port", "bytes"));
    bool h = !says(design, "nee.form", "direct") && says(design, "place.h", "ddr");
    double bytes = h ? size_of(design, "H_WORD_ENTRIES") * size_of(design, "H_ENTRY_BYTES") : 0.0;
    must_be("words of H", mean(c, "h_words") * bytes, simulated(s, "kse", "bytes"));
}

void csim_compare_simulation(const struct bench *b, const struct design *design, const struct counters *counters)
{
    struct dse_simulation simulation;
    struct dse_run run = {.jobs = 1};
    struct nysx_hardware hardware;
    OK(dse_simulate_config(design->model, &b->data, &design->estimate.config, b->board, &run, &simulation, &why));
    OK(nysx_hardware_read(&design->estimate.config, b->board, &hardware, &why));
    OK(nysx_hardware_fit(nysx_model_of(design->model), dse_dataset_graphs(&b->data), NULL, b->costs, &hardware, &why));
    assert_int_equal(simulation.items, counters->cases);
    assert_int_equal(simulation.equal, simulation.items);
    compare_engines(design, counters, &simulation, &hardware);
    compare_streams(design, counters, &simulation);
    dse_simulation_free(&simulation);
}

static void cost(const struct bench *b, const struct design *design, const void *work, const char *block,
                    struct dse_accumulators *out)
{
    struct dse_rejection none = {0};
    struct dse_context context = {.board = b->board, .costs = b->costs, .work = work, .rejection = &none};
    *out = (struct dse_accumulators){0};
    for (size_t i = 0; i < b->family->block_count; i++)
        if (strcmp(b->family->blocks[i].name, block) == 0) {
            OK(dse_block_cost(b->family, i, &context, &design->estimate.config, out, &why));
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

/* Blocks with work independent of the graph: cycles, bytes and multiply-accumulates, which count as two operations. */
static void compare_landmarks(const struct bench *b, const struct design *design, const void *work,
                              const struct counters *c, size_t i)
{
    struct dse_accumulators hue, kse, nee, port;
    double landmarks = size_of(design, "landmarks"), dim = size_of(design, "dim");
    cost(b, design, work, "hue", &hue);
    cost(b, design, work, "kse", &kse);
    cost(b, design, work, "nee", &nee);
    cost(b, design, work, "port", &port);
    must_be("words of histograms, of the models", at(c, "merged_words", i), busy(b, &hue, "histogram"));
    if (!says(design, "place.h", "ddr")) /* else the memory may be slower */
        must_be("cycles of the KSE, of the models", at(c, "kse_slots", i), busy(b, &kse, "similarity"));
    must_be("products of the KSE, of the models", 2.0 * at(c, "kse_products", i), operations(&kse));
    bool factored = says(design, "nee.form", "factored");
    double besides = landmarks + (factored ? size_of(design, "RANK") + size_of(design, "NEE_GENERATORS") : 0.0);
    must_be("cycles of the NEE, of the models", at(c, "nee_steps", i) + at(c, "phi_steps", i) + besides, busy(b, &nee, "encode"));
    double centred = says(design, "nee.center", "yes") ? landmarks : 0.0;
    double phi = says(design, "nee.form", "factored") ? size_of(design, "RANK") * landmarks : 0.0;
    double columns = says(design, "nee.form", "factored") ? size_of(design, "RANK") : landmarks;
    must_be("products of the NEE, of the models", 2.0 * (dim * columns + phi) + centred, operations(&nee));
    double word = says(design, "nee.form", "streamed") ? size_of(design, "nee.ports") * size_of(design, "nee.port_bits") / 8.0 : 0.0;
    double stored = word > 0.0 ? ceil(dim * landmarks * size_of(design, "P_BITS") / 8.0 / word) * word : 0.0;
    double moved = bytes_of(&port, (int)size_of(design, "nee.memory") - 1);
    if (moved < stored - 1.0 || moved > stored + 1.0)
        fail_msg("P_nys has %.1f bytes, %.0f in the models", stored, moved);
    double slots = says(design, "place.h", "ddr") ? at(c, "kse_slots", i) * size_of(design, "kse.pe") : 0.0;
    must_be("bytes of H, of the models", slots * size_of(design, "H_ENTRY_BYTES"), bytes_of(&kse, 0));
}

static void compare_blocks(const struct bench *b, const struct design *design, const void *work,
                           const struct counters *c, size_t i)
{
    struct dse_accumulators sce;
    cost(b, design, work, "sce", &sce);
    if (says(design, "sce.prototype_bits", "1") ||
        (!says(design, "prototypes", "bundled") && !says(design, "sce.prototype_bits", "32"))) /* a word and a class a cycle */
        must_be("cycles of the SCE, of the models", at(c, "sce_words", i) + size_of(design, "CLASSES"), busy(b, &sce, "classify"));
    if (!says(design, "nee.form", "direct"))
        compare_landmarks(b, design, work, c, i);
}

void csim_compare_models(const struct bench *b, const struct design *design, const struct counters *counters)
{
    void *work = NULL;
    OK(b->family->prepare(b->family, design->setup.workload, &work, &why));
    for (size_t i = 0; i < counters->cases; i++)
        compare_blocks(b, design, work, counters, i);
    b->family->release(work);
}
