/* Area and power of the document's blocks in 7 nm, from the data that they store and move; no constant comes from the document's own table.
 *
 * Every block is a list of memory bits, flip-flops, adders and gates, and of their activity per cycle at full rate. */
#include <math.h>
#include <string.h>

#include "models/smgpu/smgpu.h"

/* Cells of the ASAP7 predictive design kit, µm² (Clark et al., Microelectronics Journal 53, 2016; 7.5-track library, RVT):
 * DFFHQNx1, FAx1, NAND2x1, AO22x1: 20, 14, 6 and 7 sites of 0.054 by 0.27 µm. Row utilisation is 0.7. */
#define FLIP_FLOP_UM2 0.2916
#define ADDER_UM2 0.2041
#define GATE_UM2 0.0875
#define MULTIPLEXER_UM2 0.1021
#define PLACED 0.7
/* Bit of a small bank: 48 KB in half of a core of 38,000 µm² (Lie, Cerebras architecture deep dive, Hot Chips 34, 2022; TSMC N7). This lies
 * between a large memory's 0.034 and the upper bound 0.072 of that wafer (46,225 mm², 40 GB in half of it). The N7 cell has
 * 0.027 µm² (Chang et al., ISSCC 2017, 12.1); cells take 0.8 of a large memory. */
#define BANKED_BIT_UM2 (19000.0 / (48.0 * 8192.0))
#define LARGE_BIT_UM2 (0.027 / 0.8)
/* Energies in 7 nm, pJ (Jouppi et al., Ten lessons from three generations shaped Google's TPUv4i, ISCA 2021, table 2): 64 bits of a
 * 32 KB and of a 1 MB memory, a 32-bit product and sum. A bit of logic or a flip-flop's clock: the sum's energy per bit. */
#define BANK_ACCESS_PJ 8.5
#define LARGE_ACCESS_PJ 14.0
#define PRODUCT_PJ 1.48
#define SUM_PJ 0.03
#define BIT_PJ (SUM_PJ / 32.0)
/* Energy of wire per bit and mm: 200 pJ for 256 bits over 10 mm in 10 nm (Keckler et al., GPUs and the future of parallel computing, IEEE Micro
 * 31(5), 2011); N7 layers M5 to M9 have a pitch of 76 nm, and a link's wires use twice that. */
#define WIRE_PJ_A_BIT_MM (200.0 / 2560.0)
#define TRACK_MM (2.0 * 76e-6)
/* HBM2 interface, pJ per bit (O'Connor et al., Fine-grained DRAM, MICRO 2017). No block includes the PHY's area. */
#define HBM_PJ_A_BIT 0.8
/* Resistive cells with drivers and amplifiers, per mm² (Jain et al., ISSCC 2019, 13.2). Two bits per cell, one 8-bit converter per 128 cells,
 * and the energies of a conversion, a cell read and an input driver are from Shafiee et al. (ISAAC, ISCA 2016, table 1). */
#define RERAM_CELLS_A_MM2 10.1e6
#define RERAM_BITS_A_CELL 2.0
#define CONVERTER_CELLS 128.0
#define CONVERSION_PJ (2e-3 / 1.28e9 * 1e12)
#define CONVERTER_MM2 0.0012
#define CELL_READ_PJ (0.3e-3 * 100e-9 / 16384.0 * 1e12)
#define DRIVER_W (4e-3 / 1024.0)

#define ASIC_HZ 1.2e9
#define HBM_HZ 300e6
#define CROSSBAR_HZ 100e6
#define ARCS_A_NODE 16.0
#define TILE 1024.0
#define WORD 32.0
#define FASTER_5_NM 1.15 /* at the same power ("about 15 %": TSMC's page of its N5; Yeap et al., IEDM 2019) */

#define VALUE(id) ((double)config->value[SMGPU_KNOB_##id])

struct silicon {
    double banked_bits, large_bits, flip_flops, adders, gates, multiplexers, other_mm2;
    /* Activity per cycle: accesses of up to 64 bits, products, toggling logic bits; flip-flop clocks always toggle. */
    double bank_accesses, large_accesses, products, bits, other_w;
};

static double area_mm2(const struct silicon *s)
{
    double cells = s->flip_flops * FLIP_FLOP_UM2 + s->adders * ADDER_UM2 + s->gates * GATE_UM2 + s->multiplexers * MULTIPLEXER_UM2;
    return (s->banked_bits * BANKED_BIT_UM2 + s->large_bits * LARGE_BIT_UM2 + cells / PLACED) * 1e-6 + s->other_mm2;
}

