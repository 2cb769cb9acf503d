/* SPDX-License-Identifier: MIT */ // Unsigned product, one per cycle, LATENCY cycles: an input register, partial products of at most 26 by
// 17 bits (FPGA multiplier size), and an adder tree with one level per cycle.
module nysx_mul #(
    parameter int unsigned A_BITS = 42,
    parameter int unsigned B_BITS = 28,
    localparam int unsigned A_TILES = (A_BITS + 25) / 26,
    localparam int unsigned B_TILES = (B_BITS + 16) / 17,
    localparam int unsigned LEVELS = $clog2(A_TILES * B_TILES),
    parameter int unsigned LATENCY = 2 + LEVELS // derived; do not override
) (
    input  logic                     clk_i,
    input  logic [A_BITS-1:0]        a_i,
    input  logic [B_BITS-1:0]        b_i,
    output logic [A_BITS+B_BITS-1:0] product_o
);
  localparam int unsigned BITS = A_BITS + B_BITS;
  localparam int unsigned LEAVES = 1 << LEVELS;
  logic [A_TILES*26-1:0] a_q;
  logic [B_TILES*17-1:0] b_q;
  always_ff @(posedge clk_i) begin
    a_q <= (A_TILES * 26)'(a_i);
    b_q <= (B_TILES * 17)'(b_i);
  end
  for (genvar l = 0; l <= LEVELS; l++) begin : gen_level
    localparam int unsigned TERMS = LEAVES >> l;
    logic [TERMS*BITS-1:0] term;
    for (genvar i = 0; i < TERMS; i++) begin : gen_term
      if (l > 0) begin : gen_sum
        logic [BITS-1:0] sum_q;
        always_ff @(posedge clk_i)
          sum_q <= gen_level[l-1].term[2*i*BITS+:BITS] + gen_level[l-1].term[(2*i+1)*BITS+:BITS];
        assign term[i*BITS+:BITS] = sum_q;
      end else if (i < A_TILES * B_TILES) begin : gen_product
        logic [42:0] product_q;
        always_ff @(posedge clk_i)
          product_q <= 43'(a_q[i%A_TILES*26+:26]) * 43'(b_q[i/A_TILES*17+:17]);
        // Bits above the result are zero
        localparam int unsigned AT = i % A_TILES * 26 + i / A_TILES * 17;
        if (AT + 43 <= BITS) begin : gen_whole
          assign term[i*BITS+:BITS] = BITS'(product_q) << AT;
        end else begin : gen_cut
          logic unused;
          assign term[i*BITS+:BITS] = BITS'(product_q[BITS-AT-1:0]) << AT;
          assign unused = &{1'b0, product_q[42:BITS-AT]};
        end
      end else begin : gen_none
        assign term[i*BITS+:BITS] = '0;
      end
    end
  end
  assign product_o = gen_level[LEVELS].term[BITS-1:0];
`ifndef SYNTHESIS
  initial assert (LATENCY == 2 + LEVELS) else $fatal(1, "nysx_mul: LATENCY follows from the widths");
`endif
endmodule
