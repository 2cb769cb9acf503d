/* SPDX-License-Identifier: MIT */ // The low 32 bits of a product by a constant, one a cycle, LATENCY = 2 cycles later: partial products of at most 26 by 17
// bits, and their sum.
module nysx_mul32 #(
    parameter logic [31:0] FACTOR = 32'h7feb352d
) (
    input  logic        clk_i,
    input  logic [31:0] value_i,
    output logic [31:0] product_o
);
  localparam logic [16:0] F0 = FACTOR[16:0];
  localparam logic [14:0] F1 = FACTOR[31:17];
  logic [31:0] p00_q;
  logic [14:0] p01_q;
  logic [5:0] p10_q;
  always_ff @(posedge clk_i) begin
    p00_q <= 32'(value_i[25:0]) * 32'(F0);
    p01_q <= value_i[14:0] * F1;
    p10_q <= value_i[31:26] * F0[5:0];
    product_o <= p00_q + ({p01_q, 17'b0} + {p10_q, 26'b0});
  end
endmodule
