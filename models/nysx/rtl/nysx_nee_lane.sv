/* SPDX-License-Identifier: MIT */ // A lane of the NEE for floating-point entries: single-precision sums of SLOTS rows in turn, of which each is added to every SLOTS cycles or
// later: six cycles of the adder, one to write the sum and one to read it. From the entry to the sign: LATENCY = 13 cycles.
//
// An entry has EXPONENT_BITS bits of exponent (5: fp16; 8: bf16, fp32) and is finite. fp16 is read as single precision without a change of its
// exponent's bias, thus as 2^-112 times its value. With factors that are whole numbers, all products and sums are multiples of 2^-136. Those below 2^-126 are therefore
// exact, the others are rounded as without the factor 2^-112, and no sign changes.
module nysx_nee_lane #(
    parameter int unsigned ENTRY_BITS = 32,
    parameter int unsigned EXPONENT_BITS = 8,
    parameter int unsigned SLOTS = 8,
    localparam int unsigned SLOT_BITS = $clog2(SLOTS)
) (
    input  logic                  clk_i,
    input  logic [ENTRY_BITS-1:0] entry_i,      // cycle 0
    input  logic [31:0]           factor_i,     // 2: a whole number in single precision
    input  logic [SLOT_BITS-1:0]  read_slot_i,  // 5: of the sum
    input  logic                  first_i,      // 6: the sum begins
    input  logic                  write_i,      // 12: there was an entry
    input  logic [SLOT_BITS-1:0]  write_slot_i, // 12
    output logic                  sign_o        // 13: of the sum with this entry, 1 for +
);
  localparam int unsigned FRACTION_BITS = ENTRY_BITS - 1 - EXPONENT_BITS;
  logic sign, zero, infinite, nan;
  logic signed [9:0] exponent;
  logic [23:0] significand;
  logic [31:0] product, held, sum;
  nysx_fp32_unpack unpack (.clk_i, .value_i({entry_i[ENTRY_BITS-1], 31'(entry_i[ENTRY_BITS-2:0]) << (23 - FRACTION_BITS)}), .sign_o(sign),
                           .exponent_o(exponent), .significand_o(significand), .zero_o(zero), .infinite_o(infinite), .nan_o(nan));
  nysx_fp32_product #(.A_BITS(FRACTION_BITS + 1)) multiply (
      .clk_i, .sign_a_i(sign), .exponent_a_i(exponent), .significand_a_i(significand), .zero_a_i(zero), .infinite_a_i(infinite), .nan_a_i(nan),
      .sign_b_i(factor_i[31]), .exponent_b_i({2'b0, factor_i[30:23]}), .significand_b_i({1'b1, factor_i[22:0]}),
      .zero_b_i(factor_i[30:23] == '0), .infinite_b_i(1'b0), .nan_b_i(1'b0), .product_o(product));
  nysx_ram #(.WIDTH(32), .DEPTH(SLOTS)) sums (.clk_i, .write_i, .write_address_i(write_slot_i), .data_i(sum), .read_address_i(read_slot_i),
                                              .data_o(held));
  nysx_fp32_add add (.clk_i, .a_i(first_i ? 32'b0 : held), .b_i(product), .sum_o(sum));
  // A sum begins at +0 and so is never -0; the operators' NaN is 0x7fc00000 and counts as negative.
  always_ff @(posedge clk_i) sign_o <= !sum[31] && sum[30:22] != '1;
endmodule
