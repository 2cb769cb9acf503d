/* SPDX-License-Identifier: MIT */ // Folds a 64-bit LSH code to 32 bits: mix(low + mix(high + 0x9e3779b9 · (hop + 1))) (docs/reference/model-file.md); one per
// cycle, LATENCY = 16 cycles.
module nysx_fold #(
    parameter int unsigned HOP_BITS = 4
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic [HOP_BITS-1:0] hop_i, // stable while codes are in flight
    input  logic                valid_i,
    input  logic [63:0]         code_i,
    output logic                valid_o,
    output logic [31:0]         code_o
);
  localparam logic [31:0] GOLDEN = 32'h9e3779b9;
  logic [31:0] step, step_q, high_q, low, sum_q, inner;
  always_comb begin // selects a constant instead of multiplying
    step = '0;
    for (int unsigned t = 0; t < 1 << HOP_BITS; t++)
      if (hop_i == HOP_BITS'(t)) step = GOLDEN * (t + 32'd1);
  end
  always_ff @(posedge clk_i) begin
    step_q <= step;
    high_q <= code_i[63:32] + step_q;
    sum_q <= low + inner;
  end
  nysx_mix32 inner_mixer (.clk_i, .value_i(high_q), .mixed_o(inner));
  nysx_delay #(.WIDTH(32), .STAGES(8)) low_aside (.clk_i, .rst_i, .d_i(code_i[31:0]), .q_o(low));
  nysx_mix32 outer_mixer (.clk_i, .value_i(sum_q), .mixed_o(code_o));
  nysx_delay #(.WIDTH(1), .STAGES(16), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i(valid_i), .q_o(valid_o));
endmodule
