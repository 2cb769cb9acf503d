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

  // 3, 4: product in the multipliers' registers; its place with and without a carry
  logic [47:0] product3_q, product4_q;
  logic [3:0] flags3_q, flags4_q; // sign, zero, infinite, NaN
  logic signed [10:0] exponent3_q[2];
  logic [13:0] place4_q[2];
  always_ff @(posedge clk_i) begin
    product3_q <= significand_a * significand_b;
    exponent3_q[0] <= 11'(exponent_a) + 11'(exponent_b) - 11'sd127;
    exponent3_q[1] <= 11'(exponent_a) + 11'(exponent_b) - 11'sd126;
    flags3_q <= {sign_a ^ sign_b, zero_a | zero_b, infinite_a | infinite_b,
                 nan_a | nan_b | (infinite_a & zero_b) | (zero_a & infinite_b)};
    product4_q <= product3_q;
    flags4_q <= flags3_q;
  end
  for (genvar c = 0; c < 2; c++) begin : gen_place
    logic [7:0] field;
    logic [4:0] shift;
    logic infinite;
    nysx_fp32_place place (.exponent_i(exponent3_q[c]), .field_o(field), .shift_o(shift), .infinite_o(infinite));
    always_ff @(posedge clk_i) place4_q[c] <= {infinite, field, shift};
  end

  logic carry, infinite4;
  logic [7:0] field4;
  logic [4:0] shift4;
  assign carry = product4_q[47];
  assign {infinite4, field4, shift4} = place4_q[carry];
  nysx_fp32_round round (.clk_i, .sign_i(flags4_q[3]), .field_i(field4), .shift_i(shift4),
                         .significand_i(carry ? product4_q[47:22] : product4_q[46:21]),
                         .sticky_i(product4_q[20:0] != '0 || (carry && product4_q[21])), .zero_i(flags4_q[2]),
                         .infinite_i(flags4_q[1] | infinite4), .nan_i(flags4_q[0]), .result_o(product_o));
endmodule
