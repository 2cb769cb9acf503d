/* SPDX-License-Identifier: MIT */ // First-in first-out queue in block RAM, for more entries than LUTs should hold. The front entry is the memory's output. DEPTH is a power of two; an
// entry can leave two cycles after it enters.
module nysx_fifo_block #(
    parameter int unsigned WIDTH = 128,
    parameter int unsigned DEPTH = 512,
    localparam int unsigned ADDRESS = $clog2(DEPTH)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [WIDTH-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [WIDTH-1:0] data_o
);
  (* ram_style = "block", no_rw_check, rw_addr_collision = "no" *) logic [WIDTH-1:0] entry[DEPTH];
  logic [ADDRESS-1:0] head_q, tail_q;
  logic [ADDRESS:0] stored_q; // entries behind the front
  logic load, enter;
  assign ready_o = !stored_q[ADDRESS];
  assign load = stored_q != '0 && (!valid_o || ready_i);
  assign enter = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    if (enter) entry[tail_q] <= data_i;
    if (load) data_o <= entry[head_q];
    if (rst_i) begin
      valid_o <= 1'b0;
      head_q <= '0;
      tail_q <= '0;
      stored_q <= '0;
    end else begin
      if (load || ready_i) valid_o <= load;
      if (load) head_q <= head_q + 1'b1;
      if (enter) tail_q <= tail_q + 1'b1;
      if (enter != load) stored_q <= enter ? stored_q + 1'b1 : stored_q - 1'b1;
    end
  end
  nysx_handshake #(.WIDTH(WIDTH)) in_check (.clk_i, .rst_i, .valid_i(valid_i), .ready_i(ready_o), .data_i(data_i));
  nysx_handshake #(.WIDTH(WIDTH)) out_check (.clk_i, .rst_i, .valid_i(valid_o), .ready_i(ready_i), .data_i(data_o));
`ifndef SYNTHESIS
  initial assert (DEPTH == 1 << ADDRESS && DEPTH > 1) else $fatal(1, "nysx_fifo_block: DEPTH must be a power of two");
`endif
endmodule
