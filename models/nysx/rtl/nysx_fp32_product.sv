/* SPDX-License-Identifier: MIT */ // IEEE single-precision product of two unpacked numbers (nysx_fp32_unpack), rounded to nearest even; one per cycle,
// LATENCY = 4 cycles. Only the upper A_BITS bits of the significand of a may be other than 0.
module nysx_fp32_product #(
    parameter int unsigned A_BITS = 24
) (
    input  logic              clk_i,
    input  logic              sign_a_i,
    input  logic signed [9:0] exponent_a_i,
    input  logic [23:0]       significand_a_i,
    input  logic              zero_a_i,
    input  logic              infinite_a_i,
    input  logic              nan_a_i,
    input  logic              sign_b_i,
    input  logic signed [9:0] exponent_b_i,
    input  logic [23:0]       significand_b_i,
    input  logic              zero_b_i,
    input  logic              infinite_b_i,
    input  logic              nan_b_i,
    output logic [31:0]       product_o
);
  // 1: products with the lower bits of b and with those left, none of more bits than a multiplier takes; 2: their sum; its place with and without a carry
  localparam int unsigned LOWER = A_BITS > 18 ? 17 : 24;
  logic [A_BITS+LOWER-1:0] lower1_q;
  logic [A_BITS+23:0] upper1, product2_q;
  if (LOWER < 24) begin : gen_upper
    logic [A_BITS+23-LOWER:0] upper1_q;
    always_ff @(posedge clk_i) upper1_q <= significand_a_i[23-:A_BITS] * significand_b_i[23:LOWER];
    assign upper1 = {upper1_q, LOWER'(0)};
  end else begin : gen_no_upper
    assign upper1 = '0;
  end
  logic [47:0] product;
  logic [3:0] flags1_q, flags2_q; // sign, zero, infinite, NaN
  logic signed [10:0] exponent1_q[2];
  logic [13:0] place2_q[2];
  always_ff @(posedge clk_i) begin
    lower1_q <= significand_a_i[23-:A_BITS] * significand_b_i[LOWER-1:0];
    exponent1_q[0] <= 11'(exponent_a_i) + 11'(exponent_b_i) - 11'sd127;
    exponent1_q[1] <= 11'(exponent_a_i) + 11'(exponent_b_i) - 11'sd126;
    flags1_q <= {sign_a_i ^ sign_b_i, zero_a_i | zero_b_i, infinite_a_i | infinite_b_i,
                 nan_a_i | nan_b_i | (infinite_a_i & zero_b_i) | (zero_a_i & infinite_b_i)};
    product2_q <= upper1 + (A_BITS + 24)'(lower1_q);
    flags2_q <= flags1_q;
  end
  for (genvar c = 0; c < 2; c++) begin : gen_place
    logic [7:0] field;
    logic [4:0] shift;
    logic infinite;
    nysx_fp32_place place (.exponent_i(exponent1_q[c]), .field_o(field), .shift_o(shift), .infinite_o(infinite));
    always_ff @(posedge clk_i) place2_q[c] <= {infinite, field, shift};
  end

  logic carry, infinite2;
  logic [7:0] field2;
  logic [4:0] shift2;
  assign product = 48'(product2_q) << (24 - A_BITS);
  assign carry = product[47];
  assign {infinite2, field2, shift2} = place2_q[carry];
  nysx_fp32_round round (.clk_i, .sign_i(flags2_q[3]), .field_i(field2), .shift_i(shift2),
                         .significand_i(carry ? product[47:22] : product[46:21]),
                         .sticky_i(product[20:0] != '0 || (carry && product[21])), .zero_i(flags2_q[2]),
                         .infinite_i(flags2_q[1] | infinite2), .nan_i(flags2_q[0]), .result_o(product_o));
  if (A_BITS < 24) begin : gen_rest
    logic unused;
    assign unused = &{1'b0, significand_a_i[23-A_BITS:0]};
  end
endmodule
