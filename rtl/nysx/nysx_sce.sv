// Similarity and Classification Engine: the class whose prototype has the largest cosine with the hypervector, ties to the
// lower one. BITS elements a cycle of ROWS prototypes at once (1, or all); then a comparison a class.
//
// Signs come in words of LANES; LANES and BITS divide one another. Prototypes of one bit have equal lengths, so that the
// most equal signs win. PROTOTYPES_FILE: at turn · WORDS + word, ROWS words of BITS elements, the lowest class lowest.
module nysx_sce #(
    parameter int unsigned DIM = 10000,
    parameter int unsigned CLASSES = 2,
    parameter int unsigned LANES = 64,
    parameter int unsigned BITS = 128,
    parameter int unsigned ROWS = 2,
    parameter STYLE = "auto",
    parameter PROTOTYPES_FILE = "prototypes.hex",
    localparam int unsigned CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,
    input  logic [LANES-1:0]      signs_i,
    input  logic                  last_i,
    output logic                  valid_o,
    output logic [CLASS_BITS-1:0] class_o
);
  localparam int unsigned WORDS = (DIM + BITS - 1) / BITS;
  localparam int unsigned TURNS = (CLASSES + ROWS - 1) / ROWS;
  localparam int unsigned WIDE = LANES > BITS ? LANES : BITS;
  localparam int unsigned DEPTH = (DIM + WIDE - 1) / WIDE;
  localparam int unsigned DEPTH_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int unsigned PARTS = WIDE / LANES; // words of signs in a word of memory
  localparam int unsigned READS = WIDE / BITS;  // reads of it
  localparam int unsigned PART_BITS = PARTS > 1 ? $clog2(PARTS) : 1;
  localparam int unsigned READ_BITS = READS > 1 ? $clog2(READS) : 1;
  localparam int unsigned PROTOTYPE_BITS = TURNS * WORDS > 1 ? $clog2(TURNS * WORDS) : 1;
  localparam int unsigned WORD_BITS = WORDS > 1 ? $clog2(WORDS) : 1;
  localparam int unsigned TURN_BITS = TURNS > 1 ? $clog2(TURNS) : 1;
  localparam int unsigned COUNT_BITS = $clog2(BITS + 1);
  localparam int unsigned SCORE_BITS = $clog2(WORDS * BITS + 1);
  localparam int unsigned POPCOUNT = ((BITS + 5) / 6 > 1 ? $clog2((BITS + 5) / 6) : 0) + 1;

  // ---- the hypervector, WIDE elements a word, filled part by part
  logic [PART_BITS-1:0] part_q;
  logic [DEPTH_BITS-1:0] fill_q, read_at_q;
  logic [WIDE-1:0] wide;
  for (genvar k = 0; k < PARTS; k++) begin : gen_part
    nysx_ram #(.WIDTH(LANES), .DEPTH(DEPTH)) signs (
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

  // ---- words and turns
  logic busy_q, word_over, turn_over;
  logic [READ_BITS-1:0] read_q, read_late_q;
  logic [WORD_BITS-1:0] word_q;
  logic [TURN_BITS-1:0] turn_q;
  logic [PROTOTYPE_BITS-1:0] prototype_q;
  assign word_over = word_q == WORD_BITS'(WORDS - 1);
  assign turn_over = turn_q == TURN_BITS'(TURNS - 1);
  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else if (valid_i && last_i) busy_q <= 1'b1;
    else if (word_over && turn_over) busy_q <= 1'b0;
    if (!busy_q) {read_q, read_at_q, word_q, turn_q, prototype_q} <= '0;
    else begin
      word_q <= word_over ? '0 : word_q + 1'b1;
      prototype_q <= prototype_q + 1'b1;
      read_q <= word_over || read_q == READ_BITS'(READS - 1) ? '0 : read_q + 1'b1;
      if (word_over) read_at_q <= '0;
      else if (read_q == READ_BITS'(READS - 1)) read_at_q <= read_at_q + 1'b1;
      if (word_over) turn_q <= turn_q + 1'b1;
    end
    read_late_q <= read_q;
  end

  // ---- equal signs counted, and summed over the words
  logic [BITS-1:0] signs_q;
  logic [ROWS*BITS-1:0] prototypes;
  nysx_rom #(.WIDTH(ROWS * BITS), .DEPTH(TURNS * WORDS), .LATENCY(2), .STYLE(STYLE), .FILE(PROTOTYPES_FILE)) table_rom (
      .clk_i, .address_i(prototype_q), .data_o(prototypes));
  always_ff @(posedge clk_i) signs_q <= wide[32'(read_late_q)*BITS+:BITS];
  localparam int unsigned LATE = 2 + POPCOUNT;
  logic counted, counted_first, counted_last;
  nysx_delay #(.WIDTH(1), .STAGES(LATE), .RESET(1'b1)) valid_late (.clk_i, .rst_i, .d_i(busy_q), .q_o(counted));
  nysx_delay #(.WIDTH(2), .STAGES(LATE)) aside (.clk_i, .rst_i, .d_i({word_q == '0, word_over}),
                                                .q_o({counted_first, counted_last}));
  logic [ROWS*SCORE_BITS-1:0] scores;
  for (genvar r = 0; r < ROWS; r++) begin : gen_row
    logic [COUNT_BITS-1:0] count;
    logic [SCORE_BITS-1:0] score_q;
    nysx_popcount #(.WIDTH(BITS)) equal (.clk_i, .bits_i(~(signs_q ^ prototypes[r*BITS+:BITS])), .count_o(count));
    always_ff @(posedge clk_i)
      if (counted) score_q <= (counted_first ? '0 : score_q) + SCORE_BITS'(count);
    assign scores[r*SCORE_BITS+:SCORE_BITS] = score_q;
  end

  // ---- the largest: classes in ascending order, one a cycle
  localparam int unsigned ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  logic comparing_q, ready_q;
  logic [ROW_BITS-1:0] row_q;
  logic [CLASS_BITS-1:0] class_q;
  logic [SCORE_BITS-1:0] best_q;
  logic [ROWS*SCORE_BITS-1:0] held_q;
  logic [SCORE_BITS-1:0] score;
  logic better, over;
  assign score = held_q[32'(row_q)*SCORE_BITS+:SCORE_BITS];
  assign better = class_q == '0 || score > best_q;
  assign over = class_q == CLASS_BITS'(CLASSES - 1);
  always_ff @(posedge clk_i) begin
    ready_q <= counted && counted_last && !rst_i;
    if (ready_q) held_q <= scores;
    if (rst_i) begin
      comparing_q <= 1'b0;
      class_q <= '0;
    end else begin
      if (ready_q) comparing_q <= 1'b1;
      else if (over || row_q == ROW_BITS'(ROWS - 1)) comparing_q <= 1'b0;
      if (comparing_q) class_q <= over ? '0 : class_q + 1'b1;
    end
    row_q <= comparing_q && !ready_q ? row_q + 1'b1 : '0;
    if (comparing_q && better) begin
      best_q <= score;
      class_o <= class_q;
    end
    valid_o <= comparing_q && over && !rst_i;
  end
`ifndef SYNTHESIS
  initial assert (WIDE % LANES == 0 && WIDE % BITS == 0)
    else $fatal(1, "nysx_sce: LANES and BITS must divide one another");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(valid_i && busy_q)) else $error("signs came while others were classified");
      assert (!(ready_q && comparing_q && ROWS > WORDS)) else $error("scores came before the last were compared");
    end
`endif
endmodule
