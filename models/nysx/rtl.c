/* Costs of the accelerator in models/nysx/rtl/, the alternative to high-level synthesis. Engines, knobs and stages are the same. Cycles are
 * those of the modules' own pipelines (docs/explanation/rtl.md), and resources are Yosys' counts of the modules.
 *
 * Sizes come from the blocks of the same names (lshu.c, kse.c, …). Registers are counted from the declarations in the sources, at the
 * widths of the design's parameters. LUTs are counted by adders, multiplexers and population counts. Constants are Yosys counts of parts
 * without parameters. docs/explanation/rtl.md states both, and the errors on designs not used for them. DSPs are counted from the
 * modules, memories as Yosys maps them (resources/open_memory.h). */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"
#include "resources/open_memory.h"

#define PORT_BITS 128.0
#define THREADS 6     /* rows interleaved in an LSHU element and in a φ lane: latency of nysx_fp32_add */
#define PORT_ROOM 64  /* words of the query requested but not yet taken */
#define PORT_TURN 19  /* cycles, besides the memory's latency, until the space of a burst can be requested again */
/* Cycles from a pass to the next besides its rows; and to the first value: for label passes, for row passes. */
#define DENSE_PASS 8
#define SPARSE_PASS 22
#define SCALE_FILL 6  /* additional latency of normalised rows: the multiplier */
#define DENSE_VALUE 6
#define SPARSE_VALUE 20
#define WL_DENSE_VALUE 12 /* WL: the mixer, no thread interleaving */
#define WL_SPARSE_VALUE 19
#define ARBITER_FILL 1   /* latency of the arbiter among elements */
#define FLOOR_FILL 28 /* from the arbiter to the code */
#define FOLD_FILL 19  /* from an LSH code to its 32-bit code in the list and the end of the hop */
#define HASH_FILL 39  /* tuples, instead of FLOOR_FILL: from the arbiter to the code's hash; one more through a queue */
#define WL_LISTED 3   /* from a colour to the end of the hop, */
#define LISTED_BEGIN 1 /* and from there to the start of the next hop, where codes are listed */
#define PROBE 18      /* latency of a level in nysx_mphe_lane */
#define VERDICT_FILL 13 /* from the last level's result to the end of the hop: codebook entry, count */
#define MERGE_FILL 3
#define KSE_FILL 14
#define FACTORED_FILL 43 /* from the last landmark's product through its sum and the division to the first signs of the NEE */
#define START_CYCLES 8    /* nysx_generator: from a group's load to the next group's first seed, and to the next load */
#define RESIDENT_FILL 9   /* also the fill of the streamed form, if the first words are there */
#define STREAM_FILL 4     /* cycles from the start to the first word on chip, besides the memory's latency, less those from C to the lanes' first step */
#define STREAM_TURN 3     /* from a burst's last beat, or the end of its words' room, to the next request at the memory */
#define ADDRESS_BITS 40.0 /* width of the memory ports */
#define PRODUCT_FILL 2    /* for entries that are multiplied */
#define REAL_FILL 15      /* in single precision: C is converted, a product and a sum have six cycles each */
#define CLASSIFY_FILL 9
#define DIRECT_FILL 16    /* from a word of the list to the signs: read, mixer, shared bits, lane bits, near registers, step, sum, sign, end */
#define QUEUE_LUTS 383.0 /* nysx_queue without its queues, plus its extra registers, as Yosys counts them */
#define QUEUE_FFS 623.0

/* Toggle rates of nets relative to the power library's rate while an engine works, counted in simulation (docs/explanation/rtl.md, "What
 * switches"). Population counts of a direct-form lane toggle more with more codes per cycle. */
#define LSHU_ACTIVITY 1.1
#define SCE_ACTIVITY 1.8
#define DIRECT_ACTIVITY 0.8
#define DIRECT_ACTIVITY_CODE 0.27

/* The block's longest paths (models/path.h), read from the sources and confirmed in the mapped netlists by `make depth`. */
#define PATHS(build, ...) dse_build_paths(build, (const struct dse_path[]){__VA_ARGS__}, sizeof((const struct dse_path[]){__VA_ARGS__}) / sizeof(struct dse_path))

/* Two products of one significand, each with a part of the other that fits a multiplier's narrower input; their sum. */
#define SIGNIFICANDS(any) {"nysx_fp32_mul: a product of two significands", .factor_bits = (any) ? 24 : 0}, \
    {"nysx_fp32_mul: the sum of two products", .levels = (any) ? 1 : 0, .carry_bits = (any) ? 31 : 0}

/* Places of a piece of the class weights, and pieces chosen from per step (nysx_rom_pieces.sv). */
#define WEIGHTS_PIECE 2048.0
#define WEIGHTS_GROUP 4.0

/* Levels of six-input LUTs in a multiplexer of that many inputs. */
static double choice_levels(double count)
{
    return count > 1.0 ? ceil(log2(count) / 2.0) : 0.0;
}

int64_t nysx_tuple_parts(const struct dse_config *config)
{
    int64_t codes = config->value[NYSX_NEE_CODES], pe = config->value[NYSX_LSHU_PE], draws = config->value[NYSX_DRAWS];
    if (config->value[NYSX_NEE_FORM] != NYSX_DIRECT || config->value[NYSX_CODES] != NYSX_CODES_TUPLE)
        return 1;
    int64_t units = pe < codes ? codes / pe : 1; /* per stream */
    return draws < units ? draws : units;
}

/* Extra latency of a sum of that many numbers (nysx_sum.sv, a register after every three levels); and the levels between registers. */
static int64_t sum_fill(int64_t count)
{
    return count > 8 ? dse_ceil_div(dse_bits_for(count), 3) - 1 : 0;
}

static double sum_levels(double count)
{
    return fmin(ceil(log2(fmax(count, 1.0))), 3.0);
}

/* Numbers held in its registers. */
static double sum_registers(double count)
{
    double all = 1.0;
    for (double left = ceil(count / 8.0); left > 1.0; left = ceil(left / 8.0))
        all += left;
    return all;
}

/* Adds Yosys' count of a resource without a library operator. */
static void add(struct dse_build *build, enum dse_resource resource, double amount)
{
    build->tally.nominal[resource] += amount;
    build->tally.low[resource] += amount;
    build->tally.high[resource] += amount;
}

static void add_logic(struct dse_build *build, double lut, double ff, double dsp)
{
    add(build, DSE_LUT, lut);
    add(build, DSE_FF, ff);
    add(build, DSE_DSP, dsp);
}

/* Adds memories as Yosys maps them (resources/open_memory.h), `times` times: a RAM, a table, and a queue, which is read without a register. */
static void add_open(struct dse_build *build, struct dse_open_memory memory, double times)
{
    struct dse_open_cells cells = dse_open_memory(&memory);
    add_logic(build, times * cells.lut, times * cells.ff, 0.0);
    add(build, DSE_LUTRAM, times * cells.lutram);
    add(build, DSE_BRAM18, times * cells.bram18);
}

#define RAM_LUTS_MOST 64.0 /* most words of a nysx_ram in LUTs */
#define RAM_DEEPEST 16384.0 /* words of a block memory of one bit */
#define RAM_AREA 180.0      /* LUTs beside a block memory: 83,640 LUT4 for 208 blocks of the ECP5-85, 2.2 LUT4 per LUT; 370 on a ZU7EV, in fewer columns */

/* Words of a piece of a nysx_ram with output register, and pieces. */
static double piece_of(double words)
{
    return words > RAM_DEEPEST ? RAM_DEEPEST : 1024.0;
}

static double pieces_of(double words)
{
    return fmax(ceil(words / piece_of(words)), 1.0);
}

/* nysx_ram, or one of its pieces: columns as wide as a block memory of its depth. */
static void add_columns(struct dse_build *build, double words, double bits, enum dse_open_style style, double times)
{
    double deep = exp2(ceil(log2(words))), widest = words <= 512.0 ? fmax(bits, 1.0) : fmax(deep <= 2048.0 ? 18432.0 / deep : floor(RAM_DEEPEST / deep), 1.0);
    double columns = fmax(ceil(bits / widest), 1.0), column = ceil(bits / columns), full = column > 0.0 ? floor(bits / column) : 0.0;
    add_open(build, (struct dse_open_memory){.words = words, .bits = column, .latency = 1, .style = style}, times * full);
    if (bits > full * column)
        add_open(build, (struct dse_open_memory){.words = words, .bits = bits - full * column, .latency = 1, .style = style}, times);
}

static void add_ram(struct dse_build *build, double words, double bits, double times)
{
    add_columns(build, words, bits, DSE_OPEN_AUTO, times);
}

static void add_table(struct dse_build *build, double words, double bits, int latency, enum dse_open_style style, double times)
{
    add_open(build, (struct dse_open_memory){.words = words, .bits = bits, .rom = true, .latency = latency, .style = style}, times);
}

static enum dse_open_style style_of(int64_t place)
{
    return place == NYSX_PLACE_LUTRAM ? DSE_OPEN_LUTS : DSE_OPEN_BLOCK;
}

/* nysx_popcount up to its sum: six bits per leaf of `leaf` LUTs, then pairs, level by level, with registers also for a sum without partner. */
static void add_popcount(struct dse_build *build, double bits, double leaf, double times)
{
    double parts = ceil(bits / 6.0), lut = parts * leaf, ff = parts * fmin(3.0, (double)dse_bits_for((int64_t)bits + 1)); /* a leaf counts to six at most */
    for (double width = 4.0; parts > 1.0; width++) {
        double pairs = floor(parts / 2.0), left = parts - 2.0 * pairs;
        lut += pairs * width;
        ff += pairs * width + left * (width - 1.0);
        parts = pairs + left;
    }
    add_logic(build, times * lut, times * ff, 0.0);
}

/* nysx_ram with a latency of two cycles: a register before LUTs, or after a block RAM; the word of a piece is chosen behind it. */
static void add_late_ram(struct dse_build *build, double words, double bits, double times)
{
    bool luts = words <= RAM_LUTS_MOST;
    double piece = piece_of(words), pieces = pieces_of(words), all = luts ? (double)dse_bits_for((int64_t)words) : pieces * bits;
    add_columns(build, words - (pieces - 1.0) * piece, bits, luts ? DSE_OPEN_LUTS : DSE_OPEN_AUTO, times);
    if (pieces > 1.0) {
        add_columns(build, piece, bits, DSE_OPEN_AUTO, times * (pieces - 1.0));
        add_logic(build, times * (bits * dse_open_select_luts(pieces) + pieces), times * 2.0 * ceil(log2(pieces)), 0.0);
    }
    add_logic(build, 0.0, times * all, 0.0);
}

