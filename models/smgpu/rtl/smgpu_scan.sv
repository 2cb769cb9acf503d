/* SPDX-License-Identifier: MIT */ // Running sums, saturated after every term, LANES terms per cycle. Adding a term with saturation is min(max(x + sum, low), high), and the
// composition of two such functions has the same form. A tree composes the functions of the terms up to each lane (two cycles per level). It
// applies them to the last lane's value of the previous cycle. A row's first term has low = high, so earlier terms have no effect.
module smgpu_scan #(
    parameter int unsigned LANES = 16,
    localparam int unsigned LEVELS = LANES > 1 ? $clog2(LANES) : 0,
    parameter int unsigned LATENCY = 2 * LEVELS + 2 // derived; do not override
) (
    input  logic                clk_i,
    input  logic                valid_i,
    input  logic [LANES-1:0]    used_i,  // the lane has a term
    input  logic [LANES-1:0]    first_i, // the term is its row's first
    input  logic [LANES*32-1:0] term_i,
    output logic [LANES*32-1:0] sum_o    // saturated sum of the row up to this lane's term
);
  localparam int unsigned SUM = 33 + LEVELS;
  localparam logic signed [31:0] LEAST = 32'sh80000000, MOST = 32'sh7fffffff;
  for (genvar l = 0; l <= LEVELS; l++) begin : gen_level
    logic [LANES*SUM-1:0] sum_q;
    logic [LANES*32-1:0] low_q, high_q;
    for (genvar i = 0; i < LANES; i++) begin : gen_lane
      if (l == 0) begin : gen_term
        logic signed [31:0] term;
        assign term = term_i[32*i+:32];
        always_ff @(posedge clk_i) begin
          sum_q[SUM*i+:SUM] <= used_i[i] ? SUM'(term) : '0;
          low_q[32*i+:32] <= used_i[i] && first_i[i] ? term : LEAST;
          high_q[32*i+:32] <= used_i[i] && first_i[i] ? term : MOST;
        end
      end else if (((i >> (l - 1)) & 1) != 0) begin : gen_joined
        localparam int unsigned BELOW = ((i >> (l - 1)) << (l - 1)) - 1; // last lane before this lane's half
        logic signed [SUM-1:0] own, sum1_q, low1_q, high1_q;
        logic signed [31:0] own_low_q, own_high_q, below_low, below_high;
        assign own = gen_level[l-1].sum_q[SUM*i+:SUM];
        assign below_low = gen_level[l-1].low_q[32*BELOW+:32];
        assign below_high = gen_level[l-1].high_q[32*BELOW+:32];
        always_ff @(posedge clk_i) begin
          sum1_q <= own + $signed(gen_level[l-1].sum_q[SUM*BELOW+:SUM]);
          low1_q <= own + SUM'(below_low);
          high1_q <= own + SUM'(below_high);
          own_low_q <= gen_level[l-1].low_q[32*i+:32];
          own_high_q <= gen_level[l-1].high_q[32*i+:32];
          sum_q[SUM*i+:SUM] <= sum1_q;
          low_q[32*i+:32] <= low1_q < SUM'(own_low_q) ? own_low_q : low1_q > SUM'(own_high_q) ? own_high_q : low1_q[31:0];
          high_q[32*i+:32] <= high1_q < SUM'(own_low_q) ? own_low_q : high1_q > SUM'(own_high_q) ? own_high_q : high1_q[31:0];
        end
      end else begin : gen_alone
        logic [SUM-1:0] sum1_q;
        logic [31:0] low1_q, high1_q;
        always_ff @(posedge clk_i) begin
          sum1_q <= gen_level[l-1].sum_q[SUM*i+:SUM];
          low1_q <= gen_level[l-1].low_q[32*i+:32];
          high1_q <= gen_level[l-1].high_q[32*i+:32];
          sum_q[SUM*i+:SUM] <= sum1_q;
          low_q[32*i+:32] <= low1_q;
          high_q[32*i+:32] <= high1_q;
        end
      end
    end
  end
  logic valid;
  smgpu_delay #(.WIDTH(1), .STAGES(2 * LEVELS + 1)) beside (.clk_i, .d_i(valid_i), .q_o(valid));
  logic signed [31:0] carry_q; // last lane's value
  for (genvar i = 0; i < LANES; i++) begin : gen_value
    logic signed [SUM:0] whole;
    logic signed [31:0] low, high, value;
    assign whole = (SUM + 1)'(carry_q) + (SUM + 1)'($signed(gen_level[LEVELS].sum_q[SUM*i+:SUM]));
    assign low = gen_level[LEVELS].low_q[32*i+:32];
    assign high = gen_level[LEVELS].high_q[32*i+:32];
    assign value = whole < (SUM + 1)'(low) ? low : whole > (SUM + 1)'(high) ? high : whole[31:0];
    always_ff @(posedge clk_i) sum_o[32*i+:32] <= value;
    if (i == LANES - 1) begin : gen_carry
      always_ff @(posedge clk_i) if (valid) carry_q <= value;
    end
  end
`ifndef SYNTHESIS
  initial assert (LATENCY == 2 * LEVELS + 2) else $fatal(1, "smgpu_scan: LATENCY follows from LANES");
`endif
endmodule
