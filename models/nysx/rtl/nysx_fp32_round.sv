/* SPDX-License-Identifier: MIT */ // From sign, exponent and significand to IEEE single precision, rounded to nearest even, subnormal where it must be; 2
// cycles. The significand is 1.xxx in 26 bits (24 and two below) with a sticky bit of all that is lower, and worth
// 2^(exponent − 127).
module nysx_fp32_round (
    input  logic               clk_i,
    input  logic               sign_i,
    input  logic signed [10:0] exponent_i,
    input  logic [25:0]        significand_i,
    input  logic               sticky_i,
    input  logic               zero_i,
    input  logic               infinite_i,
    input  logic               nan_i,
    output logic [31:0]        result_o
);
  logic signed [10:0] shift;
  logic tiny;
  logic [25:0] lost;
  assign shift = 11'sd1 - exponent_i;
  assign tiny = shift > 11'sd0;
  assign lost = shift > 11'sd25 ? '1 : ~(26'h3ffffff << shift[4:0]);

  logic sign_q, sticky_q, zero_q, infinite_q, nan_q;
  logic [8:0] exponent_q;
  logic [25:0] significand_q;
  always_ff @(posedge clk_i) begin
    sign_q <= sign_i;
    zero_q <= zero_i;
    nan_q <= nan_i;
    infinite_q <= infinite_i || exponent_i > 11'sd254;
    exponent_q <= tiny ? '0 : exponent_i[8:0];
    significand_q <= !tiny ? significand_i : shift > 11'sd25 ? '0 : significand_i >> shift[4:0];
    sticky_q <= sticky_i || (tiny && (significand_i & lost) != '0);
  end

  logic up;
  logic [30:0] rounded;
  assign up = significand_q[1] && (significand_q[2] || significand_q[0] || sticky_q);
  assign rounded = {exponent_q[7:0], significand_q[24:2]} + 31'(up);
  always_ff @(posedge clk_i)
    if (nan_q) result_o <= 32'h7fc00000;
    else if (infinite_q) result_o <= {sign_q, 8'hff, 23'b0};
    else if (zero_q) result_o <= {sign_q, 31'b0};
    else result_o <= {sign_q, rounded};

  logic unused;
  assign unused = &{1'b0, exponent_q[8], significand_q[25]};
endmodule
