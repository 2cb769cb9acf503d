#include "roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

#define OPERATIONS_A_LANE 2.0
#define MEMORY_PORTS 2.0 /* a memory in simple dual-port mode reads one word and writes one per cycle (AMD UG573) */
#define LANE_KINDS 3
#define ADDITIONS " additions" /* suffix of a precision: the roof of adders */

/* ---- compute ---- */

/* The ways to build one multiply-accumulate. A bipolar one costs as much as an xnor-popcount, the least possible. */
static size_t lane_kinds(const struct dse_costs *costs, enum dse_precision precision, double clock_hz,
                         struct dse_cost kinds[LANE_KINDS])
{
    size_t count = 0;
    struct dse_error err;
    static const enum dse_form forms[] = {DSE_FORM_DSP, DSE_FORM_LUT};
    if (precision == DSE_BINARY)
        return dse_costs_structure(costs, DSE_STRUCTURE_XNOR_DOT, 1024.0, &kinds[0], &err) == DSE_OK ? 1 : 0;
    for (size_t f = 0; f < 2; f++)
        if (dse_costs_has_operator(costs, DSE_OP_MAC, precision, forms[f]) &&
            dse_costs_operator(costs, DSE_OP_MAC, precision, forms[f], clock_hz, &kinds[count], &err) == DSE_OK)
            count++;
    struct dse_cost add, multiply;
    if (dse_costs_operator(costs, DSE_OP_ADD, precision, DSE_FORM_ANY, clock_hz, &add, &err) == DSE_OK &&
        dse_costs_operator(costs, DSE_OP_MUL, precision, DSE_FORM_ANY, clock_hz, &multiply, &err) == DSE_OK) {
        kinds[count] = add;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            kinds[count].amount[r] += multiply.amount[r];
        count++;
    }
    return count;
}

/* The ways to build one adder: as an operator, and for whole numbers in LUTs, as many as it is wide. */
static size_t adder_kinds(const struct dse_costs *costs, enum dse_precision precision, double clock_hz, struct dse_cost kinds[LANE_KINDS])
{
    static const enum dse_form forms[] = {DSE_FORM_DSP, DSE_FORM_LUT};
    size_t count = 0;
    struct dse_error err;
    for (size_t f = 0; f < 2; f++)
        if (dse_costs_has_operator(costs, DSE_OP_ADD, precision, forms[f]) &&
            dse_costs_operator(costs, DSE_OP_ADD, precision, forms[f], clock_hz, &kinds[count], &err) == DSE_OK)
            count++;
    if (precision > DSE_BF16 && dse_costs_structure(costs, DSE_STRUCTURE_ADDER, (double)dse_precision_bits(precision), &kinds[count], &err) == DSE_OK)
        count++;
    return count;
}

/* Takes as many lanes of a kind as the remainder allows. */
static int64_t fill(const struct dse_cost *kind, double scale, double left[DSE_RESOURCE_COUNT], int *exhausted)
{
    double lanes = 1e9;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double amount = kind->amount[r] * scale;
        if (amount > 0.0 && left[r] / amount < lanes) {
            lanes = left[r] / amount;
            *exhausted = r;
        }
    }
    lanes = floor(lanes);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        left[r] -= lanes * kind->amount[r] * scale;
    return (int64_t)lanes;
}

/* The most lanes of some kinds that fit. */
static int64_t fill_best(const struct dse_cost *kinds, size_t count, double scale, const int64_t amounts[DSE_RESOURCE_COUNT], int *exhausted)
{
    int64_t most = 0;
    *exhausted = -1;
    for (size_t first = 0; first < count; first++)
        for (size_t second = 0; second < count; second++) {
            double left[DSE_RESOURCE_COUNT];
            int out = -1;
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                left[r] = (double)amounts[r];
            int64_t lanes = fill(&kinds[first], scale, left, &out);
            if (second != first)
                lanes += fill(&kinds[second], scale, left, &out);
            if (lanes > most) {
                most = lanes;
                *exhausted = out;
            }
        }
    return most;
}