static double power_w(const struct silicon *s)
{
    double pj = s->bank_accesses * BANK_ACCESS_PJ + s->large_accesses * LARGE_ACCESS_PJ + s->products * PRODUCT_PJ +
                (s->bits + s->flip_flops) * BIT_PJ;
    return pj * 1e-12 * ASIC_HZ + s->other_w;
}

static double address_bits(double n)
{
    return ceil(log2(n));
}

static double words_of(const struct dse_config *config)
{
    return ceil(VALUE(DIM) / WORD);
}

/* A and L in banks, the gathered vector with one copy per row, three other vectors; an array of 32-bit multipliers with 64-bit
 * sums. Activity: as many products per cycle as rows, although the array has rows² multipliers. */
static struct silicon spectral(const struct dse_config *config)
{
    double rows = VALUE(ROWS), elements = rows * rows, entry = WORD + address_bits(VALUE(NODES)), arcs = ARCS_A_NODE * VALUE(NODES);
    double multipliers = elements + 2.0; /* plus the Newton steps */
    return (struct silicon){.banked_bits = (2.0 * arcs + VALUE(NODES)) * entry + (rows + 3.0) * VALUE(NODES) * WORD,
                            .flip_flops = elements * 4.0 * WORD, .adders = multipliers * (WORD * WORD + 2.0 * WORD),
                            .gates = multipliers * WORD * WORD, .bank_accesses = 2.0 * rows, .products = rows, .bits = elements * 2.0 * WORD};
}

/* Hardware for the stated latencies, with all bits in parallel: two operands, a result, an 18-bit vote counter per bit, and a rotation by any
 * distance. Two counter bits toggle per step. The 4096 vectors are a separate row. */
static struct silicon hd(const struct dse_config *config)
{
    double bits = WORD * words_of(config);
    return (struct silicon){.flip_flops = bits * (3.0 + 18.0), .adders = bits * (18.0 + 1.0), .gates = bits,
                            .multiplexers = bits * (address_bits(bits) + 7.0), .bits = bits * (3.0 + 2.0)};
}

static struct silicon vectors(const struct dse_config *config)
{
    return (struct silicon){.banked_bits = 4096.0 * WORD * words_of(config)};
}

/* Parents and ranks of 16 bits, 16384 pairs, the edges (the spectral engine's non-zeros); 16 comparators pass 32 edges through five
 * levels of the bitonic network per read and write. */
static struct silicon topology(const struct dse_config *config)
{
    double lanes = 16.0, edge = 2.0 * WORD, levels = log2(2.0 * lanes);
    return (struct silicon){.banked_bits = VALUE(NODES) * 32.0 + 16384.0 * 2.0 * WORD + ARCS_A_NODE / 2.0 * VALUE(NODES) * edge,
                            .flip_flops = 4.0 * lanes * edge, .adders = lanes * edge, .multiplexers = 2.0 * lanes * edge,
                            .bank_accesses = 4.0 * lanes / levels + 2.0, .bits = 2.0 * lanes * edge};
}

/* Neighbours and nodes for the candidate and seven edge tests in parallel; 256 matches of eight; stack and trace. */
static struct silicon rewrite(const struct dse_config *config)
{
    double id = address_bits(VALUE(NODES)), tests = 8.0;
    return (struct silicon){.banked_bits = tests * VALUE(NODES) * (ARCS_A_NODE * id + address_bits(ARCS_A_NODE * VALUE(NODES))) +
                                           VALUE(NODES) * WORD + 256.0 * 8.0 * id,
                            .flip_flops = 2.0 * 64.0 * id, .adders = 2.0 * tests * id, .bank_accesses = 2.0 * tests, .bits = 2.0 * tests * id};
}

/* Keys and stored values; the projection, dim × reduced bits, dominates. One entry is compared per cycle. */
static struct silicon cache(const struct dse_config *config)
{
    double key = VALUE(REDUCED);
    return (struct silicon){.banked_bits = VALUE(ENTRIES) * 2.0 * key, .large_bits = VALUE(DIM) * key, .flip_flops = 2.0 * key, .adders = key,
                            .gates = key, .bank_accesses = ceil(key / 64.0), .bits = 2.0 * key};
}

/* The 65,536 addressable words (2 MB; no HBM is that small), one burst per direction and channel; 32 bytes per channel and HBM clock cycle. */
static struct silicon hbm(const struct dse_config *config)
{
    double beat = 256.0, rate = VALUE(CHANNELS) * HBM_HZ;
    return (struct silicon){.large_bits = 65536.0 * beat, .flip_flops = VALUE(CHANNELS) * 2.0 * 16.0 * beat,
                            .other_w = rate * (beat * HBM_PJ_A_BIT + beat / 64.0 * LARGE_ACCESS_PJ) * 1e-12};
}

