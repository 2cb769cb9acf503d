/* SPDX-License-Identifier: MIT */ // The query: words of the port become row pointers, neighbours and labels in the memories of the LSHU. Rows come in the
// order in which the LSHU's elements take them: row i goes to element i mod PES. Each of the three arrays starts a new
// word. What does not hold together is seen as it comes, and given as bad_o with done_o.
//
// An entry of rows is (begin, length) of row e − 1 where pointer e comes, so that it lies one place further than its row.
module nysx_query #(
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    localparam int unsigned NODE_BITS = $clog2(MAX_NODES + 1),
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned LABELS = PORT_BITS / LABEL_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS // of a count of words or indices
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        start_i,
    input  logic [NODE_BITS-1:0]        nodes_i,
    input  logic [NNZ_BITS-1:0]         nonzeros_i,
    output logic                        done_o, // one cycle
    output logic                        bad_o,
    input  logic                        valid_i,
    output logic                        ready_o,
    input  logic [PORT_BITS-1:0]        data_i,
    output logic                        rows_write_o,
    output logic                        neighbours_write_o,
    output logic                        labels_write_o,
    output logic [WORD_BITS-1:0]        word_o, // which word of its array
    output logic [INDICES*NNZ_BITS-1:0] begins_o,
    output logic [INDICES*NNZ_BITS-1:0] lengths_o,
    output logic [PORT_BITS-1:0]        raw_o
);
  typedef enum logic [1:0] {IDLE, ROWS, NEIGHBOURS, LABELING} part_t;
  part_t part_q;
  logic [WORD_BITS-1:0] word_q, left_q; // words of this part taken; elements of it left
  logic take, over;
  assign ready_o = part_q != IDLE;
  assign take = valid_i && ready_o;
  assign over = left_q <= (part_q == LABELING ? WORD_BITS'(LABELS) : WORD_BITS'(INDICES));

  // What follows a part: a graph without non-zeros has no second, one without nodes no third.
  part_t behind;
  always_comb begin
    behind = IDLE;
    if (part_q == ROWS && nonzeros_i != '0) behind = NEIGHBOURS;
    else if (part_q != LABELING && nodes_i != '0) behind = LABELING;
  end
  logic finished_q;
  always_ff @(posedge clk_i) begin
    finished_q <= !rst_i && take && over && behind == IDLE;
    if (rst_i) part_q <= IDLE;
    else if (start_i) begin
      part_q <= ROWS;
      word_q <= '0;
      left_q <= WORD_BITS'(nodes_i) + 1'b1;
    end else if (take && over) begin
      part_q <= behind;
      word_q <= '0;
      left_q <= behind == NEIGHBOURS ? WORD_BITS'(nonzeros_i) : WORD_BITS'(nodes_i);
    end else if (take) begin
      word_q <= word_q + 1'b1;
      left_q <= left_q - WORD_BITS'(INDICES) - (part_q == LABELING ? WORD_BITS'(LABELS - INDICES) : '0);
    end
  end

  // The indices of a word, and whether they are what they may be.
  logic [INDEX_BITS-1:0] last_q; // of the word before
  logic [INDICES*INDEX_BITS-1:0] preceding;
  logic [INDICES-1:0] wrong, wrong_q;
  assign preceding = {data_i[PORT_BITS-INDEX_BITS-1:0], word_q == '0 ? '0 : last_q};
  for (genvar e = 0; e < INDICES; e++) begin : gen_index
    logic [INDEX_BITS-1:0] index, previous;
    assign index = data_i[e*INDEX_BITS+:INDEX_BITS];
    assign previous = preceding[e*INDEX_BITS+:INDEX_BITS];
    always_comb begin
      wrong[e] = 1'b0;
      if (left_q > WORD_BITS'(e)) begin
        if (part_q == ROWS)
          wrong[e] = index > INDEX_BITS'(nonzeros_i) || index < previous ||
                     (left_q == WORD_BITS'(e + 1) && index != INDEX_BITS'(nonzeros_i)) ||
                     (e == 0 && word_q == '0 && index != '0);
        else if (part_q == NEIGHBOURS) wrong[e] = index >= INDEX_BITS'(nodes_i);
      end
    end
    always_ff @(posedge clk_i) begin
      begins_o[e*NNZ_BITS+:NNZ_BITS] <= previous[NNZ_BITS-1:0];
      lengths_o[e*NNZ_BITS+:NNZ_BITS] <= index[NNZ_BITS-1:0] - previous[NNZ_BITS-1:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) last_q <= data_i[PORT_BITS-1-:INDEX_BITS];
    rows_write_o <= take && part_q == ROWS;
    neighbours_write_o <= take && part_q == NEIGHBOURS;
    labels_write_o <= take && part_q == LABELING;
    word_o <= word_q;
    raw_o <= data_i;
    done_o <= finished_q && !rst_i;
    wrong_q <= take && !rst_i ? wrong : '0; // the last word's are in bad_o with done_o
    if (rst_i || start_i) bad_o <= 1'b0;
    else if (wrong_q != '0) bad_o <= 1'b1;
  end
`ifndef SYNTHESIS
  initial assert (NNZ_BITS <= INDEX_BITS && NODE_BITS <= INDEX_BITS) else $fatal(1, "nysx_query: narrow indices");
  always_ff @(posedge clk_i)
    if (!rst_i) assert (!start_i || part_q == IDLE) else $error("a query came during another");
`endif
endmodule
