/* SPDX-License-Identifier: MIT */ // Two's complement integer to IEEE single precision, rounded to nearest even; one per cycle, LATENCY = 4
// cycles.
module nysx_to_fp32 #(
    parameter int unsigned WIDTH = 14 // at most 32
) (
    input  logic                    clk_i,
    input  logic signed [WIDTH-1:0] value_i,
    output logic [31:0]             result_o
);
  logic sign1_q, sign2_q, sign3_q, zero3_q;
  logic [31:0] magnitude1_q, magnitude2_q, normal3_q;
  logic [4:0] zeros, shift2_q, shift3_q;
  logic signed [31:0] wide;
  assign wide = 32'(value_i);
  nysx_leading_zeros lzc (.value_i(magnitude1_q), .zeros_o(zeros));
  logic up;
  logic [30:0] rounded;
  assign up = normal3_q[7] && (normal3_q[8] || normal3_q[6:0] != '0);
  assign rounded = {8'd158 - 8'(shift3_q), normal3_q[30:8]} + 31'(up);
  always_ff @(posedge clk_i) begin
    sign1_q <= wide[31];
    magnitude1_q <= wide[31] ? -wide : wide;
    sign2_q <= sign1_q;
    magnitude2_q <= magnitude1_q;
    shift2_q <= zeros;
    sign3_q <= sign2_q;
    zero3_q <= magnitude2_q == '0;
    normal3_q <= magnitude2_q << shift2_q;
    shift3_q <= shift2_q;
    result_o <= zero3_q ? 32'b0 : {sign3_q, rounded};
  end
  logic unused;
  assign unused = normal3_q[31];
endmodule
