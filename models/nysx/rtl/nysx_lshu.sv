/* SPDX-License-Identifier: MIT */ // Locality Sensitive Hashing Unit: every node's value at one hop, A^t (F u). Hop t is one dense pass and t sparse passes; the
// last pass emits. A pass starts when the previous pass has stored its vector. The elements emit rows in turn on STREAMS
// streams; stream f serves elements p with p mod STREAMS = f.
//
// Tuple codes (TUPLE): a hop has these passes for every column of F; hop 0 has one pass over all columns. Values leave with their
// column and their node's place in the stream.
//
// Weisfeiler-Lehman codes (WL): a hop is one pass over the previous hop's codes; the pass stores the values that it
// emits.
module nysx_lshu #(
    parameter int unsigned PES = 4,
    parameter int unsigned STREAMS = 1,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter bit BANKED = 1'b0,
    parameter int unsigned HOPS = 10,
    parameter int unsigned COLUMNS = 7,
    parameter bit NORMALISED = 1'b1,
    parameter bit WL = 1'b0,
    parameter bit TUPLE = 1'b0,
    parameter bit ATTRIBUTES = 1'b0,
    parameter int unsigned FEATURE_WORD_BITS = 16,
    parameter U_FILE = "lsh_u.hex",
    parameter RECIPROCAL_FILE = "reciprocal.hex",
    localparam int unsigned NODE_BITS = $clog2(MAX_NODES + 1),
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS,
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1,
    localparam int unsigned SLOTS = (MAX_NODES + PES - 1) / PES * (PES / STREAMS),
    localparam int unsigned SLOT_BITS = SLOTS > 1 ? $clog2(SLOTS) : 1,
    localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1,
    localparam int unsigned VALUE_BITS = 32 + (TUPLE ? SLOT_BITS + COLUMN_BITS : 0)
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        rows_write_i,
    input  logic                        neighbours_write_i,
    input  logic                        labels_write_i,
    input  logic                        features_write_i,
    input  logic [FEATURE_WORD_BITS-1:0] word_i,
    input  logic [INDICES*NNZ_BITS-1:0] begins_i,
    input  logic [INDICES*NNZ_BITS-1:0] lengths_i,
    input  logic [PORT_BITS-1:0]        raw_i,
    input  logic                        write_bank_i,
    input  logic                        read_bank_i,
    input  logic                        start_i, // sampled with the hop; hops ascend from 0
    input  logic [HOP_BITS-1:0]         hop_i,
    input  logic [NODE_BITS-1:0]        nodes_i,
    output logic                        emitting_o, // the current pass is the hop's last
    output logic                        idle_o,
    output logic [STREAMS-1:0]          valid_o,
    input  logic [STREAMS-1:0]          ready_i,
    output logic [STREAMS*VALUE_BITS-1:0] values_o // column, place in the stream, value
);
  localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES;
  localparam int unsigned ROW_BITS = $clog2(ROWS + 1);
  localparam int unsigned VALUE_ADDRESS = ROWS > 1 ? $clog2(ROWS) + 1 : 1;
  localparam int unsigned U_ADDRESS = $clog2(HOPS * COLUMNS + 1);
  localparam int unsigned QUEUE = 32;
  localparam int unsigned QUEUE_BITS = $clog2(QUEUE) + 1;
  localparam int unsigned GROUP = PES / STREAMS; // elements per stream

  // ---- passes
  typedef enum logic [1:0] {IDLE, BEGIN_PASS, SETTLE, RUN} state_t;
  state_t state_q;
  logic [HOP_BITS-1:0] pass_q;
  logic [U_ADDRESS-1:0] u_base_q;
  logic [COLUMN_BITS-1:0] column_q;
  logic start_pass, last_pass; // last_pass is stable before the pass yields its first value
  logic [PES-1:0] done, result_valid, stall_q;
  logic all_columns, last_column;
  assign all_columns = TUPLE && hop_i == '0;
  assign last_column = !TUPLE || all_columns || column_q == COLUMN_BITS'(COLUMNS - 1);
  assign start_pass = state_q == BEGIN_PASS;
  always_ff @(posedge clk_i) last_pass <= pass_q == hop_i;
  assign idle_o = state_q == IDLE;
  assign emitting_o = state_q != IDLE && pass_q == hop_i;
  always_ff @(posedge clk_i)
    if (rst_i) state_q <= IDLE;
    else
      case (state_q)
        IDLE:
          if (start_i) begin
            state_q <= BEGIN_PASS;
            pass_q <= WL ? hop_i : '0;
            column_q <= '0;
            u_base_q <= hop_i == '0 ? '0 : u_base_q + U_ADDRESS'(COLUMNS);
          end
        BEGIN_PASS: state_q <= SETTLE;
        SETTLE: state_q <= RUN;
        default:
          if (&done) begin
            state_q <= last_pass && last_column ? IDLE : BEGIN_PASS;
            pass_q <= TUPLE && last_pass ? '0 : pass_q + 1'b1;
            if (last_pass) column_q <= column_q + 1'b1;
          end
      endcase

  // ---- elements
  logic [PES*ROW_BITS-1:0] result_row;
  logic [PES*32-1:0] result_value;
  logic [PES*COLUMN_BITS-1:0] result_column;
  logic [PES*VALUE_ADDRESS-1:0] value_address;
  logic [PES-1:0] value_write;
  assign value_write = last_pass && !WL ? '0 : result_valid;
  logic unused;
  assign unused = &{1'b0, result_row, result_column};
  localparam int unsigned FEATURE_GROUP = PES > 4 ? PES : 4; // as in nysx_features
  localparam int unsigned FEATURE_GROUPS = (MAX_NODES + FEATURE_GROUP - 1) / FEATURE_GROUP;
  localparam int unsigned GROUP_BITS = $clog2(FEATURE_GROUPS + 1);
  logic [GROUP_BITS-1:0] groups_q; // stable long before a pass begins
  always_ff @(posedge clk_i) groups_q <= GROUP_BITS'((32'(nodes_i) + FEATURE_GROUP - 1) / FEATURE_GROUP);
  for (genvar p = 0; p < PES; p++) begin : gen_pe
    logic [NODE_BITS:0] rounded;
    logic [ROW_BITS-1:0] rows_q; // stable long before a pass begins
    assign rounded = (NODE_BITS + 1)'(nodes_i) + (NODE_BITS + 1)'(PES - 1 - p);
    always_ff @(posedge clk_i) rows_q <= ROW_BITS'(rounded >> $clog2(PES));
    if (VALUE_ADDRESS == 1) begin : gen_one
      assign value_address[p] = pass_q[0];
    end else begin : gen_address
      assign value_address[p*VALUE_ADDRESS+:VALUE_ADDRESS] = {pass_q[0],
                                                              result_row[p*ROW_BITS+:VALUE_ADDRESS-1]};
    end
    if (WL) begin : gen_wl
      nysx_wl_pe #(.PES(PES), .PE(p), .PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .LABEL_BITS(LABEL_BITS),
                   .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ), .BANKED(BANKED), .COLUMNS(COLUMNS)) pe (
          .clk_i, .rst_i, .rows_write_i, .neighbours_write_i, .labels_write_i, .word_i(word_i[WORD_BITS-1:0]), .begins_i, .lengths_i, .raw_i, .write_bank_i, .read_bank_i,
          .start_i(start_pass), .dense_i(pass_q == '0), .from_i(!pass_q[0]), .rows_i(rows_q), .stall_i(stall_q[p]),
          .done_o(done[p]), .valid_o(result_valid[p]), .row_o(result_row[p*ROW_BITS+:ROW_BITS]),
          .value_o(result_value[p*32+:32]), .value_write_i(value_write), .value_address_i(value_address),
          .value_data_i(result_value));
    end else begin : gen_lsh
      nysx_lshu_pe #(.PES(PES), .PE(p), .PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .LABEL_BITS(LABEL_BITS),
                     .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ), .BANKED(BANKED), .HOPS(HOPS), .COLUMNS(COLUMNS), .NORMALISED(NORMALISED),
                     .TUPLE(TUPLE), .ATTRIBUTES(ATTRIBUTES), .FEATURE_WORD_BITS(FEATURE_WORD_BITS), .U_FILE(U_FILE), .RECIPROCAL_FILE(RECIPROCAL_FILE)) pe (
          .clk_i, .rst_i, .rows_write_i, .neighbours_write_i, .labels_write_i, .features_write_i, .word_i, .begins_i, .lengths_i, .raw_i, .write_bank_i, .read_bank_i,
          .start_i(start_pass), .dense_i(pass_q == '0), .from_i(!pass_q[0]), .u_base_i(u_base_q), .all_i(all_columns), .column_i(column_q),
          .groups_i(groups_q), .rows_i(rows_q),
          .stall_i(stall_q[p]), .done_o(done[p]), .valid_o(result_valid[p]), .row_o(result_row[p*ROW_BITS+:ROW_BITS]),
          .column_o(result_column[p*COLUMN_BITS+:COLUMN_BITS]), .value_o(result_value[p*32+:32]), .value_write_i(value_write),
          .value_address_i(value_address), .value_data_i(result_value));
    end
  end

  // ---- emission: one queue per element; each stream takes from its queues in turn
  logic [PES-1:0] waiting, taken;
  logic [PES*VALUE_BITS-1:0] front;
  for (genvar p = 0; p < PES; p++) begin : gen_queue
    logic [QUEUE_BITS-1:0] count;
    logic room;
    logic [VALUE_BITS-1:0] result;
    if (TUPLE) begin : gen_tagged
      logic [SLOT_BITS-1:0] slot;
      assign slot = SLOT_BITS'(32'(result_row[p*ROW_BITS+:ROW_BITS]) * GROUP + p / STREAMS);
      assign result = {result_column[p*COLUMN_BITS+:COLUMN_BITS], slot, result_value[p*32+:32]};
    end else begin : gen_value
      assign result = result_value[p*32+:32];
    end
    nysx_fifo #(.WIDTH(VALUE_BITS), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(result_valid[p] && last_pass), .ready_o(room),
                                                          .data_i(result), .valid_o(waiting[p]),
                                                          .ready_i(taken[p]), .data_o(front[p*VALUE_BITS+:VALUE_BITS]), .count_o(count));
    always_ff @(posedge clk_i) stall_q[p] <= count >= QUEUE_BITS'(8) && (!TUPLE || pass_q == hop_i); // leaves room for values in flight
