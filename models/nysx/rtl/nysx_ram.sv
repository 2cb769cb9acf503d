/* SPDX-License-Identifier: MIT */ // Memory with one write port and one read port, LATENCY = 1 or 2 cycles, initialised to zero. A read of the word being written returns the
// old word. The second cycle is an output register: it hides a block RAM's late output, and it precedes
// LUTs where the address is narrower than the word.
module nysx_ram #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 16,
    parameter int unsigned LATENCY = 1,
    localparam int unsigned ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic               clk_i,
    input  logic               write_i,
    input  logic [ADDRESS-1:0] write_address_i,
    input  logic [WIDTH-1:0]   data_i,
    input  logic [ADDRESS-1:0] read_address_i,
    output logic [WIDTH-1:0]   data_o
);
  localparam bit LUTS = LATENCY == 2 && DEPTH <= 64;
  logic [ADDRESS-1:0] address;
  logic [WIDTH-1:0] read_q;
  nysx_delay #(.WIDTH(ADDRESS), .STAGES(LUTS ? 1 : 0)) early (.clk_i, .rst_i(1'b0), .d_i(read_address_i), .q_o(address));
  nysx_delay #(.WIDTH(WIDTH), .STAGES(LUTS ? 0 : LATENCY - 1)) behind (.clk_i, .rst_i(1'b0), .d_i(read_q), .q_o(data_o));
  if (LUTS) begin : gen_luts
    (* ram_style = "distributed" *) logic [WIDTH-1:0] word[DEPTH];
    initial for (int unsigned i = 0; i < DEPTH; i++) word[i] = '0;
    always_ff @(posedge clk_i) begin
      read_q <= word[address];
      if (write_i) word[write_address_i] <= data_i;
    end
  end else begin : gen_any
    logic [WIDTH-1:0] word[DEPTH];
    initial for (int unsigned i = 0; i < DEPTH; i++) word[i] = '0;
    always_ff @(posedge clk_i) begin
      read_q <= word[address];
      if (write_i) word[write_address_i] <= data_i;
    end
  end
endmodule
