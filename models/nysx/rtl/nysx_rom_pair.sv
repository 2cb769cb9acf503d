/* SPDX-License-Identifier: MIT */ // As nysx_rom, with two read ports; latency two cycles.
module nysx_rom_pair #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned DEPTH = 16,
    parameter FILE = "",
    localparam int unsigned ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                 clk_i,
    input  logic [2*ADDRESS-1:0] addresses_i,
    output logic [2*WIDTH-1:0]   data_o
);
  logic [WIDTH-1:0] word[DEPTH];
  initial $readmemh(FILE, word);
  for (genvar p = 0; p < 2; p++) begin : gen_port
    logic [WIDTH-1:0] read_q, late_q;
    always_ff @(posedge clk_i) begin
      read_q <= word[addresses_i[p*ADDRESS+:ADDRESS]];
      late_q <= read_q;
    end
    assign data_o[p*WIDTH+:WIDTH] = late_q;
  end
endmodule
