/* SPDX-License-Identifier: MIT */ // P_nys in on-chip memory: one word holds a BITS-bit element per lane; words lie in order of use.
module nysx_resident #(
    parameter int unsigned LANES = 16,
    parameter int unsigned BITS = 8,
    parameter int unsigned WORDS = 93750,
    parameter STYLE = "block",
    parameter P_FILE = "p_resident.hex",
    localparam int unsigned WORD_BITS = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  start_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [LANES*BITS-1:0] entries_o
);
  // Requested words arrive two cycles later, in a queue with room for them.
  logic [WORD_BITS-1:0] word_q;
  logic running_q, ask, come, room;
  logic [LANES*BITS-1:0] word;
  logic [3:0] out_q, unused_count;
  assign ask = running_q && out_q < 4'd8;
  nysx_rom #(.WIDTH(LANES * BITS), .DEPTH(WORDS), .LATENCY(2), .STYLE(STYLE), .FILE(P_FILE)) p (
      .clk_i, .address_i(word_q), .data_o(word));
  always_ff @(posedge clk_i) begin
    if (rst_i) running_q <= 1'b0;
    else if (start_i) running_q <= 1'b1;
    else if (ask && word_q == WORD_BITS'(WORDS - 1)) running_q <= 1'b0;
    if (start_i) word_q <= '0;
    else if (ask) word_q <= word_q + 1'b1;
    if (rst_i) out_q <= '0;
    else out_q <= out_q + 4'(ask) - 4'(valid_o && ready_i);
  end
  nysx_delay #(.WIDTH(1), .STAGES(2), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i(ask), .q_o(come));
  nysx_fifo #(.WIDTH(LANES * BITS), .DEPTH(8)) queue (.clk_i, .rst_i, .valid_i(come), .ready_o(room), .data_i(word),
                                                      .valid_o, .ready_i, .data_o(entries_o), .count_o(unused_count));
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!come || room) else $error("a word came that nobody had room for");
      assert (!start_i || (!running_q && out_q == '0)) else $error("a product came during another");
    end
`else
  logic unused_room;
  assign unused_room = room;
`endif
endmodule
