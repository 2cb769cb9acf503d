/* SPDX-License-Identifier: MIT */ // Generates the entries of P_rp with 64-bit xorshift generators (Marsaglia: 13, 7, 17), eight rows each, seeded by the
// SplitMix64 finaliser over the seed and the generator's number. A step yields one byte per row. It has the signs of eight columns (SIGNS = 1),
// or one entry: −128 … 127 (ENTRIES = 0), or the byte's population count minus 4 (ENTRIES = 1).
//
// One finaliser with two 64-bit products computes the next group's seeds while the current group is multiplied. A group with
// fewer columns than that latency waits.
module nysx_generator #(
    parameter int unsigned LANES = 64, // a multiple of eight
    parameter int unsigned COLUMNS = 140,
    parameter int unsigned GROUPS = 157,
    parameter bit SIGNS = 1'b1,
    parameter bit COUNTED = 1'b0, // an entry is its byte's population count less 4
    parameter logic [63:0] SEED = 64'd1,
    localparam int unsigned ENTRY_BITS = SIGNS ? 1 : 8
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        start_i, // restarts at the first group
    output logic                        valid_o,
    input  logic                        ready_i,
    output logic [LANES*ENTRY_BITS-1:0] entries_o // a sign is 1 for +1
);
  localparam int unsigned GENERATORS = LANES / 8;
  localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1;
  localparam int unsigned GROUP_BITS = $clog2(GROUPS + 1);
  localparam int unsigned START_BITS = $clog2(GENERATORS + 1);
  localparam logic [63:0] GOLDEN = 64'h9e3779b97f4a7c15;

  // ---- seeds: a pipeline, one seed per cycle
  logic [63:0] counter_q, z0_q, z1, z2, start;
  logic [START_BITS-1:0] asked_q, come_q; // starts of the next group: asked for, and received
  logic ask, come, load;
  logic [GENERATORS*64-1:0] next_q;
  assign ask = asked_q != START_BITS'(GENERATORS) && !start_i && !load;
  logic [63:0] mixed, mixed2, mixed3;
  assign mixed = counter_q ^ (counter_q >> 30);
  always_ff @(posedge clk_i) z0_q <= mixed;
  nysx_mul64 #(.FACTOR(64'hbf58476d1ce4e5b9)) first_product (.clk_i, .value_i(z0_q), .product_o(z1));
  assign mixed2 = z1 ^ (z1 >> 27);
  nysx_mul64 #(.FACTOR(64'h94d049bb133111eb)) second_product (.clk_i, .value_i(mixed2), .product_o(z2));
  assign mixed3 = z2 ^ (z2 >> 31);
  assign start = mixed3 == '0 ? GOLDEN : mixed3;
  nysx_delay #(.WIDTH(1), .STAGES(7), .RESET(1'b1)) late (.clk_i, .rst_i(rst_i || start_i), .d_i(ask), .q_o(come));
  always_ff @(posedge clk_i)
    if (start_i) begin
      counter_q <= SEED + GOLDEN;
      asked_q <= '0;
      come_q <= '0;
    end else begin
      if (ask) counter_q <= counter_q + GOLDEN;
      if (load) begin
        asked_q <= '0;
        come_q <= '0;
      end else begin
        asked_q <= asked_q + START_BITS'(ask);
        come_q <= come_q + START_BITS'(come);
      end
      if (come) next_q <= GENERATORS * 64 == 64 ? (GENERATORS * 64)'(start)
                                                : (GENERATORS * 64)'({start, next_q} >> 64);
    end

  // ---- steps: state_q holds the current column's entries
  logic [GENERATORS*64-1:0] state_q;
  logic [COLUMN_BITS-1:0] column_q;
  logic [2:0] bit_q; // bit of each byte, for the next column
  logic full_q;      // state_q holds entries
  logic running_q, step, group_over, advance;
  logic [GROUP_BITS-1:0] groups_left_q;
  assign advance = !valid_o || ready_i;
  assign group_over = column_q == COLUMN_BITS'(COLUMNS - 1);
  assign load = running_q && groups_left_q != '0 && come_q == START_BITS'(GENERATORS) &&
                (!full_q || (advance && group_over));
  assign step = full_q && advance && !group_over && (!SIGNS || bit_q == 3'd7);
  for (genvar k = 0; k < GENERATORS; k++) begin : gen_generator
    logic [63:0] from, x1, x2, x3;
    assign from = load ? next_q[k*64+:64] : state_q[k*64+:64];
    assign x1 = from ^ (from << 13);
    assign x2 = x1 ^ (x1 >> 7);
    assign x3 = x2 ^ (x2 << 17);
    always_ff @(posedge clk_i) if (load || step) state_q[k*64+:64] <= x3;
  end
  always_ff @(posedge clk_i)
    if (rst_i) begin
      running_q <= 1'b0;
      full_q <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
      full_q <= 1'b0;
      groups_left_q <= GROUP_BITS'(GROUPS);
      column_q <= '0;
      bit_q <= '0;
    end else if (load) begin
      full_q <= 1'b1;
      groups_left_q <= groups_left_q - 1'b1;
      column_q <= '0;
      bit_q <= '0;
    end else if (full_q && advance) begin
      bit_q <= group_over ? '0 : bit_q + 1'b1;
      column_q <= group_over ? '0 : column_q + 1'b1;
      if (group_over) begin
        full_q <= 1'b0;
        if (groups_left_q == '0) running_q <= 1'b0;
      end
    end

  // ---- a column's entries, registered
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [7:0] random;
    assign random = state_q[l*8+:8];
    if (SIGNS) begin : gen_sign
      always_ff @(posedge clk_i) if (advance) entries_o[l] <= random[bit_q];
    end else if (COUNTED) begin : gen_count
      logic [3:0] ones;
      assign ones = 4'(random[0]) + 4'(random[1]) + 4'(random[2]) + 4'(random[3]) + 4'(random[4]) + 4'(random[5]) +
                    4'(random[6]) + 4'(random[7]);
      always_ff @(posedge clk_i) if (advance) entries_o[l*8+:8] <= {4'b0, ones} - 8'd4;
    end else begin : gen_uniform
      always_ff @(posedge clk_i) if (advance) entries_o[l*8+:8] <= random;
    end
  end
  always_ff @(posedge clk_i)
    if (rst_i || start_i) valid_o <= 1'b0;
    else if (advance) valid_o <= full_q;

  nysx_handshake #(.WIDTH(LANES * ENTRY_BITS)) check (.clk_i, .rst_i(rst_i || start_i), .valid_i(valid_o),
                                                      .ready_i(ready_i), .data_i(entries_o));
`ifndef SYNTHESIS
  initial assert (LANES % 8 == 0) else $fatal(1, "nysx_generator: LANES must be a multiple of eight");
`endif
endmodule
