/* SPDX-License-Identifier: MIT */ // Delays a word by STAGES cycles, without reset.
module smgpu_delay #(
    parameter int unsigned WIDTH = 1,
    parameter int unsigned STAGES = 1
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] d_i,
    output logic [WIDTH-1:0] q_o
);
  if (STAGES == 0) begin : gen_wire
    assign q_o = d_i;
    logic unused;
    assign unused = clk_i;
  end else begin : gen_stages
    logic [STAGES*WIDTH-1:0] stage_q;
    if (STAGES == 1) begin : gen_one
      always_ff @(posedge clk_i) stage_q <= d_i;
    end else begin : gen_more
      always_ff @(posedge clk_i) stage_q <= {stage_q[(STAGES-1)*WIDTH-1:0], d_i};
    end
    assign q_o = stage_q[STAGES*WIDTH-1-:WIDTH];
  end
endmodule
