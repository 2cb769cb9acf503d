/* SPDX-License-Identifier: MIT */ // Sum of COUNT numbers modulo 2^WIDTH, LATENCY cycles: a binary adder tree with a register after every three levels.
module nysx_sum #(
    parameter int unsigned COUNT = 4,
    parameter int unsigned WIDTH = 8,
    localparam int unsigned LEVELS = COUNT > 1 ? $clog2(COUNT) : 0,
    parameter int unsigned LATENCY = LEVELS > 3 ? (LEVELS + 2) / 3 : 1 // derived; do not override
) (
    input  logic                   clk_i,
    input  logic [COUNT*WIDTH-1:0] values_i,
    output logic [WIDTH-1:0]       sum_o
);
  for (genvar s = 0; s < LATENCY; s++) begin : gen_stage
    localparam int unsigned FROM = (COUNT + (1 << 3 * s) - 1) >> 3 * s;
    localparam int unsigned TO = s == LATENCY - 1 ? 1 : (FROM + 7) / 8;
    logic [TO*8*WIDTH-1:0] from; // absent inputs are zero
    logic [TO*WIDTH-1:0] sum_q;
    if (s == 0) begin : gen_first
      assign from = (TO * 8 * WIDTH)'(values_i);
    end else begin : gen_next
      assign from = (TO * 8 * WIDTH)'(gen_stage[s-1].sum_q);
    end
    for (genvar i = 0; i < TO; i++) begin : gen_sum
      logic [8*WIDTH-1:0] eight;
      assign eight = from[8*i*WIDTH+:8*WIDTH];
      always_ff @(posedge clk_i)
        sum_q[i*WIDTH+:WIDTH] <= ((eight[0*WIDTH+:WIDTH] + eight[1*WIDTH+:WIDTH]) + (eight[2*WIDTH+:WIDTH] + eight[3*WIDTH+:WIDTH])) +
                                 ((eight[4*WIDTH+:WIDTH] + eight[5*WIDTH+:WIDTH]) + (eight[6*WIDTH+:WIDTH] + eight[7*WIDTH+:WIDTH]));
    end
  end
  assign sum_o = gen_stage[LATENCY-1].sum_q;
`ifndef SYNTHESIS
  initial assert (LATENCY == (LEVELS > 3 ? (LEVELS + 2) / 3 : 1)) else $fatal(1, "nysx_sum: LATENCY follows from COUNT");
`endif
endmodule
