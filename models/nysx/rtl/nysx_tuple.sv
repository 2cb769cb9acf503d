/* SPDX-License-Identifier: MIT */ // Tuple codes of one stream: of every value x of a column, floor((x u + b) / w) enters the hash of the node's code, in ascending order of
// columns: state = (rotl(state, 5) ^ floor) · 0x517cc1b727220a95 (docs/reference/model-file.md). A node has PARTS · ROUNDS codes with their own
// u and b. PARTS units make codes in parallel; a value takes ROUNDS cycles.
//
// A code's hash waits in a memory for the next column. A value is taken when its code's previous column has been written, LOOP cycles later.
// With the last column the code leaves: folded to 32 bits (FOLD; then always taken), else through a queue with room for every code in flight.
module nysx_tuple #(
    parameter int unsigned PARTS = 1,
    parameter int unsigned ROUNDS = 1, // a power of two
    parameter int unsigned STARTS = 1,
    parameter int unsigned COLUMNS = 7,
    parameter int unsigned SLOTS = 28, // nodes of the stream
    parameter bit FOLD = 1'b0,
    parameter logic [31:0] WIDTH = 32'h3c23d70a, // w
    parameter TABLE_FILE = "lsh_tuple.hex",
    localparam int unsigned START_BITS = STARTS > 1 ? $clog2(STARTS) : 1,
    localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1,
    localparam int unsigned SLOT_BITS = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic [START_BITS-1:0]  start_i, // number of the start; stable while codes are in flight
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [31:0]            value_i,
    input  logic [COLUMN_BITS-1:0] column_i,
    input  logic [SLOT_BITS-1:0]   slot_i,
    output logic [PARTS-1:0]       valid_o,
    input  logic                   ready_i,
    output logic [PARTS*64-1:0]    codes_o
);
  localparam int unsigned READ = 2;                 // cycles to read the table, or a state
  localparam int unsigned BINNED = READ + 6 + 27;   // product; nysx_bin
  localparam int unsigned HASHED = BINNED + 1 + 3;  // nysx_mul64
  localparam int unsigned LOOP = HASHED + 1 - (BINNED - READ); // from a value to the next of its code
  localparam int unsigned ROUND_BITS = ROUNDS > 1 ? $clog2(ROUNDS) : 1;
  localparam int unsigned STATES = SLOTS * ROUNDS;
  localparam int unsigned STATE_BITS = STATES > 1 ? $clog2(STATES) : 1;
  localparam int unsigned WORDS = (STARTS * ROUNDS) << COLUMN_BITS;
  localparam int unsigned WORD_BITS = $clog2(WORDS);

  // ---- rounds
  logic [ROUND_BITS-1:0] round_q;
  logic [STATE_BITS-1:0] state_address;
  logic [LOOP-2:0] recent_q, same;
  logic [(LOOP-1)*STATE_BITS-1:0] recent_address_q;
  logic room, take, last_round, last_column;
  assign last_round = round_q == ROUND_BITS'(ROUNDS - 1);
  assign last_column = column_i == COLUMN_BITS'(COLUMNS - 1);
  assign state_address = STATE_BITS'(32'(slot_i) * ROUNDS + 32'(round_q));
  for (genvar i = 0; i < LOOP - 1; i++) begin : gen_recent
    assign same[i] = recent_q[i] && recent_address_q[i*STATE_BITS+:STATE_BITS] == state_address;
  end
  assign take = valid_i && room && same == '0;
  assign ready_o = take && last_round;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      round_q <= '0;
      recent_q <= '0;
    end else begin
      if (take) round_q <= last_round ? '0 : round_q + 1'b1;
      recent_q <= {recent_q[LOOP-3:0], take};
    end
    recent_address_q <= {recent_address_q[(LOOP-2)*STATE_BITS-1:0], state_address};
  end

  // ---- u and b of a column, for all parts
  logic [PARTS*64-1:0] words;
  nysx_rom #(.WIDTH(PARTS * 64), .DEPTH(WORDS), .LATENCY(READ), .FILE(TABLE_FILE)) directions (
      .clk_i, .address_i(WORD_BITS'(((32'(start_i) * ROUNDS + 32'(round_q)) << COLUMN_BITS) + 32'(column_i))), .data_o(words));
  logic [31:0] value;
  nysx_delay #(.WIDTH(32), .STAGES(READ)) value_aside (.clk_i, .rst_i, .d_i(value_i), .q_o(value));

  // ---- hashes
  logic first, keep, leave;
  logic [STATE_BITS-1:0] read_address, write_address;
  nysx_delay #(.WIDTH(STATE_BITS), .STAGES(BINNED - READ)) read_aside (.clk_i, .rst_i, .d_i(state_address), .q_o(read_address));
  nysx_delay #(.WIDTH(STATE_BITS), .STAGES(LOOP - 1)) write_aside (.clk_i, .rst_i, .d_i(read_address), .q_o(write_address));
  nysx_delay #(.WIDTH(1), .STAGES(BINNED)) first_aside (.clk_i, .rst_i, .d_i(column_i == '0), .q_o(first));
  nysx_delay #(.WIDTH(2), .STAGES(HASHED), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i({take && !last_column, take && last_column}), .q_o({keep, leave}));
  for (genvar d = 0; d < PARTS; d++) begin : gen_part
    logic [31:0] product, offset;
    logic [63:0] bin, state, turned, mixed_q, hashed;
    nysx_fp32_mul scale (.clk_i, .a_i(value), .b_i(words[d*64+:32]), .product_o(product));
    nysx_delay #(.WIDTH(32), .STAGES(6)) offset_aside (.clk_i, .rst_i, .d_i(words[d*64+32+:32]), .q_o(offset));
    nysx_bin #(.WIDTH(WIDTH)) floor_unit (.clk_i, .offset_i(offset), .value_i(product), .code_o(bin));
    nysx_ram #(.WIDTH(64), .DEPTH(STATES), .LATENCY(READ)) states (
        .clk_i, .write_i(keep), .write_address_i(write_address), .data_i(hashed), .read_address_i(read_address), .data_o(state));
    assign turned = first ? '0 : {state[58:0], state[63:59]};
    always_ff @(posedge clk_i) mixed_q <= turned ^ bin;
    nysx_mul64 #(.FACTOR(64'h517cc1b727220a95)) hash (.clk_i, .value_i(mixed_q), .product_o(hashed));
    if (FOLD) begin : gen_fold
      localparam int unsigned INDEX_BITS = STARTS * ROUNDS * PARTS > 1 ? $clog2(STARTS * ROUNDS * PARTS) : 1;
      logic [INDEX_BITS-1:0] index; // index of the code; the fold takes it a cycle before the code
      logic [ROUND_BITS-1:0] round;
      nysx_delay #(.WIDTH(ROUND_BITS), .STAGES(HASHED - 1)) round_aside (.clk_i, .rst_i, .d_i(round_q), .q_o(round));
      assign index = INDEX_BITS'((32'(start_i) * ROUNDS + 32'(round)) * PARTS + d);
      nysx_fold #(.HOP_BITS(INDEX_BITS)) fold (.clk_i, .rst_i, .hop_i(index), .valid_i(leave), .code_i(hashed), .valid_o(valid_o[d]),
                                               .code_o(codes_o[d*64+:32]));
      assign codes_o[d*64+32+:32] = '0;
    end else begin : gen_queue
      localparam int unsigned QUEUE = 64;
      localparam int unsigned OUT_BITS = $clog2(QUEUE) + 1;
      logic [OUT_BITS-1:0] out_q, unused_count; // in flight or queued
      logic fits;
      assign room = out_q < OUT_BITS'(QUEUE);
      always_ff @(posedge clk_i)
        if (rst_i) out_q <= '0;
        else out_q <= out_q + OUT_BITS'(take && last_column) - OUT_BITS'(valid_o[d] && ready_i);
      nysx_fifo #(.WIDTH(64), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(leave), .ready_o(fits), .data_i(hashed),
                                                    .valid_o(valid_o[d]), .ready_i, .data_o(codes_o[d*64+:64]), .count_o(unused_count));
`ifndef SYNTHESIS
      initial assert (PARTS == 1) else $fatal(1, "nysx_tuple: codes of several parts are folded");
      always_ff @(posedge clk_i)
        if (!rst_i) assert (!leave || fits) else $error("a code came that nobody had room for");
`else
      logic unused_room;
      assign unused_room = fits;
`endif
    end
  end
  if (FOLD) begin : gen_room
    assign room = 1'b1;
    logic unused;
    assign unused = &{1'b0, ready_i};
  end
endmodule
