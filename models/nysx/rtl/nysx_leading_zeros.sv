/* SPDX-License-Identifier: MIT */ // Counts the leading zeros of 32 bits; 31 if no bit is set.
module nysx_leading_zeros (
    input  logic [31:0] value_i,
    output logic [4:0]  zeros_o
);
  logic unused;
  assign unused = value_i[0];
  logic [15:1] half;
  logic [7:1] quarter;
  logic [3:1] eighth;
  logic high16, high8, high4, high2, high1;
  assign high16 = value_i[31:16] != '0;
  assign half = high16 ? value_i[31:17] : value_i[15:1];
  assign high8 = half[15:8] != '0;
  assign quarter = high8 ? half[15:9] : half[7:1];
  assign high4 = quarter[7:4] != '0;
  assign eighth = high4 ? quarter[7:5] : quarter[3:1];
  assign high2 = eighth[3:2] != '0;
  assign high1 = high2 ? eighth[3] : eighth[1];
  assign zeros_o = {!high16, !high8, !high4, !high2, !high1};
endmodule
