/* SPDX-License-Identifier: MIT */ // Class weights of codes: each code adds the weight at its address of the table to each class's sum. A graph's sums are valid
// LATENCY cycles after its last word, until the next graph's first word. Two codes per cycle share one memory.
// FILE (nysx_rom_pieces): per address, 16-bit two's complement numbers of all classes but the first (zeros), lowest class in the lowest bits.
module nysx_weights #(
    parameter int unsigned CODES = 4,
    parameter int unsigned CLASSES = 2,
    parameter int unsigned PLACE_BITS = 10,
    parameter int unsigned SUM_BITS = 24,
    parameter FILE = "code_weights.hex"
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        valid_i, // a word of codes
    input  logic                        first_i, // first word of a graph
    input  logic [CODES-1:0]            there_i, // codes present in the word
    input  logic [CODES*PLACE_BITS-1:0] places_i, // highest bits of each code
    output logic [CLASSES*SUM_BITS-1:0] sums_o
);
  localparam int unsigned READ = PLACE_BITS <= 11 ? 2 : 3 + (PLACE_BITS - 10) / 2; // latency of nysx_rom_pieces
  localparam int unsigned LEVELS = CODES > 1 ? $clog2(CODES) : 0;
  localparam int unsigned LATENCY = READ + (LEVELS > 3 ? (LEVELS + 2) / 3 : 1); // latency of a word's sum
  localparam int unsigned WIDTH = CLASSES > 1 ? (CLASSES - 1) * 16 : 16;
  assign sums_o[SUM_BITS-1:0] = '0;
  logic [CODES-1:0] there;
  logic [CODES*WIDTH-1:0] read;
  nysx_delay #(.WIDTH(CODES), .STAGES(READ)) there_aside (.clk_i, .rst_i, .d_i(there_i), .q_o(there));
  for (genvar c = 0; c < CODES; c += 2) begin : gen_memory
    localparam int unsigned PORTS = c + 1 < CODES ? 2 : 1;
    nysx_rom_pieces #(.WIDTH(WIDTH), .ADDRESS(PLACE_BITS), .PORTS(PORTS), .LATENCY(READ), .FILE(FILE)) shared (
        .clk_i, .addresses_i(places_i[c*PLACE_BITS+:PORTS*PLACE_BITS]), .data_o(read[c*WIDTH+:PORTS*WIDTH]));
  end
  logic add, first;
  nysx_delay #(.WIDTH(1), .STAGES(LATENCY), .RESET(1'b1)) add_late (.clk_i, .rst_i, .d_i(valid_i), .q_o(add));
  nysx_delay #(.WIDTH(1), .STAGES(LATENCY)) first_late (.clk_i, .rst_i, .d_i(first_i), .q_o(first));
  for (genvar k = 1; k < CLASSES; k++) begin : gen_class
    logic [CODES*SUM_BITS-1:0] mine;
    logic [SUM_BITS-1:0] more, sum_q;
    for (genvar c = 0; c < CODES; c++) begin : gen_code
      assign mine[c*SUM_BITS+:SUM_BITS] = there[c] ? SUM_BITS'($signed(read[c*WIDTH+16*(k-1)+:16])) : '0;
    end
    nysx_sum #(.COUNT(CODES), .WIDTH(SUM_BITS)) word (.clk_i, .values_i(mine), .sum_o(more));
    always_ff @(posedge clk_i)
      if (add) sum_q <= (first ? '0 : sum_q) + more;
    assign sums_o[k*SUM_BITS+:SUM_BITS] = sum_q;
  end
endmodule
