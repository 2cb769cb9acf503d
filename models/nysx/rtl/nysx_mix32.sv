/* SPDX-License-Identifier: MIT */ // Code mixer, a bijection on 32 bits: x ^= x >> 16, times 0x7feb352d, x ^= x >> 15, times 0x846ca68b, x ^= x >> 16
// (docs/reference/model-file.md); one per cycle, LATENCY = 7 cycles. Multipliers have input and output registers.
module nysx_mix32 (
    input  logic        clk_i,
    input  logic [31:0] value_i,
    output logic [31:0] mixed_o
);
  logic [31:0] folded_q, first, between_q, second;
  always_ff @(posedge clk_i) begin
    folded_q <= value_i ^ (value_i >> 16);
    between_q <= first ^ (first >> 15);
    mixed_o <= second ^ (second >> 16);
  end
  nysx_mul32 #(.FACTOR(32'h7feb352d)) first_product (.clk_i, .value_i(folded_q), .product_o(first));
  nysx_mul32 #(.FACTOR(32'h846ca68b)) second_product (.clk_i, .value_i(between_q), .product_o(second));
endmodule
