/* SPDX-License-Identifier: MIT */ // The mixer of codes, a bijection of 32 bits: x ^= x >> 16, times 0x7feb352d, x ^= x >> 15, times 0x846ca68b, x ^= x >> 16
// (docs/model-file.md); one a cycle, LATENCY = 5 cycles later.
module nysx_mix32 (
    input  logic        clk_i,
    input  logic [31:0] value_i,
    output logic [31:0] mixed_o
);
  logic [31:0] folded_q, first, between, second;
  always_ff @(posedge clk_i) folded_q <= value_i ^ (value_i >> 16);
  nysx_mul32 #(.FACTOR(32'h7feb352d)) first_product (.clk_i, .value_i(folded_q), .product_o(first));
  assign between = first ^ (first >> 15);
  nysx_mul32 #(.FACTOR(32'h846ca68b)) second_product (.clk_i, .value_i(between), .product_o(second));
  assign mixed_o = second ^ (second >> 16);
endmodule
