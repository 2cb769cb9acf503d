/* SPDX-License-Identifier: MIT */ // Delays a value by STAGES cycles. Without reset it maps to shift registers in LUTs; valid bits that must start
// at 0 use RESET = 1.
module nysx_delay #(
    parameter int unsigned WIDTH = 1,
    parameter int unsigned STAGES = 1,
    parameter bit RESET = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [WIDTH-1:0] d_i,
    output logic [WIDTH-1:0] q_o
);
  if (STAGES == 0) begin : gen_wire
    logic unused;
    assign unused = &{1'b0, clk_i, rst_i};
    assign q_o = d_i;
  end else begin : gen_stages
    logic [WIDTH-1:0] stage_q[STAGES];
    always_ff @(posedge clk_i) begin
      if (RESET && rst_i) begin
        /* verilator lint_off WIDTHCONCAT */ // wide enough for the threshold marks of all lanes, above 8,192 bits
        for (int unsigned i = 0; i < STAGES; i++) stage_q[i] <= '0;
        /* verilator lint_on WIDTHCONCAT */
      end else begin
        stage_q[0] <= d_i;
        for (int unsigned i = 1; i < STAGES; i++) stage_q[i] <= stage_q[i-1];
      end
    end
    assign q_o = stage_q[STAGES-1];
  end
endmodule
