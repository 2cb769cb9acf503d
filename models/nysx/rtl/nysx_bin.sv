/* SPDX-License-Identifier: MIT */ // Value to code: floor((x + b) / w), saturated at ±2^62, NaN as the minimum; one per cycle, LATENCY = 27 cycles.
module nysx_bin #(
    parameter logic [31:0] WIDTH = 32'h3c23d70a // w
) (
    input  logic        clk_i,
    input  logic [31:0] offset_i, // b, with the value
    input  logic [31:0] value_i,
    output logic [63:0] code_o
);
  logic [31:0] shifted, bin;
  nysx_fp32_add add (.clk_i, .a_i(value_i), .b_i(offset_i), .sum_o(shifted));
  nysx_fp32_div divide (.clk_i, .a_i(shifted), .b_i(WIDTH), .quotient_o(bin));

  // 1: distance of the significand from an integer
  logic negative1_q, small1_q, huge1_q, zero1_q, left1_q;
  logic [5:0] shift1_q;
  logic [23:0] significand1_q;
  logic [7:0] exponent;
  assign exponent = bin[30:23];
  always_ff @(posedge clk_i) begin
    negative1_q <= bin[31] || (exponent == 8'hff && bin[22:0] != '0);
    small1_q <= exponent < 8'd127;
    huge1_q <= exponent >= 8'd189;
    zero1_q <= bin[30:0] == '0;
    left1_q <= exponent >= 8'd150;
    shift1_q <= exponent >= 8'd150 ? 6'(exponent - 8'd150) : 6'(8'd150 - exponent);
    significand1_q <= {1'b1, bin[22:0]};
  end
  // 2: magnitude; whether fraction bits are set
  logic negative2_q, huge2_q, more2_q;
  logic [62:0] magnitude2_q;
  logic [23:0] lost;
  assign lost = ~(24'hffffff << shift1_q[4:0]);
  always_ff @(posedge clk_i) begin
    negative2_q <= negative1_q;
    huge2_q <= huge1_q;
    more2_q <= small1_q ? !zero1_q : !left1_q && (significand1_q & lost) != '0;
    magnitude2_q <= small1_q ? '0 : left1_q ? 63'(significand1_q) << shift1_q
                                            : {39'b0, significand1_q >> shift1_q[4:0]};
  end
  // 3: round down
  always_ff @(posedge clk_i)
    if (huge2_q) code_o <= negative2_q ? 64'hc000000000000000 : 64'h4000000000000000;
    else code_o <= negative2_q ? ~{1'b0, magnitude2_q} + 64'(!more2_q) : {1'b0, magnitude2_q};
endmodule
