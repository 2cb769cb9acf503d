/* SPDX-License-Identifier: MIT */ // Memories that one LSHU processing element reads: its rows of A, its nodes' labels, all neighbours, and a copy of the
// propagated vector. Row i = q · PES + PE is the element's row q.
//
// Latency: two cycles for a row's begin and length and for a label, six for the value of a non-zero's neighbour. Memory
// outputs are registered before any multiplexer.
// The vector has one bank per element, which that element's results write; each bank has two halves, and FROM selects the half being read.
module nysx_graph #(
    parameter int unsigned PES = 4, // a power of two, at most the indices of a port's word
    parameter int unsigned PE = 0,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned INDEX_BITS = 16,
    parameter int unsigned LABEL_BITS = 8,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned MAX_NNZ = 66,
    parameter bit BANKED = 1'b0, // the next query is written while the current one is read
    localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1),
    localparam int unsigned INDICES = PORT_BITS / INDEX_BITS,
    localparam int unsigned WORD_BITS = INDEX_BITS,
    localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES,
    localparam int unsigned ROW_BITS = $clog2(ROWS + 1),
    localparam int unsigned VALUE_ADDRESS = ROWS > 1 ? $clog2(ROWS) + 1 : 1
) (
    input  logic                         clk_i,
    // query write port
    input  logic                         rows_write_i,
    input  logic                         neighbours_write_i,
    input  logic                         labels_write_i,
    input  logic [WORD_BITS-1:0]         word_i,
    input  logic [INDICES*NNZ_BITS-1:0]  begins_i,
    input  logic [INDICES*NNZ_BITS-1:0]  lengths_i,
    input  logic [PORT_BITS-1:0]         raw_i,
    input  logic                         write_bank_i,
    input  logic                         read_bank_i,
    // read ports
    input  logic [ROW_BITS:0]            row_i,
    output logic [NNZ_BITS-1:0]          begin_o,
    output logic [NNZ_BITS-1:0]          length_o,
    input  logic [ROW_BITS-1:0]          dense_i,
    output logic [LABEL_BITS-1:0]        label_o,
    input  logic [NNZ_BITS-1:0]          nonzero_i,
    input  logic                         from_i,
    output logic [31:0]                  value_o,
    // results of all elements
    input  logic [PES-1:0]               value_write_i,
    input  logic [PES*VALUE_ADDRESS-1:0] value_address_i,
    input  logic [PES*32-1:0]            value_data_i
);
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
  localparam int unsigned LANE = (PE + 1) % PES;          // position of the element's rows in a word
  localparam int unsigned LATE = PE == PES - 1 ? 1 : 0;   // 1: shifted by one more position
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
  logic [ROW_BITS:0] row_place;
  assign row_place = row_i + (ROW_BITS + 1)'(LATE);
  logic [ROW_WORD_BITS-1:0] row_word;
  logic [LABEL_WORD_BITS-1:0] label_word;
  logic [NNZ_WORD_BITS-1:0] nnz_word;
  assign row_word = ROW_WORD_BITS'(row_place >> $clog2(ROWS_A_WORD));
  assign label_word = LABEL_WORD_BITS'(dense_i >> $clog2(LABELS_A_WORD));
  assign nnz_word = NNZ_WORD_BITS'(nonzero_i >> $clog2(INDICES));
  localparam int unsigned BANK_BITS = BANKED ? 1 : 0;
  logic write_bank, read_bank;
  assign write_bank = BANKED && write_bank_i;
  assign read_bank = BANKED && read_bank_i;
  nysx_ram #(.WIDTH(ROWS_A_WORD * 2 * NNZ_BITS), .DEPTH(BANKED ? 2 << ROW_WORD_BITS : ROW_WORDS), .LATENCY(2)) rows (
      .clk_i, .write_i(rows_write_i), .write_address_i((ROW_WORD_BITS + BANK_BITS)'({write_bank, word_i[ROW_WORD_BITS-1:0]})),
      .data_i(row_in), .read_address_i((ROW_WORD_BITS + BANK_BITS)'({read_bank, row_word})), .data_o(row_out));
  nysx_ram #(.WIDTH(LABELS_A_WORD * LABEL_BITS), .DEPTH(BANKED ? 2 << LABEL_WORD_BITS : LABEL_WORDS), .LATENCY(2)) labels (
      .clk_i, .write_i(labels_write_i), .write_address_i((LABEL_WORD_BITS + BANK_BITS)'({write_bank, word_i[LABEL_WORD_BITS-1:0]})),
      .data_i(label_in), .read_address_i((LABEL_WORD_BITS + BANK_BITS)'({read_bank, label_word})), .data_o(label_out));
  nysx_ram #(.WIDTH(INDICES * NODE_BITS), .DEPTH(BANKED ? 2 << NNZ_WORD_BITS : NNZ_WORDS), .LATENCY(2)) neighbours (
      .clk_i, .write_i(neighbours_write_i), .write_address_i((NNZ_WORD_BITS + BANK_BITS)'({write_bank, word_i[NNZ_WORD_BITS-1:0]})),
      .data_i(neighbour_in), .read_address_i((NNZ_WORD_BITS + BANK_BITS)'({read_bank, nnz_word})), .data_o(neighbour_out));

  if (ROWS_A_WORD == 1) begin : gen_one_row
    assign {length_o, begin_o} = row_out;
  end else begin : gen_rows
    localparam int unsigned SELECT = $clog2(ROWS_A_WORD);
    logic [SELECT-1:0] select_q;
    nysx_delay #(.WIDTH(SELECT), .STAGES(2)) aside (.clk_i, .rst_i(1'b0), .d_i(row_place[SELECT-1:0]), .q_o(select_q));
    always_comb begin // explicit multiplexer: a product of an index and an odd width would not become one
      {length_o, begin_o} = '0;
      for (int unsigned k = 0; k < ROWS_A_WORD; k++)
        if (select_q == SELECT'(k)) {length_o, begin_o} = row_out[k*2*NNZ_BITS+:2*NNZ_BITS];
    end
  end

  if (LABELS_A_WORD == 1) begin : gen_one_label
    assign label_o = label_out;
  end else begin : gen_labels
    localparam int unsigned SELECT = $clog2(LABELS_A_WORD);
    logic [SELECT-1:0] select_q;
    nysx_delay #(.WIDTH(SELECT), .STAGES(2)) aside (.clk_i, .rst_i(1'b0), .d_i(SELECT'(dense_i)), .q_o(select_q));
    assign label_o = label_out[select_q*LABEL_BITS+:LABEL_BITS];
  end
  // ---- value of a neighbour, six cycles latency
  logic [NODE_BITS-1:0] neighbour_q;
  localparam int unsigned INDEX_SELECT = $clog2(INDICES);
  logic [INDEX_SELECT-1:0] index_select_q;
  logic [NODE_BITS-1:0] neighbour;
  nysx_delay #(.WIDTH(INDEX_SELECT), .STAGES(2)) index_aside (.clk_i, .rst_i(1'b0), .d_i(INDEX_SELECT'(nonzero_i)),
                                                              .q_o(index_select_q));
  always_comb begin // explicit multiplexer, as above
    neighbour = '0;
    for (int unsigned k = 0; k < INDICES; k++)
      if (index_select_q == INDEX_SELECT'(k)) neighbour = neighbour_out[k*NODE_BITS+:NODE_BITS];
  end
  always_ff @(posedge clk_i) neighbour_q <= neighbour;
  logic [VALUE_ADDRESS-1:0] value_address;
  logic [PES*32-1:0] values;
  if (VALUE_ADDRESS == 1) begin : gen_one_value
    assign value_address = from_i;
  end else begin : gen_value_address
    assign value_address = {from_i, (VALUE_ADDRESS - 1)'(neighbour_q >> PE_BITS)};
  end
  for (genvar b = 0; b < PES; b++) begin : gen_bank
    nysx_ram #(.WIDTH(32), .DEPTH(1 << VALUE_ADDRESS), .LATENCY(2)) bank (
        .clk_i, .write_i(value_write_i[b]), .write_address_i(value_address_i[b*VALUE_ADDRESS+:VALUE_ADDRESS]),
        .data_i(value_data_i[b*32+:32]), .read_address_i(value_address), .data_o(values[b*32+:32]));
  end
  if (PES == 1) begin : gen_one_bank
    always_ff @(posedge clk_i) value_o <= values;
  end else begin : gen_banks
    logic [PE_BITS-1:0] bank_q;
    nysx_delay #(.WIDTH(PE_BITS), .STAGES(2)) bank_aside (.clk_i, .rst_i(1'b0), .d_i(neighbour_q[PE_BITS-1:0]), .q_o(bank_q));
    always_ff @(posedge clk_i) value_o <= values[bank_q*32+:32];
  end

  logic unused;
  assign unused = &{1'b0, raw_i, begins_i, lengths_i, word_i, row_place, neighbour_q};
`ifndef SYNTHESIS
  initial assert (PES <= INDICES && (PES & (PES - 1)) == 0) else $fatal(1, "nysx_graph: PES must divide a word");
`endif
endmodule
