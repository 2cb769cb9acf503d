/* SPDX-License-Identifier: MIT */ // Value to code: floor((x + b) / w), saturated at ±2^62, NaN as the minimum; one per cycle, 27 cycles latency, then a queue
// with room for every value in flight.
module nysx_floor #(
    parameter logic [31:0] WIDTH = 32'h3c23d70a // w
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic [31:0] offset_i, // b of the hop
    input  logic        valid_i,
    output logic        ready_o,
    input  logic [31:0] value_i,
    output logic        valid_o,
    input  logic        ready_i,
    output logic [63:0] code_o
);
  localparam int unsigned LATENCY = 6 + 18 + 3;
  localparam int unsigned QUEUE = 32;
  logic [63:0] code;
  nysx_bin #(.WIDTH(WIDTH)) divided (.clk_i, .offset_i, .value_i, .code_o(code));

  logic [$clog2(QUEUE):0] out_q; // in flight or queued
  logic come;
  assign ready_o = out_q < ($clog2(QUEUE) + 1)'(QUEUE);
  always_ff @(posedge clk_i)
    if (rst_i) out_q <= '0;
    else out_q <= out_q + ($clog2(QUEUE) + 1)'(valid_i && ready_o) - ($clog2(QUEUE) + 1)'(valid_o && ready_i);
  nysx_delay #(.WIDTH(1), .STAGES(LATENCY), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i(valid_i && ready_o), .q_o(come));
  logic room;
  logic [$clog2(QUEUE):0] unused_count;
  nysx_fifo #(.WIDTH(64), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(come), .ready_o(room), .data_i(code),
                                                .valid_o, .ready_i, .data_o(code_o), .count_o(unused_count));
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) assert (!come || room) else $error("a code came that nobody had room for");
`else
  logic unused;
  assign unused = room;
`endif
endmodule
