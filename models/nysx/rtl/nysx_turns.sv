/* SPDX-License-Identifier: MIT */ // COUNT streams into one, in turn: of those that offer something the first, from the one behind the last taken. An offer
// that was chosen stays chosen until it is taken.
module nysx_turns #(
    parameter int unsigned COUNT = 4,
    parameter int unsigned WIDTH = 8,
    localparam int unsigned INDEX_BITS = COUNT > 1 ? $clog2(COUNT) : 1
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic [COUNT-1:0]       valid_i,
    input  logic [COUNT*WIDTH-1:0] data_i,
    output logic [COUNT-1:0]       ready_o, // whose turn it is; taken where ready_i too
    output logic                   valid_o,
    output logic [WIDTH-1:0]       data_o,
    input  logic                   ready_i
);
  logic [INDEX_BITS-1:0] next_q, chosen, held_q;
  logic hold_q;
  always_comb begin
    chosen = next_q;
    for (int unsigned k = COUNT; k > 0; k--)
      if (valid_i[(32'(next_q) + k - 1) % COUNT]) chosen = INDEX_BITS'((32'(next_q) + k - 1) % COUNT);
    if (hold_q) chosen = held_q;
  end
  assign valid_o = valid_i != '0;
  assign data_o = data_i[32'(chosen)*WIDTH+:WIDTH];
  always_comb begin
    ready_o = '0;
    ready_o[chosen] = valid_o;
  end
  always_ff @(posedge clk_i) begin
    hold_q <= !rst_i && valid_o && !ready_i;
    held_q <= chosen;
    if (rst_i) next_q <= '0;
    else if (valid_o && ready_i) next_q <= 32'(chosen) == COUNT - 1 ? '0 : chosen + 1'b1;
  end
  nysx_handshake #(.WIDTH(WIDTH)) check (.clk_i, .rst_i, .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o));
endmodule