/* nysx_fifo: LUT memory and a front register with bypass. */
static void add_queue(struct dse_build *build, double words, double bits, double times)
{
    double luts = 8.0 * fmin(ceil(bits / 14.0) * ceil(words / 32.0), ceil(bits / 7.0) * ceil(words / 64.0));
    add_logic(build, times * (luts + bits), times * bits, 0.0);
    add(build, DSE_LUTRAM, times * luts);
}

/* Single-precision operators as Yosys counts them alone; `unpacked`: operands shared by multipliers, which are
 * unpacked once. */
static void add_fp32(struct dse_build *build, double adders, double multipliers, double unpacked)
{
    add(build, DSE_LUTRAM, 11.0 * adders + 3.0 * multipliers);
    add_logic(build, 453.0 * adders + 423.0 * multipliers + 157.0 * unpacked, 248.0 * adders + 331.0 * multipliers + 104.0 * unpacked,
              2.0 * multipliers);
}

/* Units that convert values to codes (nysx_codes): adder, division by the width (small for a power of two), floor,
 * queue. */
static void add_code_units(struct dse_build *build, const struct dse_config *config, double count)
{
    bool exact = nysx_width_is_exact(config);
    add_logic(build, (exact ? 1419.0 : 1676.0) * count, (exact ? 778.0 : 1094.0) * count, 0.0);
    add(build, DSE_LUTRAM, (exact ? 103.0 : 81.0) * count);
}

/* Tuple codes (nysx_tuple): per part product, bin and hash with a memory of states; per stream the directions and the codes taken last. */
static void add_tuple_units(struct dse_build *build, const struct dse_config *config, double count)
{
    const struct nysx_work *work = build->context->work;
    bool direct = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    double parts = (double)nysx_tuple_parts(config), rounds = direct ? (double)work->draws / parts : 1.0, starts = (double)(direct ? work->hops / work->draws : work->hops);
    double states = ceil((double)work->nodes_capacity[config->value[NYSX_CAPACITY]] / count) * rounds, address = (double)dse_bits_for((int64_t)states);
    bool exact = nysx_width_is_exact(config);
    add_fp32(build, 0.0, count * parts, count * parts);
    add_logic(build, count * parts * (exact ? 1486.0 : 1743.0), count * parts * (exact ? 904.0 : 1220.0), count * parts * 7.0);
    add(build, DSE_LUTRAM, count * (17.0 + parts * 91.0));
    if (!direct)
        add_queue(build, 64.0, 64.0, count);
    add_late_ram(build, states, 64.0, count * parts);
    add_table(build, starts * rounds * exp2((double)dse_bits_for(work->features)), 64.0 * parts, 2, DSE_OPEN_AUTO, count);
    add_logic(build, count * (217.0 + 4.0 * address), count * (228.0 + 6.0 * address), 0.0);
}

static void add_units(struct dse_build *build, const struct dse_config *config, double count)
{
    (config->value[NYSX_CODES] == NYSX_CODES_TUPLE ? add_tuple_units : add_code_units)(build, config, count);
}

/* Cycles of a sparse pass's rows: an element has one row in flight for colours, THREADS for LSH codes. */
static double row_cycles(const struct nysx_work *work, const struct dse_config *config, int which)
{
    bool sorted = config->value[NYSX_LSHU_BALANCE] != NYSX_BALANCE_NONE, wl = config->value[NYSX_CODES] == NYSX_CODES_WL;
    return work->alone[which][sorted][nysx_schedule_index(config->value[NYSX_LSHU_PE])][wl ? 0 : 1];
}

static double value_fill(const struct dse_config *config, bool dense)
{
    if (config->value[NYSX_CODES] == NYSX_CODES_WL)
        return dense ? WL_DENSE_VALUE : WL_SPARSE_VALUE;
    bool scales = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED;
    return dense ? DENSE_VALUE : SPARSE_VALUE + (scales ? SCALE_FILL : 0);
}

/* MPHE work on a hop's codes: cycles in which lanes take new codes or probe; and rounds after the first that remain
 * after the last code's arrival. */
struct lookups {
    double cycles, rounds;
};

/* A code continues to the next level with the same probability `on` at each level. Codes arrive evenly, one group per round of PROBE cycles; codes
 * that arrived k rounds before the last have had k more rounds. The probability that no code is in flight m rounds after the last is
 * e^-A(m), with A(m) = -group Σ ln(1 - on^(m + k + 1)). A is interpolated between integer m. A busy lane processes earlier
 * codes' levels between new codes; the part left when the last code arrives is included in the rounds. */
static struct lookups lookups_of(const struct nysx_work *work, const struct dse_config *config, int64_t hop, int which, double rows)
{
    int64_t gamma = config->value[NYSX_MPHE_GAMMA];
    double lanes = (double)config->value[NYSX_MPHE_LOOKUPS], nodes = work->nodes[which], probes = work->probes[which][hop][gamma];
    double on = probes > nodes ? 1.0 - nodes / probes : 0.0, most = work->mph_levels[hop][gamma] - 1.0;
    double group = fmin(nodes, nodes * PROBE / fmax(fmax(probes / lanes, rows), 1.0)), groups = nodes / fmax(group, 1e-9);
    double left = group * on / ((1.0 - on) * (1.0 - on)), rounds = 0.0, above = 0.0, power = on;
    for (int m = 0; m <= most && on > 0.0; m++, power *= on) {
        double a = 0.0, chance = power;
        for (int k = 0; k < groups && k + m < most && chance > 1e-6; k++, chance *= on)
            a -= fmin(groups - k, 1.0) * group * log1p(-chance);
        rounds += m == 0 ? (1.0 - exp(-a)) * fmin(0.5 / group, 0.5) : above > a ? 1.0 - (exp(-a) - exp(-above)) / (above - a) : 0.0;
        above = a;
    }
    return (struct lookups){(probes - fmin(left, probes - nodes)) / lanes, rounds};
}

/* Nodes to whose multiple a column of numbers is padded (nysx_features.sv); bits of a graph's features in the query, of `nodes` nodes in `groups` of these. */
static double feature_group(const struct dse_config *config)
{
    return fmax((double)config->value[NYSX_LSHU_PE], PORT_BITS / 32.0);
}

static double feature_bits(const struct nysx_work *work, const struct dse_config *config, double nodes, double groups)
{
    return work->onehot ? nodes * (work->features < 256 ? 8.0 : 16.0) : groups * feature_group(config) * 32.0 * (double)work->features;
}

/* Bits of a count of query words, and of a burst's beats. */
static double query_bits(const struct nysx_work *work, const struct dse_config *config)
{
    double index = PORT_BITS / (double)nysx_index_bits(work, config);
    double nodes = (double)work->nodes_capacity[config->value[NYSX_CAPACITY]], nnz = (double)work->nnz_capacity[config->value[NYSX_CAPACITY]];
    double features = feature_bits(work, config, nodes, ceil(nodes / feature_group(config)));
    return fmax(5.0, (double)dse_bits_for((int64_t)(ceil((nodes + 1.0) / index) + ceil(nnz / index) + ceil(features / PORT_BITS)) + 1));
}

enum dse_status nysx_rtl_cost_query(const struct dse_context *context, const struct dse_config *config,
                                       struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    double index = (double)nysx_index_bits(work, config);
    double latency = context->board->memories[0].read_latency_s * build.clock_hz;
    if (config->value[NYSX_LSHU_BALANCE] == NYSX_BALANCE_PL)
        dse_build_reject(&build, "lshu.balance=pl: not in the RTL; must be ps or none");
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double groups = work->trips[c][nysx_schedule_index((int64_t)feature_group(config))];
        double bits = index * (work->nodes[c] + 1.0 + work->nnz_a[c]) + feature_bits(work, config, work->nodes[c], groups);
        double words = bits / PORT_BITS + (work->onehot ? 1.5 : 1.0); /* each of three arrays starts a new word; numbers fill theirs */
        double rounds = words > PORT_ROOM ? words / PORT_ROOM - 0.5 : 0.0; /* rounds that wait for room: all but the first */
        out->busy_cycles[c][NYSX_STAGE_QUERY] = dse_count(words + rounds * fmax(latency + PORT_TURN - PORT_ROOM, 0.0));
        out->fill_cycles[c][NYSX_STAGE_PREPARE] = nysx_prepare_cycles_of(&build, work, config, (enum dse_case)c);
        out->fill_cycles[c][NYSX_STAGE_QUERY] = dse_count(latency + 9.0);
        out->bytes[c][NYSX_STAGE_QUERY][0] = dse_count(bits / 8.0);
    }
    out->on_chip_bytes = out->bytes[DSE_CASE_MEAN][NYSX_STAGE_QUERY][0];
    /* The port; two words in flight; per index its row's begin, its length, and the comparison operand. */
    double words = PORT_BITS / index, nnz = (double)dse_bits_for(work->nnz_capacity[config->value[NYSX_CAPACITY]] + 1), count = query_bits(work, config);
    add_logic(&build, 453.0 + words * (6.0 + 2.0 * nnz), 162.0 + 2.0 * count + 2.0 * PORT_BITS + 2.0 * index + words * (2.0 * nnz + 10.0), 0.0);
    add_queue(&build, 64.0, PORT_BITS, 1.0); /* the port's queue */
    PATHS(&build, {"nysx_query: an index beside the one before it", .levels = 2, .carry_bits = index},
          {"nysx_core: words of the query's numbers", .levels = work->onehot ? 0 : 3, .carry_bits = work->onehot ? 0 : count},
          {"nysx_axi_read: the beats of the next burst", .levels = 3, .carry_bits = count},
          {"nysx_axi_read: the place of the next burst in its 4 KiB", .levels = 3, .carry_bits = 9});
    return dse_build_finish(&build, LSHU_ACTIVITY * (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_QUERY], out);
}

