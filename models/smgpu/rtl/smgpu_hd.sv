/* SPDX-License-Identifier: MIT */ // Hyperdimensional engine: bundle, bind, permute, similarity and generate on vectors in its banks, 32 bits per bank per cycle. Row j
// of a vector holds words BANKS * j onwards. One row is read and one written per cycle, so an instruction with
// two operands takes two cycles per row.
//
// Places (load, result) are {row, bank}, with the bank in the low 12 bits. 32-bit parameters: 0 vectors, 1 rows of a vector, 2 first row of
// operand a, 3 of operand b, 4 of the result, 5 row distance of successive operands b (0: one for all), 6 bits of a vector, 7 bits in its last row, 8 first source
// row of a permutation, 9 the bit in that row, 10 seed, 11 the last word's bank. Results: kind 0 a word, kind 1 similarity or state.
module smgpu_hd #(
    parameter int unsigned BANKS = 16,
    parameter int unsigned ROWS = 4096,
    parameter int unsigned PARAMETERS = 12
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     load_i,
    input  logic [31:0]              load_place_i,
    input  logic [31:0]              load_word_i,
    input  logic                     start_i,
    input  logic [3:0]               operation_i, // instruction set encoding
    input  logic                     coarse_i,    // Q16.16
    input  logic [PARAMETERS*32-1:0] parameter_i, // constant from start to done
    output logic                     done_o,      // one cycle
    input  logic                     result_kind_i,
    input  logic [31:0]              result_place_i,
    output logic [31:0]              result_o     // four cycles after its place
);
  localparam logic [3:0] BUNDLE = 4'd0, BIND = 4'd1, UNBIND = 4'd2, PERMUTE = 4'd3, SIMILARITY = 4'd4, GENERATE = 4'd7;
  localparam int unsigned WIDTH = 32 * BANKS;
  localparam int unsigned ROW = $clog2(ROWS);
  localparam int unsigned PLACE = $clog2(WIDTH + 1);
  localparam int unsigned COUNTED = $clog2(WIDTH + 1);
  localparam int unsigned TREE = (WIDTH > 6 ? $clog2((WIDTH + 5) / 6) : 0) + 1;
  localparam int unsigned VOTES = 18;
  localparam int unsigned DRAIN = ($clog2(WIDTH) + 2) / 3 + 8;

  logic [31:0] vectors, rows, first_a, first_b, first_c, step_b, bits, last_bits, start_row, start_bit, seed, last_bank;
  assign {last_bank, seed, start_bit, start_row, last_bits, bits, step_b, first_c, first_b, first_a, rows, vectors} = parameter_i[12*32-1:0];

  // ---- reads: one row per cycle with its flags ----
  logic run_q, second_q, gap_q;      // second: operand b is read; gap: cycle after a permuted vector
  logic [31:0] left_q, inner_q;      // outer and inner iterations left
  logic [ROW-1:0] a_q, base_q, b_q, at_q;
  logic outer_last, inner_last, pairs, permutes, bundles, generates, ends;
  assign pairs = operation_i == BIND || operation_i == UNBIND || operation_i == SIMILARITY;
  assign permutes = operation_i == PERMUTE;
  assign bundles = operation_i == BUNDLE;
  assign generates = operation_i == GENERATE;
  assign outer_last = left_q == 32'd1;
  assign inner_last = inner_q == 32'd1;
  assign ends = outer_last && (permutes ? gap_q : inner_last && (second_q || !pairs));
  logic [31:0] inner_trips; // rows per vector; for bundle, vectors per row
  assign inner_trips = bundles ? vectors : permutes ? rows + 32'd1 : rows;
  logic in_last_row; // the vector's last row
  assign in_last_row = permutes ? at_q == ROW'(rows - 32'd1) : bundles ? outer_last : inner_last;
  always_ff @(posedge clk_i) begin
    if (rst_i) run_q <= 1'b0;
    else if (start_i) begin
      run_q <= 1'b1;
      second_q <= 1'b0;
      gap_q <= 1'b0;
      left_q <= bundles ? rows : vectors;
      inner_q <= inner_trips;
      a_q <= ROW'(first_a + (permutes ? start_row : 32'd0));
      base_q <= ROW'(first_a);
      b_q <= ROW'(first_b);
      at_q <= permutes ? ROW'(start_row) : '0;
    end else if (run_q) begin
      if (ends) run_q <= 1'b0;
      second_q <= pairs && !second_q;
      gap_q <= permutes && inner_last && !gap_q;
      if ((!pairs || second_q) && (!permutes || !inner_last || gap_q)) begin
        inner_q <= inner_last ? inner_trips : inner_q - 32'd1;
        if (inner_last) left_q <= left_q - 32'd1;
      end
      if (bundles) begin
        a_q <= inner_last ? base_q + 1'b1 : a_q + ROW'(rows);
        if (inner_last) base_q <= base_q + 1'b1;
      end else if (permutes) begin
        if (gap_q) begin
          base_q <= base_q + ROW'(rows);
          a_q <= base_q + ROW'(rows) + ROW'(start_row);
          at_q <= ROW'(start_row);
        end else begin
          a_q <= in_last_row ? base_q : a_q + 1'b1;
          at_q <= in_last_row ? '0 : at_q + 1'b1;
        end
      end else if (second_q) begin
        a_q <= a_q + 1'b1;
        b_q <= inner_last && step_b == 32'd0 ? ROW'(first_b) : b_q + 1'b1;
      end
    end
  end

  // ---- banks ----
  logic write_q;
  logic [WIDTH-1:0] write_row_q, read_row;
  logic [ROW-1:0] read_at, write_at_q;
  assign read_at = run_q ? (second_q ? b_q : a_q) : result_place_i[12+:ROW];
  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic here;
    assign here = load_i && load_place_i[11:0] == 12'(b);
    smgpu_ram #(.WIDTH(32), .DEPTH(ROWS)) bank (
        .clk_i, .write_i(write_q || here), .write_address_i(write_q ? write_at_q : load_place_i[12+:ROW]),
        .data_i(write_q ? write_row_q[32*b+:32] : load_word_i), .read_address_i(read_at), .data_o(read_row[32*b+:32]));
  end

  // ---- flags of the row read: first and last iteration, last row of a vector, operand ----
  logic come, first, last, ending, second;
  smgpu_delay #(.WIDTH(5), .STAGES(2)) tags (
      .clk_i, .d_i({run_q && !gap_q && !rst_i, bundles || permutes ? inner_q == inner_trips : 1'b1, inner_last, in_last_row, second_q}),
      .q_o({come, first, last, ending, second}));

  logic [WIDTH-1:0] mask_q; // valid bits of a vector's last row
  for (genvar i = 0; i < WIDTH; i++) begin : gen_mask
    always_ff @(posedge clk_i) mask_q[i] <= 32'(i) < last_bits;
  end

  // ---- two operands ----
  logic [WIDTH-1:0] other_q, either_q;
  logic either_valid_q, either_last_q;
  always_ff @(posedge clk_i) begin
    if (!second) other_q <= read_row;
    either_q <= (other_q ^ read_row) & (ending ? mask_q : '1);
    either_valid_q <= come && second && pairs;
    either_last_q <= ending;
  end

  // ---- votes ----
  logic [WIDTH-1:0] majority_q, tie_q;
  logic vote_q;
  for (genvar i = 0; i < WIDTH; i++) begin : gen_votes
    logic [VOTES-1:0] votes_q;
    always_ff @(posedge clk_i) begin
      if (come) votes_q <= (first ? '0 : votes_q) + VOTES'(read_row[i]);
      if (come && first) tie_q[i] <= read_row[i];
      // Twice the votes against the number of vectors; a tie takes the first vector's bit.
      majority_q[i] <= {votes_q, 1'b0} > vectors[VOTES:0] || ({votes_q, 1'b0} == vectors[VOTES:0] && tie_q[i]);
    end
  end
  logic voted_q;
  always_ff @(posedge clk_i) begin
    vote_q <= come && last && bundles;
    voted_q <= vote_q;
  end

  // ---- rotation ----
  logic turned, turned_end;
  logic [WIDTH-1:0] turned_row;
  smgpu_permute #(.WIDTH(WIDTH)) permute (
      .clk_i, .rst_i, .valid_i(come && permutes), .first_i(first), .last_i(last), .row_i(read_row), .offset_i(start_bit[PLACE-1:0]),
      .bits_i(ending ? last_bits[PLACE-1:0] : PLACE'(WIDTH)), .valid_o(turned), .end_o(turned_end), .row_o(turned_row));
  logic [ROW:0] turned_q; // rows of the vector already output
  logic turned_counts, turned_last;
  assign turned_counts = turned && turned_q < (ROW + 1)'(rows);
  assign turned_last = turned_q == (ROW + 1)'(rows - 32'd1);
  always_ff @(posedge clk_i)
    if (rst_i || turned_end || start_i) turned_q <= '0;
    else if (turned_counts) turned_q <= turned_q + 1'b1;

  // ---- random words ----
  logic [31:0] state_q;
  logic [WIDTH-1:0] words;
  smgpu_lfsr #(.BANKS(BANKS)) lfsr (.state_i(state_q), .words_o(words));
  logic [31:0] last_word; // word of the last bank; of the vector's last row, the next state
  always_comb begin
    last_word = '0;
    for (int unsigned b = 0; b < BANKS; b++) if (last_bank == 32'(b)) last_word = last_word | words[32*b+:32];
  end
  always_ff @(posedge clk_i)
    if (start_i && generates) state_q <= seed;
    else if (run_q && generates) state_q <= inner_last ? last_word : words[WIDTH-1-:32];

  // ---- write port ----
  always_ff @(posedge clk_i) begin
    write_q <= !rst_i && ((either_valid_q && operation_i != SIMILARITY) || voted_q || turned_counts || (run_q && generates));
    write_row_q <= generates ? words & (inner_last ? mask_q : '1) : bundles ? majority_q : permutes ? turned_row & (turned_last ? mask_q : '1) : either_q;
    if (start_i) write_at_q <= ROW'(first_c);
    else if (write_q) write_at_q <= write_at_q + 1'b1;
  end

  // ---- similarity: differing bits, then one quotient digit per cycle ----
  logic [COUNTED-1:0] ones;
  logic counted, counted_last;
  logic [31:0] differ_q;
  smgpu_popcount #(.WIDTH(WIDTH)) popcount (.clk_i, .bits_i(either_q), .count_o(ones));
  smgpu_delay #(.WIDTH(2), .STAGES(TREE)) beside (.clk_i, .d_i({either_valid_q && !rst_i, either_last_q}), .q_o({counted, counted_last}));
  logic [31:0] rest_q, quotient_q;
  logic [32:0] less;
  logic divide_q, ready_q;
  logic [4:0] digit_q;
  assign less = {1'b0, rest_q} - {1'b0, bits};
  always_ff @(posedge clk_i) begin
    ready_q <= counted && counted_last && operation_i == SIMILARITY && !rst_i;
    if (start_i) differ_q <= '0;
    else if (counted) differ_q <= differ_q + 32'(ones);
    if (rst_i || start_i) divide_q <= 1'b0;
    else if (ready_q) begin
      divide_q <= 1'b1;
      digit_q <= coarse_i ? 5'd16 : 5'd24;
      rest_q <= bits - differ_q;
      quotient_q <= '0;
    end else if (divide_q) begin
      rest_q <= {less[32] ? rest_q[30:0] : less[30:0], 1'b0};
      quotient_q <= {quotient_q[30:0], !less[32]};
      digit_q <= digit_q - 1'b1;
      divide_q <= digit_q != '0;
    end
  end

  // ---- end of the instruction ----
  logic [5:0] drain_q;
  logic waits_q; // for the quotient
  always_ff @(posedge clk_i) begin
    done_o <= !rst_i && ((drain_q == 6'd1 && operation_i != SIMILARITY) || (waits_q && divide_q && digit_q == '0));
    if (rst_i || start_i) drain_q <= '0;
    else if (run_q && ends) drain_q <= 6'(DRAIN);
    else if (drain_q != '0) drain_q <= drain_q - 1'b1;
    if (rst_i || done_o) waits_q <= 1'b0;
    else if (start_i) waits_q <= operation_i == SIMILARITY;
  end

  // ---- results ----
  logic [31:0] word_q, number_q;
  logic [11:0] bank_q, bank1_q;
  logic kind_q, kind1_q, kind2_q;
  logic [31:0] chosen;
  always_comb begin
    chosen = '0;
    for (int unsigned b = 0; b < BANKS; b++) if (bank1_q == 12'(b)) chosen = chosen | read_row[32*b+:32];
  end
  always_ff @(posedge clk_i) begin
    bank_q <= result_place_i[11:0];
    bank1_q <= bank_q;
    {kind_q, kind1_q, kind2_q} <= {result_kind_i, kind_q, kind1_q};
    word_q <= chosen;
    number_q <= operation_i == SIMILARITY ? quotient_q : state_q;
    result_o <= kind2_q ? number_q : word_q;
  end
  logic unused;
  assign unused = &{1'b0, parameter_i, load_place_i, result_place_i, first_a, first_b, first_c, start_bit, less[31]};
endmodule