int64_t dse_roofline_lanes(const struct dse_costs *costs, enum dse_precision precision, double clock_hz,
                           const int64_t amounts[DSE_RESOURCE_COUNT], int *exhausted)
{
    struct dse_cost kinds[LANE_KINDS];
    size_t count = lane_kinds(costs, precision, clock_hz, kinds);
    return fill_best(kinds, count, precision == DSE_BINARY ? 1.0 / 1024.0 : 1.0, amounts, exhausted);
}

/* ---- roofs ---- */

static struct dse_roof *add_roof(struct dse_roofline *out, enum dse_roof_kind kind, const char *name, const char *level,
                                 double height)
{
    if (out->roof_count == DSE_ROOF_MAX || height <= 0.0)
        return NULL;
    struct dse_roof *roof = &out->roofs[out->roof_count++];
    *roof = (struct dse_roof){.kind = kind, .height = height, .resource = -1};
    snprintf(roof->name, sizeof roof->name, "%s", name);
    snprintf(roof->level, sizeof roof->level, "%s", level);
    return roof;
}

/* The peak of a precision's multiply-accumulate lanes or of its adders: for the part that a kernel may use, and for the chip. */
static void add_peaks(struct dse_roofline *out, const struct dse_platform *platform, enum dse_precision precision, bool adders)
{
    const int64_t *const amounts[] = {platform->capped, out->setup->board->chip};
    static const char *const levels[] = {"limits", "chip"};
    char name[48];
    snprintf(name, sizeof name, "%s%s", dse_precision_names[precision], adders ? ADDITIONS : "");
    for (int level = 0; level < 2; level++) {
        struct dse_cost kinds[LANE_KINDS];
        int exhausted = -1;
        int64_t lanes = adders ? fill_best(kinds, adder_kinds(out->setup->costs, precision, out->clock_hz, kinds), 1.0, amounts[level], &exhausted)
                               : dse_roofline_lanes(out->setup->costs, precision, out->clock_hz, amounts[level], &exhausted);
        struct dse_roof *roof =
            add_roof(out, DSE_ROOF_COMPUTE, name, levels[level], (adders ? 1.0 : OPERATIONS_A_LANE) * (double)lanes * out->clock_hz);
        if (roof != NULL) {
            roof->lanes = lanes;
            roof->resource = exhausted;
        }
    }
}

/* Multiply-accumulates of every precision, and adders of the precisions in which the design has only additions. */
static void add_compute(struct dse_roofline *out, const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        add_peaks(out, platform, (enum dse_precision)p, false);
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        if (sums->additions[p] > 0)
            add_peaks(out, platform, (enum dse_precision)p, true);
}

static void add_memories(struct dse_roofline *out)
{
    const struct dse_board *board = out->setup->board;
    for (size_t m = 0; m < board->memory_count; m++) {
        const struct dse_memory *memory = &board->memories[m];
        double bytes = (double)(memory->channels * memory->width_bits) / 8.0, ports = 0.0;
        for (size_t i = 0; i < board->port_count; i++)
            if (strcmp(board->ports[i].memory, memory->name) == 0)
                ports += (double)(board->ports[i].count * board->ports[i].width_bits) / 8.0 * out->clock_hz;
        add_roof(out, DSE_ROOF_MEMORY, memory->name, "nominal", bytes * memory->nominal_transfers_hz);
        add_roof(out, DSE_ROOF_MEMORY, memory->name, "preset", bytes * memory->preset_transfers_hz);
        add_roof(out, DSE_ROOF_MEMORY, memory->name, "sustained", dse_memory_sustained_bytes_per_s(memory));
        add_roof(out, DSE_ROOF_MEMORY, memory->name, "ports", ports);
    }
}

