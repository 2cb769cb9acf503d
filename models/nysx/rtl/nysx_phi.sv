/* SPDX-License-Identifier: MIT */ // Factored form: φ = Λ^(-1/2) Qᵀ (C − c̄), rounded to BITS bits. Each single-precision lane interleaves INTERLEAVED rows, as many as
// its adder has cycles, so the adder is always busy; a row adds its landmarks in ascending order.
// Then φ / scale, rounded to nearest even and saturated at ±(2^(BITS−1) − 1).
//
// The elements of C arrive once, in ascending order, as they are read. MAP_FILE, in the lanes' order: groups of
// LANES · INTERLEAVED rows; per group the landmarks ascending; per landmark INTERLEAVED words of one number per lane, lowest lane in the lowest bits.
module nysx_phi #(
    parameter int unsigned LANDMARKS = 150,
    parameter int unsigned RANK = 140,
    parameter int unsigned LANES = 4,
    parameter int unsigned BITS = 16,
    parameter int unsigned VALUE_BITS = 14, // width of an element of C − c̄, with sign
    parameter logic [31:0] SCALE = 32'h3f800000,
    parameter MAP_FILE = "phi_map.hex",
    localparam int unsigned LANDMARK_BITS = LANDMARKS > 1 ? $clog2(LANDMARKS) : 1,
    localparam int unsigned RANK_BITS = RANK > 1 ? $clog2(RANK) : 1
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         valid_i,
    input  logic [LANDMARK_BITS-1:0]     landmark_i,
    input  logic signed [VALUE_BITS-1:0] value_i,
    input  logic                         last_i,
    output logic                         valid_o,
    output logic [RANK_BITS-1:0]         row_o,
    output logic signed [BITS-1:0]       phi_o,
    output logic                         last_o
);
  localparam int unsigned INTERLEAVED = 6;
  localparam int unsigned GROUPS = (RANK + LANES * INTERLEAVED - 1) / (LANES * INTERLEAVED);
  localparam int unsigned WORDS = GROUPS * LANDMARKS * INTERLEAVED;
  localparam int unsigned WORD_BITS = $clog2(WORDS);
  localparam int unsigned GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;

  // ---- C as single precision
  logic [31:0] real_value, input_value;
  logic real_valid, real_last;
  logic [LANDMARK_BITS-1:0] real_landmark, landmark_q;
  nysx_to_fp32 #(.WIDTH(VALUE_BITS)) to_fp32 (.clk_i, .value_i, .result_o(real_value));
  nysx_delay #(.WIDTH(1), .STAGES(4), .RESET(1'b1)) valid_late (.clk_i, .rst_i, .d_i(valid_i), .q_o(real_valid));
  nysx_delay #(.WIDTH(LANDMARK_BITS + 1), .STAGES(4)) aside (.clk_i, .rst_i, .d_i({last_i, landmark_i}),
                                                             .q_o({real_last, real_landmark}));
  nysx_ram #(.WIDTH(32), .DEPTH(LANDMARKS)) inputs (
      .clk_i, .write_i(real_valid), .write_address_i(real_landmark), .data_i(real_value),
      .read_address_i(landmark_q), .data_o(input_value));

  // ---- interleaved rows, landmarks, groups
  logic busy_q;
  logic [2:0] slot_q;
  logic [WORD_BITS-1:0] word_q;
  logic [GROUP_BITS-1:0] group_q;
  logic slot_over, landmark_over, group_over;
  assign slot_over = slot_q == 3'(INTERLEAVED - 1);
  assign landmark_over = landmark_q == LANDMARK_BITS'(LANDMARKS - 1);
  assign group_over = group_q == GROUP_BITS'(GROUPS - 1);
  always_ff @(posedge clk_i)
    if (rst_i) begin
      busy_q <= 1'b0;
      {slot_q, landmark_q, group_q, word_q} <= '0;
    end else if (real_valid && real_last) busy_q <= 1'b1;
    else if (busy_q) begin
      slot_q <= slot_over ? '0 : slot_q + 1'b1;
      word_q <= word_q + 1'b1;
      if (slot_over) landmark_q <= landmark_over ? '0 : landmark_q + 1'b1;
      if (slot_over && landmark_over) begin
        group_q <= group_over ? '0 : group_q + 1'b1;
        if (group_over) begin
          busy_q <= 1'b0;
          word_q <= '0;
        end
      end
    end

  // ---- lanes
  logic [LANES*32-1:0] elements, sums;
  logic [31:0] input_late_q;
  nysx_rom #(.WIDTH(LANES * 32), .DEPTH(WORDS), .LATENCY(2), .FILE(MAP_FILE)) map (.clk_i, .address_i(word_q),
                                                                                  .data_o(elements));
  always_ff @(posedge clk_i) input_late_q <= input_value;
  logic first8, last8, summed;
  nysx_delay #(.WIDTH(1), .STAGES(8)) first_aside (.clk_i, .rst_i, .d_i(landmark_q == '0), .q_o(first8));
  nysx_delay #(.WIDTH(1), .STAGES(8), .RESET(1'b1)) last_aside (.clk_i, .rst_i, .d_i(busy_q && landmark_over),
                                                                .q_o(last8));
  nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) sum_aside (.clk_i, .rst_i, .d_i(last8), .q_o(summed));
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [31:0] product;
    nysx_fp32_mul multiply (.clk_i, .a_i(elements[l*32+:32]), .b_i(input_late_q), .product_o(product));
    nysx_fp32_add add (.clk_i, .a_i(first8 ? 32'b0 : sums[l*32+:32]), .b_i(product), .sum_o(sums[l*32+:32]));
  end

  // ---- a group's sums, INTERLEAVED words per row, go to the divider one by one
  localparam int unsigned LANE_BITS = LANES > 1 ? $clog2(LANES) : 1;
  logic waiting, next_word;
  logic [LANES*32-1:0] word;
  logic [3:0] unused_count;
  logic room;
  nysx_fifo #(.WIDTH(LANES * 32), .DEPTH(8)) sums_queue (
      .clk_i, .rst_i, .valid_i(summed), .ready_o(room), .data_i(sums), .valid_o(waiting), .ready_i(next_word),
      .data_o(word), .count_o(unused_count));
  logic [LANE_BITS-1:0] lane_q;
  assign next_word = lane_q == LANE_BITS'(LANES - 1);
  always_ff @(posedge clk_i)
    if (rst_i) lane_q <= '0;
    else if (waiting) lane_q <= next_word ? '0 : lane_q + 1'b1;
  logic [31:0] quotient;
  nysx_fp32_div divide (.clk_i, .a_i(word[32'(lane_q)*32+:32]), .b_i(SCALE), .quotient_o(quotient));
  logic divided;
  nysx_delay #(.WIDTH(1), .STAGES(18), .RESET(1'b1)) divided_aside (.clk_i, .rst_i, .d_i(waiting), .q_o(divided));

  // ---- to integers: binary point at bit 25 of a 24-bit significand; lower bits are sticky
  localparam int unsigned ROUND_BITS = BITS + 1;
  logic sign1_q, huge1_q, valid1_q, valid2_q;
  logic [ROUND_BITS:0] fixed1_q; // BITS of integer part, one fraction bit, one sticky bit
  logic [7:0] exponent;
  logic [BITS+23:0] wide;
  logic [4:0] left;
  assign exponent = quotient[30:23];
  // 2^e with e ≥ −1: shift left by e + 1
  assign left = 5'(exponent - 8'd126);
  assign wide = (BITS + 24)'({1'b1, quotient[22:0]}) << left;
  logic [BITS-1:0] magnitude;
  logic [BITS-1:0] rounded2_q;
  logic sign2_q, huge2_q;
  assign magnitude = fixed1_q[ROUND_BITS:2] + BITS'(fixed1_q[1] && (fixed1_q[2] || fixed1_q[0]));
  localparam logic [BITS-1:0] MOST = {1'b0, {(BITS - 1) {1'b1}}};
  always_ff @(posedge clk_i) begin
    valid1_q <= divided && !rst_i;
    sign1_q <= quotient[31];
    huge1_q <= exponent >= 8'(127 + BITS - 1);
    // below a half: all sticky; otherwise the binary point is at bit 24 of the shifted value
    fixed1_q <= exponent < 8'd126 ? (ROUND_BITS + 1)'(quotient[30:0] != '0)
                                  : {wide[24+:BITS], wide[23], wide[22:0] != '0};
    valid2_q <= valid1_q && !rst_i;
    sign2_q <= sign1_q;
    huge2_q <= huge1_q || magnitude[BITS-1];
    rounded2_q <= magnitude;
    phi_o <= huge2_q ? (sign2_q ? -MOST : MOST) : sign2_q ? -rounded2_q : rounded2_q;
    valid_o <= valid2_q && row_q < (RANK_BITS + 1)'(RANK) && !rst_i;
    row_o <= row_q[RANK_BITS-1:0];
    last_o <= row_q == (RANK_BITS + 1)'(RANK - 1);
  end
  logic [RANK_BITS:0] row_q;
  logic [$clog2(GROUPS * LANES * INTERLEAVED + 1)-1:0] passed_q; // in the last group also counts padding rows
  always_ff @(posedge clk_i)
    if (rst_i) begin
      row_q <= '0;
      passed_q <= '0;
    end else if (valid2_q) begin
      if (passed_q == ($bits(passed_q))'(GROUPS * LANES * INTERLEAVED - 1)) begin
        row_q <= '0;
        passed_q <= '0;
      end else begin
        passed_q <= passed_q + 1'b1;
        if (row_q != (RANK_BITS + 1)'(RANK)) row_q <= row_q + 1'b1;
      end
    end
`ifndef SYNTHESIS
  initial assert (LANDMARKS >= LANES) else $fatal(1, "nysx_phi: a group's sums must be gone before the next");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!summed || room) else $error("a sum came that nobody had room for");
      assert (!(valid_i && busy_q)) else $error("C came while it was multiplied");
    end
`else
  logic unused_room;
  assign unused_room = room;
`endif
endmodule
