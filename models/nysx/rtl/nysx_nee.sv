/* SPDX-License-Identifier: MIT */ // Nyström Encoding Engine: the signs of P x, with sign(0) = +1. LANES lanes process a round of LANES rows at once;
// each row adds its columns in ascending order. P arrives as a stream, one word per column and round for all lanes; x is written
// before. Each round ends with one word of signs.
//
// ENTRY_BITS = 1: an entry is ±1 (1 for +1) and adds or subtracts; otherwise it is a two's complement number, or with EXPONENT_BITS a floating-point
// number. Then x is rounded to single precision, and lanes take SLOTS rounds of a group in turn (nysx_nee_lane.sv). Groups are as even as they can be; slots without a
// round pass without a word.
module nysx_nee #(
    parameter int unsigned LANES = 64,
    parameter int unsigned ROWS = 10000,
    parameter int unsigned COLUMNS = 140,
    parameter int unsigned VALUE_BITS = 16,
    parameter int unsigned ENTRY_BITS = 1,
    parameter int unsigned EXPONENT_BITS = 0, // 0: whole numbers
    parameter int unsigned SUM_BITS = 24, // width of sums of whole numbers
    localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // x
    input  logic                         write_i,
    input  logic [COLUMN_BITS-1:0]       column_i,
    input  logic signed [VALUE_BITS-1:0] value_i,
    // P
    input  logic                         valid_i,
    output logic                         ready_o,
    input  logic [LANES*ENTRY_BITS-1:0]  entries_i,
    // signs
    input  logic                         start_i,
    output logic                         valid_o,
    output logic [LANES-1:0]             signs_o,
    output logic                         last_o // last group
);
  localparam bit REAL = EXPONENT_BITS > 0;
  localparam int unsigned SLOTS = REAL ? 8 : 1;
  localparam int unsigned ROUNDS = (ROWS + LANES - 1) / LANES;
  localparam int unsigned GROUPS = (ROUNDS + SLOTS - 1) / SLOTS;
  localparam int unsigned GROUP_ROUNDS = (ROUNDS + GROUPS - 1) / GROUPS;
  localparam int unsigned LAST_ROUNDS = ROUNDS - (GROUPS - 1) * GROUP_ROUNDS;
  localparam int unsigned GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
  localparam int unsigned SLOT_BITS = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam int unsigned X_BITS = REAL ? 32 : VALUE_BITS;
  localparam int unsigned PRODUCT = REAL ? 6 : ENTRY_BITS == 1 ? 0 : 2; // multiplier latency in cycles
  localparam int unsigned SUM = REAL ? 6 : 1; // adder latency
  logic write, start;
  logic [COLUMN_BITS-1:0] column;
  logic [X_BITS-1:0] x;
  if (REAL) begin : gen_real_x
    nysx_to_fp32 #(.WIDTH(VALUE_BITS)) convert (.clk_i, .value_i, .result_o(x));
    nysx_delay #(.WIDTH(2), .STAGES(4), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i({write_i, start_i}), .q_o({write, start}));
    nysx_delay #(.WIDTH(COLUMN_BITS), .STAGES(4)) aside (.clk_i, .rst_i, .d_i(column_i), .q_o(column));
  end else begin : gen_x
    assign {write, start, column, x} = {write_i, start_i, column_i, value_i};
  end

  // ---- slots, columns, groups
  logic busy_q, take, needed_q, slot_over, column_over, group_over;
  logic [SLOT_BITS-1:0] slot_q;
  logic [COLUMN_BITS-1:0] column_q;
  logic [GROUP_BITS-1:0] group_q;
  assign ready_o = busy_q && needed_q; // the slot has a round
  assign take = busy_q && (valid_i || !needed_q);
  assign slot_over = slot_q == SLOT_BITS'(SLOTS - 1);
  assign column_over = column_q == COLUMN_BITS'(COLUMNS - 1);
  assign group_over = group_q == GROUP_BITS'(GROUPS - 1);
  always_ff @(posedge clk_i)
    if (rst_i) begin
      busy_q <= 1'b0;
      needed_q <= 1'b1;
      {slot_q, column_q, group_q} <= '0;
    end else if (start) busy_q <= 1'b1;
    else if (take) begin
      slot_q <= slot_over ? '0 : slot_q + 1'b1;
      needed_q <= slot_over || 32'(slot_q) + 1 < (group_over ? LAST_ROUNDS : GROUP_ROUNDS);
      if (slot_over) column_q <= column_over ? '0 : column_q + 1'b1;
      if (slot_over && column_over) begin
        group_q <= group_over ? '0 : group_q + 1'b1;
        if (group_over) busy_q <= 1'b0;
      end
    end

  // ---- 1: read x; 2: register x per FAN lanes, and the entries; then products, sums, signs
  localparam int unsigned FAN = REAL ? 8 : 32;
  localparam int unsigned FANS = (LANES + FAN - 1) / FAN;
  logic [X_BITS-1:0] value, value_soon;
  logic [LANES*ENTRY_BITS-1:0] entries_early_q, entries_q;
  nysx_ram #(.WIDTH(X_BITS), .DEPTH(COLUMNS)) values (.clk_i, .write_i(write), .write_address_i(column), .data_i(x),
                                                      .read_address_i(column_q), .data_o(value));
  nysx_delay #(.WIDTH(X_BITS), .STAGES(REAL ? 2 : 0)) value_aside (.clk_i, .rst_i, .d_i(value), .q_o(value_soon));
  always_ff @(posedge clk_i) {entries_q, entries_early_q} <= {entries_early_q, entries_i};
  logic soon, soon_first, soon_last, soon_end, added_q, add_last, add_end, signed_late, end_late;
  nysx_delay #(.WIDTH(1), .STAGES(1 + PRODUCT), .RESET(1'b1)) add_late (.clk_i, .rst_i, .d_i(take), .q_o(soon));
  nysx_delay #(.WIDTH(3), .STAGES(1 + PRODUCT)) add_aside (
      .clk_i, .rst_i, .d_i({column_q == '0, column_over && needed_q, column_over && group_over && slot_q == SLOT_BITS'(LAST_ROUNDS - 1)}),
      .q_o({soon_first, soon_last, soon_end}));
  logic [FANS-1:0] fan_add, fan_first;
  logic [FANS*X_BITS-1:0] fan_value;
  for (genvar f = 0; f < FANS; f++) begin : gen_fan
    (* keep *) logic add_q, first_q;
    (* keep *) logic [X_BITS-1:0] value_q;
    always_ff @(posedge clk_i) begin
      add_q <= soon && !rst_i;
      first_q <= soon_first;
      value_q <= value_soon;
    end
    assign fan_add[f] = add_q;
    assign fan_first[f] = first_q;
    assign fan_value[f*X_BITS+:X_BITS] = value_q;
  end
  always_ff @(posedge clk_i) begin
    added_q <= soon && !rst_i;
    add_last <= soon_last;
    add_end <= soon_end;
  end
  if (REAL) begin : gen_real
    logic [SLOT_BITS-1:0] soon_slot; // one cycle earlier
    nysx_delay #(.WIDTH(SLOT_BITS), .STAGES(PRODUCT)) slot_aside (.clk_i, .rst_i, .d_i(slot_q), .q_o(soon_slot));
    for (genvar f = 0; f < FANS; f++) begin : gen_fan
      localparam int unsigned BEGIN = f * FAN, END = BEGIN + FAN < LANES ? BEGIN + FAN : LANES;
      (* keep *) logic [SLOT_BITS-1:0] read_slot_q;
      logic [SLOT_BITS-1:0] write_slot;
      logic sum_write;
      always_ff @(posedge clk_i) read_slot_q <= soon_slot;
      nysx_delay #(.WIDTH(SLOT_BITS), .STAGES(SUM + 1)) write_aside (.clk_i, .rst_i, .d_i(read_slot_q), .q_o(write_slot));
      nysx_delay #(.WIDTH(1), .STAGES(SUM)) write_late (.clk_i, .rst_i, .d_i(fan_add[f]), .q_o(sum_write));
      for (genvar l = BEGIN; l < END; l++) begin : gen_lane
        nysx_nee_lane #(.ENTRY_BITS(ENTRY_BITS), .EXPONENT_BITS(EXPONENT_BITS), .SLOTS(SLOTS)) lane (
            .clk_i, .entry_i(entries_q[l*ENTRY_BITS+:ENTRY_BITS]), .factor_i(fan_value[f*X_BITS+:X_BITS]), .read_slot_i(read_slot_q),
            .first_i(fan_first[f]), .write_i(sum_write), .write_slot_i(write_slot), .sign_o(signs_o[l]));
      end
    end
  end else begin : gen_whole
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic signed [SUM_BITS-1:0] sum_q, base;
      logic signed [VALUE_BITS-1:0] factor;
      logic add;
      assign add = fan_add[l/FAN];
      assign factor = fan_value[l/FAN*VALUE_BITS+:VALUE_BITS];
      assign base = fan_first[l/FAN] ? '0 : sum_q;
      if (ENTRY_BITS == 1) begin : gen_sign
        always_ff @(posedge clk_i)
          if (add) sum_q <= entries_q[l] ? base + SUM_BITS'(factor) : base - SUM_BITS'(factor);
      end else begin : gen_product
        logic signed [ENTRY_BITS-1:0] entry;
        logic signed [ENTRY_BITS+VALUE_BITS-1:0] product_q, product_late_q;
        assign entry = entries_q[l*ENTRY_BITS+:ENTRY_BITS];
        always_ff @(posedge clk_i) begin
          product_q <= (ENTRY_BITS + VALUE_BITS)'(entry) * (ENTRY_BITS + VALUE_BITS)'(factor);
          product_late_q <= product_q;
          if (add) sum_q <= base + SUM_BITS'(product_late_q);
        end
      end
      always_ff @(posedge clk_i) signs_o[l] <= !sum_q[SUM_BITS-1];
    end
  end
  nysx_delay #(.WIDTH(1), .STAGES(SUM), .RESET(1'b1)) signed_aside (.clk_i, .rst_i, .d_i(added_q && add_last), .q_o(signed_late));
  nysx_delay #(.WIDTH(1), .STAGES(SUM)) end_aside (.clk_i, .rst_i, .d_i(add_end), .q_o(end_late));
  always_ff @(posedge clk_i) begin
    valid_o <= signed_late && !rst_i;
    last_o <= end_late;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!start || !busy_q) else $error("a product came during another");
      assert (!write || !busy_q) else $error("x changed while it was multiplied");
    end
`endif
endmodule
