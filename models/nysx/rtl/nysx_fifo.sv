/* SPDX-License-Identifier: MIT */ // A first-in first-out queue between two streams; what is in front is seen at once. DEPTH is a power of two. An entry that
// enters can leave in the next cycle.
module nysx_fifo #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 16,
    localparam int unsigned ADDRESS = $clog2(DEPTH)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               valid_i,
    output logic               ready_o,
    input  logic [WIDTH-1:0]   data_i,
    output logic               valid_o,
    input  logic               ready_i,
    output logic [WIDTH-1:0]   data_o,
    output logic [ADDRESS:0]   count_o
);
  logic [WIDTH-1:0] entry[DEPTH];
  logic [ADDRESS:0] head_q, tail_q;
  assign count_o = tail_q - head_q;
  assign ready_o = !count_o[ADDRESS];
  assign valid_o = count_o != '0;
  assign data_o = entry[head_q[ADDRESS-1:0]];
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) entry[tail_q[ADDRESS-1:0]] <= data_i;
    if (rst_i) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      head_q <= head_q + (ADDRESS + 1)'(valid_o && ready_i);
      tail_q <= tail_q + (ADDRESS + 1)'(valid_i && ready_o);
    end
  end
  nysx_handshake #(.WIDTH(WIDTH)) in_check (.clk_i, .rst_i, .valid_i(valid_i), .ready_i(ready_o), .data_i(data_i));
  nysx_handshake #(.WIDTH(WIDTH)) out_check (.clk_i, .rst_i, .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o));
`ifndef SYNTHESIS
  initial assert (DEPTH == 1 << ADDRESS) else $fatal(1, "nysx_fifo: DEPTH must be a power of two");
  always_ff @(posedge clk_i)
    if (!rst_i) assert (count_o <= (ADDRESS + 1)'(DEPTH)) else $error("a queue holds more than its room");
`endif
endmodule
