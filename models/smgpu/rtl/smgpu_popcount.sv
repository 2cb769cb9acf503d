/* SPDX-License-Identifier: MIT */ // Population count of WIDTH bits, LATENCY cycles: six bits per table, then an adder tree with one level per cycle.
module smgpu_popcount #(
    parameter int unsigned WIDTH = 64,
    localparam int unsigned COUNT_BITS = $clog2(WIDTH + 1),
    localparam int unsigned LEAVES = (WIDTH + 5) / 6,
    localparam int unsigned LEVELS = LEAVES > 1 ? $clog2(LEAVES) : 0,
    parameter int unsigned LATENCY = LEVELS + 1 // derived; do not override
) (
    input  logic                  clk_i,
    input  logic [WIDTH-1:0]      bits_i,
    output logic [COUNT_BITS-1:0] count_o
);
  localparam int unsigned SIZE = 1 << LEVELS;
  localparam int unsigned WIDE = 3 + LEVELS;
  logic [SIZE*6-1:0] padded;
  assign padded = (SIZE * 6)'(bits_i);
  for (genvar l = 0; l <= LEVELS; l++) begin : gen_level
    localparam int unsigned BITS = 3 + l;
    logic [(SIZE>>l)*BITS-1:0] sum_q;
    for (genvar i = 0; i < SIZE >> l; i++) begin : gen_sum
      if (l == 0) begin : gen_leaf
        logic [5:0] six;
        assign six = padded[i*6+:6];
        always_ff @(posedge clk_i)
          sum_q[i*3+:3] <= 3'(six[0]) + 3'(six[1]) + 3'(six[2]) + 3'(six[3]) + 3'(six[4]) + 3'(six[5]);
      end else begin : gen_node
        always_ff @(posedge clk_i)
          sum_q[i*BITS+:BITS] <= {1'b0, gen_level[l-1].sum_q[2*i*(BITS-1)+:BITS-1]} +
                                 {1'b0, gen_level[l-1].sum_q[(2*i+1)*(BITS-1)+:BITS-1]};
      end
    end
  end
  assign count_o = COUNT_BITS'(gen_level[LEVELS].sum_q);
  if (WIDE > COUNT_BITS) begin : gen_rest
    logic unused;
    assign unused = &{1'b0, gen_level[LEVELS].sum_q[WIDE-1:COUNT_BITS]};
  end
`ifndef SYNTHESIS
  initial assert (LATENCY == LEVELS + 1) else $fatal(1, "smgpu_popcount: LATENCY follows from WIDTH");
`endif
endmodule