/* Cycles of a start's passes of tuple codes for a hop: those inside, before the first value is emitted; and of the others, whose values the units hash. */
static void tuple_passes(const struct nysx_work *work, const struct dse_config *config, int c, double hop, double *inside, double *emitted)
{
    bool direct = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    int64_t pe = config->value[NYSX_LSHU_PE], takers = config->value[direct ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS];
    double sparse = row_cycles(work, config, c), between = SPARSE_PASS + (config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED ? SCALE_FILL : 0);
    double dense = work->trips[c][nysx_schedule_index(pe)], columns = (double)work->features;
    int64_t rounds = direct ? work->draws / nysx_tuple_parts(config) : 1;
    double hashed = work->hashed[c][nysx_schedule_index(pe < takers ? pe : takers)][nysx_schedule_index(rounds)]; /* cycles per column */
    *inside = hop > 0.0 ? dense + DENSE_PASS + (hop - 1.0) * (sparse + between) : 0.0;
    double last = work->trips[c][nysx_schedule_index(pe < takers ? pe : takers)] * (double)rounds; /* the last column's loops are not waited for */
    double passes = hop > 0.0 ? *inside + sparse + between : dense;
    *emitted = fmax((columns - 1.0) * passes + (hop > 0.0 ? sparse : dense), (columns - 1.0) * hashed + last);
}

/* Tuples: lookup is from the first emitted value on, of all columns. */
static double tuple_cycles(const struct nysx_work *work, const struct dse_config *config, struct dse_accumulators *out)
{
    bool direct = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    double hops = (double)(work->hops / work->draws), starts = direct ? 1.0 : (double)work->draws, working = 0.0; /* starts of a hop */
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double before = 0.0, after = 0.0;
        for (double hop = 0.0; hop < hops; hop++) {
            double inside, emitted;
            tuple_passes(work, config, c, hop, &inside, &emitted);
            before += starts * inside;
            after += starts * emitted;
        }
        out->busy_cycles[c][NYSX_STAGE_PROPAGATE] = dse_count(before + (direct ? 1.0 : starts * hops));
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(after);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(starts * (value_fill(config, true) + (hops - 1.0) * value_fill(config, false)));
        working = c == DSE_CASE_MEAN ? before + after : working;
    }
    return working;
}

/* Cycles in which the direct form's list takes the codes of a hop; 0 in other forms. Each PE has a stream of codes, or several share one. */
static double listing_cycles(const struct nysx_work *work, const struct dse_config *config, int which)
{
    int64_t pe = config->value[NYSX_LSHU_PE], codes = config->value[NYSX_NEE_CODES];
    return config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? work->trips[which][nysx_schedule_index(pe < codes ? pe : codes)] : 0.0;
}

/* Sets the cycles of the passes; returns those of a mean graph. A hop's last pass emits the codes, at most as fast as the list takes them; colours have
 * only that pass. */
static double lshu_cycles(const struct nysx_work *work, const struct dse_config *config, struct dse_accumulators *out)
{
    bool wl = config->value[NYSX_CODES] == NYSX_CODES_WL, scales = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED;
    bool listed = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    double hops = (double)work->hops, working = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double trips = work->trips[c][nysx_schedule_index(config->value[NYSX_LSHU_PE])], rows = row_cycles(work, config, c);
        double listing = listing_cycles(work, config, c);
        double inside = wl ? 0.0 : (hops - 1.0) * (trips + DENSE_PASS) +
                                   (hops - 1.0) * (hops - 2.0) / 2.0 * (rows + SPARSE_PASS + (scales ? SCALE_FILL : 0));
        out->busy_cycles[c][NYSX_STAGE_PROPAGATE] = dse_count(inside + (listed ? 1.0 : hops));
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(fmax(trips, listing) + (hops - 1.0) * fmax(rows, listing));
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(value_fill(config, true) + (hops - 1.0) * value_fill(config, false));
        working = c == DSE_CASE_MEAN ? inside + trips + (hops - 1.0) * rows : working;
    }
    return working;
}

/* Words of a memory that one step writes and the next reads: if both overlap, twice as many, rounded up to a power of two. */
static double banked(const struct dse_config *config, int64_t from, double words)
{
    return config->value[NYSX_OVERLAP] >= from ? 2.0 * exp2((double)dse_bits_for((int64_t)words)) : words;
}

/* Query memories of every element, and its copy of the vector: one bank per element. */
static void add_graph(struct dse_build *build, const struct dse_config *config)
{
    const struct nysx_work *work = build->context->work;
    double pe = (double)config->value[NYSX_LSHU_PE], nodes = (double)work->nodes_capacity[config->value[NYSX_CAPACITY]];
    double nnz = (double)work->nnz_capacity[config->value[NYSX_CAPACITY]], words = PORT_BITS / (double)nysx_index_bits(work, config);
    double nnz_bits = (double)dse_bits_for((int64_t)nnz + 1), node_bits = (double)dse_bits_for((int64_t)nodes);
    add_late_ram(build, banked(config, NYSX_OVERLAP_GRAPHS, ceil((nodes + 1.0) / words)), words / pe * 2.0 * nnz_bits, pe);
    add_late_ram(build, banked(config, NYSX_OVERLAP_GRAPHS, ceil(nnz / words)), words * node_bits, pe);
    double label = work->features < 256 ? 8.0 : 16.0, labels = PORT_BITS / label / pe;
    add_late_ram(build, banked(config, NYSX_OVERLAP_GRAPHS, ceil(nodes * label / PORT_BITS)), labels * label, pe);
    add_late_ram(build, 2.0 * ceil(nodes / pe), 32.0, pe * pe);
    /* Selection of one of a word's rows, labels, neighbours; of the neighbour's bank and value */
    double chosen = 2.0 * nnz_bits * dse_open_select_luts(words / pe) + label * dse_open_select_luts(labels) +
                    node_bits * dse_open_select_luts(words) + 32.0 * dse_open_select_luts(pe);
    add_logic(build, pe * chosen, pe * (node_bits + 32.0 + 4.0), 0.0);
}

/* Mixer of 32 bits: two products by constants. */
static void add_mixers(struct dse_build *build, double count)
{
    add_logic(build, 118.0 * count, 284.0 * count, 6.0 * count);
}

/* Element for colours: accumulator of neighbours' codes, read of the own code, row prefetch. */
static void add_colours(struct dse_build *build, const struct dse_config *config, double nnz_bits)
{
    const struct nysx_work *work = build->context->work;
    double pe = (double)config->value[NYSX_LSHU_PE];
    add_mixers(build, pe);
    add_late_ram(build, 2.0 * ceil((double)work->nodes_capacity[config->value[NYSX_CAPACITY]] / pe), 32.0, pe);
    add_queue(build, 8.0, 2.0 * nnz_bits, pe);
    add_logic(build, pe * (78.0 + 8.0 * nnz_bits), pe * (71.0 + 8.0 * nnz_bits), 0.0); /* row prefetch, a row, the sum, a label, the code */
}

/* Element for LSH codes: its operators, and per thread a row's begin, remaining count and length, six times in the ring. */
static void add_threads(struct dse_build *build, const struct dse_config *config, double nnz_bits)
{
    const struct nysx_work *work = build->context->work;
    bool scales = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED;
    double pe = (double)config->value[NYSX_LSHU_PE], nodes = (double)work->nodes_capacity[config->value[NYSX_CAPACITY]];
    double nnz = (double)work->nnz_capacity[config->value[NYSX_CAPACITY]];
    add_fp32(build, pe, scales ? pe : 0.0, scales ? pe : 0.0);
    if (config->value[NYSX_CODES] != NYSX_CODES_TUPLE)
        add_table(build, (double)(work->features * work->hops), 32.0, 1, DSE_OPEN_AUTO, pe);
    else if (!work->onehot) {
        double group = feature_group(config), each = group / pe, words = (double)work->features * ceil(nodes / group);
        add_late_ram(build, banked(config, NYSX_OVERLAP_GRAPHS, words), each * 32.0, pe);
        add_logic(build, pe * (32.0 * dse_open_select_luts(each) + 2.0 * log2(words + 1.0)), pe * (32.0 + 2.0 * log2(words + 1.0)), 0.0);
    }
    if (scales) {
        add_table(build, fmin(nodes, nnz) + 1.0, 32.0, 1, DSE_OPEN_AUTO, pe);
        add_logic(build, 0.0, 32.0 * pe, 0.0); /* registers behind the table */
    }
    add(build, DSE_LUTRAM, 35.0 * pe);
    add_logic(build, pe * (290.0 + 6.0 * nnz_bits + 8.0 * pe), pe * 18.0 * nnz_bits, 0.0);
}

static void add_lshu_paths(struct dse_build *build, const struct dse_config *config, double group, double nnz_bits)
{
    const struct nysx_work *work = build->context->work;
    double pe = (double)config->value[NYSX_LSHU_PE], words = PORT_BITS / (double)nysx_index_bits(work, config);
    double nodes = (double)work->nodes_capacity[config->value[NYSX_CAPACITY]], nnz = (double)work->nnz_capacity[config->value[NYSX_CAPACITY]];
    double values = choice_levels(pieces_of(2.0 * ceil(nodes / pe))), neighbours = choice_levels(pieces_of(banked(config, NYSX_OVERLAP_GRAPHS, ceil(nnz / words))));
    double memories = RAM_AREA * build->tally.nominal[DSE_BRAM18];
    PATHS(build, {"nysx_graph: the value of a neighbour among the elements' banks", .levels = 1.0 + choice_levels(pe) + values, .area = memories},
          {"nysx_graph: a neighbour of a word", .levels = choice_levels(words) + neighbours, .area = memories},
          {"nysx_arbiter: the element of the next iteration", .levels = 2.0 + choice_levels(group), .area = group > 1.0 ? build->tally.nominal[DSE_LUT] : 0.0});
    if (config->value[NYSX_CODES] == NYSX_CODES_WL)
        PATHS(build, {"nysx_wl_pe: the next row", .levels = 3, .carry_bits = nnz_bits}, {"nysx_mul32: the sum of three parts", .levels = 3, .carry_bits = 15},
              {"nysx_wl_pe: the sum of a row", .levels = 1.0 + values, .carry_bits = 32, .area = memories}, {"nysx_wl_pe: the length of a row", .levels = 2.0 + choice_levels(words / pe)});
    else
        PATHS(build, {"nysx_fp32_add: the larger of a sum and a value", .levels = 3, .carry_bits = 31}, {"nysx_fp32_add: a sum's first one", .levels = 5},
              SIGNIFICANDS(config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED));
}

