/* SPDX-License-Identifier: MIT */ // Places a number of a given exponent (worth 2^(exponent − 127)) in IEEE single precision: exponent field and, for a
// subnormal, the right shift of its significand; shifts of 26 or more bits are equivalent.
module nysx_fp32_place (
    input  logic signed [10:0] exponent_i,
    output logic [7:0]         field_o,
    output logic [4:0]         shift_o,
    output logic               infinite_o
);
  logic signed [10:0] under;
  assign under = 11'sd1 - exponent_i;
  assign infinite_o = exponent_i > 11'sd254;
  assign field_o = under > 11'sd0 ? 8'd0 : exponent_i[7:0];
  assign shift_o = under > 11'sd25 ? 5'd31 : under > 11'sd0 ? under[4:0] : 5'd0;
endmodule
