/* SPDX-License-Identifier: MIT */ // Minimal Perfect Hashing Engine lane: maps a code to its bin, or to none.
//
// One pipeline probes a level: hash, position in the level, word of the level, bit. A code whose bit is clear
// re-enters with the next level. A lane therefore takes one probe per cycle at any depth, and only the codes behind
// a re-entering code wait. A set bit gives the rank and the codebook entry, which must equal the code.
//
// A hash h maps to the 64 k bits of a level by the high half of a product, (h / 2^32) · 64 k / 2^32. In k times the upper half
// of h, the upper bits select the word and the next six bits select the bit.
//
// LEVELS_FILE, at hop · LEVELS + level: {last-level flag, k, first word}, with K_BITS and ADDRESS_BITS.
// WORDS_FILE: {rank, 64 bits}. CODEBOOK_FILE: {bin, code}.
// SEEDS_FILE: one seed per hop.
module nysx_mphe_lane #(
    parameter int unsigned HOPS = 10,
    parameter int unsigned LEVELS = 6,
    parameter int unsigned K_BITS = 7,
    parameter int unsigned WORDS = 110,
    parameter int unsigned RANK_BITS = 11,
    parameter int unsigned CODES = 1807,
    parameter int unsigned CODE_BITS = 32,
    parameter bit SIGNED_CODES = 1'b1, // signedness of codebook entries
    parameter int unsigned BIN_BITS = 10,
    parameter int unsigned QUEUE = 32,
    parameter CODEBOOK_STYLE = "auto",
    parameter LEVELS_FILE = "mph_levels.hex",
    parameter WORDS_FILE = "mph_words.hex",
    parameter CODEBOOK_FILE = "codebook.hex",
    parameter SEEDS_FILE = "mph_seeds.hex",
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic [HOP_BITS-1:0] hop_i, // stable while codes are in flight
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [63:0]         code_i,
    output logic                missed_o, // one-cycle pulse: a code has no bin
    output logic                probed_o, // one-cycle pulse: a level was probed
    output logic                valid_o,
    input  logic                ready_i,
    output logic [BIN_BITS-1:0] bin_o
);
  localparam int unsigned LEVEL_BITS = LEVELS > 4 ? $clog2(LEVELS) : 2; // at least 2 bits: levels 0, 1 and higher are distinguished
  localparam int unsigned ROWS = HOPS * LEVELS;
  localparam int unsigned ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam int unsigned ADDRESS_BITS = WORDS > 1 ? $clog2(WORDS) : 1;
  localparam int unsigned INDEX_BITS = CODES > 1 ? $clog2(CODES) : 1;
  localparam int unsigned ENTRY_BITS = 1 + K_BITS + ADDRESS_BITS;
  localparam int unsigned HASH = 7;      // latency in cycles: hash, remainder, word with its bit
  localparam int unsigned REMAINDER = 6;
  localparam int unsigned WORD = 4;
  localparam int unsigned QUEUE_BITS = $clog2(QUEUE) + 1;
  localparam logic [63:0] GOLDEN = 64'h9e3779b97f4a7c15;

  // ---- input: re-entering codes have priority over new codes
  logic again, fresh, enter;
  logic [63:0] again_code, again_a, again_b, code, a, b;
  logic [LEVEL_BITS-1:0] again_level, level;
  logic [QUEUE_BITS-1:0] out_q; // codes in flight and bins queued
  assign ready_o = !again && out_q < QUEUE_BITS'(QUEUE);
  assign fresh = valid_i && ready_o;
  assign enter = again || fresh;
  assign code = again ? again_code : code_i;
  assign a = again_a;
  assign b = again_b;
  assign level = again ? again_level : '0;

  // ---- hash: levels 0 and 1 use the seeded hashes, higher levels use xorshift128+ of those two
  logic [63:0] seed, x0_q;
  logic [63:0] a1_q, b1_q, code1_q;
  logic [LEVEL_BITS-1:0] level1_q;
  nysx_rom #(.WIDTH(64), .DEPTH(HOPS), .FILE(SEEDS_FILE)) seeds (.clk_i, .address_i(hop_i), .data_o(seed));
  logic [63:0] turned;
  assign turned = a ^ (a << 23);
  logic [63:0] seeded;
  assign seeded = level == '0 ? code ^ seed : code + (GOLDEN + ~seed);
  always_ff @(posedge clk_i) begin
    x0_q <= seeded ^ (seeded >> 33);
    code1_q <= code;
    level1_q <= level;
    a1_q <= level > LEVEL_BITS'(1) ? b : a;
    b1_q <= level > LEVEL_BITS'(1) ? turned ^ b ^ (turned >> 17) ^ (b >> 26) : b;
  end
  logic [63:0] x1, x2, once;
  nysx_mul64 #(.FACTOR(64'hff51afd7ed558ccd)) first_product (.clk_i, .value_i(x0_q), .product_o(x1));
  assign once = x1 ^ (x1 >> 33);
  nysx_mul64 #(.FACTOR(64'hc4ceb9fe1a85ec53)) second_product (.clk_i, .value_i(once), .product_o(x2));
  logic [63:0] code7, a7, b7, hash, hash_q;
  logic [LEVEL_BITS-1:0] level7;
  nysx_delay #(.WIDTH(192 + LEVEL_BITS), .STAGES(HASH - 1)) hash_aside (
      .clk_i, .rst_i, .d_i({code1_q, a1_q, b1_q, level1_q}), .q_o({code7, a7, b7, level7}));
  logic [63:0] seeded_hash, sum;
  assign seeded_hash = x2 ^ (x2 >> 33);
  assign sum = a7 + b7;
  assign hash = level7 > LEVEL_BITS'(1) ? sum : seeded_hash;

  // ---- payload, delayed for re-entry
  logic [63:0] code8_q, a8_q, b8_q;
  logic [LEVEL_BITS-1:0] level8_q;
  logic valid8;
  nysx_delay #(.WIDTH(1), .STAGES(HASH + 1), .RESET(1'b1)) hash_valid (.clk_i, .rst_i, .d_i(enter), .q_o(valid8));
  always_ff @(posedge clk_i) begin
    hash_q <= hash;
    code8_q <= code7;
    a8_q <= level7 == '0 ? seeded_hash : a7;
    b8_q <= level7 == LEVEL_BITS'(1) ? seeded_hash : b7;
    level8_q <= level7;
  end

  // ---- position in the level
  logic [ENTRY_BITS-1:0] entry;
  logic [ROW_BITS-1:0] row_q;
  always_ff @(posedge clk_i) row_q <= ROW_BITS'(hop_i) * ROW_BITS'(LEVELS) + ROW_BITS'(level7);
  nysx_rom #(.WIDTH(ENTRY_BITS), .DEPTH(ROWS), .FILE(LEVELS_FILE)) levels (.clk_i, .address_i(row_q),
                                                                           .data_o(entry));
  logic last_level;
  logic [K_BITS-1:0] k;
  logic [ADDRESS_BITS-1:0] first_word;
  assign {last_level, k, first_word} = entry;
  logic [31:0] high_q;
  logic [K_BITS+31:0] product2_q, product3_q, product4_q, product5_q, product6_q;
  always_ff @(posedge clk_i) begin
    high_q <= hash_q[63:32];                                // 1, with the table
    product2_q <= (K_BITS + 32)'(high_q) * (K_BITS + 32)'(k); // 2 to 6: in the multipliers' registers
    product3_q <= product2_q;
    product4_q <= product3_q;
    product5_q <= product4_q;
    product6_q <= product5_q;
  end
  logic [ADDRESS_BITS-1:0] first6;
  nysx_delay #(.WIDTH(ADDRESS_BITS), .STAGES(5)) first_aside (.clk_i, .rst_i, .d_i(first_word), .q_o(first6));
  logic [K_BITS-1:0] place; // a level of one word leaves upper bits unused
  assign place = product6_q[32+:K_BITS];

  // ---- the level's word and bit
  logic [ADDRESS_BITS-1:0] address_q;
  logic [RANK_BITS-1:0] rank;
  logic [63:0] word;
  logic [5:0] low10;
  nysx_delay #(.WIDTH(6), .STAGES(3)) low_aside (.clk_i, .rst_i, .d_i(product6_q[31:26]), .q_o(low10));
  always_ff @(posedge clk_i) address_q <= first6 + ADDRESS_BITS'(place);
  nysx_rom #(.WIDTH(RANK_BITS + 64), .DEPTH(WORDS), .LATENCY(2), .FILE(WORDS_FILE)) words (.clk_i, .address_i(address_q),
                                                                              .data_o({rank, word}));
  logic set_q, last_q, valid_q;
  logic [63:0] below_q;
  logic [RANK_BITS-1:0] rank_q;
  logic last10, valid10;
  nysx_delay #(.WIDTH(1), .STAGES(8)) last_aside (.clk_i, .rst_i, .d_i(last_level), .q_o(last10));
  nysx_delay #(.WIDTH(1), .STAGES(REMAINDER + WORD - 1), .RESET(1'b1)) word_valid (.clk_i, .rst_i, .d_i(valid8),
                                                                                  .q_o(valid10));
  always_ff @(posedge clk_i) begin
    valid_q <= valid10 && !rst_i;
    set_q <= word[low10];
    below_q <= word & ~(64'hffffffffffffffff << low10);
    rank_q <= rank;
    last_q <= last10;
  end
  logic [63:0] code_end, a_end, b_end;
  logic [LEVEL_BITS-1:0] level_end;
  nysx_delay #(.WIDTH(192 + LEVEL_BITS), .STAGES(REMAINDER + WORD)) way_round (
      .clk_i, .rst_i, .d_i({code8_q, a8_q, b8_q, level8_q}), .q_o({code_end, a_end, b_end, level_end}));
  assign again = valid_q && !set_q && !last_q;
  assign again_code = code_end;
  assign again_a = a_end;
  assign again_b = b_end;
  assign again_level = level_end + 1'b1;
  assign probed_o = valid_q;

  // ---- rank, codebook entry, comparison with the code
  localparam int unsigned COUNTING = 5; // latency of the population count
  logic hit, found_q, compared_q, same_q;
  logic [6:0] ones;
  logic [RANK_BITS-1:0] rank_late;
  logic [63:0] code_late;
  logic [BIN_BITS-1:0] bin_q;
  logic [BIN_BITS-1:0] entry_bin;
  logic [CODE_BITS-1:0] entry_code;
  nysx_popcount #(.WIDTH(64)) count (.clk_i, .bits_i(below_q), .count_o(ones));
  nysx_delay #(.WIDTH(RANK_BITS), .STAGES(COUNTING)) rank_aside (.clk_i, .rst_i, .d_i(rank_q), .q_o(rank_late));
  nysx_delay #(.WIDTH(1), .STAGES(COUNTING), .RESET(1'b1)) hit_late (.clk_i, .rst_i, .d_i(valid_q && set_q), .q_o(hit));
  nysx_delay #(.WIDTH(64), .STAGES(COUNTING + 3)) code_aside (.clk_i, .rst_i, .d_i(code_end), .q_o(code_late));
  logic [INDEX_BITS-1:0] index_q;
  logic hit_q;
  always_ff @(posedge clk_i) begin
    index_q <= INDEX_BITS'(32'(rank_late) + 32'(ones));
    hit_q <= hit && !rst_i;
    found_q <= hit_q && !rst_i;
  end
  nysx_rom #(.WIDTH(BIN_BITS + CODE_BITS), .DEPTH(CODES), .LATENCY(2), .STYLE(CODEBOOK_STYLE), .FILE(CODEBOOK_FILE))
      codebook (.clk_i, .address_i(index_q), .data_o({entry_bin, entry_code}));
  logic signed [63:0] stored;
  assign stored = SIGNED_CODES ? 64'($signed(entry_code)) : 64'(entry_code);
  always_ff @(posedge clk_i) begin
    compared_q <= found_late && !rst_i;
    same_q <= stored == code_late;
    bin_q <= entry_bin;
  end
  logic found_late;
  nysx_delay #(.WIDTH(1), .STAGES(1), .RESET(1'b1)) found_aside (.clk_i, .rst_i, .d_i(found_q), .q_o(found_late));

  // ---- output queue with room for all bins in flight
  logic come, room, lost;
  assign come = compared_q && same_q;
  nysx_delay #(.WIDTH(1), .STAGES(COUNTING + 4), .RESET(1'b1)) lost_late (
      .clk_i, .rst_i, .d_i(valid_q && !set_q && last_q), .q_o(lost)); // delayed, so at most one code ends per cycle
  assign missed_o = lost || (compared_q && !same_q);
  logic [QUEUE_BITS-1:0] unused_count;
  nysx_fifo #(.WIDTH(BIN_BITS), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(come), .ready_o(room), .data_i(bin_q),
                                                      .valid_o, .ready_i, .data_o(bin_o), .count_o(unused_count));
  always_ff @(posedge clk_i)
    if (rst_i) out_q <= '0;
    else out_q <= out_q + QUEUE_BITS'(fresh) - QUEUE_BITS'(missed_o) - QUEUE_BITS'(valid_o && ready_i);
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!come || room) else $error("a bin came that nobody had room for");
      assert (!(lost && compared_q)) else $error("two codes at once");
    end
`else
  logic unused_room;
  assign unused_room = room;
`endif
  logic unused;
  assign unused = &{1'b0, product6_q[25:0], hash_q[31:0], place};
endmodule
