/* SPDX-License-Identifier: MIT */ // Converts LSHU results to codes: floor((x + b) / w); WL colours pass unchanged; a node's values become tuple codes
// (nysx_tuple), PARTS streams of each. The direct form (FOLD) takes 32-bit codes and is always ready.
module nysx_codes #(
    parameter int unsigned STREAMS = 1,
    parameter int unsigned HOPS = 10,
    parameter bit WL = 1'b0,
    parameter bit TUPLE = 1'b0,
    parameter bit FOLD = 1'b0,
    parameter int unsigned PARTS = 1,  // tuple codes: units of a stream
    parameter int unsigned ROUNDS = 1, // and the cycles of a value
    parameter int unsigned COLUMNS = 7,
    parameter int unsigned SLOTS = 28, // nodes of a stream
    parameter logic [31:0] WIDTH = 32'h3c23d70a,
    parameter B_FILE = "lsh_b.hex",
    parameter TABLE_FILE = "lsh_tuple.hex",
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1,
    localparam int unsigned SLOT_BITS = SLOTS > 1 ? $clog2(SLOTS) : 1,
    localparam int unsigned COLUMN_BITS = COLUMNS > 1 ? $clog2(COLUMNS) : 1,
    localparam int unsigned VALUE_BITS = 32 + (TUPLE ? SLOT_BITS + COLUMN_BITS : 0)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic [HOP_BITS-1:0]   hop_i, // stable while codes are in flight
    input  logic [STREAMS-1:0]    valid_i,
    output logic [STREAMS-1:0]    ready_o,
    input  logic [STREAMS*VALUE_BITS-1:0] values_i,
    output logic [PARTS*STREAMS-1:0]    valid_o, // part d of stream f: d · STREAMS + f
    input  logic [PARTS*STREAMS-1:0]    ready_i,
    output logic [PARTS*STREAMS*64-1:0] codes_o
);
  if (WL) begin : gen_colours
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
      assign codes_o[f*64+:64] = 64'(values_i[f*32+:32]);
    end
    logic unused;
    assign unused = &{1'b0, clk_i, rst_i, hop_i};
  end else if (TUPLE) begin : gen_tuples
    for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
      logic [31:0] value;
      logic [SLOT_BITS-1:0] slot;
      logic [COLUMN_BITS-1:0] column;
      logic [PARTS-1:0] valid;
      logic [PARTS*64-1:0] parts;
      assign {column, slot, value} = values_i[f*VALUE_BITS+:VALUE_BITS];
      nysx_tuple #(.PARTS(PARTS), .ROUNDS(ROUNDS), .STARTS(HOPS), .COLUMNS(COLUMNS), .SLOTS(SLOTS), .FOLD(FOLD), .WIDTH(WIDTH),
                   .TABLE_FILE(TABLE_FILE)) tuple_unit (
          .clk_i, .rst_i, .start_i(hop_i), .valid_i(valid_i[f]), .ready_o(ready_o[f]), .value_i(value), .column_i(column), .slot_i(slot),
          .valid_o(valid), .ready_i(ready_i[f]), .codes_o(parts));
      for (genvar d = 0; d < PARTS; d++) begin : gen_part
        assign valid_o[d*STREAMS+f] = valid[d];
        assign codes_o[(d*STREAMS+f)*64+:64] = parts[d*64+:64];
      end
    end
    logic unused;
    assign unused = &{1'b0, ready_i};
  end else begin : gen_floors
    logic [31:0] offset;
    nysx_rom #(.WIDTH(32), .DEPTH(HOPS), .FILE(B_FILE)) offsets (.clk_i, .address_i(hop_i), .data_o(offset));
    for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
      logic valid;
      logic [63:0] code;
      nysx_floor #(.WIDTH(WIDTH)) floor_unit (
          .clk_i, .rst_i, .offset_i(offset), .valid_i(valid_i[f]), .ready_o(ready_o[f]), .value_i(values_i[f*32+:32]),
          .valid_o(valid), .ready_i(ready_i[f]), .code_o(code));
      if (FOLD) begin : gen_fold
        nysx_fold #(.HOP_BITS(HOP_BITS)) fold (.clk_i, .rst_i, .hop_i, .valid_i(valid && ready_i[f]), .code_i(code),
                                               .valid_o(valid_o[f]), .code_o(codes_o[f*64+:32]));
        assign codes_o[f*64+32+:32] = '0;
      end else begin : gen_wide
        assign valid_o[f] = valid;
        assign codes_o[f*64+:64] = code;
      end
    end
  end
endmodule
