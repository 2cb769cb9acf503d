/* SPDX-License-Identifier: MIT */ // Full product of two signed 32-bit numbers, three cycles latency: partial products of at most 17 by 17 bits, which fit a
// multiplier of any FPGA family, and their sums.
module smgpu_mul (
    input  logic               clk_i,
    input  logic signed [31:0] a_i, // from a register
    input  logic signed [31:0] b_i, // from a register
    output logic signed [63:0] product_o
);
  logic signed [16:0] a_low, b_low;
  logic signed [15:0] a_high, b_high;
  assign a_low = {1'b0, a_i[15:0]};
  assign b_low = {1'b0, b_i[15:0]};
  assign a_high = a_i[31:16];
  assign b_high = b_i[31:16];
  logic signed [33:0] low_q;
  logic signed [32:0] cross0_q, cross1_q;
  logic signed [31:0] high_q;
  logic signed [33:0] cross_q;
  logic signed [63:0] ends_q;
  always_ff @(posedge clk_i) begin
    low_q <= a_low * b_low;
    cross0_q <= a_high * b_low;
    cross1_q <= a_low * b_high;
    high_q <= a_high * b_high;
    cross_q <= 34'(cross0_q) + 34'(cross1_q);
    ends_q <= {high_q, low_q[31:0]};
    product_o <= ends_q + {{14{cross_q[33]}}, cross_q, 16'b0};
  end
  logic unused;
  assign unused = &{1'b0, low_q[33:32]};
endmodule