enum dse_status nysx_rtl_cost_lshu(const struct dse_context *context, const struct dse_config *config,
                                      struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    bool wl = config->value[NYSX_CODES] == NYSX_CODES_WL, tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    double pe = (double)config->value[NYSX_LSHU_PE], hops = (double)(work->hops / work->draws), columns = tuple ? (double)work->features : 1.0;
    if (!work->onehot && !tuple)
        dse_build_reject(&build, "features: the RTL takes attributes for codes=tuple only; others take labels");
    if (pe > PORT_BITS / (double)nysx_index_bits(work, config))
        dse_build_reject(&build, "lshu.pe=%.0f: at most the indices of a port's word in the RTL", pe);
    double working = (tuple ? tuple_cycles : lshu_cycles)(work, config, out), nodes = work->nodes[DSE_CASE_MEAN], nnz = work->nnz_a[DSE_CASE_MEAN];
    if (wl)
        out->operations[DSE_INT32] = dse_count((hops - 1.0) * nnz + 2.0 * hops * nodes);
    else
        out->operations[DSE_FP32] = dse_count(columns * (hops * (hops - 1.0) / 2.0 * (nnz + nodes) + hops * nodes * (double)work->draws * 3.0));
    double nnz_bits = (double)dse_bits_for(work->nnz_capacity[config->value[NYSX_CAPACITY]] + 1);
    add_graph(&build, config);
    (wl ? add_colours : add_threads)(&build, config, nnz_bits);
    double takers = (double)config->value[config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS];
    double streams = fmin(pe, takers), group = pe / streams;
    double slots = ceil((double)work->nodes_capacity[config->value[NYSX_CAPACITY]] / pe) * group; /* tuples: a value leaves with place and column */
    double value = 32.0 + (tuple ? (double)(dse_bits_for((int64_t)slots) + dse_bits_for(work->features)) : 0.0);
    double trips = group > 1.0 ? 6.0 * group + value * dse_open_select_luts(group) : 0.0;
    add_queue(&build, 32.0, value, pe); /* queues of values, and streams that take them in turn */
    add_queue(&build, 2.0, value, streams);
    add_logic(&build, 35.0 + 12.0 * pe + streams * trips, 6.0 + 12.0 * pe + streams * (2.0 + 2.0 * log2(group)), 0.0);
    add_lshu_paths(&build, config, group, nnz_bits);
    return dse_build_finish(&build, LSHU_ACTIVITY * working, out);
}

/* From the arbiter to a code's queue. */
static int64_t code_fill(const struct dse_config *config)
{
    static const int64_t fills[] = {[NYSX_CODES_SCALAR] = FLOOR_FILL, [NYSX_CODES_TUPLE] = HASH_FILL + 1, [NYSX_CODES_WL] = 0};
    return fills[config->value[NYSX_CODES]];
}

static void add_code_paths(struct dse_build *build, const struct dse_config *config)
{
    if (config->value[NYSX_CODES] == NYSX_CODES_TUPLE)
        PATHS(build, {"nysx_tuple: whether a code is being hashed", .levels = 9}, {"nysx_mul64: the sum of three parts", .levels = 2, .carry_bits = 64},
              {"nysx_tuple: a hash times its factor", .levels = 1, .dsps = 1, .factor_bits = 26}, SIGNIFICANDS(true));
    PATHS(build, {"nysx_fp32_div: two bits of a quotient", .levels = 3, .carry_bits = 27}, {"nysx_fp32_add: the larger of a sum and a value", .levels = 2, .carry_bits = 31},
          {"nysx_fp32_add: a sum's first one", .levels = 5});
}

/* Lanes (nysx_mphe_lane.sv), each with its own tables. A lane has two 64-bit products, the position in a level, the population count,
 * and shift registers for the data alongside. For LSH codes each stream from the LSHU has a unit that converts values to codes. */
static void add_mphe_lanes(struct dse_build *build, const struct dse_config *config, double table_bits)
{
    const struct nysx_work *work = build->context->work;
    int64_t gamma = config->value[NYSX_MPHE_GAMMA];
    bool narrow = config->value[NYSX_CODES] == NYSX_CODES_WL; /* codes of 32 bits */
    double lanes = (double)config->value[NYSX_MPHE_LOOKUPS], deepest = 1.0, largest = 1.0;
    if (!narrow)
        add_units(build, config, fmin(lanes, (double)config->value[NYSX_LSHU_PE])); /* one per stream of values */
    for (int64_t t = 0; t < work->hops; t++) {
        deepest = fmax(deepest, work->mph_levels[t][gamma]);
        largest = fmax(largest, (double)work->codebook[t] * dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], gamma) / 64.0);
    }
    add_logic(build, lanes * (narrow ? 1540.0 : 1620.0), lanes * 1010.0, lanes * 14.0);
    if (deepest < 2.0) { /* one probe per code: no second seed, no hashes in shift registers */
        add_logic(build, lanes * -866.0, lanes * -120.0, 0.0);
        add(build, DSE_LUTRAM, lanes * -336.0);
    }
    if (deepest > 2.0) /* hashes from the third level on */
        add_logic(build, lanes * 280.0, lanes * 90.0, 0.0);
    if (largest > 1.0) /* a level of one word needs no product */
        add_logic(build, 0.0, lanes * 64.0, lanes * 2.0);
    add(build, DSE_LUTRAM, 414.0 * lanes);
    add_table(build, ceil(table_bits / 64.0) + 1.0, 75.0, 2, DSE_OPEN_AUTO, lanes);
}

enum dse_status nysx_rtl_cost_mphe(const struct dse_context *context, const struct dse_config *config,
                                      struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return dse_build_finish(&build, 0.0, out);
    int64_t gamma = config->value[NYSX_MPHE_GAMMA];
    double bits = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double busy = 0.0, fill = 0.0;
        for (int64_t t = 0; t < work->hops; t++) {
            double rows = t < work->draws ? work->trips[c][nysx_schedule_index(config->value[NYSX_LSHU_PE])] : row_cycles(work, config, c);
            struct lookups own = lookups_of(work, config, t, c, rows);
            busy += own.cycles;
            fill += ARBITER_FILL + code_fill(config) + VERDICT_FILL + PROBE * (1.0 + own.rounds);
        }
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(busy);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(fill);
    }
    for (int64_t t = 0; t < work->hops; t++)
        bits += work->mph_bits[t][gamma];
    out->operations[DSE_INT64] = out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP];
    add_mphe_lanes(&build, config, bits);
    PATHS(&build, {"nysx_mul64: a product of a folded code", .levels = 1, .dsps = 1, .factor_bits = 26}, {"nysx_mul64: the sum of three parts", .levels = 2, .carry_bits = 64},
          {"nysx_mphe_lane: the bit of a level's word", .levels = 4});
    if (config->value[NYSX_CODES] != NYSX_CODES_WL)
        add_code_paths(&build, config);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], out);
}

enum dse_status nysx_rtl_cost_codebook(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return dse_build_finish(&build, 0.0, out);
    int64_t keys = 0, largest = 1, place = config->value[NYSX_PLACE_CODEBOOK];
    for (int64_t t = 0; t < work->hops; t++) {
        keys += work->codebook[t];
        largest = work->codebook[t] > largest ? work->codebook[t] : largest;
    }
    if (place == NYSX_PLACE_URAM)
        dse_build_reject(&build, "place.codebook=uram: the RTL cannot load memories; must be bram or lutram");
    double bits = (config->value[NYSX_CODES] == NYSX_CODES_TUPLE ? 64.0 : 32.0) + (double)dse_bits_for(largest), lanes = (double)config->value[NYSX_MPHE_LOOKUPS];
    add_table(&build, (double)keys, bits, 2, style_of(place), lanes);
    out->on_chip_bytes = dse_count(work->hits[DSE_CASE_MEAN] * bits / 8.0);
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN], out);
}

static double count_bits(const struct nysx_work *work, const struct dse_config *config)
{
    return (double)dse_bits_for(work->nodes_capacity[config->value[NYSX_CAPACITY]] + 1);
}

/* Bits of an element of C, an upper bound on any sum over the hops. */
static double kernel_bits(const struct nysx_work *work, const struct dse_config *config)
{
    double most = 0.0, nodes = (double)work->nodes_capacity[config->value[NYSX_CAPACITY]];
    for (int64_t t = 0; t < work->hops; t++)
        most += (double)work->max_count[t] * nodes;
    return (double)dse_bits_for((int64_t)fmin(most, 2147483647.0) + 1);
}

/* Words of the largest histogram, two bins each. */
static double histogram_words(const struct nysx_work *work)
{
    int64_t largest = 1;
    for (int64_t t = 0; t < work->hops; t++)
        largest = work->codebook[t] > largest ? work->codebook[t] : largest;
    return (double)dse_ceil_div(largest, 2);
}

enum dse_status nysx_rtl_cost_hue(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return dse_build_finish(&build, 0.0, out);
    double pe = (double)config->value[NYSX_HUE_PE], bits = count_bits(work, config);
    int64_t merge = 0;
    for (int64_t t = 0; t < work->hops; t++)
        merge += dse_ceil_div(work->codebook[t], 2);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(work->hits[c] / fmin(pe, (double)config->value[NYSX_MPHE_LOOKUPS]));
        out->busy_cycles[c][NYSX_STAGE_HISTOGRAM] = merge;
        out->fill_cycles[c][NYSX_STAGE_HISTOGRAM] = work->hops * (MERGE_FILL + sum_fill(config->value[NYSX_HUE_PE]));
        if (config->value[NYSX_MPHE_LOOKUPS] > config->value[NYSX_HUE_PE]) /* lanes are arbitrated to the counters */
            out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops * ARBITER_FILL;
    }
    out->operations[DSE_INT16] = dse_count(work->hits[DSE_CASE_MEAN] + 2.0 * (double)merge * (pe - 1.0));
    /* The previous bin, per bin stream; an element's count and the equality flag; the merge's address and sums. */
    double bin = (double)dse_bits_for((int64_t)(2.0 * histogram_words(work))), lanes = fmin((double)config->value[NYSX_MPHE_LOOKUPS], pe);
    double word = (double)dse_bits_for((int64_t)histogram_words(work)), sizes = fmin(word + 1.0, exp2((double)work->hops) - 2.0);
    add_logic(&build, 10.0 + 2.0 * bin * lanes + pe * (8.0 + 3.0 * bits) + 2.0 * bits * (pe - 1.0),
              4.0 + 3.0 * word + sizes + 3.0 * bin * lanes + pe * (5.0 + 4.0 * bits) + 2.0 * bits * sum_registers(pe) + lanes * log2(pe / lanes), 0.0);
    PATHS(&build, {"nysx_hue: a count that goes round", .levels = 2, .carry_bits = bits}, {"nysx_hue: a word of the histogram", .levels = 1, .rams = histogram_words(work) > 64.0},
          {"nysx_sum: a bin of all elements", .levels = 1.0 + sum_levels(pe), .carry_bits = bits * sum_levels(pe)});
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN] + (double)merge, out);
}

