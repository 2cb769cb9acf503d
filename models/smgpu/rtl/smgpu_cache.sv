/* SPDX-License-Identifier: MIT */ // Associative cache. A vector's key has one bit per pass over the vector, from rows of +1 and −1 that the LFSR generates as needed.
// A key is then stored, or compared with one entry per cycle; the lowest entry of the best score wins.
//
// Load, kind 0: a word of the vector at {row, bank}; kind 1: a word of a key at {entry, word}. Bank and word are the low 12 bits. Parameters: 0 entry to store,
// 1 rows of the vector, 2 bits of a key, 3 entries, 4 threshold, 5 bits of the vector, 6 bits in its last row, 7 seed, 8 the last word's bank. Results: 0 entry
// or −1, 1 its score, 2 a word of a key.
module smgpu_cache #(
    parameter int unsigned BANKS = 16,
    parameter int unsigned ROWS = 20,      // maximum, per vector
    parameter int unsigned ENTRIES = 256,
    parameter int unsigned REDUCED = 1024, // maximum bits of a key
    parameter int unsigned PARAMETERS = 12
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     load_i,
    input  logic                     load_kind_i,
    input  logic [31:0]              load_place_i,
    input  logic [31:0]              load_word_i,
    input  logic                     start_i,
    input  logic                     query_i,     // 0: store
    input  logic [PARAMETERS*32-1:0] parameter_i, // constant from start to done
    output logic                     done_o,      // one cycle
    input  logic [1:0]               result_kind_i,
    input  logic [31:0]              result_place_i,
    output logic [31:0]              result_o     // four cycles after its place
);
  localparam int unsigned WIDTH = 32 * BANKS;
  localparam int unsigned WORDS = (REDUCED + 31) / 32;
  localparam int unsigned KEY = 32 * WORDS;
  localparam int unsigned ROW = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam int unsigned ENTRY = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam int unsigned PLACE = $clog2(KEY);
  localparam int unsigned TREE = (WIDTH > 6 ? $clog2((WIDTH + 5) / 6) : 0) + 1;
  localparam int unsigned KEY_TREE = (KEY > 6 ? $clog2((KEY + 5) / 6) : 0) + 1;
  localparam int unsigned COUNTED = $clog2(WIDTH + 1);
  localparam int unsigned KEY_COUNTED = $clog2(KEY + 1);

  logic [31:0] entry_at, rows, reduced, entries, threshold, bits, last_bits, seed, last_bank;
  assign {last_bank, seed, last_bits, bits, threshold, entries, reduced, rows, entry_at} = parameter_i[9*32-1:0];

  typedef enum logic [2:0] {IDLE, PROJECT, SETTLE, COMPARE, FOUND, DIVIDE, ANSWER} state_t;
  state_t state_q;
  logic [31:0] row_q, bit_q, entry_q;
  logic [5:0] settle_q;
  logic row_last, bit_last, entry_last;
  assign row_last = row_q == rows - 32'd1;
  assign bit_last = bit_q == reduced - 32'd1;
  assign entry_last = entry_q + 32'd1 >= entries;

  // ---- the vector and its sign rows ----
  logic [WIDTH-1:0] row, words, words_q, words1_q, mask_q, differ_q;
  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic here;
    assign here = load_i && !load_kind_i && load_place_i[11:0] == 12'(b);
    smgpu_ram #(.WIDTH(32), .DEPTH(ROWS)) bank (
        .clk_i, .write_i(here), .write_address_i(load_place_i[12+:ROW]), .data_i(load_word_i), .read_address_i(row_q[ROW-1:0]),
        .data_o(row[32*b+:32]));
  end
  for (genvar i = 0; i < WIDTH; i++) begin : gen_mask
    always_ff @(posedge clk_i) mask_q[i] <= 32'(i) < last_bits;
  end
  logic counts, first, last, last2;
  smgpu_delay #(.WIDTH(1), .STAGES(2)) last_row (.clk_i, .d_i(row_last), .q_o(last2));
  logic [31:0] register_q, last_word;
  smgpu_lfsr #(.BANKS(BANKS)) lfsr (.state_i(register_q), .words_o(words));
  always_comb begin
    last_word = '0;
    for (int unsigned b = 0; b < BANKS; b++) if (last_bank == 32'(b)) last_word = last_word | words[32*b+:32];
  end
  always_ff @(posedge clk_i) begin
    if (start_i) register_q <= seed;
    else if (state_q == PROJECT) register_q <= row_last ? last_word : words[WIDTH-1-:32];
    words_q <= words;
    words1_q <= words_q;
    differ_q <= (row ^ words1_q) & (last2 ? mask_q : '1); // bits after the vector's last bit do not count
  end
  logic [COUNTED-1:0] ones;
  smgpu_popcount #(.WIDTH(WIDTH)) popcount (.clk_i, .bits_i(differ_q), .count_o(ones));
  smgpu_delay #(.WIDTH(3), .STAGES(3 + TREE)) beside (
      .clk_i, .d_i({state_q == PROJECT && !rst_i, row_q == '0, row_last}), .q_o({counts, first, last}));
  logic [31:0] sum_q;
  logic sum_valid_q;
  logic [PLACE-1:0] place_q;
  logic [KEY-1:0] key_q;
  always_ff @(posedge clk_i) begin
    sum_valid_q <= counts && last;
    if (counts) sum_q <= (first ? '0 : sum_q) + 32'(ones);
    if (start_i) place_q <= '0;
    else if (sum_valid_q) place_q <= place_q + 1'b1;
    if (start_i) key_q <= '0; // set if at least half of the bits match
    else if (sum_valid_q) key_q[place_q] <= {1'b0, bits} >= {sum_q, 1'b0};
  end

  // ---- entries ----
  logic [KEY-1:0] stored, key_differ_q;
  logic [ENTRY-1:0] entry_read;
  assign entry_read = state_q == IDLE ? result_place_i[12+:ENTRY] : entry_q[ENTRY-1:0];
  logic store;
  assign store = state_q == ANSWER && !query_i;
  for (genvar w = 0; w < WORDS; w++) begin : gen_word
    logic here;
    assign here = load_i && load_kind_i && load_place_i[11:0] == 12'(w);
    smgpu_ram #(.WIDTH(32), .DEPTH(ENTRIES)) part (
        .clk_i, .write_i(here || store), .write_address_i(store ? entry_at[ENTRY-1:0] : load_place_i[12+:ENTRY]),
        .data_i(store ? key_q[32*w+:32] : load_word_i), .read_address_i(entry_read), .data_o(stored[32*w+:32]));
  end
  always_ff @(posedge clk_i) key_differ_q <= stored ^ key_q;
  logic [KEY_COUNTED-1:0] key_ones, best_q;
  logic compared, better_q, compared_q;
  logic [KEY_COUNTED-1:0] key_ones_q;
  smgpu_popcount #(.WIDTH(KEY)) key_popcount (.clk_i, .bits_i(key_differ_q), .count_o(key_ones));
  smgpu_delay #(.WIDTH(1), .STAGES(3 + KEY_TREE)) key_beside (.clk_i, .d_i(state_q == COMPARE && entries != '0 && !rst_i), .q_o(compared));
  logic [31:0] at_q, found_q;
  logic any_q;
  assign better_q = compared_q && (!any_q || key_ones_q < best_q);
  always_ff @(posedge clk_i) begin
    compared_q <= compared;
    key_ones_q <= key_ones;
    if (start_i) at_q <= '0;
    else if (compared_q) at_q <= at_q + 32'd1;
    if (start_i) any_q <= 1'b0;
    else if (compared_q) any_q <= 1'b1;
    if (better_q) begin
      best_q <= key_ones_q;
      found_q <= at_q;
    end
  end

  // ---- score: matching bits * 10000 / reduced, 14 quotient digits ----
  logic [31:0] alike_q, rest_q, scaled_q, score_q, answer_q;
  logic [32:0] less;
  logic [3:0] digit_q;
  assign less = {1'b0, rest_q[30:0], scaled_q[13]} - {1'b0, reduced};
  always_ff @(posedge clk_i) begin
    alike_q <= any_q ? reduced - 32'(best_q) : '0;
    if (state_q == FOUND) begin
      {rest_q, score_q} <= '0;
      scaled_q <= alike_q * 32'd10000;
      if (settle_q == 6'd1) begin
        rest_q <= {14'b0, scaled_q[31:14]};
        score_q <= '0;
      end
    end else if (state_q == DIVIDE) begin
      rest_q <= less[32] ? {rest_q[30:0], scaled_q[13]} : less[31:0];
      scaled_q <= {scaled_q[30:0], 1'b0};
      score_q <= {score_q[30:0], !less[32]};
    end
    if (state_q == ANSWER && query_i) answer_q <= any_q && $signed(score_q) >= $signed(threshold) ? found_q : '1;
  end

  // ---- sequencer ----
  always_ff @(posedge clk_i) begin
    done_o <= !rst_i && state_q == ANSWER;
    if (rst_i) state_q <= IDLE;
    else begin
      settle_q <= settle_q - 1'b1;
      case (state_q)
        IDLE: if (start_i) begin
          state_q <= PROJECT;
          row_q <= '0;
          bit_q <= '0;
          entry_q <= '0;
        end
        PROJECT: begin
          row_q <= row_last ? '0 : row_q + 32'd1;
          bit_q <= row_last ? bit_q + 32'd1 : bit_q;
          if (row_last && bit_last) state_q <= SETTLE;
          settle_q <= 6'(TREE + 5);
        end
        SETTLE: if (settle_q == 6'd1) state_q <= query_i ? COMPARE : ANSWER;
        COMPARE: begin
          entry_q <= entry_q + 32'd1;
          if (entry_last) state_q <= FOUND;
          settle_q <= 6'(KEY_TREE + 8);
        end
        FOUND: begin
          digit_q <= 4'd13;
          if (settle_q == 6'd1) state_q <= DIVIDE;
        end
        DIVIDE: begin
          digit_q <= digit_q - 1'b1;
          if (digit_q == '0) state_q <= ANSWER;
        end
        default: state_q <= IDLE;
      endcase
    end
  end

  // ---- results ----
  logic [31:0] word_q;
  logic [11:0] at0_q, at1_q;
  logic [31:0] chosen;
  always_comb begin
    chosen = '0;
    for (int unsigned w = 0; w < WORDS; w++) if (at1_q == 12'(w)) chosen = chosen | stored[32*w+:32];
  end
  always_ff @(posedge clk_i) begin
    at0_q <= result_place_i[11:0];
    at1_q <= at0_q;
    word_q <= chosen;
    result_o <= result_kind_i == 2'd0 ? answer_q : result_kind_i == 2'd1 ? score_q : word_q;
  end
  logic unused;
  assign unused = &{1'b0, parameter_i, load_place_i, result_place_i, entry_at, rest_q[31]};
endmodule
