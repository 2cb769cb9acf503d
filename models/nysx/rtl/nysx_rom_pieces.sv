/* SPDX-License-Identifier: MIT */ // Table as nysx_rom's with PORTS (1 or 2) read ports. Each word of FILE has a word of all pieces of 2,048 addresses, lowest piece
// in the lowest bits: all pieces are read, their words come from the memories' own registers, and a step chooses one of four, with registers.
// Latency LATENCY: two cycles with one piece, else three and a cycle per step.
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
  localparam int unsigned STEPS = (OUTER + 1) / 2;
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
      logic [PIECES*WIDTH-1:0] left[STEPS+1]; // words that are left after a step
      assign left[0] = late_q;
      for (genvar t = 0; t < STEPS; t++) begin : gen_step
        localparam int unsigned BITS = OUTER - 2 * t > 1 ? 2 : 1;
        localparam int unsigned GROUPS = 1 << (OUTER - 2 * t - BITS);
        logic [BITS-1:0] which;
        logic [GROUPS*WIDTH-1:0] chosen_q;
        nysx_delay #(.WIDTH(BITS), .STAGES(3 + t)) which_late (.clk_i, .rst_i(1'b0), .d_i(addresses_i[p*ADDRESS+INNER+2*t+:BITS]), .q_o(which));
        for (genvar b = 0; b < GROUPS * WIDTH; b++) begin : gen_bit // bit by bit: an index times an odd width would become a shifter
          logic [(1<<BITS)-1:0] among;
          for (genvar k = 0; k < 1 << BITS; k++) begin : gen_piece
            assign among[k] = left[t][((b/WIDTH<<BITS)+k)*WIDTH+b%WIDTH];
          end
          always_ff @(posedge clk_i) chosen_q[b] <= among[which];
        end
        assign left[t+1] = (PIECES * WIDTH)'(chosen_q);
      end
      assign data_o[p*WIDTH+:WIDTH] = left[STEPS][WIDTH-1:0];
    end
  end
`ifndef SYNTHESIS
  initial assert (LATENCY == (OUTER == 0 ? 2 : 3 + STEPS)) else $fatal(1, "nysx_rom_pieces: LATENCY");
`endif
endmodule
