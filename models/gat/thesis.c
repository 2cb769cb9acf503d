/* The thesis's own RTL (`rtl=thesis`): github.com/Germanyy0410/Graph-Attention-Network-FPGA, folder rtl, with the parameters of the
 * block design of 23 April 2025 (SoC/gat_v2/data/cora/hw/design_gat_wrapper.hwh). Each layer has its own engines. FIFOs are registers
 * with a reset, which no memory has. Nothing here is fitted to Table 6.1. The RTL has one head and lane; more are modelled as copies. */
#include "models/gat/gat.h"

#define LAYERS 2
#define FIFO_WORDS 200     /* COEF_DEPTH, ALPHA_DEPTH, DIVIDEND_DEPTH, DIVISOR_DEPTH: a subgraph has up to 169 rows */
#define WH_WORDS 128       /* WH_DEPTH of gat_top */
#define EXPONENT_BITS 8    /* DATA_WIDTH */
#define POWER_BITS 103     /* SM_DATA_WIDTH, and SM_SUM_DATA_WIDTH */
#define QUOTIENT_BITS 32   /* ALPHA_DATA_WIDTH, one divider stage per bit; NEW_FEATURE_WIDTH */
#define FEATURE_BITS 33    /* width of an aggregator sum: NEW_FEATURE_WIDTH and a sign */
#define PRODUCT_TERMS 7    /* terms of mul_8_bit, which shifts and adds */
#define ADDRESS_BITS 18    /* H_DATA_ADDR_W */

static const int64_t z_bits[LAYERS] = {12, 16};           /* WH_DATA_WIDTH of both layers */
static const int64_t coefficient_bits[LAYERS] = {20, 25}; /* DMVM_DATA_WIDTH */

/* `words` registers with write enables, and a multiplexer. */
static void queue(struct dse_build *build, int64_t words, int64_t bits, double times)
{
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(words * bits), times);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(bits * (words - 1) + words), times);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)dse_bits_for(words) + 1.0, 2.0 * times);
}

static int64_t node_bits(const struct gat_shape *s)
{
    return dse_bits_for(s->holds.longest_subgraph + 1);
}

static int64_t fifo_words(const struct gat_shape *s, int layer)
{
    int64_t words = s->holds.longest_subgraph > FIFO_WORDS ? s->holds.longest_subgraph : FIFO_WORDS;
    return words * s->heads[layer];
}

/* W of layer 2 and both attention vectors in registers with write enables; the counts of columns and rows. */
void gat_thesis_loader(struct dse_build *build, const struct gat_shape *s)
{
    const int64_t words = s->inputs[1] * s->outputs[1] + 2 * (s->outputs[0] + s->outputs[1]);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(words * s->bits), 1.0);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)words, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, ADDRESS_BITS, 2.0);
}

/* Layer 1: one shift-and-add PE per column. Layer 2: one multiplier per column, and the weight multiplexer. WH in LUTRAM. */
void gat_thesis_spmm(struct dse_build *build, const struct gat_shape *s)
{
    const double lanes = (double)s->lanes, pes = lanes * (double)s->pes, columns = lanes * (double)s->outputs[1];
    dse_build_combinational(build, DSE_STRUCTURE_ADDER, (double)z_bits[0], PRODUCT_TERMS * pes);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)z_bits[0], pes);
    dse_build_operator(build, DSE_OP_MUL, DSE_INT16, columns);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(s->bits * (s->inputs[1] - 1)), columns);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)z_bits[1], columns);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, ADDRESS_BITS, LAYERS * 2.0 * lanes); /* addresses of h_data and node_info */
    dse_build_array(build, DSE_STORAGE_LUTRAM, WH_WORDS, s->outputs[0] * z_bits[0] + node_bits(s) + 1, 1, s->lanes, 1);
}

/* Both halves of the attention vector in parallel: products, and one tree of registered sums each. */
void gat_thesis_dmvm(struct dse_build *build, const struct gat_shape *s)
{
    for (int l = 0; l < LAYERS; l++) {
        const double outputs = (double)s->outputs[l], lanes = (double)s->lanes, bits = (double)coefficient_bits[l];
        dse_build_operator(build, DSE_OP_MUL, DSE_INT16, 2.0 * outputs * lanes);
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, outputs * (2.0 * bits + (double)z_bits[l]), lanes);
        dse_build_structure(build, DSE_STRUCTURE_ADDER, bits, 2.0 * (outputs - 1.0) * lanes);
        dse_build_structure(build, DSE_STRUCTURE_ADDER, bits, lanes); /* the source's half plus the neighbour's */
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, 2.0 * bits, lanes);
    }
}

/* Four FIFOs. The divider adds the shifted divisor if the sum stays below the dividend: one quotient bit per stage. A bit that is always
 * 0 has no register: the sum has one more bit per bit made, the quotient has the bits made so far. */
void gat_thesis_softmax(struct dse_build *build, const struct gat_shape *s)
{
    const double stages = QUOTIENT_BITS, made = (stages + 1.0) / 2.0, lanes = (double)s->lanes;
    for (int l = 0; l < LAYERS; l++) {
        const int64_t words = fifo_words(s, l);
        queue(build, words, EXPONENT_BITS, lanes);
        queue(build, words, POWER_BITS, lanes);
        queue(build, words, POWER_BITS + node_bits(s), lanes);
        queue(build, words, QUOTIENT_BITS, lanes);
        dse_build_operator(build, DSE_OP_SHIFT, DSE_INT64, 2.0 * lanes); /* 2^e */
        dse_build_structure(build, DSE_STRUCTURE_ADDER, POWER_BITS, lanes);
        dse_build_combinational(build, DSE_STRUCTURE_ADDER, POWER_BITS, stages * lanes);
        dse_build_combinational(build, DSE_STRUCTURE_COMPARATOR, POWER_BITS + 1, stages * lanes);
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, POWER_BITS + made, stages * lanes);
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, 3.0 * POWER_BITS + 2.0 * made, stages * lanes);
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, 2.0 * POWER_BITS + 2.0 * QUOTIENT_BITS, lanes); /* before the first stage, after the last */
    }
}

/* One 32-bit product per column, rounded, and its sum; a node's vector waits in a FIFO of as many vectors as it has columns. */
void gat_thesis_aggregator(struct dse_build *build, const struct gat_shape *s)
{
    for (int l = 0; l < LAYERS; l++) {
        const double outputs = (double)s->outputs[l], lanes = (double)s->lanes;
        gat_build_products(build, QUOTIENT_BITS, outputs * lanes);
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, outputs * (double)(z_bits[l] + z_bits[l] + QUOTIENT_BITS), lanes);
        dse_build_structure(build, DSE_STRUCTURE_ADDER, FEATURE_BITS, 2.0 * outputs * lanes); /* rounding, and the sum */
        queue(build, s->outputs[l], s->outputs[l] * QUOTIENT_BITS, lanes);
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, outputs * QUOTIENT_BITS, lanes);
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, QUOTIENT_BITS * (outputs - 1.0), lanes);
    }
}

/* subgraph_handler: a node's vector in registers, an element multiplexer; addresses of h_data, features and subgraph_idx. */
void gat_thesis_dispatcher(struct dse_build *build, const struct gat_shape *s)
{
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(s->outputs[0] * QUOTIENT_BITS), 1.0);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(QUOTIENT_BITS * (s->outputs[0] - 1)), 1.0);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, ADDRESS_BITS, 3.0);
}