enum dse_status nysx_rtl_cost_histograms(const struct dse_context *context, const struct dse_config *config,
                                            struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return dse_build_finish(&build, 0.0, out);
    double words = histogram_words(work), bits = count_bits(work, config);
    double pe = (double)config->value[NYSX_HUE_PE], lanes = fmin((double)config->value[NYSX_MPHE_LOOKUPS], pe);
    add_ram(&build, words, bits, 2.0 * pe); /* even and odd bins */
    /* Selects the cell of a deep memory: one register for all memories of a lane's bins. */
    struct dse_open_cells one = dse_open_memory(&(struct dse_open_memory){.words = words, .bits = bits, .latency = 1});
    add(&build, DSE_FF, -(2.0 * pe - lanes) * (one.ff - (one.block ? 0.0 : bits)));
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN], out);
}

/* Distinct columns of the table of rows by round. For rows in natural order (round · pe + element), elements differ only in constant bits. The
 * other bits are equal for all elements. They are address bits if a hop's rounds are a power of two. */
static double row_columns(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t pe = config->value[NYSX_KSE_PE], row = dse_bits_for(work->landmarks + 1), trips = dse_ceil_div(work->landmarks, pe);
    bool whole = work->landmarks % pe == 0; /* otherwise the last round's remaining elements have none */
    if (config->value[NYSX_KSE_BALANCE] != NYSX_BALANCE_NONE || pe > work->landmarks)
        return (double)(pe * row);
    return whole && (trips & (trips - 1)) == 0 ? 0.0 : (double)((row - dse_bits_for(pe)) * (whole ? 1 : 2));
}

enum dse_status nysx_rtl_cost_kse(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return dse_build_finish(&build, 0.0, out);
    int64_t place = config->value[NYSX_PLACE_H], nnz = 0, bins = 1, count = 1;
    double pe = (double)config->value[NYSX_KSE_PE], cycles = 0.0;
    for (int64_t t = 0; t < work->hops; t++) {
        cycles += work->h_schedule[t][config->value[NYSX_KSE_BALANCE]][nysx_schedule_index(config->value[NYSX_KSE_PE])];
        nnz += work->nnz_h[t];
        bins = work->codebook[t] > bins ? work->codebook[t] : bins;
        count = work->max_count[t] > count ? work->max_count[t] : count;
    }
    if (place == NYSX_PLACE_URAM || place == NYSX_PLACE_DDR)
        dse_build_reject(&build, "place.h: the RTL cannot load memories; must be bram or lutram");
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_SIMILARITY] = dse_count(cycles);
        out->fill_cycles[c][NYSX_STAGE_SIMILARITY] = work->hops * KSE_FILL;
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = sum_fill(config->value[NYSX_KSE_PE]); /* C is read */
    }
    out->operations[DSE_INT16] = 2 * nnz;
    double entry = (double)(dse_bits_for(bins) + dse_bits_for(count + 1));
    out->on_chip_bytes = dse_count((double)nnz * (entry / 8.0 + 2.0) + 8.0 * (double)(work->landmarks * work->hops));
    double trips = (double)(work->hops * dse_ceil_div(work->landmarks, config->value[NYSX_KSE_PE])), kernel = kernel_bits(work, config);
    add_table(&build, cycles, pe * entry + 1.0, 2, style_of(place), 1.0);
    double columns = row_columns(work, config);
    if (columns > 0.0)
        add_table(&build, trips, columns, 1, DSE_OPEN_AUTO, 1.0);
    add_ram(&build, (double)work->landmarks, kernel, pe);
    add_ram(&build, histogram_words(work), 2.0 * count_bits(work, config), pe); /* its copies of the histogram */
    /* Products of nine or more bits use a DSP. */
    double factor = (double)dse_bits_for(count + 1), counted = count_bits(work, config);
    bool in_dsp = factor + counted >= 9.0;
    double product = fmin(factor + counted, kernel), at = (double)dse_bits_for((int64_t)cycles + 1);
    double turn = (double)dse_bits_for((int64_t)trips + 1);
    double mark = (double)dse_bits_for(work->landmarks), row = (double)dse_bits_for(work->landmarks + 1);
    double hops = fmin(turn + at, exp2((double)work->hops + 1.0) - 2.0) / 2.0; /* begin and end of a hop: half of the columns differ */
    /* Per element: count, row sum, sum on its way to C in shift registers, C's memory; C's adder tree. */
    add(&build, DSE_LUTRAM, pe * (kernel + factor));
    add_logic(&build, 20.0 + 1.5 * at + turn + 3.0 * mark + kernel * (pe - 1.0) +
                          pe * (5.0 * kernel + counted + factor + 2.0 * mark + (in_dsp ? 0.0 : factor * counted)),
              21.0 + at + turn + 2.0 * hops + 4.0 * mark + kernel * sum_registers(pe) + pe * (2.0 * kernel + counted + 1.0 + product + 3.0 * row), in_dsp ? pe : 0.0);
    PATHS(&build, {"nysx_kse: the count of a bin", .levels = 1, .rams = histogram_words(work) > 64.0}, {"nysx_kse: a count times its factor", .levels = in_dsp ? 0.0 : 4.0, .factor_bits = in_dsp ? fmax(factor, counted) : 0.0},
          {"nysx_kse: a sum of products", .levels = 2, .carry_bits = kernel},
          {"nysx_sum: an element of C, of all elements", .levels = 1.0 + sum_levels(pe), .carry_bits = kernel * sum_levels(pe)});
    return dse_build_finish(&build, cycles, out);
}

static const int64_t phi_bits[] = {8, 16, 32, 32};

/* Bits of a sum of `terms` products of an `a`-bit and a `b`-bit number, as in models/nysx/executor/rtl_tables.c. */
static double sum_bits(int64_t terms, int64_t a, int64_t b)
{
    return (double)(1 + dse_bits_for(terms + 1) + a + b);
}

/* φ's lanes and the generators; returns the cycles until φ is ready, and sets the cycles between groups of rows. */
static int64_t add_factored(struct dse_build *build, const struct dse_config *config, int64_t *columns, int64_t *group,
                            double *sum)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], phi = nysx_phi_lanes(lanes), bits = phi_bits[config->value[NYSX_NEE_PHI_BITS]];
    bool signs = config->value[NYSX_NEE_GENERATOR] == NYSX_SIGN;
    int64_t cycles = dse_ceil_div(work->rank, phi * THREADS) * THREADS * work->landmarks;
    if (config->value[NYSX_NEE_PHI_BITS] == 3)
        dse_build_reject(build, "nee.phi_bits=fp32: not in the RTL; must be 8, 16 or 32");
    if (lanes % 8 != 0)
        dse_build_reject(build, "nee.lanes=%lld: the generators of the RTL have eight lanes each", (long long)lanes);
    add_fp32(build, (double)phi, (double)phi, 1.0);
    /* Division by a constant, C in single precision, rounding; counters and delay registers. */
    add_logic(build, 1229.0 + 199.0 + 40.0 + 4.0 * (double)bits + 120.0, 533.0 + 106.0 + 2.0 * (double)bits + 130.0, 0.0);
    add(build, DSE_LUTRAM, 93.0);
    add_table(build, (double)cycles, 32.0 * (double)phi, 2, DSE_OPEN_AUTO, 1.0);
    add_ram(build, (double)work->landmarks, 32.0, 1.0);
    add_queue(build, 8.0, 32.0 * (double)phi, 1.0);
    /* Seed unit: two 64-bit products; per generator: 64 bits of state and of the next seed; per lane: selection of its byte's bit. */
    add_logic(build, 660.0 + 115.0 * (double)lanes / 8.0 + (signs ? 3.0 : 0.0) * (double)lanes,
              930.0 + (16.0 + (signs ? 1.0 : 8.0)) * (double)lanes, 14.0);
    *columns = work->rank;
    *group = lanes / 8 + START_CYCLES > work->rank ? lanes / 8 + START_CYCLES : work->rank; /* one seed per cycle: with few columns the next group's seeds are late */
    *sum = sum_bits(work->rank, bits - 1, signs ? 1 : 8);
    if (!signs)
        add(build, DSE_DSP, (double)lanes * (bits > 26 ? 2.0 : 1.0));
    return cycles + FACTORED_FILL + work->rank - (dse_ceil_div(work->rank, phi * THREADS) - 1) * phi * THREADS;
}

/* P on chip, or nysx_streamed.sv without its port: a step's place in its word, or the step's words that wait for the last. */
static int64_t add_stored(struct dse_build *build, const struct dse_config *config, int64_t *columns, double *sum)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], bits = nysx_p_bits[config->value[NYSX_NEE_PRECISION]];
    double words = (double)(dse_ceil_div(config->value[NYSX_DIM], lanes) * work->landmarks), step = (double)(lanes * bits);
    double word = (double)config->value[NYSX_NEE_PORT_BITS];
    if (nysx_rtl_steps_rejected(config) != NULL)
        dse_build_reject(build, "%s", nysx_rtl_steps_rejected(config));
    if (config->value[NYSX_NEE_FORM] == NYSX_STREAMED) {
        double parts = fmax(step / word, word / step);
        add_logic(build, (step < word ? step * dse_open_select_luts(parts) : 0.0) + 2.0 * ceil(log2(parts)), fmax(step - word, 0.0) + ceil(log2(parts)), 0.0);
        PATHS(build, {"nysx_streamed: a step of a word", .levels = step < word ? choice_levels(parts) : 0.0, .rams = 1});
    } else if (config->value[NYSX_PLACE_P] != NYSX_PLACE_BRAM) {
        dse_build_reject(build, "place.p=uram: the RTL cannot load memories; must be bram");
    } else {
        add_table(build, words, step, 2, DSE_OPEN_AUTO, 1.0);
        add_queue(build, 8.0, step, 1.0);
    }
    *columns = work->landmarks;
    *sum = sum_bits(work->landmarks, (int64_t)kernel_bits(work, config), bits);
    if (bits > 1 && nysx_rtl_slots(config) == 1)
        add(build, DSE_DSP, (double)lanes);
    return RESIDENT_FILL;
}

