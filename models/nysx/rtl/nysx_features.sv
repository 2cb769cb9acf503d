/* SPDX-License-Identifier: MIT */ // Numbers of an LSHU element's nodes: F, column by column. A column begins with a new group of GROUP nodes, the larger of the elements and the
// numbers of a port word; node i belongs to element i mod PES. Latency: four cycles from the row to its number. Columns are read in order.
module nysx_features #(
    parameter int unsigned PES = 4, // a power of two
    parameter int unsigned PE = 0,
    parameter int unsigned PORT_BITS = 128,
    parameter int unsigned WORD_BITS = 16,
    parameter int unsigned MAX_NODES = 28,
    parameter int unsigned COLUMNS = 7,
    parameter bit BANKED = 1'b0, // the next query is written while the current one is read
    localparam int unsigned ROWS = (MAX_NODES + PES - 1) / PES,
    localparam int unsigned ROW_BITS = $clog2(ROWS + 1),
    localparam int unsigned NUMBERS = PORT_BITS / 32,
    localparam int unsigned GROUP = PES > NUMBERS ? PES : NUMBERS,
    localparam int unsigned GROUPS = (MAX_NODES + GROUP - 1) / GROUP,
    localparam int unsigned GROUP_BITS = $clog2(GROUPS + 1)
) (
    input  logic                  clk_i,
    input  logic                  write_i,
    input  logic [WORD_BITS-1:0]  word_i, // a word of all columns
    input  logic [PORT_BITS-1:0]  raw_i,
    input  logic                  write_bank_i,
    input  logic                  read_bank_i,
    input  logic [GROUP_BITS-1:0] groups_i, // groups of a column
    input  logic                  first_i,  // the first column is read from the next cycle on
    input  logic                  next_i,   // the next column
    input  logic [ROW_BITS-1:0]   row_i,
    output logic [31:0]           value_o
);
  localparam int unsigned EACH = GROUP / PES;       // numbers of the element per word of its memory
  localparam int unsigned SHARES = GROUP / NUMBERS; // port words per group
  localparam int unsigned DEPTH = COLUMNS * GROUPS;
  localparam int unsigned ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  logic [ADDRESS-1:0] base_q, address_q;
  always_ff @(posedge clk_i) begin
    if (first_i) base_q <= '0;
    else if (next_i) base_q <= base_q + ADDRESS'(groups_i);
    address_q <= base_q + ADDRESS'(32'(row_i) >> $clog2(EACH));
  end
  logic mine;
  assign mine = SHARES == 1 || 32'(word_i) % SHARES == PE / NUMBERS;
  logic [EACH*32-1:0] in, out;
  for (genvar k = 0; k < EACH; k++) begin : gen_in
    assign in[k*32+:32] = raw_i[(k*PES+PE)%NUMBERS*32+:32];
  end
  localparam int unsigned BANK_BITS = BANKED ? 1 : 0;
  logic write_bank, read_bank;
  assign write_bank = BANKED && write_bank_i;
  assign read_bank = BANKED && read_bank_i;
  nysx_ram #(.WIDTH(EACH * 32), .DEPTH(BANKED ? 2 << ADDRESS : DEPTH), .LATENCY(2)) numbers (
      .clk_i, .write_i(write_i && mine), .write_address_i((ADDRESS + BANK_BITS)'({write_bank, ADDRESS'(32'(word_i) / SHARES)})),
      .data_i(in), .read_address_i((ADDRESS + BANK_BITS)'({read_bank, address_q})), .data_o(out));
  if (EACH == 1) begin : gen_one
    always_ff @(posedge clk_i) value_o <= out;
  end else begin : gen_number
    localparam int unsigned SELECT = $clog2(EACH);
    logic [SELECT-1:0] select;
    nysx_delay #(.WIDTH(SELECT), .STAGES(3)) aside (.clk_i, .rst_i(1'b0), .d_i(SELECT'(row_i)), .q_o(select));
    always_ff @(posedge clk_i) value_o <= out[32'(select)*32+:32];
  end
  logic unused;
  assign unused = &{1'b0, raw_i, groups_i};
endmodule
