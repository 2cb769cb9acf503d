/* SPDX-License-Identifier: MIT */ // LSHU processing element for Weisfeiler-Lehman codes: rows i = q · PES + PE, one after another. A node's next
// code is the mixer of its own code rotated left by 16 bits plus its neighbours' codes (docs/reference/model-file.md); its
// first code comes from its label. Throughput: one neighbour per cycle; a row without neighbours takes one cycle. Prefetched rows wait in a queue.
//
// The ports are those of nysx_lshu_pe.
module nysx_wl_pe #(
    parameter int unsigned PES = 4,
    parameter int unsigned PE = 0,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter bit BANKED = 1'b0,
    parameter int unsigned COLUMNS = 7,
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS,
    localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES,
    localparam int unsigned ROW_BITS = $clog2(ROWS + 1),
    localparam int unsigned VALUE_ADDRESS = ROWS > 1 ? $clog2(ROWS) + 1 : 1
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // query memories
    input  logic                         rows_write_i,
    input  logic                         neighbours_write_i,
    input  logic                         labels_write_i,
    input  logic [WORD_BITS-1:0]         word_i,
    input  logic [INDICES*NNZ_BITS-1:0]  begins_i,
    input  logic [INDICES*NNZ_BITS-1:0]  lengths_i,
    input  logic [PORT_BITS-1:0]         raw_i,
    input  logic                         write_bank_i,
    input  logic                         read_bank_i,
    // pass
    input  logic                         start_i,
    input  logic                         dense_i,
    input  logic                         from_i, // half of the vector buffer being read
    input  logic [ROW_BITS-1:0]          rows_i,
    input  logic                         stall_i,
    output logic                         done_o,
    output logic                         valid_o,
    output logic [ROW_BITS-1:0]          row_o,
    output logic [31:0]                  value_o,
    // results of all elements, written to the local copy of the vector
    input  logic [PES-1:0]               value_write_i,
    input  logic [PES*VALUE_ADDRESS-1:0] value_address_i,
    input  logic [PES*32-1:0]            value_data_i
);
  localparam logic [31:0] GOLDEN = 32'h9e3779b9;
  localparam int unsigned AHEAD = 8; // rows queued or in flight; exceeds the fetch latency

  // ---- memories
  logic [ROW_BITS:0] asked_q;
  logic [NNZ_BITS-1:0] at_q, begin_come, length_come;
  logic [ROW_BITS-1:0] dense_q;
  logic [LABEL_BITS-1:0] label;
  logic [31:0] neighbour_value;
  nysx_graph #(.PES(PES), .PE(PE), .PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .LABEL_BITS(LABEL_BITS),
               .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ), .BANKED(BANKED)) graph (
      .clk_i, .rows_write_i, .neighbours_write_i, .labels_write_i, .word_i, .begins_i, .lengths_i, .raw_i, .write_bank_i, .read_bank_i,
      .row_i(asked_q), .begin_o(begin_come), .length_o(length_come), .dense_i(dense_q), .label_o(label),
      .nonzero_i(at_q), .from_i, .value_o(neighbour_value), .value_write_i, .value_address_i, .value_data_i);

  // ---- prefetched rows
  localparam int unsigned AHEAD_BITS = $clog2(AHEAD);
  logic sparse_q, fetch, come, waiting, take, room;
  logic [NNZ_BITS-1:0] next_begin, next_length;
  logic [AHEAD_BITS:0] ahead_q, unused_count;
  assign fetch = sparse_q && !ahead_q[AHEAD_BITS];
  nysx_delay #(.WIDTH(1), .STAGES(2), .RESET(1'b1)) row_late (.clk_i, .rst_i, .d_i(fetch), .q_o(come));
  nysx_fifo #(.WIDTH(2 * NNZ_BITS), .DEPTH(AHEAD)) rows (
      .clk_i, .rst_i, .valid_i(come), .ready_o(room), .data_i({begin_come, length_come}), .valid_o(waiting), .ready_i(take),
      .data_o({next_begin, next_length}), .count_o(unused_count));
  always_ff @(posedge clk_i) begin
    if (rst_i) sparse_q <= 1'b0;
    else if (start_i) sparse_q <= !dense_i && rows_i != '0;
    else if (fetch && asked_q + 1'b1 == (ROW_BITS + 1)'(rows_i)) sparse_q <= 1'b0;
    if (start_i) asked_q <= '0;
    else if (fetch) asked_q <= asked_q + 1'b1;
    if (rst_i || start_i) ahead_q <= '0;
    else if (fetch != take) ahead_q <= fetch ? ahead_q + 1'b1 : ahead_q - 1'b1;
  end

  // ---- one neighbour per cycle
  logic busy_q, first_q, last_q, has_q, issue;
  logic [NNZ_BITS-1:0] left_q;
  logic [ROW_BITS-1:0] row_q;
  assign issue = busy_q && !stall_i;
  assign take = waiting && (!busy_q || (issue && last_q));
  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else if (take) busy_q <= 1'b1;
    else if (issue && last_q) busy_q <= 1'b0;
    if (take) begin
      at_q <= next_begin;
      left_q <= next_length;
      first_q <= 1'b1;
      last_q <= next_length == '0 || next_length == NNZ_BITS'(1); // at most one; the count may have only one bit
      has_q <= next_length != '0;
    end else if (issue) begin
      at_q <= at_q + 1'b1;
      left_q <= left_q - 1'b1;
      first_q <= 1'b0;
      last_q <= left_q == NNZ_BITS'(2);
    end
    if (start_i) row_q <= '0;
    else if (issue && last_q) row_q <= row_q + 1'b1;
  end

  // ---- sums: a neighbour's code arrives six cycles later, the node's own code in the same cycle
  logic token, token_first, token_last, token_has, summed_q;
  logic [ROW_BITS-1:0] own_row;
  logic [31:0] own, sum_q;
  nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) token_valid (.clk_i, .rst_i, .d_i(issue), .q_o(token));
  nysx_delay #(.WIDTH(3), .STAGES(6)) token_aside (.clk_i, .rst_i, .d_i({first_q, last_q, has_q}),
                                                   .q_o({token_first, token_last, token_has}));
  nysx_delay #(.WIDTH(ROW_BITS), .STAGES(4)) own_aside (.clk_i, .rst_i, .d_i(row_q), .q_o(own_row));
  logic [VALUE_ADDRESS-1:0] own_address;
  if (VALUE_ADDRESS == 1) begin : gen_one_row
    assign own_address = from_i;
  end else begin : gen_own_address
    assign own_address = {from_i, own_row[VALUE_ADDRESS-2:0]};
  end
  nysx_ram #(.WIDTH(32), .DEPTH(1 << VALUE_ADDRESS), .LATENCY(2)) own_codes (
      .clk_i, .write_i(value_write_i[PE]), .write_address_i(value_address_i[PE*VALUE_ADDRESS+:VALUE_ADDRESS]),
      .data_i(value_data_i[PE*32+:32]), .read_address_i(own_address), .data_o(own));
  always_ff @(posedge clk_i) begin
    summed_q <= token && token_last && !rst_i;
    if (token) sum_q <= (token_first ? {own[15:0], own[31:16]} : sum_q) + (token_has ? neighbour_value : '0);
  end

  // ---- first codes, one label per cycle; a label not seen in training is number −1
  logic dense_busy_q, dense_issue, labelled;
  logic [LABEL_BITS-1:0] given_q;
  logic [31:0] label_q;
  nysx_delay #(.WIDTH(1), .STAGES(4), .RESET(1'b1)) dense_late (.clk_i, .rst_i, .d_i(dense_issue), .q_o(labelled));
  assign dense_issue = dense_busy_q && !stall_i && dense_q != rows_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) dense_busy_q <= 1'b0;
    else if (start_i) dense_busy_q <= dense_i;
    else if (dense_q == rows_i) dense_busy_q <= 1'b0;
    if (start_i) dense_q <= '0;
    else if (dense_issue) dense_q <= dense_q + 1'b1;
    given_q <= label;
    label_q <= given_q >= LABEL_BITS'(COLUMNS) ? GOLDEN - 32'd1 : GOLDEN + 32'(given_q);
  end

  // ---- mixer; rows stay in order
  logic [ROW_BITS-1:0] results_q;
  nysx_mix32 mixer (.clk_i, .value_i(labelled ? label_q : sum_q), .mixed_o(value_o));
  nysx_delay #(.WIDTH(1), .STAGES(7), .RESET(1'b1)) mixed_late (.clk_i, .rst_i, .d_i(summed_q || labelled), .q_o(valid_o));
  assign row_o = results_q;
  always_ff @(posedge clk_i) begin
    if (start_i) results_q <= '0;
    else if (valid_o) results_q <= results_q + 1'b1;
    done_o <= !start_i && results_q == rows_i && !rst_i;
  end
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(summed_q && labelled)) else $error("two passes at once");
      assert (!come || room) else $error("a row came that nobody had room for");
      assert (!valid_o || results_q != rows_i) else $error("a row too many");
    end
`else
  logic unused_room;
  assign unused_room = room;
`endif
  logic unused;
  assign unused = &{1'b0, own_row};
endmodule
