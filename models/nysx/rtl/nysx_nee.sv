/* SPDX-License-Identifier: MIT */ // Nyström Encoding Engine: the signs of P x, with sign(0) = +1. LANES lanes process a group of LANES rows at once;
// each row adds its columns in ascending order. P arrives as a stream, one word per column for all lanes; x is written
// before. Each group ends with one word of signs.
//
// ENTRY_BITS = 1: an entry is ±1 (1 for +1) and adds or subtracts; otherwise it is a two's complement number.
module nysx_nee #(
    parameter int unsigned LANES = 64,
    parameter int unsigned ROWS = 10000,
    parameter int unsigned COLUMNS = 140,
    parameter int unsigned VALUE_BITS = 16,
    parameter int unsigned ENTRY_BITS = 1,
    parameter int unsigned SUM_BITS = 24,
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
  localparam int unsigned GROUPS = (ROWS + LANES - 1) / LANES;
  localparam int unsigned GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
  localparam int unsigned PRODUCT = ENTRY_BITS == 1 ? 0 : 2; // multiplier latency in cycles
  logic busy_q, take, column_over, group_over;
  logic [COLUMN_BITS-1:0] column_q;
  logic [GROUP_BITS-1:0] group_q;
  assign ready_o = busy_q;
  assign take = valid_i && busy_q;
  assign column_over = column_q == COLUMN_BITS'(COLUMNS - 1);
  assign group_over = group_q == GROUP_BITS'(GROUPS - 1);
  always_ff @(posedge clk_i)
    if (rst_i) begin
      busy_q <= 1'b0;
      {column_q, group_q} <= '0;
    end else if (start_i) busy_q <= 1'b1;
    else if (take) begin
      column_q <= column_over ? '0 : column_q + 1'b1;
      if (column_over) begin
        group_q <= group_over ? '0 : group_q + 1'b1;
        if (group_over) busy_q <= 1'b0;
      end
    end

  // ---- 1: read x; 2: register x per FAN lanes, and the entries; then products, sums, signs
  localparam int unsigned FAN = 32;
  localparam int unsigned FANS = (LANES + FAN - 1) / FAN;
  logic signed [VALUE_BITS-1:0] value;
  logic [LANES*ENTRY_BITS-1:0] entries_early_q, entries_q;
  nysx_ram #(.WIDTH(VALUE_BITS), .DEPTH(COLUMNS)) values (.clk_i, .write_i, .write_address_i(column_i), .data_i(value_i),
                                                          .read_address_i(column_q), .data_o(value));
  always_ff @(posedge clk_i) {entries_q, entries_early_q} <= {entries_early_q, entries_i};
  logic soon, soon_first, soon_last, soon_end, added_q, add_last, add_end, signed_q, end_q;
  nysx_delay #(.WIDTH(1), .STAGES(1 + PRODUCT), .RESET(1'b1)) add_late (.clk_i, .rst_i, .d_i(take), .q_o(soon));
  nysx_delay #(.WIDTH(3), .STAGES(1 + PRODUCT)) add_aside (
      .clk_i, .rst_i, .d_i({column_q == '0, column_over, column_over && group_over}),
      .q_o({soon_first, soon_last, soon_end}));
  logic [FANS-1:0] fan_add, fan_first;
  logic [FANS*VALUE_BITS-1:0] fan_value;
  for (genvar f = 0; f < FANS; f++) begin : gen_fan
    (* keep *) logic add_q, first_q;
    (* keep *) logic [VALUE_BITS-1:0] value_q;
    always_ff @(posedge clk_i) begin
      add_q <= soon && !rst_i;
      first_q <= soon_first;
      value_q <= value;
    end
    assign fan_add[f] = add_q;
    assign fan_first[f] = first_q;
    assign fan_value[f*VALUE_BITS+:VALUE_BITS] = value_q;
  end
  always_ff @(posedge clk_i) begin
    added_q <= soon && !rst_i;
    add_last <= soon_last;
    add_end <= soon_end;
  end
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
  always_ff @(posedge clk_i) begin
    signed_q <= added_q && add_last && !rst_i;
    end_q <= add_end;
    valid_o <= signed_q && !rst_i;
    last_o <= end_q;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!start_i || !busy_q) else $error("a product came during another");
      assert (!write_i || !busy_q) else $error("x changed while it was multiplied");
    end
`endif
endmodule