/* One row of a tile per 10 ns: its cells in slices of two bits, one conversion per 128 cells. */
static struct silicon crossbar(const struct dse_config *config)
{
    double slices = 8.0 / RERAM_BITS_A_CELL, conversions = TILE / CONVERTER_CELLS * slices;
    double row_pj = TILE * slices * CELL_READ_PJ + conversions * (CONVERSION_PJ + SUM_PJ);
    return (struct silicon){.banked_bits = VALUE(TILES) * TILE * (1.0 + WORD),
                            .other_mm2 = VALUE(TILES) * (TILE * TILE * slices / RERAM_CELLS_A_MM2 + ceil(conversions * CROSSBAR_HZ / 1.28e9) * CONVERTER_MM2),
                            .other_w = VALUE(TILES) * (row_pj * 1e-12 * CROSSBAR_HZ + TILE * DRIVER_W)};
}

static struct silicon dma(const struct dse_config *config)
{
    (void)config;
    return (struct silicon){.banked_bits = 256.0 * (2.0 * 64.0 + WORD + 2.0), .flip_flops = 2.0 * 256.0 + 2.0 * 64.0, .multiplexers = 256.0,
                            .bank_accesses = 2.0, .bits = 64.0};
}

static struct silicon decoder(const struct dse_config *config)
{
    return (struct silicon){.flip_flops = (VALUE(QUEUE) + 3.0) * WORD, .multiplexers = (VALUE(QUEUE) - 1.0) * WORD, .gates = 1000.0, .bits = 3.0 * WORD};
}

static struct silicon noc(const struct dse_config *config);

static const struct {
    const char *name;
    struct silicon (*of)(const struct dse_config *config);
    bool counts; /* counted in the total; the vectors' 41 Mbit alone exceed half of the document's total */
} blocks[] = {{"spectral", spectral, true}, {"hd", hd, true}, {"topology", topology, true}, {"rewrite", rewrite, true}, {"cache", cache, true},
              {"hbm", hbm, true}, {"xbar", crossbar, true}, {"dma", dma, true}, {"decoder", decoder, true}, {"noc", noc, true},
              {"vectors", vectors, false}};
#define BLOCKS (sizeof blocks / sizeof *blocks)

/* Routers consist of flip-flops. A link is as long as the side of a router's share of the blocks' area. Load: where XY routing saturates, each
 * node sends a flit in 0.45 of the cycles, over 2/3 of a side in total and through the exit of its last router. In a 4 × 4 mesh a third of the
 * 80 router outputs then carry a flit. */
static struct silicon noc(const struct dse_config *config)
{
    double side = VALUE(MESH), flit = VALUE(PAYLOAD) + 14.0, routers = side * side, blocks_mm2 = 0.0;
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].counts && blocks[i].of != noc) {
            struct silicon s = blocks[i].of(config);
            blocks_mm2 += area_mm2(&s);
        }
    double link_mm = sqrt(blocks_mm2) / side, links = 4.0 * side * (side - 1.0), hops = 0.45 * routers * (2.0 * side / 3.0 + 1.0);
    double wire_pj = hops * flit * link_mm * WIRE_PJ_A_BIT_MM;
    return (struct silicon){.flip_flops = routers * 5.0 * flit * (2.0 * VALUE(BUFFER) + 1.0), .multiplexers = routers * 5.0 * 4.0 * flit,
                            .bits = hops * flit * 3.0, .other_mm2 = links * flit * link_mm * TRACK_MM,
                            .other_w = wire_pj * 1e-12 * ASIC_HZ};
}

static double sum_of(double (*measure)(const struct silicon *), const char *name, const struct dse_config *config)
{
    double sum = 0.0;
    bool known = false, total = strcmp(name, "total") == 0;
    for (size_t i = 0; i < BLOCKS; i++)
        if (total ? blocks[i].counts : strcmp(blocks[i].name, name) == 0) {
            struct silicon s = blocks[i].of(config);
            sum += measure(&s);
            known = true;
        }
    return known ? sum : NAN;
}

double smgpu_silicon(const char *name, const struct dse_config *config)
{
    static const char area[] = "area_mm2.", power[] = "power_w.";
    if (strncmp(name, area, sizeof area - 1) == 0)
        return sum_of(area_mm2, name + sizeof area - 1, config);
    if (strncmp(name, power, sizeof power - 1) == 0)
        return sum_of(power_w, name + sizeof power - 1, config);
    return strcmp(name, "clock_mhz.5nm") == 0 ? ASIC_HZ * FASTER_5_NM * 1e-6 : NAN;
}
