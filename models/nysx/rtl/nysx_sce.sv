/* SPDX-License-Identifier: MIT */ // Similarity and Classification Engine: the class whose prototype has the largest cosine with the hypervector, or the largest
// product plus offset; ties go to the lower class. Per cycle, BITS elements of ROWS prototypes (1 or all).
//
// Signs arrive in words of LANES; one of LANES and BITS divides the other. A prototype element has PROTOTYPE_BITS bits in two's
// complement; with one bit, 1 is +1 and 0 is −1. Per bit plane, the ones shared by hypervector and prototype are counted (with one
// bit, the equal signs). This gives a sum S. The value of a class is
//   S                          one bit, no offsets: prototypes have equal lengths, the most equal signs win
//   2 S - CONSTANT             with offsets: the constant contains the offset and the prototype's own sum
//   2 S - CONSTANT, by length  several bits, no offsets: squares times the other's squared length are compared
// PROTOTYPES_FILE: at iteration · WORDS + word, ROWS words of PROTOTYPE_BITS planes of BITS elements, lowest class and plane in the lowest
// bits. CONSTANTS_FILE: constant per class. NORMS_FILE: squared length per class, 1 for a prototype of zeros.
module nysx_sce #(
    parameter int unsigned DIM = 10000,
    parameter int unsigned CLASSES = 2,
    parameter int unsigned LANES = 64,
    parameter int unsigned BITS = 128,
    parameter int unsigned ROWS = 2,
    parameter int unsigned PROTOTYPE_BITS = 1,
    parameter bit OFFSETS = 1'b0,
    parameter int unsigned VALUE_BITS = 15, // width of a class's value, with sign
    parameter int unsigned NORM_BITS = 1,   // width of a squared length
    parameter bit ADDED = 1'b0,             // with offsets: a number per class is added,
    parameter int unsigned ADDED_BITS = 1,  // in two's complement,
    parameter int unsigned ADDED_SHIFT = 0, // times 2 to this power
    parameter STYLE = "auto",
    parameter PROTOTYPES_FILE = "prototypes.hex",
    parameter CONSTANTS_FILE = "prototype_constants.hex",
    parameter NORMS_FILE = "prototype_norms.hex",
    localparam int unsigned CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,
    input  logic [LANES-1:0]      signs_i,
    input  logic                  last_i,
    input  logic [CLASSES*ADDED_BITS-1:0] added_i, // stable while classes are compared
    output logic                  valid_o,
    output logic [CLASS_BITS-1:0] class_o
);
  localparam int unsigned WORDS = (DIM + BITS - 1) / BITS;
  localparam int unsigned TRIPS = (CLASSES + ROWS - 1) / ROWS;
  localparam int unsigned WIDE = LANES > BITS ? LANES : BITS;
  localparam int unsigned DEPTH = (DIM + WIDE - 1) / WIDE;
  localparam int unsigned DEPTH_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned PARTS = WIDE / LANES; // words of signs per memory word
  localparam int unsigned READS = WIDE / BITS;  // reads per memory word
  localparam int unsigned PART_BITS = PARTS > 1 ? $clog2(PARTS) : 1;
  localparam int unsigned READ_BITS = READS > 1 ? $clog2(READS) : 1;
  localparam int unsigned ADDRESS_BITS = TRIPS * WORDS > 1 ? $clog2(TRIPS * WORDS) : 1;
  localparam int unsigned WORD_BITS = WORDS > 1 ? $clog2(WORDS) : 1;
  localparam int unsigned TRIP_BITS = TRIPS > 1 ? $clog2(TRIPS) : 1;
  localparam int unsigned COUNT_BITS = $clog2(BITS + 1);
  localparam int unsigned POPCOUNT = ((BITS + 5) / 6 > 1 ? $clog2((BITS + 5) / 6) : 0) + 1;
  localparam int unsigned PLANE_LEVELS = $clog2(PROTOTYPE_BITS);
  localparam int unsigned ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  /* verilator lint_off WIDTH */ // words of different length
  localparam bit LUTS = STYLE == "distributed"; // distributed memory: three output registers would become a shift register in LUTs
  /* verilator lint_on WIDTH */

  // ---- hypervector, WIDE elements per word, filled part by part
  logic [PART_BITS-1:0] part_q;
  logic [DEPTH_BITS-1:0] fill_q, read_at_q;
  logic [WIDE-1:0] wide;
  for (genvar k = 0; k < PARTS; k++) begin : gen_part
    nysx_ram #(.WIDTH(LANES), .DEPTH(DEPTH), .LATENCY(2)) signs (
        .clk_i, .write_i(valid_i && part_q == PART_BITS'(k)), .write_address_i(fill_q), .data_i(signs_i),
        .read_address_i(read_at_q), .data_o(wide[k*LANES+:LANES]));
  end
  always_ff @(posedge clk_i)
    if (rst_i || (valid_i && last_i)) begin
      part_q <= '0;
      fill_q <= '0;
    end else if (valid_i) begin
      part_q <= part_q == PART_BITS'(PARTS - 1) ? '0 : part_q + 1'b1;
      if (part_q == PART_BITS'(PARTS - 1)) fill_q <= fill_q + 1'b1;
    end

  // ---- words and iterations
  logic busy_q, word_over, trip_over;
  logic [READ_BITS-1:0] read_q, read_late;
  logic [WORD_BITS-1:0] word_q;
  logic [TRIP_BITS-1:0] trip_q;
  logic [ADDRESS_BITS-1:0] prototype_q, prototype_late_q, prototype_later_q;
  assign word_over = word_q == WORD_BITS'(WORDS - 1);
  assign trip_over = trip_q == TRIP_BITS'(TRIPS - 1);
  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else if (valid_i && last_i) busy_q <= 1'b1;
    else if (word_over && trip_over) busy_q <= 1'b0;
    if (!busy_q) {read_q, read_at_q, word_q, trip_q, prototype_q} <= '0;
    else begin
      word_q <= word_over ? '0 : word_q + 1'b1;
      prototype_q <= prototype_q + 1'b1;
      read_q <= word_over || read_q == READ_BITS'(READS - 1) ? '0 : read_q + 1'b1;
      if (word_over) read_at_q <= '0;
      else if (read_q == READ_BITS'(READS - 1)) read_at_q <= read_at_q + 1'b1;
      if (word_over) trip_q <= trip_q + 1'b1;
    end
  end

  // ---- shared ones counted, planes combined, summed over the words
  logic [BITS-1:0] signs_q;
  logic [ROWS*PROTOTYPE_BITS*BITS-1:0] prototypes;
  nysx_rom #(.WIDTH(ROWS * PROTOTYPE_BITS * BITS), .DEPTH(TRIPS * WORDS), .LATENCY(LUTS ? 2 : 3), .STYLE(STYLE),
             .FILE(PROTOTYPES_FILE)) table_rom (.clk_i, .address_i(LUTS ? prototype_later_q : prototype_late_q), .data_o(prototypes));
  nysx_delay #(.WIDTH(READ_BITS), .STAGES(2)) read_aside (.clk_i, .rst_i, .d_i(read_q), .q_o(read_late));
  always_ff @(posedge clk_i) begin
    prototype_late_q <= prototype_q;
    prototype_later_q <= prototype_late_q;
    signs_q <= wide[32'(read_late)*BITS+:BITS];
  end
  localparam int unsigned LATE = 4 + POPCOUNT + PLANE_LEVELS;
  logic counted, counted_first, counted_last, summed_q;
  nysx_delay #(.WIDTH(1), .STAGES(LATE), .RESET(1'b1)) valid_late (.clk_i, .rst_i, .d_i(busy_q), .q_o(counted));
  nysx_delay #(.WIDTH(2), .STAGES(LATE)) aside (.clk_i, .rst_i, .d_i({word_q == '0, word_over}),
                                                .q_o({counted_first, counted_last}));
  always_ff @(posedge clk_i) summed_q <= counted && counted_last && !rst_i;
  logic [ROWS*VALUE_BITS-1:0] sums;
  for (genvar r = 0; r < ROWS; r++) begin : gen_row
    // Level 0 has one count per plane. Each level halves their number, combining pairs with doubled weight distance; the highest plane subtracts.
    for (genvar l = 0; l <= PLANE_LEVELS; l++) begin : gen_level
      localparam int unsigned PARTIALS = PROTOTYPE_BITS >> l;
      localparam int unsigned PARTIAL_BITS = PROTOTYPE_BITS == 1 ? COUNT_BITS : COUNT_BITS + (1 << l);
      logic [PARTIALS*PARTIAL_BITS-1:0] partial;
      for (genvar k = 0; k < PARTIALS; k++) begin : gen_partial
        if (l == 0) begin : gen_plane
          logic [COUNT_BITS-1:0] count;
          logic [BITS-1:0] plane;
          (* keep *) logic [BITS-1:0] near_q; // signs, registered near their plane
          always_ff @(posedge clk_i) near_q <= signs_q;
          assign plane = prototypes[(r*PROTOTYPE_BITS+k)*BITS+:BITS];
          nysx_popcount #(.WIDTH(BITS)) shared (
              .clk_i, .bits_i(PROTOTYPE_BITS == 1 ? ~(near_q ^ plane) : near_q & plane), .count_o(count));
          assign partial[k*PARTIAL_BITS+:PARTIAL_BITS] = PARTIAL_BITS'(count);
        end else begin : gen_pair
          localparam int unsigned BELOW = COUNT_BITS + (1 << (l - 1));
          localparam int unsigned WEIGHT = 1 << (l - 1);
          localparam bit TAKES_OFF = l == 1 && k == PARTIALS - 1;
          logic signed [BELOW-1:0] low, high;
          logic signed [PARTIAL_BITS-1:0] pair_q;
          assign low = gen_level[l-1].partial[2*k*BELOW+:BELOW];
          assign high = gen_level[l-1].partial[(2*k+1)*BELOW+:BELOW];
          always_ff @(posedge clk_i)
            pair_q <= TAKES_OFF ? PARTIAL_BITS'(low) - (PARTIAL_BITS'(high) <<< WEIGHT)
                                : PARTIAL_BITS'(low) + (PARTIAL_BITS'(high) <<< WEIGHT);
          assign partial[k*PARTIAL_BITS+:PARTIAL_BITS] = pair_q;
        end
      end
    end
    // Sums wrap; only the final value must fit.
    localparam int unsigned WORD_SUM = PROTOTYPE_BITS == 1 ? COUNT_BITS : COUNT_BITS + PROTOTYPE_BITS;
    logic [VALUE_BITS-1:0] sum_q, word_sum;
    if (PROTOTYPE_BITS == 1) begin : gen_unsigned
      assign word_sum = VALUE_BITS'(gen_level[PLANE_LEVELS].partial);
    end else begin : gen_signed
      assign word_sum = VALUE_BITS'($signed(gen_level[PLANE_LEVELS].partial[WORD_SUM-1:0]));
    end
    always_ff @(posedge clk_i)
      if (counted) sum_q <= (counted_first ? '0 : sum_q) + word_sum;
    assign sums[r*VALUE_BITS+:VALUE_BITS] = sum_q;
  end

  // ---- an iteration's sums wait until its classes are compared, in ascending order
  localparam int unsigned QUEUE = TRIPS > 2 ? 1 << $clog2(TRIPS) : 2;
  logic waiting, take, room, last_row, last_class;
  logic [ROWS*VALUE_BITS-1:0] held;
  logic [$clog2(QUEUE):0] unused_count;
  logic [ROW_BITS-1:0] row_q;
  logic [CLASS_BITS-1:0] class_q;
  assign last_class = class_q == CLASS_BITS'(CLASSES - 1);
  assign last_row = last_class || row_q == ROW_BITS'(ROWS - 1);
  nysx_fifo #(.WIDTH(ROWS * VALUE_BITS), .DEPTH(QUEUE)) sums_queue (
      .clk_i, .rst_i, .valid_i(summed_q), .ready_o(room), .data_i(sums), .valid_o(waiting),
      .ready_i(take && last_row), .data_o(held), .count_o(unused_count));
  always_ff @(posedge clk_i)
    if (rst_i) {row_q, class_q} <= '0;
    else if (take) begin
      row_q <= last_row ? '0 : row_q + 1'b1;
      class_q <= last_class ? '0 : class_q + 1'b1;
    end

  // ---- one class after another: sum, value, comparison with the largest
  logic signed [VALUE_BITS-1:0] picked, picked_q, value_q;
  logic taken_q, valued_q;
  logic [CLASS_BITS-1:0] picked_class_q, valued_class_q;
  logic valued_last_q;
  always_comb begin // explicit multiplexer: a product of an index and an odd width would not become one
    picked = '0;
    for (int unsigned r = 0; r < ROWS; r++)
      if (row_q == ROW_BITS'(r)) picked = held[r*VALUE_BITS+:VALUE_BITS];
  end
  always_ff @(posedge clk_i) begin
    taken_q <= take && !rst_i;
    valued_q <= taken_q && !rst_i;
    picked_q <= picked;
    picked_class_q <= class_q;
    valued_class_q <= picked_class_q;
    valued_last_q <= picked_class_q == CLASS_BITS'(CLASSES - 1);
  end
  if (PROTOTYPE_BITS > 1 || OFFSETS) begin : gen_constant
    logic [VALUE_BITS-1:0] constant;
    nysx_rom #(.WIDTH(VALUE_BITS), .DEPTH(CLASSES), .FILE(CONSTANTS_FILE)) constants (.clk_i, .address_i(class_q),
                                                                                      .data_o(constant));
    if (ADDED) begin : gen_added
      logic [ADDED_BITS-1:0] added;
      logic [VALUE_BITS-1:0] added_q;
      always_comb begin
        added = '0;
        for (int unsigned c = 0; c < CLASSES; c++)
          if (class_q == CLASS_BITS'(c)) added = added_i[c*ADDED_BITS+:ADDED_BITS];
      end
      always_ff @(posedge clk_i) begin
        added_q <= VALUE_BITS'($signed(added)) <<< ADDED_SHIFT;
        value_q <= (picked_q <<< 1) + (added_q - constant);
      end
    end else begin : gen_alone
      always_ff @(posedge clk_i) value_q <= (picked_q <<< 1) - constant;
    end
  end else begin : gen_plain
    always_ff @(posedge clk_i) value_q <= picked_q;
  end
  if (!ADDED) begin : gen_unadded
    logic unused;
    assign unused = &{1'b0, added_i};
  end
  if (PROTOTYPE_BITS > 1 && !OFFSETS) begin : gen_cosine
    nysx_cosine #(.VALUE_BITS(VALUE_BITS), .NORM_BITS(NORM_BITS), .CLASSES(CLASSES), .NORMS_FILE(NORMS_FILE)) cosine (
        .clk_i, .rst_i, .waiting_i(waiting), .take_o(take), .valid_i(valued_q), .class_i(valued_class_q),
        .last_i(valued_last_q), .value_i(value_q), .valid_o, .class_o);
  end else begin : gen_largest
    // Each value is compared both with the largest so far, which excludes the previous value, and with the previous value; the next cycle selects
    // the valid comparison. Values are offset by the minimum, so comparisons are unsigned.
    logic [VALUE_BITS-1:0] above_lowest, best_q, before_q;
    assign above_lowest = {!value_q[VALUE_BITS-1], value_q[VALUE_BITS-2:0]};
    logic compared_q, compared_last_q, first_q, above_best_q, above_before_q, better, better_q;
    logic [CLASS_BITS-1:0] compared_class_q;
    assign take = waiting;
    assign better = first_q || (better_q ? above_before_q : above_best_q);
    always_ff @(posedge clk_i) begin
      compared_q <= valued_q && !rst_i;
      compared_last_q <= valued_last_q;
      if (valued_q) begin
        before_q <= above_lowest;
        compared_class_q <= valued_class_q;
        first_q <= valued_class_q == '0;
        above_best_q <= above_lowest > best_q;
        above_before_q <= above_lowest > before_q;
      end
      valid_o <= compared_q && compared_last_q && !rst_i;
      if (compared_q) begin
        better_q <= better;
        if (better) begin
          best_q <= before_q;
          class_o <= compared_class_q;
        end
      end
    end
  end
`ifndef SYNTHESIS
  initial assert (WIDE % LANES == 0 && WIDE % BITS == 0)
    else $fatal(1, "nysx_sce: LANES and BITS must divide one another");
  initial assert (PROTOTYPE_BITS == 1 << PLANE_LEVELS) else $fatal(1, "nysx_sce: PROTOTYPE_BITS must be a power of two");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(valid_i && busy_q)) else $error("signs came while others were classified");
      assert (!summed_q || room) else $error("sums of a group came without room for them");
    end
`else
  logic unused_room;
  assign unused_room = room;
`endif
endmodule
