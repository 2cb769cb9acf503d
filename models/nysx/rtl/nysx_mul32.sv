/* SPDX-License-Identifier: MIT */ // Low 32 bits of a product by a constant, one per cycle, LATENCY = 2 cycles, registered input: partial products of at most
// 17 by 17 bits, which fit a multiplier of any FPGA family, and their sum.
module nysx_mul32 #(
    parameter logic [31:0] FACTOR = 32'h7feb352d
) (
    input  logic        clk_i,
    input  logic [31:0] value_i, // from a register
    output logic [31:0] product_o
);
  localparam logic [16:0] F0 = FACTOR[16:0];
  localparam logic [14:0] F1 = FACTOR[31:17];
  logic [31:0] p00_q;
  logic [14:0] p01_q, p10_q;
  always_ff @(posedge clk_i) begin
    p00_q <= 32'(34'(value_i[16:0]) * 34'(F0));
    p01_q <= value_i[14:0] * F1;
    p10_q <= value_i[31:17] * F0[14:0];
    product_o <= {p00_q[31:17] + p01_q + p10_q, p00_q[16:0]};
  end
endmodule
