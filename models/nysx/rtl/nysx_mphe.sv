/* SPDX-License-Identifier: MIT */ // Minimal Perfect Hashing Engine: LANES lanes with their own tables, so no lane waits for another. Codes arrive in
// STREAMS streams; stream f feeds lanes f, f + STREAMS, …, the lowest lane with room first.
module nysx_mphe #(
    parameter int unsigned LANES = 1,
    parameter int unsigned STREAMS = 1,
    parameter int unsigned HOPS = 10,
    parameter int unsigned LEVELS = 6,
    parameter int unsigned K_BITS = 7,
    parameter int unsigned WORDS = 110,
    parameter int unsigned RANK_BITS = 11,
    parameter int unsigned CODES = 1807,
    parameter int unsigned CODE_BITS = 32,
    parameter bit SIGNED_CODES = 1'b1,
    parameter int unsigned BIN_BITS = 10,
    parameter CODEBOOK_STYLE = "auto",
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic [HOP_BITS-1:0]       hop_i,
    input  logic [STREAMS-1:0]        valid_i,
    output logic [STREAMS-1:0]        ready_o,
    input  logic [STREAMS*64-1:0]     codes_i,
    output logic [LANES-1:0]          missed_o,
    output logic [LANES-1:0]          probed_o,
    output logic [LANES-1:0]          valid_o,
    input  logic [LANES-1:0]          ready_i,
    output logic [LANES*BIN_BITS-1:0] bins_o
);
  localparam int unsigned EACH = LANES / STREAMS;
  for (genvar f = 0; f < STREAMS; f++) begin : gen_stream
    logic [EACH-1:0] room, give;
    assign ready_o[f] = room != '0;
    assign give = room & (~room + 1'b1); // lowest lane with room
    for (genvar k = 0; k < EACH; k++) begin : gen_lane
      localparam int unsigned L = k * STREAMS + f;
      nysx_mphe_lane #(.HOPS(HOPS), .LEVELS(LEVELS), .K_BITS(K_BITS), .WORDS(WORDS), .RANK_BITS(RANK_BITS),
                       .CODES(CODES), .CODE_BITS(CODE_BITS), .SIGNED_CODES(SIGNED_CODES), .BIN_BITS(BIN_BITS),
                       .CODEBOOK_STYLE(CODEBOOK_STYLE)) lane (
          .clk_i, .rst_i, .hop_i, .valid_i(valid_i[f] && give[k]), .ready_o(room[k]), .code_i(codes_i[f*64+:64]),
          .missed_o(missed_o[L]), .probed_o(probed_o[L]), .valid_o(valid_o[L]), .ready_i(ready_i[L]),
          .bin_o(bins_o[L*BIN_BITS+:BIN_BITS]));
    end
  end
endmodule
