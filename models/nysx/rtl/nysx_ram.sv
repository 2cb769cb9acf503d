/* SPDX-License-Identifier: MIT */ // Memory with one write port and one read port, LATENCY = 1 or 2 cycles, zero at first, as a device leaves its memories after configuration.
// A read of the word being written has no defined result: a device then needs no comparison of the addresses. In simulation it is inverted.
// The second cycle is an output register: it hides a block RAM's late output, and it precedes
// LUTs where the address is narrower than the word.
//
// No LUT joins block memories before the output register: columns are as wide as a block of 18 Kbit at their depth. With an output register
// a deep memory has pieces of 1,024 words (16,384 in a memory of more than that); one of their words is chosen behind the register.
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
  localparam int unsigned PIECE = DEPTH > 16384 ? 16384 : 1024;
  localparam int unsigned PIECES = LATENCY == 2 ? (DEPTH + PIECE - 1) / PIECE : 1;
  localparam int unsigned INNER = PIECES > 1 ? $clog2(PIECE) : ADDRESS;
  logic [INNER-1:0] address, write_address;
  logic [PIECES*WIDTH-1:0] read_q, words;
  assign write_address = write_address_i[INNER-1:0];
  nysx_delay #(.WIDTH(INNER), .STAGES(LUTS ? 1 : 0)) early (.clk_i, .rst_i(1'b0), .d_i(read_address_i[INNER-1:0]), .q_o(address));
  nysx_delay #(.WIDTH(PIECES * WIDTH), .STAGES(LUTS ? 0 : LATENCY - 1)) behind (.clk_i, .rst_i(1'b0), .d_i(read_q), .q_o(words));
  for (genvar p = 0; p < PIECES; p++) begin : gen_piece
    localparam int unsigned WORDS = p < PIECES - 1 ? PIECE : DEPTH - p * PIECE;
    localparam int unsigned WIDEST = WORDS <= 512 ? WIDTH : WORDS <= 1024 ? 18 : WORDS <= 2048 ? 9 : WORDS <= 4096 ? 4 : WORDS <= 8192 ? 2 : 1;
    localparam int unsigned COLUMNS = (WIDTH + WIDEST - 1) / WIDEST;
    localparam int unsigned COLUMN = (WIDTH + COLUMNS - 1) / COLUMNS;
    localparam int unsigned PLACE = WORDS > 1 ? $clog2(WORDS) : 1;
    logic write;
    logic [PLACE-1:0] read_at, write_at;
    assign read_at = PLACE'(address);
    assign write_at = PLACE'(write_address);
    if (PIECES == 1) begin : gen_all
      assign write = write_i;
    end else begin : gen_some
      assign write = write_i && write_address_i[ADDRESS-1:INNER] == (ADDRESS - INNER)'(p);
    end
    for (genvar c = 0; c < WIDTH; c += COLUMN) begin : gen_column
      localparam int unsigned BITS = WIDTH - c < COLUMN ? WIDTH - c : COLUMN;
      localparam int unsigned AT = p * WIDTH + c;
      if (LUTS) begin : gen_luts
        (* ram_style = "distributed" *) logic [BITS-1:0] word[WORDS];
        initial for (int unsigned i = 0; i < WORDS; i++) word[i] = '0;
        always_ff @(posedge clk_i) begin
          read_q[AT+:BITS] <= word[read_at];
          if (write) word[write_at] <= data_i[c+:BITS];
        end
      end else begin : gen_any
        (* no_rw_check, rw_addr_collision = "no" *) logic [BITS-1:0] word[WORDS];
        always_ff @(posedge clk_i) if (write) word[write_at] <= data_i[c+:BITS];
`ifdef SYNTHESIS
        always_ff @(posedge clk_i) read_q[AT+:BITS] <= word[read_at];
`else
        initial for (int unsigned i = 0; i < WORDS; i++) word[i] = '0;
        always_ff @(posedge clk_i) read_q[AT+:BITS] <= word[read_at] ^ {BITS{write && write_at == read_at}};
`endif
      end
    end
  end
  if (PIECES == 1) begin : gen_word
    assign data_o = words;
  end else begin : gen_choice
    logic [ADDRESS-INNER-1:0] piece;
    nysx_delay #(.WIDTH(ADDRESS - INNER), .STAGES(2)) aside (.clk_i, .rst_i(1'b0), .d_i(read_address_i[ADDRESS-1:INNER]), .q_o(piece));
    always_comb begin // explicit multiplexer: a product of an index and an odd width would not become one
      data_o = '0;
      for (int unsigned p = 0; p < PIECES; p++)
        if (piece == (ADDRESS - INNER)'(p)) data_o = words[p*WIDTH+:WIDTH];
    end
  end
endmodule
