/* SPDX-License-Identifier: MIT */ // First-in first-out queue between two streams. The front entry, ready_o and count_o are registers: no memory is on the
// output path. DEPTH is a power of two. An entry can leave in the cycle after it enters.
// With DEPTH = 2 it is a skid buffer.
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
    output logic [ADDRESS:0]   count_o // includes the front entry
);
  (* ram_style = "distributed" *) logic [WIDTH-1:0] entry[DEPTH];
  logic [ADDRESS-1:0] head_q, tail_q; // places of the entries behind the front
  logic stored, load, enter;
  assign ready_o = !count_o[ADDRESS];
  assign stored = count_o[ADDRESS:1] != '0;
  assign load = !valid_o || ready_i;
  assign enter = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    if (enter) entry[tail_q] <= data_i; // not read if the entry goes straight to the front
    if (load) data_o <= stored ? entry[head_q] : data_i;
    if (rst_i) begin
      valid_o <= 1'b0;
      head_q <= '0;
      tail_q <= '0;
      count_o <= '0;
    end else begin
      if (load) valid_o <= stored || enter;
      if (load && (stored || enter)) head_q <= head_q + 1'b1;
      if (enter) tail_q <= tail_q + 1'b1;
      if (enter != (valid_o && ready_i)) count_o <= enter ? count_o + 1'b1 : count_o - 1'b1;
    end
  end
  nysx_handshake #(.WIDTH(WIDTH)) in_check (.clk_i, .rst_i, .valid_i(valid_i), .ready_i(ready_o), .data_i(data_i));
  nysx_handshake #(.WIDTH(WIDTH)) out_check (.clk_i, .rst_i, .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o));
`ifndef SYNTHESIS
  initial assert (DEPTH == 1 << ADDRESS && DEPTH > 1) else $fatal(1, "nysx_fifo: DEPTH must be a power of two");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (count_o <= (ADDRESS + 1)'(DEPTH)) else $error("a queue holds more than its room");
      assert (valid_o == (count_o != '0)) else $error("a queue hides what it holds");
    end
`endif
endmodule
