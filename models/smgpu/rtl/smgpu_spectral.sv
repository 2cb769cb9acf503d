/* SPDX-License-Identifier: MIT */ // Spectral engine: Laplacian, Chebyshev sums, power iteration and products, LANES matrix entries per cycle. Entry k lies in lane k mod LANES;
// a node's numbers lie in bank node mod LANES. Each lane reads a vector by column from its own banked copy; writes by row go to all copies in parallel.
//
// Load, kind 0: starts a matrix (bit 0: rows without a diagonal entry get a zero one); kind 1: next entry: value, column from bit 32, last of its row in bit 62,
// empty row in bit 63; kind 2: a number of the vector at {row, bank}, the bank in the low 12 bits; kind 3: a coefficient. Parameters: 0 nodes, 1 coefficients or iterations.
// Results: 0 a number of the sum at {row, bank}, 1 of the vector, 2 an entry's value, 3 its column, diagonal and last in bits 30 and 31, 4 the value of the power iteration, 5 entries.
module smgpu_spectral #(
    parameter int unsigned LANES = 16,
    parameter int unsigned NODES = 4096,
    parameter int unsigned TERMS = 257,
    parameter int unsigned PARAMETERS = 12
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     load_i,
    output logic                     load_ready_o,
    input  logic [1:0]               load_kind_i,
    input  logic [31:0]              load_place_i,
    input  logic [63:0]              load_word_i,
    input  logic                     start_i,
    input  logic [3:0]               operation_i, // instruction set encoding
    input  logic                     coarse_i,    // Q16.16
    input  logic [PARAMETERS*32-1:0] parameter_i, // constant from start to done
    output logic                     done_o,      // one cycle
    input  logic [2:0]               result_kind_i,
    input  logic [31:0]              result_place_i,
    output logic [31:0]              result_o     // four cycles after its place
);
  localparam logic [3:0] LAPLACIAN = 4'd0, EIGEN = 4'd1, CONVOLUTION = 4'd2, WAVELET = 4'd3;
  localparam int unsigned SLOTS = 17 * NODES;
  localparam int unsigned GROUPS = (SLOTS + LANES - 1) / LANES;
  localparam int unsigned GROUP = $clog2(GROUPS);
  localparam int unsigned NODE_ROWS = (NODES + LANES - 1) / LANES;
  localparam int unsigned ROW = NODE_ROWS > 1 ? $clog2(NODE_ROWS) : 1;
  localparam int unsigned LANE = LANES > 1 ? $clog2(LANES) : 0;
  localparam int unsigned NODE = ROW + LANE;
  localparam int unsigned COUNT = $clog2(LANES + 1);
  localparam int unsigned SCAN = 2 * LANE + 2;
  localparam int unsigned NEWTON = 103;
  localparam int unsigned DIGITS = 25;        // digits of a quotient of at most 1
  localparam int unsigned PRODUCTS = 12;      // stage that holds an entry's product
  localparam int unsigned ENDS = PRODUCTS + SCAN + 1; // stage that has written a row's sum to its bank
  localparam int unsigned SETTLE = ENDS + 11 + LANE < DIGITS + 9 ? DIGITS + 9 : ENDS + 11 + LANE;
  localparam int unsigned TERM = $clog2(TERMS);

  logic [31:0] nodes, steps;
  assign {steps, nodes} = parameter_i[63:0];

  // ---- pass sequencer ----
  typedef enum logic [3:0] {NONE, INITIAL, PRODUCT, DEGREES, ROOTS, BY_ROW, BY_COLUMN, ITERATE, NORM, DIVIDE, ALONG, SQUARES, QUOTIENT} pass_t;
  pass_t pass_q, after;
  logic [31:0] trip_q, trips_q, step_q;
  logic [7:0] settle_q;
  logic issue_q, last_step, finish;
  logic [31:0] slots_q, groups, node_rows;
  assign groups = (slots_q + LANES - 1) >> LANE;
  assign node_rows = (nodes + LANES - 1) >> LANE;
  assign last_step = step_q + 32'd1 >= steps;
  always_comb begin
    after = NONE;
    case (pass_q)
      INITIAL, PRODUCT: after = (operation_i == CONVOLUTION || operation_i == WAVELET) && !last_step ? PRODUCT : NONE;
      DEGREES: after = ROOTS;
      ROOTS: after = BY_ROW;
      BY_ROW: after = BY_COLUMN;
      ITERATE: after = NORM;
      NORM: after = DIVIDE;
      DIVIDE: after = last_step ? ALONG : ITERATE;
      ALONG: after = SQUARES;
      SQUARES: after = QUOTIENT;
      default: after = NONE;
    endcase
  end
  logic streams, through; // pass over nodes; pass over entries
  assign streams = pass_q == INITIAL || pass_q == DIVIDE || pass_q == SQUARES;
  assign through = pass_q == PRODUCT || pass_q == DEGREES || pass_q == BY_ROW || pass_q == BY_COLUMN || pass_q == ITERATE || pass_q == ALONG;
  logic begin_q; // first cycle of a pass, which computes its iterations
  assign finish = pass_q != NONE && !begin_q && !issue_q && settle_q == '0;
  always_ff @(posedge clk_i) begin
    done_o <= !rst_i && finish && after == NONE;
    if (rst_i) begin
      pass_q <= NONE;
      begin_q <= 1'b0;
      issue_q <= 1'b0;
    end else if (start_i) begin
      begin_q <= 1'b1;
      step_q <= '0;
      pass_q <= operation_i == LAPLACIAN ? DEGREES : operation_i == EIGEN ? (steps == '0 ? ALONG : ITERATE)
              : operation_i == CONVOLUTION || operation_i == WAVELET ? INITIAL : PRODUCT;
    end else if (begin_q) begin
      begin_q <= 1'b0;
      issue_q <= 1'b1;
      trip_q <= '0;
      trips_q <= through ? groups : streams ? node_rows : pass_q == ROOTS ? nodes : pass_q == NORM ? 32'd40 : 32'd33;
    end else if (issue_q) begin
      trip_q <= trip_q + 32'd1;
      settle_q <= pass_q == ROOTS ? 8'(NEWTON + 8) : through || streams ? 8'(SETTLE) : 8'd1;
      if (trip_q + 32'd1 == trips_q) issue_q <= 1'b0;
    end else if (finish) begin
      pass_q <= after;
      begin_q <= after != NONE;
      if (pass_q == INITIAL || pass_q == PRODUCT || pass_q == DIVIDE) step_q <= step_q + 32'd1;
    end else if (settle_q != '0) settle_q <= settle_q - 1'b1;
  end
  // Buffer that is read by column; Chebyshev products swap it with the other buffer each time.
  logic chebyshev, current;
  assign chebyshev = operation_i == CONVOLUTION || operation_i == WAVELET;
  assign current = chebyshev && pass_q == PRODUCT && !step_q[0]; // product k reads T_(k-1)

  // ---- the matrix ----
  logic insert_q, seen_q, later_q, entry, too_late, empty, ends_row, diagonal;
  logic [NODE-1:0] at_row_q, column;
  logic [GROUP-1:0] group_q;
  logic [LANES-1:0] lane_q;
  logic put, put_last, put_diagonal, put_own, inserts;
  assign entry = load_i && load_kind_i == 2'd1;
  assign column = load_word_i[32+:NODE];
  assign empty = load_word_i[63];
  assign ends_row = load_word_i[62] || empty;
  assign diagonal = column == at_row_q && !empty;
  assign inserts = insert_q && entry && !later_q && !seen_q && !empty && column > at_row_q;
  assign too_late = insert_q && ends_row && !empty && !seen_q && !diagonal;
  assign load_ready_o = !later_q && !inserts;
  assign put = entry || later_q;
  assign put_own = later_q || inserts || (empty && insert_q);
  assign put_diagonal = put_own || diagonal;
  assign put_last = later_q || (ends_row && !inserts && !too_late);
  always_ff @(posedge clk_i) begin
    if (rst_i) later_q <= 1'b0;
    else if (load_i && load_kind_i == 2'd0) begin
      insert_q <= load_word_i[0];
      {at_row_q, group_q, slots_q} <= '0;
      lane_q <= LANES'(1);
      seen_q <= 1'b0;
      later_q <= 1'b0;
    end else if (put) begin
      lane_q <= LANES'({lane_q, lane_q[LANES-1]});
      group_q <= group_q + GROUP'(lane_q[LANES-1]);
      slots_q <= slots_q + 32'd1;
      later_q <= !later_q && !inserts && too_late;
      seen_q <= !put_last && (seen_q || put_diagonal);
      if (put_last) at_row_q <= at_row_q + 1'b1;
    end
  end
  logic [GROUP-1:0] read_group;
  assign read_group = pass_q == NONE ? result_place_i[12+:GROUP] : trip_q[GROUP-1:0];
  logic [LANES-1:0] used, last;
  logic [LANES*NODE-1:0] gathered_q;
  logic [LANES*32-1:0] term, product, sum, value_out, facts_out;
  logic issued, rescale;
  logic [GROUP-1:0] issued_group;
  logic [31:0] rows_before_q; // rows before the group in stage 3
  smgpu_delay #(.WIDTH(1), .STAGES(2)) issuing (.clk_i, .d_i(issue_q && through && !rst_i), .q_o(issued));
  smgpu_delay #(.WIDTH(GROUP), .STAGES(PRODUCTS + 1)) writing (.clk_i, .d_i(trip_q[GROUP-1:0]), .q_o(issued_group));
  smgpu_delay #(.WIDTH(1), .STAGES(PRODUCTS + 1)) rescaling (
      .clk_i, .d_i(issue_q && (pass_q == BY_ROW || pass_q == BY_COLUMN) && !rst_i), .q_o(rescale));
  // Stage 2: lane flags; stage 3: rows that end before each lane; stage 4: each lane's row.
  logic [LANES-1:0] used_q, last_q, first_q;
  logic [COUNT*LANES-1:0] before_q;
  logic [COUNT-1:0] ended, ended_q;
  logic ended_last_q, issued_q;
  logic [LANES*COUNT-1:0] before_in;
  for (genvar i = 0; i < LANES; i++) begin : gen_before
    localparam int BELOW = i;
    logic [COUNT-1:0] count;
    always_comb begin
      count = '0;
      for (int k = 0; k < BELOW; k++) count = count + COUNT'(last[k]);
    end
    assign before_in[COUNT*i+:COUNT] = count;
  end
  assign ended = before_in[COUNT*(LANES-1)+:COUNT] + COUNT'(last[LANES-1]);
  logic [LANES*NODE-1:0] row_q;
  always_ff @(posedge clk_i) begin
    issued_q <= issued;
    used_q <= used & {LANES{issued}};
    last_q <= last & {LANES{issued}};
    first_q <= LANES'({last, ended_last_q});
    before_q <= before_in;
    ended_q <= ended;
    if (begin_q) ended_last_q <= 1'b1;
    else if (issued) ended_last_q <= last[LANES-1];
    if (begin_q) rows_before_q <= '0;
    else if (issued_q) rows_before_q <= rows_before_q + 32'(ended_q);
    for (int unsigned i = 0; i < LANES; i++) row_q[NODE*i+:NODE] <= rows_before_q[NODE-1:0] + NODE'(before_q[COUNT*i+:COUNT]);
  end
  logic [LANES-1:0] used_term, first_term, valid_term;
  smgpu_delay #(.WIDTH(3 * LANES), .STAGES(PRODUCTS - 3)) flags (
      .clk_i, .d_i({used_q, first_q, {LANES{issued_q}}}), .q_o({used_term, first_term, valid_term}));
  logic signed [33:0] one;
  assign one = coarse_i ? 34'sd65536 : 34'sd16777216;

  // ---- vector memories: write port of all lanes' copies ----
  logic [LANES-1:0] spread;               // banks
  logic [LANES*ROW-1:0] spread_row;
  logic spread_buffer;
  logic [LANES*32-1:0] spread_number;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    // ---- entries ----
    logic signed [31:0] value, value2_q, value_late, shifted;
    logic diagonal2, diagonal_late;
    logic [NODE-1:0] column2, column4;
    logic signed [31:0] back_q;
    logic last_raw;
    smgpu_ram #(.WIDTH(NODE + 2), .DEPTH(GROUPS)) facts (
        .clk_i, .write_i(put && lane_q[l]), .write_address_i(group_q), .data_i({put_last, put_diagonal, put_own ? at_row_q : empty ? '0 : column}),
        .read_address_i(read_group), .data_o({last_raw, diagonal2, column2}));
    smgpu_ram #(.WIDTH(32), .DEPTH(GROUPS)) values (
        .clk_i, .write_i(put ? lane_q[l] : rescale), .write_address_i(put ? group_q : issued_group),
        .data_i(put ? (put_own || empty ? '0 : load_word_i[31:0]) : back_q), .read_address_i(read_group), .data_o(value));
    logic held;
    smgpu_delay #(.WIDTH(1), .STAGES(2)) beside (.clk_i, .d_i((trip_q << LANE) + l < slots_q), .q_o(held));
    assign used[l] = held;
    assign last[l] = held && last_raw;
    assign value_out[32*l+:32] = value;
    assign facts_out[32*l+:32] = {last_raw, diagonal2, {30 - NODE{1'b0}}, column2};

    // ---- vector element by column or by row: address in stage 5, number in stage 8 ----
    smgpu_delay #(.WIDTH(NODE), .STAGES(2)) columns (.clk_i, .d_i(column2), .q_o(column4));
    always_ff @(posedge clk_i) gathered_q[NODE*l+:NODE] <= pass_q == BY_ROW ? row_q[NODE*l+:NODE] : column4;
    logic [NODE-1:0] place5;
    assign place5 = gathered_q[NODE*l+:NODE];
    logic [LANES*32-1:0] from_bank;
    for (genvar b = 0; b < LANES; b++) begin : gen_copy
      smgpu_ram #(.WIDTH(32), .DEPTH(2 * NODE_ROWS)) copy (
          .clk_i, .write_i(spread[b]), .write_address_i({spread_buffer, spread_row[ROW*b+:ROW]}), .data_i(spread_number[32*b+:32]),
          .read_address_i({current, place5[NODE-1-:ROW]}), .data_o(from_bank[32*b+:32]));
    end
    logic signed [31:0] number_q;
    if (LANE == 0) begin : gen_only
      always_ff @(posedge clk_i) number_q <= from_bank;
    end else begin : gen_choice
      logic [LANE-1:0] bank7;
      smgpu_delay #(.WIDTH(LANE), .STAGES(2)) banks (.clk_i, .d_i(place5[LANE-1:0]), .q_o(bank7));
      always_ff @(posedge clk_i) number_q <= from_bank[32*bank7+:32];
    end

    // ---- the entry's factor, its product, and the value written back ----
    logic signed [33:0] less;
    assign less = 34'(value) - (chebyshev && diagonal2 ? one : 34'sd0);
    smgpu_hold #(.WIDTH(34)) shift (.clk_i, .value_i(less), .held_o(shifted));
    smgpu_delay #(.WIDTH(32), .STAGES(5)) to_product (.clk_i, .d_i(shifted), .q_o(value2_q));
    logic signed [31:0] times;
    smgpu_product multiply (.clk_i, .coarse_i, .a_i(value2_q), .b_i(number_q), .product_o(times));
    assign product[32*l+:32] = times;
    smgpu_delay #(.WIDTH(32), .STAGES(4)) beside_product (.clk_i, .d_i(value2_q), .q_o(value_late));
    assign term[32*l+:32] = pass_q == DEGREES ? value_late : product[32*l+:32];
    smgpu_delay #(.WIDTH(1), .STAGES(PRODUCTS - 2)) on_diagonal (.clk_i, .d_i(diagonal2), .q_o(diagonal_late));
    logic signed [33:0] back;
    assign back = pass_q == BY_ROW ? 34'(times) : (diagonal_late ? one : 34'sd0) - 34'(times);
    smgpu_hold #(.WIDTH(34)) goes_back (.clk_i, .value_i(back), .held_o(back_q));
  end

  // ---- row sums, each written to its bank ----
  smgpu_scan #(.LANES(LANES)) scan (
      .clk_i, .valid_i(valid_term[0]), .used_i(used_term), .first_i(first_term), .term_i(term), .sum_o(sum));
  logic [LANES*NODE-1:0] row_late;
  logic [LANES-1:0] last_late;
  smgpu_delay #(.WIDTH(LANES), .STAGES(PRODUCTS + SCAN - 4)) lasts (.clk_i, .d_i(last_q), .q_o(last_late)); // one stage before the sum
  smgpu_delay #(.WIDTH(LANES * NODE), .STAGES(PRODUCTS + SCAN - 5)) rows (.clk_i, .d_i(row_q), .q_o(row_late));

  // ---- a bank's numbers: the address is in stage 0 ----
  logic feed_q; // rows of a pass over nodes
  logic [ROW-1:0] feed_row_q;
  logic [LANES-1:0] feed_used_q;
  always_ff @(posedge clk_i) begin
    feed_q <= issue_q && streams && !rst_i;
    feed_row_q <= trip_q[ROW-1:0];
    for (int unsigned b = 0; b < LANES; b++) feed_used_q[b] <= (trip_q << LANE) + b < nodes;
  end
  logic [31:0] coefficient;
  smgpu_ram #(.WIDTH(32), .DEPTH(TERMS)) coefficients (
      .clk_i, .write_i(load_i && load_kind_i == 2'd3), .write_address_i(load_place_i[TERM-1:0]), .data_i(load_word_i[31:0]),
      .read_address_i(TERM'(step_q)), .data_o(coefficient));
  // The Newton pipeline takes one node's degree per cycle.
  logic [LANES*32-1:0] kept;
  logic roots_valid;
  logic [NODE-1:0] roots_node, degree_node;
  logic signed [31:0] degree_q, root;
  smgpu_delay #(.WIDTH(NODE), .STAGES(2)) degree_place (.clk_i, .d_i(trip_q[NODE-1:0]), .q_o(degree_node));
  if (LANE == 0) begin : gen_degree
    always_ff @(posedge clk_i) degree_q <= kept;
  end else begin : gen_degrees
    always_ff @(posedge clk_i) degree_q <= kept[32*degree_node[LANE-1:0]+:32];
  end
  smgpu_newton newton (.clk_i, .coarse_i, .degree_i(degree_q), .root_o(root));
  smgpu_delay #(.WIDTH(NODE + 1), .STAGES(NEWTON + 3)) root_place (
      .clk_i, .d_i({issue_q && pass_q == ROOTS && !rst_i, trip_q[NODE-1:0]}), .q_o({roots_valid, roots_node}));

  logic [39:0] norm_q;
  logic second; // a step of the second-order recurrence: T_k = 2 (L - I) T_(k-1) - T_(k-2)
  assign second = chebyshev && pass_q == PRODUCT && step_q != 32'd1;
  logic [LANES*64-1:0] whole;
  logic [LANES-1:0] squared;
  logic [LANES*32-1:0] total;
  for (genvar b = 0; b < LANES; b++) begin : gen_bank
    // Selects the lane whose row ends here
    logic [LANES-1:0] choice_q;
    logic [31:0] own_sum, own_sum_q;
    logic [ROW-1:0] own_row, own_row_q;
    logic own_q;
    for (genvar i = 0; i < LANES; i++) begin : gen_choice
      if (LANE == 0) begin : gen_one
        always_ff @(posedge clk_i) choice_q[i] <= last_late[i];
      end else begin : gen_some
        always_ff @(posedge clk_i) choice_q[i] <= last_late[i] && row_late[NODE*i+:LANE] == LANE'(b);
      end
    end
    logic [LANES*NODE-1:0] row1_q;
    always_ff @(posedge clk_i) row1_q <= row_late;
    always_comb begin
      own_sum = '0;
      own_row = '0;
      for (int unsigned i = 0; i < LANES; i++) begin
        own_sum = own_sum | (sum[32*i+:32] & {32{choice_q[i]}});
        own_row = own_row | (row1_q[NODE*(i+1)-1-:ROW] & {ROW{choice_q[i]}});
      end
    end
    always_ff @(posedge clk_i) begin
      own_q <= |choice_q;
      own_sum_q <= own_sum;
      own_row_q <= own_row;
    end
    logic valid0, valid2, valid4, valid7, valid9;
    logic [ROW-1:0] row0, row4, row9, read_row;
    logic signed [31:0] sum2, number, old, taken, number1_q, before3_q, before4_q, turned_q, times_q, old_q, total_q;
    assign valid0 = feed_q ? feed_used_q[b] : own_q;
    assign row0 = feed_q ? feed_row_q : own_row_q;
    smgpu_delay #(.WIDTH(32), .STAGES(2)) sums (.clk_i, .d_i(own_sum_q), .q_o(sum2));
    smgpu_delay #(.WIDTH(1), .STAGES(2)) valids2 (.clk_i, .d_i(valid0 && !rst_i), .q_o(valid2));
    smgpu_delay #(.WIDTH(1), .STAGES(2)) valids4 (.clk_i, .d_i(valid2), .q_o(valid4));
    smgpu_delay #(.WIDTH(1), .STAGES(3)) valids7 (.clk_i, .d_i(valid4), .q_o(valid7));
    smgpu_delay #(.WIDTH(1), .STAGES(2)) valids9 (.clk_i, .d_i(valid7), .q_o(valid9));
    smgpu_delay #(.WIDTH(ROW), .STAGES(4)) rows4 (.clk_i, .d_i(row0), .q_o(row4));
    smgpu_delay #(.WIDTH(ROW), .STAGES(5)) rows9 (.clk_i, .d_i(row4), .q_o(row9));
    // Two vectors: T_(k-2) and T_(k-1), or v and Lv
    logic buffer, keep, keep_buffer, quotient_valid;
    logic [ROW-1:0] keep_row, quotient_row;
    logic signed [31:0] keep_number, quotient;
    assign buffer = pass_q == NONE ? operation_i != EIGEN : pass_q == ROOTS || pass_q == DIVIDE || (pass_q == PRODUCT && !current);
    assign read_row = pass_q == NONE ? result_place_i[12+:ROW] : pass_q == ROOTS ? trip_q[NODE-1-:ROW] : row0;
    smgpu_ram #(.WIDTH(32), .DEPTH(2 * NODE_ROWS)) vectors (
        .clk_i, .write_i(keep), .write_address_i({keep_buffer, keep_row}), .data_i(keep_number), .read_address_i({buffer, read_row}),
        .data_o(number));
    assign kept[32*b+:32] = number;
    logic from_stream;
    smgpu_delay #(.WIDTH(1), .STAGES(2)) sources (.clk_i, .d_i(feed_q), .q_o(from_stream));
    assign taken = from_stream ? number : sum2;
    // Stages 3 and 4: twice the sum, less T_(k-2), each saturated
    logic signed [33:0] twice, differ;
    assign twice = second ? {taken[31], taken, 1'b0} : 34'(taken);
    assign differ = 34'(number1_q) - (second ? 34'(before3_q) : 34'sd0);
    smgpu_hold #(.WIDTH(34)) hold3 (.clk_i, .value_i(twice), .held_o(number1_q));
    smgpu_hold #(.WIDTH(34)) hold4 (.clk_i, .value_i(differ), .held_o(turned_q));
    always_ff @(posedge clk_i) begin
      before3_q <= number;
      before4_q <= before3_q;
    end
    // Stages 4 to 9: times the coefficient, times itself or v; added to the sum
    logic signed [63:0] product4;
    logic signed [31:0] factor;
    assign factor = chebyshev ? coefficient : pass_q == ALONG ? before4_q : turned_q;
    smgpu_mul multiply (.clk_i, .a_i(turned_q), .b_i(factor), .product_o(product4));
    assign whole[64*b+:64] = product4;
    assign squared[b] = valid7;
    logic signed [47:0] scaled;
    assign scaled = coarse_i ? product4[63:16] : {{8{product4[63]}}, product4[63:24]};
    smgpu_hold #(.WIDTH(48)) hold8 (.clk_i, .value_i(scaled), .held_o(times_q));
    smgpu_ram #(.WIDTH(32), .DEPTH(NODE_ROWS)) results (
        .clk_i, .write_i(valid9 && chebyshev), .write_address_i(row9), .data_i(total_q),
        .read_address_i(pass_q == NONE ? result_place_i[12+:ROW] : row0), .data_o(old));
    smgpu_delay #(.WIDTH(32), .STAGES(6)) olds (.clk_i, .d_i(old), .q_o(old_q));
    logic signed [33:0] grown;
    assign grown = (pass_q == INITIAL ? 34'sd0 : 34'(old_q)) + 34'(times_q);
    smgpu_hold #(.WIDTH(34)) hold9 (.clk_i, .value_i(grown), .held_o(total_q));
    assign total[32*b+:32] = old;
    // Division by the norm, one digit per stage; zero stays zero
    logic [DIGITS-1:0] unsigned_quotient;
    logic sign;
    smgpu_quotient #(.DIGITS(DIGITS)) divide (
        .clk_i, .dividend_i(number[31] ? 32'd0 - number : number), .divisor_i(norm_q), .quotient_o(unsigned_quotient));
    smgpu_delay #(.WIDTH(1), .STAGES(DIGITS + 1)) signs (.clk_i, .d_i(number[31]), .q_o(sign));
    smgpu_delay #(.WIDTH(ROW + 1), .STAGES(DIGITS + 4)) quotients (
        .clk_i, .d_i({feed_q && feed_used_q[b] && pass_q == DIVIDE, feed_row_q}), .q_o({quotient_valid, quotient_row}));
    logic [31:0] magnitude;
    assign magnitude = coarse_i ? 32'(unsigned_quotient[DIGITS-1:8]) : 32'(unsigned_quotient);
    always_ff @(posedge clk_i) quotient <= norm_q == '0 ? '0 : sign ? 32'd0 - magnitude : magnitude;
    // Write port of the vector bank: loaded words, rows of a pass, or quotients.
    logic loads, updates;
    assign loads = load_i && load_kind_i == 2'd2 && load_place_i[11:0] == 12'(b);
    assign updates = valid4 && (pass_q == PRODUCT || pass_q == DEGREES || pass_q == ITERATE);
    assign keep = loads || updates || quotient_valid;
    assign keep_buffer = updates ? (pass_q == PRODUCT ? !current : 1'b1) : 1'b0;
    assign keep_row = loads ? load_place_i[12+:ROW] : updates ? row4 : quotient_row;
    assign keep_number = loads ? load_word_i[31:0] : updates ? turned_q : quotient;
    logic roots_here;
    if (LANE == 0) begin : gen_root
      assign roots_here = roots_valid;
    end else begin : gen_roots
      assign roots_here = roots_valid && roots_node[LANE-1:0] == LANE'(b);
    end
    always_ff @(posedge clk_i) begin
      spread[b] <= loads || (updates && chebyshev) || quotient_valid || roots_here;
      spread_row[ROW*b+:ROW] <= roots_here ? roots_node[NODE-1-:ROW] : keep_row;
      spread_number[32*b+:32] <= roots_here ? root : keep_number;
    end
  end
  always_ff @(posedge clk_i) spread_buffer <= chebyshev && pass_q == PRODUCT && !current;

  // ---- sums of products over all banks ----
  localparam int unsigned WIDE = 64 + LANE;
  for (genvar l = 0; l <= LANE; l++) begin : gen_tree
    logic [(LANES>>l)*WIDE-1:0] sum_q;
    for (genvar i = 0; i < LANES >> l; i++) begin : gen_sum
      if (l == 0) begin : gen_leaf
        always_ff @(posedge clk_i) sum_q[WIDE*i+:WIDE] <= squared[i] ? WIDE'($signed(whole[64*i+:64])) : '0;
      end else begin : gen_node
        always_ff @(posedge clk_i) sum_q[WIDE*i+:WIDE] <= gen_tree[l-1].sum_q[WIDE*2*i+:WIDE] + gen_tree[l-1].sum_q[WIDE*(2*i+1)+:WIDE];
      end
    end
  end
  logic signed [80:0] squares_q, along_q;
  always_ff @(posedge clk_i) begin
    if (begin_q && (pass_q == ITERATE || pass_q == ALONG || pass_q == SQUARES)) squares_q <= '0;
    else if (pass_q == ITERATE || pass_q == ALONG || pass_q == SQUARES)
      squares_q <= squares_q + 81'($signed(gen_tree[LANE].sum_q));
    if (begin_q && pass_q == SQUARES) along_q <= squares_q;
  end

  // ---- norm: one root digit per cycle ----
  logic [41:0] remainder_q, brought;
  logic [42:0] under;
  logic [79:0] radicand_q;
  assign brought = {remainder_q[39:0], radicand_q[79:78]};
  assign under = {1'b0, brought} - {1'b0, norm_q, 2'b01};
  // ---- value: v.Lv over v.v, rounded down and saturated ----
  logic [80:0] size_q, left_q, small_size;
  logic [81:0] fewer;
  logic [31:0] digits_q;
  logic [31:0] eigenvalue_q;
  logic beyond_q, exact;
  assign small_size = coarse_i ? {15'b0, size_q[80:15]} : {7'b0, size_q[80:7]};
  assign fewer = {1'b0, left_q[79:0], digits_bit} - {1'b0, squares_q};
  logic digits_bit;
  logic [31:0] bring_q; // dividend bits not yet brought down
  assign digits_bit = bring_q[31];
  assign exact = left_q == '0;
  always_ff @(posedge clk_i) begin
    if (pass_q == NORM) begin
      if (begin_q) begin
        remainder_q <= '0;
        norm_q <= '0;
        radicand_q <= squares_q[79:0];
      end else if (issue_q) begin
        remainder_q <= under[42] ? brought : under[41:0];
        norm_q <= {norm_q[38:0], !under[42]};
        radicand_q <= {radicand_q[77:0], 2'b00};
      end
    end
    if (pass_q == SQUARES) size_q <= along_q[80] ? 81'd0 - along_q : along_q;
    if (pass_q == QUOTIENT) begin
      if (begin_q) begin
        left_q <= small_size;
        bring_q <= coarse_i ? {size_q[14:0], 17'b0} : {size_q[6:0], 25'b0};
        beyond_q <= small_size >= squares_q;
        digits_q <= '0;
      end else if (issue_q && trip_q < 32'd31) begin
        left_q <= fewer[81] ? {left_q[79:0], digits_bit} : fewer[80:0];
        bring_q <= {bring_q[30:0], 1'b0};
        digits_q <= {digits_q[30:0], !fewer[81]};
      end else if (issue_q && trip_q == 32'd31)
        eigenvalue_q <= squares_q == '0 ? '0 : beyond_q ? {along_q[80], {31{!along_q[80]}}}
                      : along_q[80] ? 32'd0 - digits_q - 32'(!exact) : digits_q;
    end
  end

  // ---- results ----
  logic [31:0] number_q, sum_out, kept_out, value_word, facts_word;
  logic [11:0] bank_q, bank1_q;
  always_comb begin
    {sum_out, kept_out, value_word, facts_word} = '0;
    for (int unsigned b = 0; b < LANES; b++)
      if (bank1_q == 12'(b)) begin
        sum_out = sum_out | total[32*b+:32];
        kept_out = kept_out | kept[32*b+:32];
        value_word = value_word | value_out[32*b+:32];
        facts_word = facts_word | facts_out[32*b+:32];
      end
  end
  always_ff @(posedge clk_i) begin
    bank_q <= result_place_i[11:0];
    bank1_q <= bank_q;
    case (result_kind_i)
      3'd0: number_q <= sum_out;
      3'd1: number_q <= kept_out;
      3'd2: number_q <= value_word;
      3'd3: number_q <= facts_word;
      3'd4: number_q <= eigenvalue_q;
      default: number_q <= slots_q;
    endcase
    result_o <= number_q;
  end
  logic unused;
  assign unused = &{1'b0, parameter_i, load_place_i, result_place_i, load_word_i[61:32], rows_before_q, valid_term, degree_node, remainder_q[41:40]};
endmodule
