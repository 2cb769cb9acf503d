/* SPDX-License-Identifier: MIT */ // Table initialised from FILE (hexadecimal, one word per line) by the bitstream; read latency LATENCY cycles
// (1 or more). STYLE: "block", "distributed" or "auto".
module nysx_rom #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 16,
    parameter int unsigned LATENCY = 1,
    parameter FILE = "",
    /* verilator lint_off UNUSEDPARAM */ // an attribute that simulators ignore
    parameter STYLE = "auto",
    /* verilator lint_on UNUSEDPARAM */
    localparam int unsigned ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic               clk_i,
    input  logic [ADDRESS-1:0] address_i,
    output logic [WIDTH-1:0]   data_o
);
  (* rom_style = STYLE *) logic [WIDTH-1:0] word[DEPTH];
  initial $readmemh(FILE, word);
  logic [WIDTH-1:0] read_q;
  always_ff @(posedge clk_i) read_q <= word[address_i];
  nysx_delay #(.WIDTH(WIDTH), .STAGES(LATENCY - 1)) behind (.clk_i, .rst_i(1'b0), .d_i(read_q), .q_o(data_o));
endmodule
