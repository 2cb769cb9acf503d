/* SPDX-License-Identifier: MIT */ // LSHU processing element: computes rows i = q · PES + PE of A v, or of F u, one after another; for tuple codes
// (TUPLE) a column of F in place of F u, or in one pass all columns (ALL). F is a label's one-hot row, or numbers (ATTRIBUTES).
//
// A row's sum accumulates in order through an adder of THREADS = 6 cycles latency, so six rows are interleaved. Each
// thread has a turn every sixth cycle. Row q belongs to thread q mod THREADS. Thread state circulates in a ring of
// registers as long as the adder; the next row's pointers are read while the current row ends. Throughput: one non-zero per cycle
// if all threads have one.
//
// Parameters: PES is a power of two, at most the indices of a port word; stall_i is the back-pressure of the emission.
module nysx_lshu_pe #(
    parameter int unsigned PES = 4,
    parameter int unsigned PE = 0,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter bit BANKED = 1'b0,
    parameter int unsigned HOPS = 10,
    parameter int unsigned COLUMNS = 7,
    parameter bit NORMALISED = 1'b1,
    parameter bit TUPLE = 1'b0,
    parameter bit ATTRIBUTES = 1'b0,
    parameter int unsigned FEATURE_WORD_BITS = 16,
    parameter U_FILE = "lsh_u.hex",
    parameter RECIPROCAL_FILE = "reciprocal.hex",
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS,
    localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES,
    localparam int unsigned ROW_BITS = $clog2(ROWS + 1),
    localparam int unsigned VALUE_ADDRESS = ROWS > 1 ? $clog2(ROWS) + 1 : 1,
    localparam int unsigned U_ADDRESS = $clog2(HOPS * COLUMNS + 1),
    localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1,
    localparam int unsigned GROUP = PES > 4 ? PES : 4, // as in nysx_features
    localparam int unsigned GROUP_BITS = $clog2((MAX_NODES + GROUP - 1) / GROUP + 1)
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // query memories
    input  logic                         rows_write_i,
    input  logic                         neighbours_write_i,
    input  logic                         labels_write_i,
    input  logic                         features_write_i,
    input  logic [FEATURE_WORD_BITS-1:0] word_i,
    input  logic [INDICES*NNZ_BITS-1:0]  begins_i,
    input  logic [INDICES*NNZ_BITS-1:0]  lengths_i,
    input  logic [PORT_BITS-1:0]         raw_i,
    input  logic                         write_bank_i,
    input  logic                         read_bank_i,
    // pass
    input  logic                         start_i,
    input  logic                         dense_i,
    input  logic                         from_i, // half of the vector buffer being read
    input  logic [U_ADDRESS-1:0]         u_base_i,
    input  logic                         all_i, // a pass of all columns
    input  logic [COLUMN_BITS-1:0]       column_i,
    input  logic [GROUP_BITS-1:0]        groups_i,
    input  logic [ROW_BITS-1:0]          rows_i,
    input  logic                         stall_i,
    output logic                         done_o,
    output logic                         valid_o,
    output logic [ROW_BITS-1:0]          row_o,
    output logic [COLUMN_BITS-1:0]       column_o,
    output logic [31:0]                  value_o,
    // results of all elements, written to the local copy of the vector
    input  logic [PES-1:0]               value_write_i,
    input  logic [PES*VALUE_ADDRESS-1:0] value_address_i,
    input  logic [PES*32-1:0]            value_data_i
);
  localparam int unsigned THREADS = 6;

  // ---- memories
  logic [ROW_BITS+2:0] next_row; // row that the thread fetches next; may exceed the last row
  logic [NNZ_BITS-1:0] nonzero, fetched_begin, fetched_length;
  logic [ROW_BITS-1:0] dense_q;
  logic [LABEL_BITS-1:0] label_q;
  logic [31:0] value_q;
  nysx_graph #(.PES(PES), .PE(PE), .PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .LABEL_BITS(LABEL_BITS),
               .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ), .BANKED(BANKED)) graph (
      .clk_i, .rows_write_i, .neighbours_write_i, .labels_write_i, .word_i(word_i[WORD_BITS-1:0]), .begins_i, .lengths_i, .raw_i, .write_bank_i, .read_bank_i,
      .row_i(next_row[ROW_BITS:0]), .begin_o(fetched_begin), .length_o(fetched_length), .dense_i(dense_q),
      .label_o(label_q), .nonzero_i(nonzero), .from_i, .value_o(value_q), .value_write_i, .value_address_i,
      .value_data_i);

  // ---- threads: the thread at the front of the ring is active
  logic [THREADS-1:0] loaded_q, first_q;
  logic [THREADS*ROW_BITS-1:0] thread_row_q;
  logic [THREADS*NNZ_BITS-1:0] at_q, left_q, degree_q;
  logic [2:0] launch_q; // threads still without their first row
  logic loaded, first, issue, last, has, fetch, fetch_q, fetched_q;
  logic [ROW_BITS-1:0] row;
  logic [NNZ_BITS-1:0] left, degree;
  assign loaded = loaded_q[0];
  assign first = first_q[0];
  assign row = thread_row_q[ROW_BITS-1:0];
  assign nonzero = at_q[NNZ_BITS-1:0];
  assign left = left_q[NNZ_BITS-1:0];
  assign degree = degree_q[NNZ_BITS-1:0];
  assign issue = loaded && !stall_i;
  assign has = left != '0;
  assign last = left == '0 || left == NNZ_BITS'(1); // at most one left; the count may have only one bit
  assign next_row = launch_q != '0 ? (ROW_BITS + 3)'(THREADS) - (ROW_BITS + 3)'(launch_q)
                                   : (ROW_BITS + 3)'(row) + (ROW_BITS + 3)'(THREADS);
  assign fetch = (launch_q != '0 || (issue && last)) && next_row < (ROW_BITS + 3)'(rows_i);

  logic moving;
  assign moving = launch_q != '0 || loaded_q != '0 || fetch_q || fetched_q;
  localparam int unsigned HERE = THREADS - 3; // the thread's position when its row arrives
  always_ff @(posedge clk_i) begin
    fetch_q <= fetch && !rst_i;
    fetched_q <= fetch_q && !rst_i;
    if (rst_i) launch_q <= '0;
    else if (start_i && !dense_i) launch_q <= 3'(THREADS);
    else if (launch_q != '0) launch_q <= launch_q - 1'b1;
    // the ring shifts by one; without threads it holds, which saves switching power
    if (moving) begin
      first_q <= {issue ? last : first, first_q[THREADS-1:1]};
      at_q <= {issue ? nonzero + 1'b1 : nonzero, at_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
      left_q <= {issue ? left - 1'b1 : left, left_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
      degree_q <= {degree, degree_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
      thread_row_q <= {launch_q != '0 || (issue && last) ? next_row[ROW_BITS-1:0] : row, thread_row_q[THREADS*ROW_BITS-1:ROW_BITS]};
    end
    if (rst_i) loaded_q <= '0;
    else loaded_q <= {launch_q == '0 && loaded && !(issue && last), loaded_q[THREADS-1:1]};
    if (fetched_q) begin
      loaded_q[HERE] <= 1'b1;
      first_q[HERE] <= 1'b1;
      at_q[HERE*NNZ_BITS+:NNZ_BITS] <= fetched_begin;
      left_q[HERE*NNZ_BITS+:NNZ_BITS] <= fetched_length;
      degree_q[HERE*NNZ_BITS+:NNZ_BITS] <= fetched_length;
    end
  end

  // ---- sums
  logic token, token_last, fresh, adds; // token: a sum in flight, or held by a stall; fresh: starts a sum; adds: extends one
  logic [ROW_BITS-1:0] token_row;
  logic [NNZ_BITS-1:0] token_degree;
  nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) token_valid (.clk_i, .rst_i, .d_i(issue), .q_o(token));
  nysx_delay #(.WIDTH(3 + ROW_BITS + NNZ_BITS), .STAGES(6)) token_aside (
      .clk_i, .rst_i, .d_i({!loaded || issue && first, issue && has, last, row, degree}), .q_o({fresh, adds, token_last, token_row, token_degree}));
  logic [31:0] sum;
  nysx_fp32_add adder (.clk_i, .a_i(fresh ? 32'b0 : sum), .b_i(adds ? value_q : 32'b0), .sum_o(sum));
  logic summed;
  logic [ROW_BITS-1:0] summed_row;
  logic [NNZ_BITS-1:0] summed_degree;
  nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) summed_valid (.clk_i, .rst_i, .d_i(token && token_last),
                                                                  .q_o(summed));
  nysx_delay #(.WIDTH(ROW_BITS), .STAGES(6)) summed_aside (.clk_i, .rst_i, .d_i(token_row), .q_o(summed_row));
  nysx_delay #(.WIDTH(NNZ_BITS), .STAGES(4)) degree_aside (.clk_i, .rst_i, .d_i(token_degree), .q_o(summed_degree));

  // ---- D⁻¹: multiply by the reciprocal of the row's length
  logic sparse_valid;
  logic [ROW_BITS-1:0] sparse_row;
  logic [31:0] sparse_value;
  if (NORMALISED) begin : gen_normalised
    localparam int unsigned DEGREES = MAX_NNZ < MAX_NODES ? MAX_NNZ : MAX_NODES; // maximum row length
    localparam int unsigned DEGREE_BITS = $clog2(DEGREES + 1);
    logic [31:0] reciprocal;
    nysx_rom #(.WIDTH(32), .DEPTH(DEGREES + 1), .LATENCY(2), .FILE(RECIPROCAL_FILE)) reciprocals (
        .clk_i, .address_i(summed_degree[DEGREE_BITS-1:0]), .data_o(reciprocal));
    nysx_fp32_mul scale (.clk_i, .a_i(sum), .b_i(reciprocal), .product_o(sparse_value));
    nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) late_valid (.clk_i, .rst_i, .d_i(summed), .q_o(sparse_valid));
    nysx_delay #(.WIDTH(ROW_BITS), .STAGES(6)) late_row (.clk_i, .rst_i, .d_i(summed_row), .q_o(sparse_row));
    logic unused;
    assign unused = &{1'b0, summed_degree};
  end else begin : gen_plain
    assign sparse_valid = summed;
    assign sparse_row = summed_row;
    assign sparse_value = sum;
    logic unused;
    assign unused = &{1'b0, summed_degree};
  end

  // ---- F u, one look-up per cycle, or F
  localparam int unsigned LAST_COLUMN = TUPLE ? COLUMNS - 1 : 0;
  logic dense_busy_q, dense_issue, dense_next; // dense_next: the next row is the first of the next column
  logic [COLUMN_BITS-1:0] dense_column_q;
  assign dense_issue = dense_busy_q && !stall_i && dense_q != rows_i;
  assign dense_next = dense_issue && dense_q + 1'b1 == rows_i && dense_column_q != COLUMN_BITS'(LAST_COLUMN) && all_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) dense_busy_q <= 1'b0;
    else if (start_i) dense_busy_q <= dense_i;
    else if (dense_q == rows_i) dense_busy_q <= 1'b0;
    if (start_i || dense_next) dense_q <= '0;
    else if (dense_issue) dense_q <= dense_q + 1'b1;
    if (start_i) dense_column_q <= column_i;
    else if (dense_next) dense_column_q <= dense_column_q + 1'b1;
  end
  logic [31:0] dense_value; // four cycles after its row
  if (TUPLE) begin : gen_columns
    if (ATTRIBUTES) begin : gen_numbers
      nysx_features #(.PES(PES), .PE(PE), .PORT_BITS(PORT_BITS), .WORD_BITS(FEATURE_WORD_BITS), .MAX_NODES(MAX_NODES), .COLUMNS(COLUMNS),
                      .BANKED(BANKED)) features (
          .clk_i, .write_i(features_write_i), .word_i, .raw_i, .write_bank_i, .read_bank_i, .groups_i,
          .first_i(start_i && dense_i && column_i == '0), .next_i((start_i && dense_i) || dense_next), .row_i(dense_q), .value_o(dense_value));
    end else begin : gen_one_hot
      logic [COLUMN_BITS-1:0] column;
      logic is_q, is_late_q;
      nysx_delay #(.WIDTH(COLUMN_BITS), .STAGES(2)) column_aside (.clk_i, .rst_i, .d_i(dense_column_q), .q_o(column));
      always_ff @(posedge clk_i) begin
        is_q <= 32'(label_q) == 32'(column); // a label not seen in training has no column
        is_late_q <= is_q;
      end
      assign dense_value = is_late_q ? 32'h3f800000 : 32'b0;
    end
    logic unused_base;
    assign unused_base = &{1'b0, u_base_i, label_q};
  end else begin : gen_products
    localparam int unsigned U_DEPTH = HOPS * COLUMNS;
    localparam int unsigned U_ROM = U_DEPTH > 1 ? $clog2(U_DEPTH) : 1;
    logic unknown_q, unknown_late_q;
    logic [U_ADDRESS-1:0] u_address_q;
    logic [31:0] u;
    always_ff @(posedge clk_i) begin
      unknown_q <= label_q >= LABEL_BITS'(COLUMNS); // a label not seen in training adds nothing
      u_address_q <= u_base_i + U_ADDRESS'(label_q);
      unknown_late_q <= unknown_q;
    end
    nysx_rom #(.WIDTH(32), .DEPTH(U_DEPTH), .FILE(U_FILE)) u_rom (
        .clk_i, .address_i(unknown_q ? '0 : u_address_q[U_ROM-1:0]), .data_o(u));
    assign dense_value = unknown_late_q ? 32'b0 : u;
    logic unused_address;
    assign unused_address = &{1'b0, u_address_q};
  end
  if (!TUPLE || !ATTRIBUTES) begin : gen_no_numbers
    logic unused_numbers;
    assign unused_numbers = &{1'b0, features_write_i, word_i, groups_i};
  end
  logic dense_valid;
  logic [ROW_BITS-1:0] dense_row;
  nysx_delay #(.WIDTH(1), .STAGES(4), .RESET(1'b1)) dense_late (.clk_i, .rst_i, .d_i(dense_issue), .q_o(dense_valid));
  nysx_delay #(.WIDTH(ROW_BITS), .STAGES(4)) dense_aside (.clk_i, .rst_i, .d_i(dense_q), .q_o(dense_row));

  // ---- results
  logic [ROW_BITS-1:0] results_q;
  logic [COLUMN_BITS-1:0] result_column_q;
  always_ff @(posedge clk_i) begin
    valid_o <= !rst_i && (sparse_valid || dense_valid);
    row_o <= dense_valid ? dense_row : sparse_row;
    value_o <= dense_valid ? dense_value : sparse_value;
    if (start_i) begin
      results_q <= '0;
      result_column_q <= column_i;
    end else if (valid_o) begin
      results_q <= results_q + 1'b1;
      if (all_i && results_q + 1'b1 == rows_i && result_column_q != COLUMN_BITS'(LAST_COLUMN)) begin
        results_q <= '0;
        result_column_q <= result_column_q + 1'b1;
      end
    end
    done_o <= !start_i && results_q == rows_i && !rst_i;
  end
  assign column_o = result_column_q;
  logic unused_here;
  assign unused_here = &{1'b0, next_row};
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(sparse_valid && dense_valid)) else $error("two passes at once");
      assert (!valid_o || results_q != rows_i) else $error("a row too many");
    end
`endif
endmodule
