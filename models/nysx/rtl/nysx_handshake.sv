/* SPDX-License-Identifier: MIT */ // Checks the stream contract: valid and data stay stable until ready. One instance per stream; synthesis
// removes it.
module nysx_handshake #(
    parameter int unsigned WIDTH = 1
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             valid_i,
    input logic             ready_i,
    input logic [WIDTH-1:0] data_i
);
`ifdef SYNTHESIS
  logic unused;
  assign unused = &{1'b0, clk_i, rst_i, valid_i, ready_i, data_i};
`else
  logic held_q;
  logic [WIDTH-1:0] data_q;
  always_ff @(posedge clk_i) begin
    held_q <= !rst_i && valid_i && !ready_i;
    data_q <= data_i;
    if (!rst_i && held_q) begin
      assert (valid_i) else $error("an offer was withdrawn");
      assert (!valid_i || data_i == data_q) else $error("an offer was changed");
    end
  end
`endif
endmodule