static void add_on_chip(struct dse_roofline *out, const struct dse_platform *platform)
{
    const struct dse_packing_rules *rules = dse_costs_packing(out->setup->costs);
    double word = MEMORY_PORTS / 8.0 * out->clock_hz;
    double bram = word * (double)rules->bram18[0].width_bits, uram = word * (double)rules->uram_width_bits;
    const int64_t *chip = out->setup->board->chip;
    add_roof(out, DSE_ROOF_ON_CHIP, "bram", "limits", bram * (double)platform->capped[DSE_BRAM18]);
    add_roof(out, DSE_ROOF_ON_CHIP, "bram", "chip", bram * (double)chip[DSE_BRAM18]);
    add_roof(out, DSE_ROOF_ON_CHIP, "uram", "limits", uram * (double)platform->capped[DSE_URAM]);
    add_roof(out, DSE_ROOF_ON_CHIP, "uram", "chip", uram * (double)chip[DSE_URAM]);
}

double dse_roofline_height(const struct dse_roofline *roofline, const char *name, const char *level)
{
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (strcmp(roofline->roofs[i].name, name) == 0 && strcmp(roofline->roofs[i].level, level) == 0)
            return roofline->roofs[i].height;
    return 0.0;
}

/* ---- points ---- */

/* Where the time of some blocks goes, in seconds. */
struct waits {
    double lanes, port, fill;
    double memory[DSE_MEMORY_MAX];
};

static const char *largest_wait(const struct waits *waits, const struct dse_board *board)
{
    const char *name = "lanes";
    double most = waits->lanes;
    for (size_t m = 0; m < board->memory_count; m++)
        if (waits->memory[m] > most) {
            most = waits->memory[m];
            name = board->memories[m].name;
        }
    if (waits->port >= most && waits->port > 0.0) {
        most = waits->port;
        name = "port";
    }
    return waits->fill > most ? "fill" : name;
}

/* The time that a point would take at the board's roofs: its operations at their peaks, its bytes at the sustained slopes. */
static double least_seconds(const struct dse_roofline *out, const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    const struct dse_board *board = out->setup->board;
    double compute = 0.0;
    for (int p = 0; p < DSE_PRECISION_COUNT; p++) {
        char adders[48];
        snprintf(adders, sizeof adders, "%s" ADDITIONS, dse_precision_names[p]);
        const double peaks[] = {dse_roofline_height(out, dse_precision_names[p], "limits"), dse_roofline_height(out, adders, "limits")};
        const int64_t parts[] = {sums->operations[p] - sums->additions[p], sums->additions[p]};
        for (int i = 0; i < 2; i++)
            compute += parts[i] > 0 && peaks[i] > 0.0 ? (double)parts[i] / peaks[i] : 0.0;
    }
    double longest = compute;
    for (size_t m = 0; m < board->memory_count; m++) {
        int64_t bytes = 0;
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            bytes += sums->bytes[DSE_CASE_MEAN][s][m];
        longest = fmax(longest, (double)bytes / dse_memory_sustained_bytes_per_s(&board->memories[m]));
    }
    return longest * platform->parts;
}

static void add_point(struct dse_roofline *out, const struct dse_platform *platform, const char *name, const struct dse_accumulators *sums, double seconds,
                      const struct waits *waits)
{
    struct dse_roofline_point *point = &out->points[out->point_count++];
    *point = (struct dse_roofline_point){.name = name, .seconds = seconds,
                                         .on_chip_bytes = (double)sums->on_chip_bytes * platform->parts};
    for (int p = 0; p < DSE_PRECISION_COUNT; p++)
        point->operations += (double)sums->operations[p] * platform->parts;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        for (size_t m = 0; m < DSE_MEMORY_MAX; m++)
            point->bytes += (double)sums->bytes[DSE_CASE_MEAN][s][m] * platform->parts;
    point->performance = !out->fits ? NAN : seconds > 0.0 ? point->operations / seconds : 0.0;
    point->intensity = point->bytes > 0.0 ? point->operations / point->bytes : INFINITY;
    point->on_chip_intensity = point->on_chip_bytes > 0.0 ? point->operations / point->on_chip_bytes : INFINITY;
    double least = least_seconds(out, platform, sums);
    point->attainable = least > 0.0 ? point->operations / least : INFINITY;
    point->bound = largest_wait(waits, out->setup->board);
}