`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
      if (!rst_i) assert (!result_valid[p] || !last_pass || room) else $error("a row came that nobody had room for");
`else
    logic unused_room;
    assign unused_room = room;
`endif
  end
  for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
    logic [GROUP-1:0] asks, gets;
    logic [GROUP*VALUE_BITS-1:0] values;
    for (genvar k = 0; k < GROUP; k++) begin : gen_member
      assign asks[k] = waiting[k*STREAMS+f];
      assign values[k*VALUE_BITS+:VALUE_BITS] = front[(k*STREAMS+f)*VALUE_BITS+:VALUE_BITS];
      assign taken[k*STREAMS+f] = gets[k];
    end
    // Each hop starts with the first element
    nysx_arbiter #(.COUNT(GROUP), .WIDTH(VALUE_BITS)) arbiter (
        .clk_i, .rst_i(rst_i || start_i), .valid_i(asks), .data_i(values), .ready_o(gets), .valid_o(valid_o[f]),
        .data_o(values_o[f*VALUE_BITS+:VALUE_BITS]), .ready_i(ready_i[f]));
  end
  if (WL) begin : gen_no_base
    logic unused_base;
    assign unused_base = &{1'b0, u_base_q, features_write_i, word_i, groups_q};
    assign result_column = '0;
  end
endmodule
