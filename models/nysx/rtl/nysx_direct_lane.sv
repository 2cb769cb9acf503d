/* SPDX-License-Identifier: MIT */ // A lane of nysx_direct: per cycle one sign per code for its element of the hypervector; counts the signs and accumulates the sum.
module nysx_direct_lane #(
    parameter int unsigned CODES = 4,
    parameter int unsigned SUM_BITS = 12,
    localparam int unsigned ONES_BITS = $clog2(CODES + 1)
) (
    input  logic                       clk_i,
    input  logic [CODES-1:0]           signs_i,
    input  logic [ONES_BITS-1:0]       there_i, // codes present in the counted cycle
    input  logic                       add_i,
    input  logic                       first_i, // first word of an iteration
    input  logic signed [SUM_BITS-1:0] start_i,
    output logic                       sign_o
);
  logic [ONES_BITS-1:0] ones;
  logic signed [ONES_BITS+1:0] step_q;
  logic signed [SUM_BITS-1:0] sum_q;
  nysx_popcount #(.WIDTH(CODES)) count_ones (.clk_i, .bits_i(signs_i), .count_o(ones));
  always_ff @(posedge clk_i) begin
    step_q <= $signed({1'b0, ones, 1'b0}) - $signed({2'b0, there_i});
    if (add_i) sum_q <= (first_i ? start_i : sum_q) + SUM_BITS'(step_q);
    sign_o <= !sum_q[SUM_BITS-1];
  end
endmodule
