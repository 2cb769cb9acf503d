/* SPDX-License-Identifier: MIT */ // Memory with one write port and one read port, read latency two cycles. The second cycle is an output register of the block RAM, and precedes
// LUTs where the address is narrower than the word. A read of the word being written returns the old word.
module smgpu_ram #(
    parameter int unsigned WIDTH = 32,
    parameter int unsigned DEPTH = 16,
    localparam int unsigned ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic               clk_i,
    input  logic               write_i,
    input  logic [ADDRESS-1:0] write_address_i,
    input  logic [WIDTH-1:0]   data_i,
    input  logic [ADDRESS-1:0] read_address_i,
    output logic [WIDTH-1:0]   data_o
);
  if (DEPTH <= 64) begin : gen_luts
    (* ram_style = "distributed" *) logic [WIDTH-1:0] word[DEPTH];
    logic [ADDRESS-1:0] address_q;
    always_ff @(posedge clk_i) begin
      address_q <= read_address_i;
      data_o <= word[address_q];
      if (write_i) word[write_address_i] <= data_i;
    end
  end else begin : gen_block
    logic [WIDTH-1:0] word[DEPTH];
    logic [WIDTH-1:0] read_q;
    always_ff @(posedge clk_i) begin
      read_q <= word[read_address_i];
      data_o <= read_q;
      if (write_i) word[write_address_i] <= data_i;
    end
  end
endmodule