/* Lanes in single precision (nysx_nee_lane.sv), with 32 bits of C and the slots near every eight; C's conversion, and its place and slots on their way. */
static void add_real_lanes(struct dse_build *build, const struct dse_config *config)
{
    static const struct {
        double lut, lutram, ff, dsp;
    } lane[] = {[NYSX_FP32] = {1022.0, 30.0, 650.0, 2.0}, [NYSX_FP16] = {870.0, 29.0, 563.0, 1.0}, [NYSX_BF16] = {858.0, 30.0, 562.0, 1.0}};
    const struct nysx_work *work = build->context->work;
    int64_t precision = config->value[NYSX_NEE_PRECISION];
    double lanes = (double)config->value[NYSX_NEE_LANES], fans = ceil(lanes / 8.0), column = (double)dse_bits_for(work->landmarks);
    add_logic(build, lane[precision].lut * lanes + 192.0 + column + 4.0 * fans + 40.0,
              (lane[precision].ff + 2.0 * (double)nysx_p_bits[precision]) * lanes + 138.0 + 37.0 * fans,
              lane[precision].dsp * lanes);
    add(build, DSE_LUTRAM, lane[precision].lutram * lanes + column + 4.0 * fans);
    add_ram(build, (double)work->landmarks, 32.0, 1.0);
    PATHS(build, {"nysx_fp32_add: the larger of a sum and a product", .levels = 3, .carry_bits = 31}, {"nysx_fp32_add: a sum's first one", .levels = 5},
          {"nysx_nee: an element of x", .levels = 0, .rams = work->landmarks > 64},
          {"nysx_fp32_product: a product of two significands", .factor_bits = 24},
          {"nysx_fp32_product: the sum of two products", .levels = precision == NYSX_FP32 ? 1.0 : 0.0, .carry_bits = precision == NYSX_FP32 ? 31.0 : 0.0});
}

/* Cycles of the lanes for steps that wait for nothing: all groups, and the last one. */
static int64_t turn_cycles(const struct dse_config *config, int64_t columns, int64_t *last)
{
    struct nysx_trips trips = nysx_p_trips(config, nysx_rtl_slots(config));
    *last = (columns - 1) * nysx_rtl_slots(config) + trips.of_last;
    return (trips.groups - 1) * columns * nysx_rtl_slots(config) + *last;
}

/* Bits of a lane's sum in the direct form: bounded by all nodes of all hops, less the mean graph's threshold. */
static double sum_bits_of(const struct nysx_work *work, const struct dse_config *config)
{
    double most = (double)(work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops), mean = work->nodes[DSE_CASE_MEAN] * (double)work->hops;
    return (double)dse_bits_for((int64_t)(most + (config->value[NYSX_NEE_CENTER] != 0 ? mean : 0.0)) + 1) + 1.0;
}

/* Direct form: list memories, mixers for the codes of a cycle, the bits shared by lanes, and the lanes. */
static void add_direct(struct dse_build *build, const struct dse_config *config, int64_t trips, int64_t slots, int64_t streams,
                       int64_t count_levels)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES];
    bool centered = config->value[NYSX_NEE_CENTER] != 0;
    double mean = work->nodes[DSE_CASE_MEAN] * (double)work->hops, sum = sum_bits_of(work, config), ones = (double)dse_bits_for(codes + 1);
    double start = fmin(fmin(sum, (double)nysx_start_bits(work, config)), (double)dse_bits_for((int64_t)mean));
    add_late_ram(build, banked(config, NYSX_OVERLAP_ENGINES, (double)slots), 32.0, (double)codes);
    if (centered) /* the upper bits of a narrow threshold are its sign */
        add_table(build, (double)trips, (double)lanes * start, 2, DSE_OPEN_AUTO, 1.0);
    add_mixers(build, (double)codes);
    /* Shared, per code: 32 bits that the round decides, and the code delayed by its mixer's latency. Per lane: the bits of each code
     * that the lane's position decides, the count, the step, the sum. */
    double shared = fmin(32.0, (double)lanes), place_bits = lanes > 32 ? log2((double)lanes / 32.0) : 0.0, turn_bits = (double)dse_bits_for(trips);
    double part_bits = lanes < 32 ? log2(32.0 / (double)lanes) : 0.0; /* bits of the round number that select a part instead of being added */
    double turn = 32.0 * ceil(2.0 * fmax(turn_bits - part_bits, 0.0) / 5.0) + shared * dse_open_select_luts(32.0 / shared);
    double lower_bits = ceil(place_bits / 2.0), upper_bits = place_bits - lower_bits, lower = exp2(lower_bits), upper = exp2(upper_bits) - 1.0;
    double own = 32.0 * (lower - 1.0 + upper - upper_bits + lower * upper);
    double counts = (double)streams * ((double)dse_bits_for(slots * codes / streams + 1) + 1.0) + (double)dse_bits_for(slots);
    add_logic(build, 60.0 + (double)codes * (turn + 65.0 + 16.0 + own),
              12.0 + (double)count_levels + counts + (trips > 1 ? turn_bits * (centered ? 2.0 : 1.0) : 0.0) +
                  (double)codes * (2.0 + shared * (1.0 + lower + lower * exp2(upper_bits)) + 64.0 * upper + (lanes > 32 ? 32.0 : 0.0)) + ceil((double)lanes / 16.0) * (2.0 + ones), 0.0);
    add(build, DSE_LUTRAM, 33.0 * (double)codes);
    add_popcount(build, (double)codes, codes < 4 ? (double)codes - 1.0 : 3.0, (double)lanes + 1.0);
    double step = codes > 1 ? ones + 2.0 : 2.0; /* steps of one code: -1, 0 or 1 */
    add_logic(build, (double)lanes * (ones + 1.5 + sum), (double)lanes * (step + sum + 1.0), 0.0);
}

/* LSH codes: their floors and folds to 32 bits, while the list is written. */
static enum dse_status cost_listing(const struct dse_build *lanes, const struct dse_config *config, int64_t streams, int64_t parts, double working,
                                    struct dse_accumulators *out)
{
    struct dse_build units = *lanes;
    struct dse_accumulators part = {0};
    units.tally = (struct dse_tally){0};
    double folds = (double)(streams * parts);
    add_units(&units, config, (double)streams);
    add_mixers(&units, 2.0 * folds);
    add(&units, DSE_LUTRAM, 32.0 * folds);
    add_logic(&units, 132.0 * folds, 76.0 * folds, 0.0);
    add_code_paths(&units, config);
    DSE_TRY(dse_build_finish(&units, working, &part));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->resources[r] += part.resources[r];
    out->energy_fj += part.energy_fj;
    out->idle_nw += part.idle_nw;
    return DSE_OK;
}

/* Bits of a class's weight sum (nysx_weights.sv); 0 without a table. */
static double weight_sum_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t codes = work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops;
    return nysx_table_places(config) > 0 ? (double)dse_bits_for(codes + 1) + 16.0 : 0.0;
}

/* nysx_weights: one table per two codes of a cycle, in pieces (nysx_rom_pieces.sv); per class the sum of their weights, with three terms compressed
 * to two, and the graph's sum. LUTs per code besides the sums: those that mask the weights of absent codes, for more than four inputs. */
static void add_weights(struct dse_build *build, const struct dse_config *config)
{
    const struct nysx_work *work = build->context->work;
    double places = (double)nysx_table_places(config), codes = (double)config->value[NYSX_NEE_CODES], classes = (double)nysx_table_parts(work);
    double sum = weight_sum_bits(work, config), word = 16.0 * classes, group = fmin(codes, 8.0), groups = ceil(codes / 8.0);
    double pieces = fmax(places / WEIGHTS_PIECE, 1.0), tables = ceil(codes / 2.0);
    struct dse_open_memory memory = {.words = fmin(places, WEIGHTS_PIECE), .bits = word * pieces, .rom = true, .latency = 2, .paired = codes > 1.0};
    add_open(build, memory, tables);
    for (double left = pieces, step = 0.0, next; left > 1.0; left = next, step++) {
        next = ceil(left / WEIGHTS_GROUP);
        add_logic(build, codes * word * next * dse_open_select_luts(left / next), codes * (word * next + (3.0 + step) * log2(left / next)), 0.0);
    }
    add_logic(build, classes * (sum * (groups > 1.0 ? groups + 2.0 : 2.0) + groups * 36.0 * fmax(group - 2.0, 0.0) + codes * (codes > 4.0 ? 15.0 : 5.0)),
              classes * sum * (1.0 + sum_registers(codes)) + 2.0 * codes + 4.0, 0.0);
    PATHS(build, {"nysx_rom_pieces: a place to all pieces", .fanout = pieces > 1.0 ? pieces * ceil(word / 9.0) : 0.0},
          {"nysx_rom_pieces: the choice of a piece", .levels = choice_levels(fmin(pieces, WEIGHTS_GROUP)), .area = RAM_AREA * tables * dse_open_memory(&memory).bram18},
          {"nysx_weights: a word's weights", .levels = 1.0 + sum_levels(codes), .carry_bits = sum});
}

