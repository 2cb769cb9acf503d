/* SPDX-License-Identifier: MIT */ // Encoder without landmarks. Each code expands to a vector of signs; the output is the sign of their sum over the codes of all nodes
// and hops (docs/reference/model-file.md). Codes are listed on arrival. LANES lanes then cover LANES elements of the hypervector per trip;
// each iteration reads the whole list, CODES codes per cycle.
//
// Stream f owns slots f · PER … f · PER + PER − 1 of the list words, PER = CODES / STREAMS. With y = mixer(x), element e = 32 w + j
// of code x is bit j of x ^ XOR of rotl(y, b) over the set bits b of w. The iteration number fixes part of w; these 32 bits are shared by
// all lanes. Each lane adds the rotations for the part of w that its position fixes.
// THRESHOLDS_FILE (CENTERED): one word per iteration, minus the threshold of each lane's element; lowest lane in the lowest bits.
module nysx_direct #(
    parameter int unsigned STREAMS = 1,
    parameter int unsigned CODES = 4, // a multiple of STREAMS; powers of two, like LANES
    parameter int unsigned LANES = 64,
    parameter int unsigned DIM = 10000,
    parameter int unsigned MOST = 280, // codes per stream
    parameter int unsigned SUM_BITS = 12,
    parameter bit CENTERED = 1'b1,
    parameter THRESHOLDS_FILE = "thresholds.hex",
    parameter int unsigned TABLE_BITS = 0, // address bits of the class weight table (nysx_weights); 0: none
    parameter int unsigned CLASSES = 2,
    parameter int unsigned WEIGHT_SUM_BITS = 1,
    parameter bit BANKED = 1'b0 // one list is written while the other is read
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  write_bank_i, // bank of the list being written; each bank select is stable while its list is in use
    input  logic                  read_bank_i,
    input  logic                  clear_i, // empties the list being written
    input  logic [STREAMS-1:0]    valid_i, // always accepted
    input  logic [STREAMS*32-1:0] codes_i,
    input  logic                  start_i,
    output logic                  valid_o,
    output logic [LANES-1:0]      signs_o,
    output logic                  last_o,
    output logic [CLASSES*WEIGHT_SUM_BITS-1:0] weights_o // valid before the last signs, until the next start
);
  localparam int unsigned PER = CODES / STREAMS;
  localparam int unsigned PER_BITS = $clog2(PER);
  localparam int unsigned DEPTH = (MOST + PER - 1) / PER;
  localparam int unsigned WORD_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned COUNT_BITS = $clog2(MOST + 1) + 1;
  localparam int unsigned TRIPS = (DIM + LANES - 1) / LANES;
  localparam int unsigned TRIP_BITS = TRIPS > 1 ? $clog2(TRIPS) : 1;
  localparam int unsigned ONES_BITS = $clog2(CODES + 1);
  localparam int unsigned SHARE_BITS = LANES > 32 ? $clog2(LANES / 32) : 0; // bits of w that the lane position fixes
  localparam int unsigned PART_BITS = LANES < 32 ? $clog2(32 / LANES) : 0;  // bits of the iteration number that select part of a word
  localparam int unsigned LOWER_BITS = (SHARE_BITS + 1) / 2;
  localparam int unsigned UPPER_BITS = SHARE_BITS - LOWER_BITS;
  localparam int unsigned SHARED = LANES < 32 ? LANES : 32;
  localparam logic [31:0] SALT = 32'h5bd1e995;
  // Pipeline stages: list read, mixer, iteration bits, lane bits, registers near the lanes, population count, step, sum
  localparam int unsigned COUNT = ((CODES + 5) / 6 > 1 ? $clog2((CODES + 5) / 6) : 0) + 1;
  localparam int unsigned READ = 2;
  localparam int unsigned MIX = 7;

  // ---- the list
  logic [COUNT_BITS-1:0] most; // codes of the first stream, the longest
  logic [WORD_BITS-1:0] last_word_q; // an empty list counts as one empty word
  always_ff @(posedge clk_i) last_word_q <= most == '0 ? '0 : WORD_BITS'((most - 1'b1) >> PER_BITS);
  logic busy_q, word_over, trip_over;
  logic [WORD_BITS-1:0] word_q;
  logic [TRIP_BITS-1:0] trip_q;
  assign word_over = word_q == last_word_q;
  assign trip_over = trip_q == TRIP_BITS'(TRIPS - 1);
  always_ff @(posedge clk_i)
    if (rst_i) begin
      busy_q <= 1'b0;
      {word_q, trip_q} <= '0;
    end else if (start_i) busy_q <= 1'b1;
    else if (busy_q) begin
      word_q <= word_over ? '0 : word_q + 1'b1;
      if (word_over) trip_q <= trip_over ? '0 : trip_q + 1'b1;
      if (word_over && trip_over) busy_q <= 1'b0;
    end
  logic [CODES*32-1:0] x_read;
  logic [CODES-1:0] there_q; // one cycle before the codes
  localparam int unsigned ADDRESS = WORD_BITS + (BANKED ? 1 : 0);
  logic write_bank, read_bank;
  assign write_bank = BANKED && write_bank_i;
  assign read_bank = BANKED && read_bank_i;
  for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
    logic [COUNT_BITS-1:0] count_q, kept_q, length;
    always_ff @(posedge clk_i) begin
      if (rst_i || clear_i) count_q <= '0;
      else if (valid_i[f]) count_q <= count_q + 1'b1;
      if (rst_i) kept_q <= '0;
      else if (start_i) kept_q <= count_q; // length of the list being read
    end
    assign length = BANKED && !start_i ? kept_q : count_q;
    if (f == 0) begin : gen_most
      assign most = length;
    end
    for (genvar k = 0; k < PER; k++) begin : gen_slot
      localparam int unsigned SLOT = f * PER + k;
      logic mine;
      assign mine = PER == 1 || (count_q & COUNT_BITS'(PER - 1)) == COUNT_BITS'(k);
      nysx_ram #(.WIDTH(32), .DEPTH(BANKED ? 2 << WORD_BITS : DEPTH), .LATENCY(READ)) list (
          .clk_i, .write_i(valid_i[f] && mine), .write_address_i(ADDRESS'({write_bank, WORD_BITS'(count_q >> PER_BITS)})),
          .data_i(codes_i[f*32+:32]), .read_address_i(ADDRESS'({read_bank, word_q})), .data_o(x_read[SLOT*32+:32]));
      always_ff @(posedge clk_i)
        there_q[SLOT] <= busy_q && (COUNT_BITS'(word_q) << PER_BITS) + COUNT_BITS'(k) < length;
    end
  end

  // ---- class weights, during the first iteration
  if (TABLE_BITS > 0) begin : gen_weights
    logic first_trip, first_word;
    logic [CODES-1:0] read_there;
    logic [CODES*TABLE_BITS-1:0] places;
    for (genvar c = 0; c < CODES; c++) begin : gen_place
      assign places[c*TABLE_BITS+:TABLE_BITS] = x_read[c*32+32-TABLE_BITS+:TABLE_BITS];
    end
    nysx_delay #(.WIDTH(1), .STAGES(READ), .RESET(1'b1)) trip_late (.clk_i, .rst_i, .d_i(busy_q && trip_q == '0), .q_o(first_trip));
    nysx_delay #(.WIDTH(1), .STAGES(READ)) word_late (.clk_i, .rst_i, .d_i(word_q == '0), .q_o(first_word));
    nysx_delay #(.WIDTH(CODES), .STAGES(READ - 1)) read_aside (.clk_i, .rst_i, .d_i(there_q), .q_o(read_there));
    nysx_weights #(.CODES(CODES), .CLASSES(CLASSES), .PLACE_BITS(TABLE_BITS), .SUM_BITS(WEIGHT_SUM_BITS)) table_sums (
        .clk_i, .rst_i, .valid_i(first_trip), .first_i(first_word), .there_i(read_there), .places_i(places), .sums_o(weights_o));
  end else begin : gen_no_weights
    assign weights_o = '0;
  end

  // ---- mixer, and the iteration's 32 bits
  logic [TRIP_BITS-1:0] trip;
  nysx_delay #(.WIDTH(TRIP_BITS), .STAGES(READ + MIX)) trip_aside (.clk_i, .rst_i, .d_i(trip_q), .q_o(trip));
  logic [CODES-1:0] there;
  nysx_delay #(.WIDTH(CODES), .STAGES(READ - 1 + MIX)) there_aside (.clk_i, .rst_i, .d_i(there_q), .q_o(there));
  logic [CODES*SHARED-1:0] shared_q; // zeros where there is no code
  logic [CODES*32-1:0] y_q;
  for (genvar c = 0; c < CODES; c++) begin : gen_code
    logic [31:0] x, y, bits;
    nysx_mix32 mixer (.clk_i, .value_i(x_read[c*32+:32] ^ SALT), .mixed_o(y));
    nysx_delay #(.WIDTH(32), .STAGES(MIX)) x_aside (.clk_i, .rst_i, .d_i(x_read[c*32+:32]), .q_o(x));
    always_comb begin
      bits = x;
      for (int unsigned b = PART_BITS; b < TRIP_BITS; b++)
        if (trip[b]) bits = bits ^ 32'({y, y} >> (32 - (b - PART_BITS + SHARE_BITS) % 32));
    end
    if (PART_BITS == 0) begin : gen_whole
      always_ff @(posedge clk_i) shared_q[c*32+:32] <= there[c] ? bits : '0;
    end else begin : gen_part
      logic [PART_BITS-1:0] part;
      if (TRIP_BITS >= PART_BITS) begin : gen_many
        assign part = trip[PART_BITS-1:0];
      end else begin : gen_few
        assign part = PART_BITS'(trip);
      end
      always_ff @(posedge clk_i) shared_q[c*SHARED+:SHARED] <= there[c] ? bits[32'(part)*SHARED+:SHARED] : '0;
    end
    if (SHARE_BITS > 0) begin : gen_y
      always_ff @(posedge clk_i) y_q[c*32+:32] <= there[c] ? y : '0;
    end else begin : gen_no_y
      assign y_q[c*32+:32] = '0;
      logic unused;
      assign unused = &{1'b0, y_q[c*32+:32]};
    end
  end

  // ---- lanes: ones per cycle, step = 2 ones − codes present, sum
  logic add, add_last, add_end, signed_q, end_q;
  localparam int unsigned LATE = READ + MIX + 3 + COUNT + 1;
  logic soon, soon_first; // one cycle before the lanes add
  nysx_delay #(.WIDTH(1), .STAGES(LATE - 1), .RESET(1'b1)) soon_late (.clk_i, .rst_i, .d_i(busy_q), .q_o(soon));
  nysx_delay #(.WIDTH(1), .STAGES(LATE - 1)) first_aside (.clk_i, .rst_i, .d_i(word_q == '0), .q_o(soon_first));
  nysx_delay #(.WIDTH(1), .STAGES(1), .RESET(1'b1)) add_late (.clk_i, .rst_i, .d_i(soon), .q_o(add));
  nysx_delay #(.WIDTH(2), .STAGES(LATE)) add_aside (
      .clk_i, .rst_i, .d_i({word_over, word_over && trip_over}), .q_o({add_last, add_end}));
  logic [LANES*SUM_BITS-1:0] starts;
  if (CENTERED) begin : gen_thresholds
    logic [TRIP_BITS-1:0] trip_late;
    nysx_delay #(.WIDTH(TRIP_BITS), .STAGES(LATE - 2)) late (.clk_i, .rst_i, .d_i(trip_q), .q_o(trip_late));
    nysx_rom #(.WIDTH(LANES * SUM_BITS), .DEPTH(TRIPS), .LATENCY(2), .FILE(THRESHOLDS_FILE)) thresholds (
        .clk_i, .address_i(trip_late), .data_o(starts));
  end else begin : gen_zero
    /* verilator lint_off WIDTHCONCAT */ // wide enough for the sums of all lanes, above 8,192 bits
    assign starts = '0;
    /* verilator lint_on WIDTHCONCAT */
  end
  logic [ONES_BITS-1:0] codes_there; // one cycle before the lanes' counts
  logic [CODES-1:0] there_late;
  nysx_delay #(.WIDTH(CODES), .STAGES(2)) there_later (.clk_i, .rst_i, .d_i(there), .q_o(there_late));
  nysx_popcount #(.WIDTH(CODES)) count_there (.clk_i, .bits_i(there_late), .count_o(codes_there));
  // Control registers are replicated per FAN lanes to limit fan-out.
  localparam int unsigned FAN = 16;
  localparam int unsigned FANS = (LANES + FAN - 1) / FAN;
  logic [FANS-1:0] fan_add, fan_first;
  logic [FANS*ONES_BITS-1:0] fan_there;
  for (genvar f = 0; f < FANS; f++) begin : gen_fan
    (* keep *) logic add_q, first_q;
    (* keep *) logic [ONES_BITS-1:0] there_fan_q;
    always_ff @(posedge clk_i) begin
      add_q <= soon && !rst_i;
      first_q <= soon_first;
      there_fan_q <= codes_there;
    end
    assign fan_add[f] = add_q;
    assign fan_first[f] = first_q;
    assign fan_there[f*ONES_BITS+:ONES_BITS] = there_fan_q;
  end
  // A code's signs in all lanes, 32 lanes per share. Shares with equal upper index bits have their own registers, so wires across
  // all lanes run from register to register.
  logic [CODES*LANES-1:0] signs;
  for (genvar c = 0; c < CODES; c++) begin : gen_signs
    logic [SHARED-1:0] lower_q[1 << LOWER_BITS], upper_q[1 << UPPER_BITS];
    for (genvar n = 0; n < 1 << LOWER_BITS; n++) begin : gen_lower
      logic [SHARED-1:0] bits;
      always_comb begin
        bits = shared_q[c*SHARED+:SHARED];
        for (int unsigned b = 0; b != LOWER_BITS; b++)
          if (n[b]) bits = bits ^ SHARED'({y_q[c*32+:32], y_q[c*32+:32]} >> (32 - b));
      end
      always_ff @(posedge clk_i) lower_q[n] <= bits;
    end
    for (genvar n = 0; n < 1 << UPPER_BITS; n++) begin : gen_upper
      logic [SHARED-1:0] bits;
      always_comb begin
        bits = '0;
        for (int unsigned b = 0; b != UPPER_BITS; b++)
          if (n[b]) bits = bits ^ SHARED'({y_q[c*32+:32], y_q[c*32+:32]} >> (32 - LOWER_BITS - b));
      end
      always_ff @(posedge clk_i) upper_q[n] <= bits;
    end
    for (genvar u = 0; u < 1 << UPPER_BITS; u++) begin : gen_near
      logic [SHARED-1:0] upper_near_q;
      always_ff @(posedge clk_i) upper_near_q <= upper_q[u];
      for (genvar n = 0; n < 1 << LOWER_BITS; n++) begin : gen_share
        (* keep *) logic [SHARED-1:0] lower_near_q;
        always_ff @(posedge clk_i) lower_near_q <= lower_q[n];
        assign signs[c*LANES+((u<<LOWER_BITS)+n)*SHARED+:SHARED] = lower_near_q ^ upper_near_q;
      end
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [CODES-1:0] mine;
    for (genvar c = 0; c < CODES; c++) begin : gen_mine
      assign mine[c] = signs[c*LANES+l];
    end
    nysx_direct_lane #(.CODES(CODES), .SUM_BITS(SUM_BITS)) lane (
        .clk_i, .signs_i(mine), .there_i(fan_there[l/FAN*ONES_BITS+:ONES_BITS]), .add_i(fan_add[l/FAN]), .first_i(fan_first[l/FAN]),
        .start_i(starts[l*SUM_BITS+:SUM_BITS]), .sign_o(signs_o[l]));
  end
  always_ff @(posedge clk_i) begin
    signed_q <= add && add_last && !rst_i;
    end_q <= add_end;
    valid_o <= signed_q && !rst_i;
    last_o <= end_q;
  end
`ifndef SYNTHESIS
  initial assert (CODES % STREAMS == 0 && (LANES & (LANES - 1)) == 0)
    else $fatal(1, "nysx_direct: streams must divide the codes of a cycle, and LANES be a power of two");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(busy_q && valid_i != '0 && write_bank == read_bank)) else $error("the list changed while it was read");
      assert (!start_i || !busy_q) else $error("a hypervector came during another");
      assert (most <= COUNT_BITS'(MOST)) else $error("more codes than the list has room for");
    end
`endif
endmodule
