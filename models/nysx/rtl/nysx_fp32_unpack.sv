/* SPDX-License-Identifier: MIT */ // Unpacks an IEEE single-precision number: significand normalised to 1.xxx in 24 bits, subnormals too, exponent
// adjusted; 2 cycles. For zeros, infinities and NaN only the flags are valid.
module nysx_fp32_unpack (
    input  logic               clk_i,
    input  logic [31:0]        value_i,
    output logic               sign_o,
    output logic signed [9:0]  exponent_o,
    output logic [23:0]        significand_o,
    output logic               zero_o,
    output logic               infinite_o,
    output logic               nan_o
);
  logic [4:0] zeros;
  nysx_leading_zeros lzc (.value_i({value_i[22:0], 9'b0}), .zeros_o(zeros));
  logic [31:0] value_q;
  logic [4:0] zeros_q; // leading zeros of a subnormal's fraction
  logic subnormal, subnormal_q;
  assign subnormal = value_i[30:23] == '0;
  always_ff @(posedge clk_i) begin
    value_q <= value_i;
    subnormal_q <= subnormal;
    zeros_q <= subnormal ? zeros : 5'd0;
    sign_o <= value_q[31];
    exponent_o <= $signed(10'(value_q[30:23])) - $signed(10'(zeros_q)); // a subnormal's field is 0
    significand_o <= (subnormal_q ? {value_q[22:0], 1'b0} : {1'b1, value_q[22:0]}) << zeros_q;
    zero_o <= value_q[30:0] == '0;
    infinite_o <= value_q[30:0] == 31'h7f800000;
    nan_o <= value_q[30:23] == 8'hff && value_q[22:0] != '0;
  end
endmodule