/* Direct form (nysx_direct.sv): a list of codes, read in full by the lanes in every round. */
static enum dse_status cost_direct(struct dse_build *build, const struct dse_config *config, struct dse_accumulators *out)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES];
    /* Each stream fills its own slots of a word over all hops: only its last word is partial. */
    int64_t pe = config->value[NYSX_LSHU_PE], units = pe < codes ? pe : codes, parts = nysx_tuple_parts(config), streams = units * parts; /* streams of the list */
    int64_t a_stream = codes / streams, trips = dse_ceil_div(config->value[NYSX_DIM], lanes), starts = work->hops / work->draws;
    bool wl = config->value[NYSX_CODES] == NYSX_CODES_WL, tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    int64_t nodes = work->nodes_capacity[config->value[NYSX_CAPACITY]];
    int64_t slots = dse_ceil_div(dse_ceil_div(nodes, units) * (work->hops / parts), a_stream);
    int64_t leaves = dse_ceil_div(codes, 6), count_levels = 1 + (leaves > 1 ? dse_bits_for(leaves) : 0);
    double words_a_graph = 0.0;
    if ((lanes & (lanes - 1)) != 0)
        dse_build_reject(build, "nee.lanes=%lld: must be a power of two in the direct form", (long long)lanes);
    if (config->value[NYSX_NEE_MERGE] != 0)
        dse_build_reject(build, "nee.merge: the RTL processes every node's code separately (none)");
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double words = work->listed[c][nysx_schedule_index(units)][nysx_schedule_index(codes / units)];
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count((double)(work->hops / parts) * work->trips[c][nysx_schedule_index(units)]);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = starts * (ARBITER_FILL + (wl ? WL_LISTED : tuple ? HASH_FILL + FOLD_FILL : FLOOR_FILL + FOLD_FILL)) + (starts - 1) * LISTED_BEGIN;
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = dse_count((double)trips * words);
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = DIRECT_FILL + count_levels;
        words_a_graph = c == DSE_CASE_MEAN ? words : words_a_graph;
    }
    add_direct(build, config, trips, slots, streams, count_levels);
    if (nysx_table_places(config) > 0)
        add_weights(build, config);
    out->operations[DSE_BINARY] = dse_count(2.0 * (double)config->value[NYSX_DIM] * work->nodes[DSE_CASE_MEAN] * (double)work->hops);
    out->operations[DSE_INT32] = dse_count(2.0 * (double)trips * work->nodes[DSE_CASE_MEAN] * (double)work->hops);
    out->on_chip_bytes = dse_count(4.0 * (double)(trips * codes) * words_a_graph) + config->value[NYSX_DIM] / 8;
    double luts = build->tally.nominal[DSE_LUT];
    PATHS(build, {"nysx_mul32: the sum of three parts", .levels = 3, .carry_bits = 15},
          {"nysx_direct: a code's bits of the iteration", .levels = trips > 4 ? 3 : 2},
          {"nysx_direct: a word of the list", .levels = choice_levels(pieces_of(banked(config, NYSX_OVERLAP_ENGINES, (double)slots))), .area = RAM_AREA * build->tally.nominal[DSE_BRAM18]},
          {"nysx_direct: bits of a code on their way to the lanes", .area = luts},
          {"nysx_direct_lane: ones of six codes", .levels = codes > 1 ? 2 : 1, .area = luts / exp2(floor(log2(fmax((double)lanes / 32.0, 1.0)) / 2.0))},
          {"nysx_direct_lane: an element's sum", .levels = 1, .carry_bits = sum_bits_of(work, config)});
    double working = (DIRECT_ACTIVITY + DIRECT_ACTIVITY_CODE * (double)codes) * (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_ENCODE];
    DSE_TRY(dse_build_finish(build, working, out));
    return wl ? DSE_OK : cost_listing(build, config, units, parts, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], out);
}

enum dse_status nysx_rtl_cost_nee(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return cost_direct(&build, config, out);
    int64_t lanes = config->value[NYSX_NEE_LANES], columns = 1, group = 0, groups = dse_ceil_div(config->value[NYSX_DIM], lanes);
    bool factored = config->value[NYSX_NEE_FORM] == NYSX_FACTORED;
    double sum = 1.0;
    int64_t first = factored ? add_factored(&build, config, &columns, &group, &sum) : add_stored(&build, config, &columns, &sum);
    bool signs = factored ? config->value[NYSX_NEE_GENERATOR] == NYSX_SIGN : config->value[NYSX_NEE_PRECISION] == 6;
    bool real = !factored && nysx_rtl_slots(config) > 1;
    int64_t around = work->landmarks + (config->value[NYSX_NEE_CENTER] != 0) + (real ? REAL_FILL : signs ? 0 : PRODUCT_FILL); /* C less its mean */
    /* The first two groups' seeds were computed while other engines worked. */
    int64_t last, late = groups > 2 && group > columns ? (groups - 2) * (group - columns) : 0;
    int64_t product = factored ? groups * columns + late : turn_cycles(config, columns, &last);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = product;
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = around + first;
    }
    out->operations[real ? DSE_FP32 : DSE_BINARY] = 2 * config->value[NYSX_DIM] * columns;
    out->operations[DSE_FP32] += factored ? 2 * work->rank * work->landmarks : 0;
    out->on_chip_bytes = config->value[NYSX_DIM] / 8 + groups * columns * 2;
    if (real) {
        add_real_lanes(&build, config);
        return dse_build_finish(&build, (double)(first + product), out);
    }
    /* Per lane: entry, sum and sign; a sign adds or subtracts; a product passes two registers, which Yosys keeps in fabric. */
    double value = factored ? (double)phi_bits[config->value[NYSX_NEE_PHI_BITS]] : kernel_bits(work, config) + 1.0;
    double entry = signs ? 1.0 : factored ? 8.0 : (double)nysx_p_bits[config->value[NYSX_NEE_PRECISION]];
    double lane = sum + 2.0 * entry + 1.0 + (signs ? 0.0 : 2.0 * (value + entry));
    add_logic(&build, 60.0 + (signs ? 2.1 * sum : sum + 1.0) * (double)lanes, 20.0 + lane * (double)lanes + ceil((double)lanes / 32.0) * (value + 2.0), 0.0);
    add_ram(&build, (double)columns, value, 1.0);
    PATHS(&build, {"nysx_nee: a sum", .levels = 2, .carry_bits = sum}, {"nysx_nee: an element of x", .levels = 0, .rams = columns > 64});
    if (!signs)
        PATHS(&build, {"nysx_nee: a product", .factor_bits = value});
    if (factored)
        PATHS(&build, {"nysx_fp32_add: the larger of a sum and a product", .levels = 3, .carry_bits = 31}, {"nysx_fp32_add: a sum's first one", .levels = 5},
              SIGNIFICANDS(true), {"nysx_fp32_div: two bits of a quotient", .levels = 3, .carry_bits = 27}, {"nysx_mul64: a product of a folded number", .levels = 1, .dsps = 1, .factor_bits = 26},
              {"nysx_generator: a step of all generators", .levels = 4, .fanout = (double)lanes * 8.0, .area = 15.0 * (double)lanes});
    return dse_build_finish(&build, (double)(first + product), out);
}

/* Words of P's port per cycle: the smallest of the memory's rate and, per round trip, the words of nee.outstanding bursts and of the queue. The queue's
 * room comes back as the lanes take words, at most `taken` per cycle. */
static double stream_rate(const struct dse_build *build, const struct dse_config *config, const struct dse_memory *memory, const struct dse_port *port,
                          double taken)
{
    double word = (double)config->value[NYSX_NEE_PORT_BITS] / 8.0, depth = (double)config->value[NYSX_NEE_FIFO_DEPTH];
    double latency = memory->read_latency_s * build->clock_hz;
    double slow = build->context->band == DSE_BAND_HIGH ? memory->efficiency_low / memory->efficiency : 1.0;
    double channel = slow * dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / build->clock_hz;
    double rate = fmin(1.0, fmin(channel, (double)port->width_bits / 8.0) / word), beats = 1.0 + (NYSX_RTL_BURST - 1.0) / rate;
    double bursts = NYSX_RTL_BURST * (double)config->value[NYSX_NEE_OUTSTANDING] / (latency + STREAM_TURN + beats);
    double queue = depth / (latency + STREAM_TURN + (depth > NYSX_LUT_QUEUE ? 1.0 : 0.0) + fmax(NYSX_RTL_BURST / taken, beats));
    return fmin(rate, fmin(bursts, queue));
}

/* The reader of P_nys (nysx_axi_read.sv, nysx_fifo_block.sv). The stage ends after the last word. */
enum dse_status nysx_rtl_cost_port(const struct dse_context *context, const struct dse_config *config,
                                      struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    const struct dse_board *board = context->board;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    size_t memory = (size_t)config->value[NYSX_NEE_MEMORY] - 1;
    if (config->value[NYSX_NEE_FORM] != NYSX_STREAMED)
        return dse_build_finish(&build, 0.0, out);
    const struct dse_port *port = memory < board->memory_count ? nysx_port_to(board, board->memories[memory].name) : NULL;
    if (port == NULL) {
        dse_build_reject(&build, "nee.memory=%zu: the board %s has no port to it", memory + 1, board->name);
        return DSE_OK;
    }
    if (nysx_rtl_port_rejected(config) != NULL)
        dse_build_reject(&build, "%s", nysx_rtl_port_rejected(config));
    double latency = board->memories[memory].read_latency_s * build.clock_hz, lanes = (double)config->value[NYSX_NEE_LANES];
    double bits = (double)config->value[NYSX_NEE_PORT_BITS], depth = (double)config->value[NYSX_NEE_FIFO_DEPTH], landmarks = (double)work->landmarks;
    double step = lanes * (double)nysx_p_bits[config->value[NYSX_NEE_PRECISION]], slots = (double)nysx_rtl_slots(config);
    struct nysx_trips trips = nysx_p_trips(config, nysx_rtl_slots(config));
    double words = ceil((double)trips.all * landmarks * step / bits);
    double rate = stream_rate(&build, config, &board->memories[memory], port, fmin(step / bits * (double)trips.of_group / slots, 1.0));
    double first = latency + STREAM_FILL - landmarks; /* cycles from C's last element to the first word; may be negative */
    double held = fmax(words - depth, 0.0) / rate;    /* words beyond a queue that filled while C entered */
    /* Cycles of the last group's lanes beyond those of its words, which came too slowly for the lanes in the groups before. */
    int64_t of_last, of_lanes = turn_cycles(config, work->landmarks, &of_last);
    double last = (double)trips.of_last * landmarks * step / bits / rate, before = words / rate - last;
    double extra = before > (double)(of_lanes - of_last) ? fmax((double)of_last - last, 0.0) : 0.0;
    int64_t cycles = dse_count(fmax(words, fmax(words / rate + fmin(first, 0.0), held) + extra));
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = cycles;
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = dse_count(fmax(first, 0.0));
        out->bytes[c][NYSX_STAGE_ENCODE][memory] = dse_count(words * bits / 8.0);
    }
    double count = fmax(5.0, (double)dse_bits_for((int64_t)words + 1)), place = log2(depth);
    double bursts = (double)dse_bits_for(config->value[NYSX_NEE_OUTSTANDING] + 1);
    add_logic(&build, 48.0 + 6.5 * count + place + 2.0 * bursts, 130.0 + count + place + bursts, 0.0);
    if (depth > NYSX_LUT_QUEUE) {
        add_ram(&build, depth, bits, 1.0);
        add_logic(&build, place + 8.0, 3.0 * place + 2.0, 0.0);
    } else {
        add_queue(&build, depth, bits, 1.0);
    }
    PATHS(&build, {"nysx_axi_read: the beats of the next burst", .levels = 3, .carry_bits = count},
          {"nysx_axi_read: the place of the next burst in its 4 KiB", .levels = 3, .carry_bits = 9});
    return dse_build_finish(&build, (double)cycles, out);
}

