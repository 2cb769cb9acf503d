// A processing element of the LSHU: the rows i = q · PES + PE of A v, or of F u, one after another.
//
// The sum of a row runs in order, and its adder takes THREADS = 6 cycles; so as many rows are on the way at once, each
// with its turn every sixth cycle. Row q belongs to thread q mod THREADS. What a thread does next goes round in a ring of
// registers as long as the adder; a row's pointers are read as the row before ends. A non-zero a cycle, where all
// threads have one.
//
// Parameters: PES a power of two, at most the indices of a port's word; STALL is how the emission holds it up.
module nysx_lshu_pe #(
    parameter int unsigned PES = 4,
    parameter int unsigned PE = 0,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter int unsigned HOPS = 10,
    parameter int unsigned COLUMNS = 7,
    parameter bit NORMALISED = 1'b1,
    parameter U_FILE = "lsh_u.hex",
    parameter RECIPROCAL_FILE = "reciprocal.hex",
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS,
    localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES,
    localparam int unsigned ROW_BITS = $clog2(ROWS + 1),
    localparam int unsigned VALUE_ADDRESS = ROWS > 1 ? $clog2(ROWS) + 1 : 1,
    localparam int unsigned U_ADDRESS = $clog2(HOPS * COLUMNS + 1)
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // the query's memories
    input  logic                         rows_write_i,
    input  logic                         neighbours_write_i,
    input  logic                         labels_write_i,
    input  logic [WORD_BITS-1:0]         word_i,
    input  logic [INDICES*NNZ_BITS-1:0]  begins_i,
    input  logic [INDICES*NNZ_BITS-1:0]  lengths_i,
    input  logic [PORT_BITS-1:0]         raw_i,
    // a pass
    input  logic                         start_i,
    input  logic                         dense_i,
    input  logic                         from_i, // which half of the vector's buffer is read
    input  logic [U_ADDRESS-1:0]         u_base_i,
    input  logic [ROW_BITS-1:0]          rows_i,
    input  logic                         stall_i,
    output logic                         done_o,
    output logic                         valid_o,
    output logic [ROW_BITS-1:0]          row_o,
    output logic [31:0]                  value_o,
    // results of all elements, for this one's copy of the vector
    input  logic [PES-1:0]               value_write_i,
    input  logic [PES*VALUE_ADDRESS-1:0] value_address_i,
    input  logic [PES*32-1:0]            value_data_i
);
  localparam int unsigned THREADS = 6;
  localparam int unsigned LABELS = PORT_BITS / LABEL_BITS;
  localparam int unsigned PE_BITS = $clog2(PES);
  localparam int unsigned ROW_WORDS = (MAX_NODES + 1 + INDICES - 1) / INDICES;
  localparam int unsigned ROW_WORD_BITS = ROW_WORDS > 1 ? $clog2(ROW_WORDS) : 1;
  localparam int unsigned ROWS_A_WORD = INDICES / PES;
  localparam int unsigned NNZ_WORDS = (MAX_NNZ + INDICES - 1) / INDICES;
  localparam int unsigned NNZ_WORD_BITS = NNZ_WORDS > 1 ? $clog2(NNZ_WORDS) : 1;
  localparam int unsigned LABEL_WORDS = (MAX_NODES + LABELS - 1) / LABELS;
  localparam int unsigned LABEL_WORD_BITS = LABEL_WORDS > 1 ? $clog2(LABEL_WORDS) : 1;
  localparam int unsigned LABELS_A_WORD = LABELS / PES;
  localparam int unsigned LANE = (PE + 1) % PES;          // where rows lie in their words
  localparam int unsigned LATE = PE == PES - 1 ? 1 : 0;   // and one place later
  localparam int unsigned NODE_BITS = MAX_NODES > 1 ? $clog2(MAX_NODES) : 1;

  // ---- memories of the query
  logic [ROWS_A_WORD*2*NNZ_BITS-1:0] row_in, row_out;
  logic [LABELS_A_WORD*LABEL_BITS-1:0] label_in, label_out;
  logic [INDICES*NODE_BITS-1:0] neighbour_in, neighbour_out;
  for (genvar k = 0; k < ROWS_A_WORD; k++) begin : gen_row_in
    assign row_in[k*2*NNZ_BITS+:2*NNZ_BITS] = {lengths_i[(k*PES+LANE)*NNZ_BITS+:NNZ_BITS],
                                               begins_i[(k*PES+LANE)*NNZ_BITS+:NNZ_BITS]};
  end
  for (genvar k = 0; k < LABELS_A_WORD; k++) begin : gen_label_in
    assign label_in[k*LABEL_BITS+:LABEL_BITS] = raw_i[(k*PES+PE)*LABEL_BITS+:LABEL_BITS];
  end
  for (genvar e = 0; e < INDICES; e++) begin : gen_neighbour_in
    assign neighbour_in[e*NODE_BITS+:NODE_BITS] = raw_i[e*INDEX_BITS+:NODE_BITS];
  end
  logic [ROW_BITS:0] row_place; // of the row that is fetched
  logic [NNZ_BITS-1:0] nonzero;
  logic [ROW_BITS-1:0] dense_q;
  logic [ROW_WORD_BITS-1:0] row_word;
  logic [LABEL_WORD_BITS-1:0] label_word;
  logic [NNZ_WORD_BITS-1:0] nnz_word;
  assign row_word = ROW_WORD_BITS'(row_place >> $clog2(ROWS_A_WORD));
  assign label_word = LABEL_WORD_BITS'(dense_q >> $clog2(LABELS_A_WORD));
  assign nnz_word = NNZ_WORD_BITS'(nonzero >> $clog2(INDICES));
  nysx_ram #(.WIDTH(ROWS_A_WORD * 2 * NNZ_BITS), .DEPTH(ROW_WORDS)) rows (
      .clk_i, .write_i(rows_write_i), .write_address_i(word_i[ROW_WORD_BITS-1:0]), .data_i(row_in),
      .read_address_i(row_word), .data_o(row_out));
  nysx_ram #(.WIDTH(LABELS_A_WORD * LABEL_BITS), .DEPTH(LABEL_WORDS)) labels (
      .clk_i, .write_i(labels_write_i), .write_address_i(word_i[LABEL_WORD_BITS-1:0]), .data_i(label_in),
      .read_address_i(label_word), .data_o(label_out));
  nysx_ram #(.WIDTH(INDICES * NODE_BITS), .DEPTH(NNZ_WORDS)) neighbours (
      .clk_i, .write_i(neighbours_write_i), .write_address_i(word_i[NNZ_WORD_BITS-1:0]), .data_i(neighbour_in),
      .read_address_i(nnz_word), .data_o(neighbour_out));

  // ---- threads: the front of the ring is the thread whose turn it is
  logic [THREADS-1:0] loaded_q, first_q;
  logic [THREADS*ROW_BITS-1:0] thread_row_q;
  logic [THREADS*NNZ_BITS-1:0] at_q, left_q, degree_q;
  logic [2:0] launch_q; // threads that have yet to be given their first row
  logic loaded, first, issue, last, has, fetch, fetch_q;
  logic [ROW_BITS-1:0] row;
  logic [ROW_BITS+2:0] next_row; // may be far past the last
  logic [NNZ_BITS-1:0] left, degree;
  assign loaded = loaded_q[0];
  assign first = first_q[0];
  assign row = thread_row_q[ROW_BITS-1:0];
  assign nonzero = at_q[NNZ_BITS-1:0];
  assign left = left_q[NNZ_BITS-1:0];
  assign degree = degree_q[NNZ_BITS-1:0];
  assign issue = loaded && !stall_i;
  assign has = left != '0;
  assign last = left <= NNZ_BITS'(1);
  assign next_row = launch_q != '0 ? (ROW_BITS + 3)'(THREADS) - (ROW_BITS + 3)'(launch_q)
                                   : (ROW_BITS + 3)'(row) + (ROW_BITS + 3)'(THREADS);
  assign fetch = (launch_q != '0 || (issue && last)) && next_row < (ROW_BITS + 3)'(rows_i);
  assign row_place = next_row[ROW_BITS:0] + (ROW_BITS + 1)'(LATE);

  // what was fetched
  logic [NNZ_BITS-1:0] fetched_begin, fetched_length;
  if (ROWS_A_WORD == 1) begin : gen_one_row
    assign {fetched_length, fetched_begin} = row_out;
  end else begin : gen_rows
    localparam int unsigned SELECT = $clog2(ROWS_A_WORD);
    logic [SELECT-1:0] select_q;
    always_ff @(posedge clk_i) select_q <= row_place[SELECT-1:0];
    assign {fetched_length, fetched_begin} = row_out[select_q*2*NNZ_BITS+:2*NNZ_BITS];
  end

  localparam int unsigned TAIL = THREADS - 1;
  always_ff @(posedge clk_i) begin
    fetch_q <= fetch && !rst_i;
    if (rst_i) launch_q <= '0;
    else if (start_i && !dense_i) launch_q <= 3'(THREADS);
    else if (launch_q != '0) launch_q <= launch_q - 1'b1;
    // the ring moves on by one
    first_q <= {issue ? last : first, first_q[THREADS-1:1]};
    at_q <= {issue ? nonzero + 1'b1 : nonzero, at_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
    left_q <= {issue ? left - 1'b1 : left, left_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
    degree_q <= {degree, degree_q[THREADS*NNZ_BITS-1:NNZ_BITS]};
    thread_row_q <= {launch_q != '0 || (issue && last) ? next_row[ROW_BITS-1:0] : row, thread_row_q[THREADS*ROW_BITS-1:ROW_BITS]};
    if (rst_i) loaded_q <= '0;
    else loaded_q <= {launch_q == '0 && loaded && !(issue && last), loaded_q[THREADS-1:1]};
    if (fetch_q) begin
      loaded_q[TAIL-1] <= 1'b1;
      first_q[TAIL-1] <= 1'b1;
      at_q[(TAIL-1)*NNZ_BITS+:NNZ_BITS] <= fetched_begin;
      left_q[(TAIL-1)*NNZ_BITS+:NNZ_BITS] <= fetched_length;
      degree_q[(TAIL-1)*NNZ_BITS+:NNZ_BITS] <= fetched_length;
    end
  end

  // ---- the value of a neighbour, four cycles later
  logic [NODE_BITS-1:0] neighbour_q;
  localparam int unsigned INDEX_SELECT = $clog2(INDICES);
  logic [INDEX_SELECT-1:0] index_select_q;
  always_ff @(posedge clk_i) begin
    index_select_q <= nonzero[INDEX_SELECT-1:0];
    neighbour_q <= neighbour_out[index_select_q*NODE_BITS+:NODE_BITS];
  end
  logic [VALUE_ADDRESS-1:0] value_address;
  logic [PES*32-1:0] values;
  if (VALUE_ADDRESS == 1) begin : gen_one_value
    assign value_address = from_i;
  end else begin : gen_value_address
    assign value_address = {from_i, (VALUE_ADDRESS - 1)'(neighbour_q >> PE_BITS)};
  end
  for (genvar b = 0; b < PES; b++) begin : gen_bank
    nysx_ram #(.WIDTH(32), .DEPTH(1 << VALUE_ADDRESS)) bank (
        .clk_i, .write_i(value_write_i[b]), .write_address_i(value_address_i[b*VALUE_ADDRESS+:VALUE_ADDRESS]),
        .data_i(value_data_i[b*32+:32]), .read_address_i(value_address), .data_o(values[b*32+:32]));
  end
  logic [31:0] value_q;
  if (PES == 1) begin : gen_one_bank
    always_ff @(posedge clk_i) value_q <= values;
  end else begin : gen_banks
    logic [PE_BITS-1:0] bank_q;
    always_ff @(posedge clk_i) begin
      bank_q <= neighbour_q[PE_BITS-1:0];
      value_q <= values[bank_q*32+:32];
    end
  end

  // ---- summed
  logic token, token_first, token_last, token_has;
  logic [ROW_BITS-1:0] token_row;
  logic [NNZ_BITS-1:0] token_degree;
  nysx_delay #(.WIDTH(1), .STAGES(4), .RESET(1'b1)) token_valid (.clk_i, .rst_i, .d_i(issue), .q_o(token));
  nysx_delay #(.WIDTH(3 + ROW_BITS + NNZ_BITS), .STAGES(4)) token_aside (
      .clk_i, .rst_i, .d_i({first, last, has, row, degree}),
      .q_o({token_first, token_last, token_has, token_row, token_degree}));
  logic [31:0] sum;
  nysx_fp32_add adder (.clk_i, .a_i(token && token_first ? 32'b0 : sum), .b_i(token && token_has ? value_q : 32'b0),
                       .sum_o(sum));
  logic summed;
  logic [ROW_BITS-1:0] summed_row;
  logic [NNZ_BITS-1:0] summed_degree;
  nysx_delay #(.WIDTH(1), .STAGES(6), .RESET(1'b1)) summed_valid (.clk_i, .rst_i, .d_i(token && token_last),
                                                                  .q_o(summed));
  nysx_delay #(.WIDTH(ROW_BITS), .STAGES(6)) summed_aside (.clk_i, .rst_i, .d_i(token_row), .q_o(summed_row));
  nysx_delay #(.WIDTH(NNZ_BITS), .STAGES(5)) degree_aside (.clk_i, .rst_i, .d_i(token_degree), .q_o(summed_degree));

  // ---- D⁻¹: times the reciprocal of the row's length
  logic sparse_valid;
  logic [ROW_BITS-1:0] sparse_row;
  logic [31:0] sparse_value;
  if (NORMALISED) begin : gen_normalised
    localparam int unsigned DEGREES = MAX_NNZ < MAX_NODES ? MAX_NNZ : MAX_NODES; // a row has no more
    localparam int unsigned DEGREE_BITS = $clog2(DEGREES + 1);
    logic [31:0] reciprocal;
    nysx_rom #(.WIDTH(32), .DEPTH(DEGREES + 1), .FILE(RECIPROCAL_FILE)) reciprocals (
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

  // ---- F u, a look-up a cycle
  logic dense_busy_q, dense_issue;
  assign dense_issue = dense_busy_q && !stall_i && dense_q != rows_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) dense_busy_q <= 1'b0;
    else if (start_i) dense_busy_q <= dense_i;
    if (start_i) dense_q <= '0;
    else if (dense_issue) dense_q <= dense_q + 1'b1;
  end
  logic [LABEL_BITS-1:0] label, label_q;
  if (LABELS_A_WORD == 1) begin : gen_one_label
    assign label = label_out;
  end else begin : gen_labels
    localparam int unsigned SELECT = $clog2(LABELS_A_WORD);
    logic [SELECT-1:0] select_q;
    always_ff @(posedge clk_i) select_q <= SELECT'(dense_q);
    assign label = label_out[select_q*LABEL_BITS+:LABEL_BITS];
  end
  localparam int unsigned U_DEPTH = HOPS * COLUMNS;
  localparam int unsigned U_ROM = U_DEPTH > 1 ? $clog2(U_DEPTH) : 1;
  logic unknown_q, unknown_late_q;
  logic [U_ADDRESS-1:0] u_address_q;
  logic [31:0] u;
  assign label_q = label;
  always_ff @(posedge clk_i) begin
    unknown_q <= label_q >= LABEL_BITS'(COLUMNS); // a label that training never saw adds nothing
    u_address_q <= u_base_i + U_ADDRESS'(label_q);
    unknown_late_q <= unknown_q;
  end
  nysx_rom #(.WIDTH(32), .DEPTH(U_DEPTH), .FILE(U_FILE)) u_rom (
      .clk_i, .address_i(unknown_q ? '0 : u_address_q[U_ROM-1:0]), .data_o(u));
  logic dense_valid;
  logic [ROW_BITS-1:0] dense_row;
  nysx_delay #(.WIDTH(1), .STAGES(3), .RESET(1'b1)) dense_late (.clk_i, .rst_i, .d_i(dense_issue), .q_o(dense_valid));
  nysx_delay #(.WIDTH(ROW_BITS), .STAGES(3)) dense_aside (.clk_i, .rst_i, .d_i(dense_q), .q_o(dense_row));

  // ---- results
  logic [ROW_BITS-1:0] results_q;
  always_ff @(posedge clk_i) begin
    valid_o <= !rst_i && (sparse_valid || dense_valid);
    row_o <= dense_valid ? dense_row : sparse_row;
    value_o <= dense_valid ? (unknown_late_q ? 32'b0 : u) : sparse_value;
    if (start_i) results_q <= '0;
    else if (valid_o) results_q <= results_q + 1'b1;
    done_o <= !start_i && results_q == rows_i && !rst_i;
  end
  logic unused_here;
  assign unused_here = &{1'b0, u_address_q, raw_i, begins_i, lengths_i, word_i, row_place, neighbour_q, next_row};
`ifndef SYNTHESIS
  initial assert (PES <= INDICES && (PES & (PES - 1)) == 0) else $fatal(1, "nysx_lshu_pe: PES must divide a word");
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(sparse_valid && dense_valid)) else $error("two passes at once");
      assert (!valid_o || results_q != rows_i) else $error("a row too many");
    end
`endif
endmodule