static void add_waits(struct waits *into, const struct dse_platform *platform, const struct dse_accumulators *lanes,
                      const struct dse_accumulators *ports)
{
    double cycle = (double)platform->fs_per_cycle * platform->femto;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        double busy = s == DSE_STAGE_APART ? 0.0 : cycle;
        into->lanes += (double)lanes->busy_cycles[DSE_CASE_MEAN][s] * busy;
        into->port += (double)ports->busy_cycles[DSE_CASE_MEAN][s] * busy;
        into->fill += (double)(lanes->fill_cycles[DSE_CASE_MEAN][s] + ports->fill_cycles[DSE_CASE_MEAN][s]) * cycle;
        for (size_t m = 0; m < DSE_MEMORY_MAX; m++)
            into->memory[m] += (double)(lanes->bytes[DSE_CASE_MEAN][s][m] + ports->bytes[DSE_CASE_MEAN][s][m]) *
                               (double)platform->fs_per_byte[m] * platform->femto;
    }
}

/* Separate points for the blocks and ports of every engine, and the roofs of the ports as this design uses them. */
static enum dse_status add_points(struct dse_roofline *out, const struct dse_estimate *estimate, const void *work,
                                  struct dse_error *err)
{
    const struct dse_model_family *family = out->setup->family;
    struct dse_rejection none = {0}; /* the estimate was built */
    struct dse_context context = {.board = out->setup->board, .costs = out->setup->costs, .work = work, .rejection = &none};
    struct dse_accumulators *parts DSE_CLEANUP(dse_free_at) = dse_calloc(2 * family->engine_count, sizeof *parts), whole[2] = {0};
    for (size_t b = 0; b < family->block_count; b++) {
        struct dse_accumulators part;
        DSE_TRY(dse_block_cost(family, b, &context, &estimate->config, &part, err));
        int port = family->blocks[b].memory_port;
        dse_accumulators_combine(&parts[2 * family->blocks[b].engine + (size_t)port], &part);
        dse_accumulators_combine(&whole[port], &part);
    }
    double moved = 0.0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        for (size_t m = 0; m < DSE_MEMORY_MAX; m++)
            moved += (double)whole[1].bytes[DSE_CASE_MEAN][s][m] * estimate->platform.parts;
    struct waits all = {0};
    add_waits(&all, &estimate->platform, &whole[0], &whole[1]);
    if (all.port > 0.0)
        add_roof(out, DSE_ROOF_MEMORY, "ports of the design", "design", moved / all.port);
    for (size_t e = 0; e < family->engine_count; e++) {
        struct waits waits = {0};
        add_waits(&waits, &estimate->platform, &parts[2 * e], &parts[2 * e + 1]);
        add_point(out, &estimate->platform, family->engines[e].name, &estimate->engines[e].sums, estimate->engines[e].latency_s, &waits);
    }
    add_point(out, &estimate->platform, "whole", &estimate->sums, estimate->metrics[DSE_METRIC_LATENCY], &all);
    return DSE_OK;
}

/* The precision of most operations decides where the ridge lies. */
static double ridge_of(const struct dse_roofline *out, const struct dse_accumulators *sums)
{
    int main_precision = 0;
    for (int p = 1; p < DSE_PRECISION_COUNT; p++)
        if (sums->operations[p] > sums->operations[main_precision])
            main_precision = p;
    return dse_roofline_height(out, dse_precision_names[main_precision], "limits") /
           dse_memory_sustained_bytes_per_s(&out->setup->board->memories[0]);
}

enum dse_status dse_roofline_make(const struct dse_setup *setup, const struct dse_estimate *estimate,
                                  struct dse_roofline *out, struct dse_error *err)
{
    *out = (struct dse_roofline){.setup = setup, .fits = estimate->fits};
    out->clock_hz = (double)estimate->config.value[setup->family->clock_knob] * 1e6;
    add_compute(out, &estimate->platform, &estimate->sums);
    add_memories(out);
    add_on_chip(out, &estimate->platform);
    void *work = NULL;
    enum dse_status status = setup->family->prepare(setup->family, setup->workload, &work, err);
    if (status != DSE_OK)
        return status;
    status = add_points(out, estimate, work, err);
    setup->family->release(work);
    out->ridge = ridge_of(out, &estimate->sums);
    return status;
}
