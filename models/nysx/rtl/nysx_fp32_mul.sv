/* SPDX-License-Identifier: MIT */ // IEEE single-precision product, rounded to nearest even, with subnormals, infinities and NaN; one per
// cycle, LATENCY = 6 cycles.
module nysx_fp32_mul (
    input  logic        clk_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic [31:0] product_o
);
  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic signed [9:0] exponent_a, exponent_b;
  logic [23:0] significand_a, significand_b;
  nysx_fp32_unpack unpack_a (.clk_i, .value_i(a_i), .sign_o(sign_a), .exponent_o(exponent_a),
                             .significand_o(significand_a), .zero_o(zero_a), .infinite_o(infinite_a), .nan_o(nan_a));
  nysx_fp32_unpack unpack_b (.clk_i, .value_i(b_i), .sign_o(sign_b), .exponent_o(exponent_b),
                             .significand_o(significand_b), .zero_o(zero_b), .infinite_o(infinite_b), .nan_o(nan_b));
  nysx_fp32_product multiply (
      .clk_i, .sign_a_i(sign_a), .exponent_a_i(exponent_a), .significand_a_i(significand_a), .zero_a_i(zero_a), .infinite_a_i(infinite_a),
      .nan_a_i(nan_a), .sign_b_i(sign_b), .exponent_b_i(exponent_b), .significand_b_i(significand_b), .zero_b_i(zero_b),
      .infinite_b_i(infinite_b), .nan_b_i(nan_b), .product_o);
endmodule
