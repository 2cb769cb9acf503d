/* SPDX-License-Identifier: MIT */ // A memory with one port to write and one to read; a word comes in the cycle after its address, and is the old one where
// both ports are at the same word. Starts as zeros.
module nysx_ram #(
    parameter int unsigned WIDTH = 8,
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
  logic [WIDTH-1:0] word[DEPTH];
  initial for (int unsigned i = 0; i < DEPTH; i++) word[i] = '0;
  always_ff @(posedge clk_i) begin
    data_o <= word[read_address_i];
    if (write_i) word[write_address_i] <= data_i;
  end
endmodule
