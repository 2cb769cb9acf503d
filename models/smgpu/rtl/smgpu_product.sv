/* SPDX-License-Identifier: MIT */ // Fixed-point product, four cycles latency: shifted right by 24 or 16 bits towards minus infinity, then saturated to 32 bits.
module smgpu_product (
    input  logic               clk_i,
    input  logic               coarse_i, // 1: Q16.16; 0: Q8.24
    input  logic signed [31:0] a_i,      // from a register
    input  logic signed [31:0] b_i,      // from a register
    output logic signed [31:0] product_o
);
  logic signed [63:0] whole;
  logic signed [47:0] shifted;
  smgpu_mul mul (.clk_i, .a_i, .b_i, .product_o(whole));
  assign shifted = coarse_i ? whole[63:16] : {{8{whole[63]}}, whole[63:24]};
  smgpu_hold #(.WIDTH(48)) hold (.clk_i, .value_i(shifted), .held_o(product_o));
  logic unused;
  assign unused = &{1'b0, whole[15:0]};
endmodule
