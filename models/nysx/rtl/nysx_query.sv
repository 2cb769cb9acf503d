/* SPDX-License-Identifier: MIT */ // Query loader: port words become row pointers, neighbours and labels (or features) in the LSHU's memories. Rows arrive in
// the order in which the LSHU elements take them: row i goes to element i mod PES. Each of the three arrays starts a new
// word. Consistency is checked on arrival; bad_o is valid with done_o, four cycles after the last word.
//
// A row entry is (begin, length) of row e − 1 at the position of pointer e, one position after its row.
module nysx_query #(
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter int unsigned COUNT_BITS = 18, // width of a word count
    localparam int unsigned NODE_BITS = $clog2(MAX_NODES + 1),
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned INDEX_SELECT = $clog2(INDICES),
    localparam int unsigned WORD_BITS = INDEX_BITS > COUNT_BITS ? INDEX_BITS : COUNT_BITS // width of a count of words or indices
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        start_i,
    input  logic [NODE_BITS-1:0]        nodes_i,
    input  logic [NNZ_BITS-1:0]         nonzeros_i,
    input  logic [COUNT_BITS-1:0]       row_words_i, // words per array, stable from the start
    input  logic [COUNT_BITS-1:0]       neighbour_words_i,
    input  logic [COUNT_BITS-1:0]       label_words_i,
    output logic                        done_o, // one cycle
    output logic                        bad_o,
    input  logic                        valid_i,
    output logic                        ready_o,
    input  logic [PORT_BITS-1:0]        data_i,
    output logic                        rows_write_o,
    output logic                        neighbours_write_o,
    output logic                        labels_write_o,
    output logic [WORD_BITS-1:0]        word_o, // index of the word in its array
    output logic [INDICES*NNZ_BITS-1:0] begins_o,
    output logic [INDICES*NNZ_BITS-1:0] lengths_o,
    output logic [PORT_BITS-1:0]        raw_o
);
  typedef enum logic [1:0] {IDLE, ROWS, NEIGHBOURS, LABELING} part_t;
  part_t part_q, behind;
  logic [WORD_BITS-1:0] word_q;   // words of this part already taken
  logic [COUNT_BITS-1:0] left_q, words;  // words left in this part; words of the next part
  logic take, over_q;             // over_q: the last word of the part
  assign ready_o = part_q != IDLE;
  assign take = valid_i && ready_o;

  // Next part: a graph without non-zeros has no second part, a graph without nodes no third.
  logic edges_q, nodes_q;
  always_comb begin
    behind = IDLE;
    if (part_q == ROWS && edges_q) behind = NEIGHBOURS;
    else if (part_q != LABELING && nodes_q) behind = LABELING;
    words = start_i ? row_words_i : behind == NEIGHBOURS ? neighbour_words_i : label_words_i;
  end
  always_ff @(posedge clk_i) begin
    edges_q <= nonzeros_i != '0; // stable long before the first word
    nodes_q <= nodes_i != '0;
    if (rst_i) part_q <= IDLE;
    else if (start_i) part_q <= ROWS;
    else if (take && over_q) part_q <= behind;
    if (start_i || (take && over_q)) begin
      word_q <= '0;
      left_q <= words;
      over_q <= words == COUNT_BITS'(1);
    end else if (take) begin
      word_q <= word_q + 1'b1;
      left_q <= left_q - 1'b1;
      over_q <= left_q == COUNT_BITS'(2);
    end
  end

  // ---- 1: the word and its kind
  logic [PORT_BITS-1:0] raw1_q;
  logic [WORD_BITS-1:0] word1_q;
  logic rows1_q, neighbours1_q, labels1_q, first1_q, over1_q, end1_q;
  always_ff @(posedge clk_i) begin
    raw1_q <= data_i;
    word1_q <= word_q;
    first1_q <= word_q == '0;
    over1_q <= over_q;
    rows1_q <= take && part_q == ROWS && !rst_i;
    neighbours1_q <= take && part_q == NEIGHBOURS && !rst_i;
    labels1_q <= take && part_q == LABELING && !rst_i;
    end1_q <= take && over_q && behind == IDLE && !rst_i;
  end

  // ---- 2: each index compared with the previous one
  logic [INDEX_BITS-1:0] carried_q; // last index of the previous word
  logic [INDICES*INDEX_BITS-1:0] preceding;
  logic [INDICES-1:0] above_q, falls_q, differs_q, beyond_q, row_there_q, row_ends_q, neighbour_there_q;
  logic [INDICES-1:0] last_row_q, row_mask_q, neighbour_mask_q; // in an array's last word: the last row; valid indices
  logic rows2_q, neighbours2_q, first_wrong_q, end2_q;
  assign preceding = {raw1_q[PORT_BITS-INDEX_BITS-1:0], first1_q ? '0 : carried_q};
  for (genvar e = 0; e < INDICES; e++) begin : gen_index
    logic [INDEX_BITS-1:0] index, previous;
    logic [INDEX_SELECT-1:0] last_row, last_neighbour; // position of the array's last entry in its word
    assign index = raw1_q[e*INDEX_BITS+:INDEX_BITS];
    assign previous = preceding[e*INDEX_BITS+:INDEX_BITS];
    assign last_row = INDEX_SELECT'(nodes_i);
    assign last_neighbour = INDEX_SELECT'(nonzeros_i) - 1'b1;
    always_ff @(posedge clk_i) begin
      begins_o[e*NNZ_BITS+:NNZ_BITS] <= previous[NNZ_BITS-1:0];
      lengths_o[e*NNZ_BITS+:NNZ_BITS] <= index[NNZ_BITS-1:0] - previous[NNZ_BITS-1:0];
      above_q[e] <= index > INDEX_BITS'(nonzeros_i);
      falls_q[e] <= index < previous;
      differs_q[e] <= index != INDEX_BITS'(nonzeros_i);
      beyond_q[e] <= index >= INDEX_BITS'(nodes_i);
      last_row_q[e] <= last_row == INDEX_SELECT'(e); // stable long before the first word
      row_mask_q[e] <= 32'(last_row) + 32'd1 > 32'(e);
      neighbour_mask_q[e] <= 32'(last_neighbour) + 32'd1 > 32'(e);
      row_there_q[e] <= !over1_q || row_mask_q[e];
      row_ends_q[e] <= over1_q && last_row_q[e];
      neighbour_there_q[e] <= !over1_q || neighbour_mask_q[e];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rows1_q) carried_q <= raw1_q[PORT_BITS-1-:INDEX_BITS];
    rows_write_o <= rows1_q && !rst_i;
    neighbours_write_o <= neighbours1_q && !rst_i;
    labels_write_o <= labels1_q && !rst_i;
    word_o <= word1_q;
    raw_o <= raw1_q;
    rows2_q <= rows1_q && !rst_i;
    neighbours2_q <= neighbours1_q && !rst_i;
    first_wrong_q <= first1_q && raw1_q[INDEX_BITS-1:0] != '0;
    end2_q <= end1_q && !rst_i;
  end

  // ---- 3: error in the word; 4: error in the query
  logic wrong_q, end3_q;
  always_ff @(posedge clk_i) begin
    wrong_q <= !rst_i && ((rows2_q && (first_wrong_q || (row_there_q & (above_q | falls_q)) != '0 || (row_ends_q & differs_q) != '0)) ||
                          (neighbours2_q && (neighbour_there_q & beyond_q) != '0));
    end3_q <= end2_q && !rst_i;
    done_o <= end3_q && !rst_i;
    if (rst_i || start_i) bad_o <= 1'b0;
    else if (wrong_q) bad_o <= 1'b1;
  end
`ifndef SYNTHESIS
  initial assert (NNZ_BITS <= INDEX_BITS && NODE_BITS <= INDEX_BITS) else $fatal(1, "nysx_query: narrow indices");
  always_ff @(posedge clk_i)
    if (!rst_i) assert (!start_i || part_q == IDLE) else $error("a query came during another");
`endif
endmodule
