/* SPDX-License-Identifier: MIT */ // Table as nysx_rom's with PORTS (1 or 2) read ports. Each word of FILE has a word of all pieces of 2,048 addresses, lowest piece
// in the lowest bits: all pieces are read, their words come from the memories' own registers, and one is chosen among at most 16 per cycle.
// Latency LATENCY: two cycles with one piece, four with at most 16, else five.
module nysx_rom_pieces #(
    parameter int unsigned WIDTH = 8,
    parameter int unsigned ADDRESS = 10, // bits of an address; at most 19
    parameter int unsigned PORTS = 2,
    parameter int unsigned LATENCY = 2,
    parameter FILE = ""
) (
    input  logic                     clk_i,
    input  logic [PORTS*ADDRESS-1:0] addresses_i,
    output logic [PORTS*WIDTH-1:0]   data_o
);
  localparam int unsigned INNER = ADDRESS > 11 ? 11 : ADDRESS;
  localparam int unsigned OUTER = ADDRESS - INNER;
  localparam int unsigned PIECES = 1 << OUTER;
  localparam int unsigned LOWER = OUTER > 4 ? 4 : OUTER;
  localparam int unsigned GROUPS = 1 << (OUTER - LOWER);
  logic [PIECES*WIDTH-1:0] word[1 << INNER];
  initial $readmemh(FILE, word);
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [INNER-1:0] at;
    logic [PIECES*WIDTH-1:0] read_q, late_q;
    nysx_delay #(.WIDTH(INNER), .STAGES(OUTER > 0 ? 1 : 0)) near (.clk_i, .rst_i(1'b0), .d_i(addresses_i[p*ADDRESS+:INNER]), .q_o(at));
    always_ff @(posedge clk_i) begin
      read_q <= word[at];
      late_q <= read_q;
    end
    if (OUTER == 0) begin : gen_one
      assign data_o[p*WIDTH+:WIDTH] = late_q;
    end else begin : gen_many
      logic [LOWER-1:0] lower;
      logic [GROUPS*WIDTH-1:0] groups_q;
      nysx_delay #(.WIDTH(LOWER), .STAGES(3)) lower_late (.clk_i, .rst_i(1'b0), .d_i(addresses_i[p*ADDRESS+INNER+:LOWER]), .q_o(lower));
      always_ff @(posedge clk_i)
        for (int unsigned g = 0; g < GROUPS; g++) groups_q[g*WIDTH+:WIDTH] <= late_q[((g<<LOWER)+32'(lower))*WIDTH+:WIDTH];
      if (GROUPS == 1) begin : gen_group
        assign data_o[p*WIDTH+:WIDTH] = groups_q;
      end else begin : gen_groups
        logic [OUTER-LOWER-1:0] upper;
        logic [WIDTH-1:0] chosen_q;
        nysx_delay #(.WIDTH(OUTER - LOWER), .STAGES(4)) upper_late (
            .clk_i, .rst_i(1'b0), .d_i(addresses_i[p*ADDRESS+INNER+LOWER+:OUTER-LOWER]), .q_o(upper));
        always_ff @(posedge clk_i) chosen_q <= groups_q[32'(upper)*WIDTH+:WIDTH];
        assign data_o[p*WIDTH+:WIDTH] = chosen_q;
      end
    end
  end
`ifndef SYNTHESIS
  initial assert (LATENCY == (OUTER == 0 ? 2 : OUTER <= 4 ? 4 : 5)) else $fatal(1, "nysx_rom_pieces: LATENCY");
`endif
endmodule