/* Sizes and latencies of the SCE's parts (nysx_sce.sv, nysx_cosine.sv). */
struct sce_parts {
    int64_t rows, words, trips, planes;   /* prototypes in parallel; words of a prototype; rounds over the classes; bits per element */
    int64_t count, value, norm;           /* bits of a word's population count, of a class's value, of a squared length */
    int64_t levels, tiles;                /* latency of count and planes in cycles; multipliers of the cosine, or 0 */
    int64_t class_cycles;                 /* comparison cycles per class */
};

static struct sce_parts sce_parts(const struct nysx_work *work, const struct dse_config *config)
{
    static const int64_t prototype_bits[] = {1, 2, 4, 8, 8};
    int64_t bits = config->value[NYSX_SCE_BITS], dim = config->value[NYSX_DIM], leaves = dse_ceil_div(bits, 6);
    struct sce_parts p = {.rows = config->value[NYSX_SCE_PE] == 0 ? 1 : work->classes, .words = dse_ceil_div(dim, bits),
                          .planes = prototype_bits[config->value[NYSX_SCE_PROTOTYPE_BITS]], .class_cycles = 1};
    bool cosine = p.planes > 1 && config->value[NYSX_PROTOTYPES] == NYSX_BUNDLED;
    p.trips = dse_ceil_div(work->classes, p.rows);
    p.count = dse_bits_for(bits + 1);
    /* Bits of a class's sum. With offsets, sums of multi-bit elements stay below the range: 8-bit elements average a quarter of the largest
     * or less. Cosines allow the full range. */
    p.value = p.planes > 1 ? dse_bits_for(dim) + p.planes - (p.planes > 4 ? 2 : 1)
                           : dse_bits_for((config->value[NYSX_PROTOTYPES] != NYSX_BUNDLED ? 2 * dim : dim) + 1) + 1;
    double weights = weight_sum_bits(work, config); /* without the shift of the weights' steps, which training decides */
    p.value = weights > 0.0 ? (int64_t)fmax((double)p.value, weights) + 1 : p.value;
    p.levels = (leaves > 1 ? dse_bits_for(leaves) : 0) + 1 + (p.planes > 1 ? dse_bits_for(p.planes) : 0);
    if (cosine) { /* a square, two sequential products, and the steps between them */
        int64_t most = ((int64_t)1 << (p.planes - 1)) - 1;
        p.value = dse_bits_for(dim * most + 1) + 1;
        p.norm = dse_bits_for(dim * most * most + 1);
        p.tiles = dse_ceil_div(2 * p.value, 26) * dse_ceil_div(p.norm > p.value ? p.norm : p.value, 17);
        p.class_cycles = 2 * (2 + (p.tiles > 1 ? dse_bits_for(p.tiles) : 0)) + 8;
    }
    return p;
}

/* Square, its two products by lengths, and the best so far (nysx_cosine.sv): multiplier inputs, partial products, their sums. */
static void add_cosine(struct dse_build *build, const struct sce_parts *p)
{
    double square = 2.0 * (double)p->value, factor = (double)(p->norm > p->value ? p->norm : p->value), product = square + factor;
    double across = ceil(square / 26.0), down = ceil(factor / 17.0);
    add_logic(build, square + factor + product + (double)p->value + 31.0 + (across * down - 1.0) * product,
              3.0 * square + 2.0 * product + (double)(p->value + p->norm) + factor + (across * down - 1.0) * product + down * square +
                  across * factor + 14.0, across * down);
}

enum dse_status nysx_rtl_cost_sce(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t bits = config->value[NYSX_SCE_BITS], dim = config->value[NYSX_DIM];
    struct sce_parts p = sce_parts(work, config);
    /* Classes of the last round are compared after the last word, or while earlier ones still wait. */
    int64_t last = work->classes - (p.trips - 1) * p.rows;
    int64_t in_time = p.words * p.trips + last * p.class_cycles, waiting = p.words + work->classes * p.class_cycles;
    int64_t cycles = in_time > waiting ? in_time : waiting;
    if (config->value[NYSX_SCE_PROTOTYPE_BITS] == 4)
        dse_build_reject(&build, "sce.prototype_bits=32: not in the RTL; must be 1, 2, 4 or 8");
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_CLASSIFY] = cycles;
        out->fill_cycles[c][NYSX_STAGE_CLASSIFY] = CLASSIFY_FILL + p.levels - (p.tiles > 0 ? 3 : 0);
    }
    out->operations[DSE_BINARY] = 2 * dim * work->classes * p.planes;
    out->on_chip_bytes = dim * work->classes * p.planes / 8 + dim * p.trips / 8;
    if (config->value[NYSX_PLACE_PROTOTYPES] == NYSX_PLACE_URAM)
        dse_build_reject(&build, "place.prototypes=uram: the RTL cannot load memories; must be bram or lutram");
    double planes = (double)(p.rows * p.planes), counted = planes * (double)bits;
    add_table(&build, (double)(p.words * p.trips), counted, config->value[NYSX_PLACE_PROTOTYPES] == NYSX_PLACE_LUTRAM ? 2 : 3, style_of(config->value[NYSX_PLACE_PROTOTYPES]), 1.0);
    /* Hypervector in words of the wider of lanes and BITS, one memory per part. Planes are counted (4.65 LUTs per leaf of twice six bits,
     * measured), combined and summed; the round's sums are queued. */
    double lanes = (double)config->value[NYSX_NEE_LANES], wide = fmax(lanes, (double)bits), depth = ceil((double)dim / wide), value = (double)p.value;
    add_late_ram(&build, depth, lanes, wide / lanes);
    /* Signs on their way to the prototypes pass two registers: the copies near each plane are alike, and synthesis keeps one. With that of a memory in
     * LUTs, and no choice between, they are a shift register. */
    double passed = 2.0 * (double)bits, shifted = 0.0;
    if (wide <= (double)bits && depth <= RAM_LUTS_MOST) {
        passed = -(double)bits;
        shifted = (double)bits;
    }
    add(&build, DSE_LUTRAM, shifted);
    add_popcount(&build, (double)bits, 4.65, planes);
    double paired = 0.0;
    for (int64_t left = p.planes / 2, width = 2; left > 0; left /= 2, width *= 2)
        paired += (double)left * ((double)p.count + (double)width);
    add_queue(&build, p.trips > 2 ? (double)p.trips : 2.0, (double)p.rows * value, 1.0);
    add_logic(&build, 40.0 + (double)p.rows * (paired + value) + (double)bits * dse_open_select_luts(wide / (double)bits) + 2.0 * value + shifted,
              35.0 + (double)p.levels + (double)p.rows * (paired + value) + passed + 3.0 * value, 0.0);
    if (p.tiles > 0)
        add_cosine(&build, &p);
    else /* besides the largest, the previous value */
        add_logic(&build, value, value + 7.0, 0.0);
    double weights = weight_sum_bits(work, config);
    if (weights > 0.0) { /* selection of a class's weight sum, and its addition */
        add_logic(&build, weights * dse_open_select_luts((double)work->classes) + value, weights, 0.0);
        PATHS(&build, {"nysx_sce: a class's value", .levels = 2, .carry_bits = value});
    }
    bool block = config->value[NYSX_PLACE_PROTOTYPES] == NYSX_PLACE_BRAM;
    double luts = build.tally.nominal[DSE_LUT];
    PATHS(&build, {"nysx_sce: signs on their way to the prototypes", .area = luts}, {"nysx_sce: ones that hypervector and prototype share", .levels = 2, .area = luts / planes},
          {"nysx_sce: a word of prototypes in LUTs", .levels = block ? 0.0 : 1.0 + choice_levels((double)(p.words * p.trips) / 64.0), .area = block ? 0.0 : luts},
          {"nysx_sce: whether a value is the largest", .levels = 1, .carry_bits = value});
    if (p.tiles > 0)
        PATHS(&build, {"nysx_cosine: the comparison of two products", .levels = 1, .carry_bits = 3.0 * value + (double)p.norm}, {"nysx_mul: a partial product", .factor_bits = 26});
    return dse_build_finish(&build, SCE_ACTIVITY * (double)cycles, out);
}

/* nysx_queue.sv: the prefetched and the current descriptor, counters of the ring's ends, read order, answers in flight. */
static void add_descriptors(struct dse_build *build)
{
    add_queue(build, 8.0, 1.0, 1.0);
    add_queue(build, 8.0, 32.0, 1.0);
    add_logic(build, QUEUE_LUTS, QUEUE_FFS, 0.0);
    PATHS(build, {"nysx_queue: the end of the ring", .levels = 2, .carry_bits = 32});
}

enum dse_status nysx_rtl_cost_control(const struct dse_context *context, const struct dse_config *config,
                                         struct dse_accumulators *out, struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    /* Registers, counters of cycles and probes, stage sequencer; the query's words; decided codes per cycle. */
    const struct nysx_work *work = context->work;
    bool direct = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    double nodes = (double)dse_bits_for(work->nodes_capacity[config->value[NYSX_CAPACITY]] + 1);
    double nnz = (double)dse_bits_for(work->nnz_capacity[config->value[NYSX_CAPACITY]] + 1);
    double takers = (double)config->value[direct ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS];
    takers = direct ? fmin(takers, (double)config->value[NYSX_LSHU_PE]) : takers; /* streams of listed codes */
    add_logic(&build, 315.0 + 2.2 * (nodes + nnz) + 1.2 * takers + (direct ? 0.0 : 8.0),
              352.0 + (double)dse_bits_for(work->hops) + 5.0 * nodes + 4.0 * nnz + (direct ? 0.0 : 35.0), 0.0);
    if (config->value[NYSX_NEE_FORM] == NYSX_STREAMED) /* the address of P */
        add_logic(&build, 8.0, ADDRESS_BITS, 0.0);
    PATHS(&build, {"nysx_core: the end of a hop", .levels = 4});
    if (config->value[NYSX_OVERLAP] != NYSX_OVERLAP_NONE)
        add_descriptors(&build);
    if (nysx_rejected(config) != NULL)
        dse_build_reject(&build, "%s", nysx_rejected(config));
    if (config->value[NYSX_UNITS] > 1)
        dse_build_reject(&build, "units=%lld: the RTL has one unit; must be 1", (long long)config->value[NYSX_UNITS]);
    return dse_build_finish(&build, 0.0, out);
}
