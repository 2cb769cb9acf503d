/* SPDX-License-Identifier: MIT */ // Packs sign, place (nysx_fp32_place) and significand to IEEE single precision, rounded to nearest even; 2 cycles.
// The significand is 1.xxx in 26 bits (24 and two guard bits) with a sticky bit for all lower bits.
module nysx_fp32_round (
    input  logic        clk_i,
    input  logic        sign_i,
    input  logic [7:0]  field_i,
    input  logic [4:0]  shift_i,
    input  logic [25:0] significand_i,
    input  logic        sticky_i,
    input  logic        zero_i,
    input  logic        infinite_i,
    input  logic        nan_i,
    output logic [31:0] result_o
);
  logic [25:0] lost;
  assign lost = ~(26'h3ffffff << shift_i);
  logic sign_q, sticky_q, zero_q, infinite_q, nan_q;
  logic [7:0] field_q;
  logic [25:0] significand_q;
  always_ff @(posedge clk_i) begin
    {sign_q, zero_q, infinite_q, nan_q, field_q} <= {sign_i, zero_i, infinite_i, nan_i, field_i};
    significand_q <= significand_i >> shift_i;
    sticky_q <= sticky_i || (significand_i & lost) != '0;
  end

  logic up;
  logic [30:0] rounded;
  assign up = significand_q[1] && (significand_q[2] || significand_q[0] || sticky_q);
  assign rounded = {field_q, significand_q[24:2]} + 31'(up);
  always_ff @(posedge clk_i)
    if (nan_q) result_o <= 32'h7fc00000;
    else if (infinite_q) result_o <= {sign_q, 8'hff, 23'b0};
    else if (zero_q) result_o <= {sign_q, 31'b0};
    else result_o <= {sign_q, rounded};

  logic unused;
  assign unused = significand_q[25];
endmodule
