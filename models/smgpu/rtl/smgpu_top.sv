/* SPDX-License-Identifier: MIT */ // The engines behind one port: data are loaded into the selected engine's buffers, an instruction starts, its results are read. engine_i is the
// opcode; load kinds, places and parameters are the engine's own. The port loads one word per cycle while load_ready_o is high.
module smgpu_top (
    input  logic             aclk,
    input  logic             aresetn,
    input  logic [3:0]       engine_i, // constant from the first load to the last result
    input  logic             load_i,
    output logic             load_ready_o,
    input  logic [1:0]       load_kind_i,
    input  logic [31:0]      load_place_i,
    input  logic [63:0]      load_word_i,
    input  logic             start_i,
    input  logic [3:0]       operation_i,
    input  logic             coarse_i, // Q16.16
    input  logic [12*32-1:0] parameter_i,
    output logic             done_o,   // one cycle
    input  logic [2:0]       result_kind_i,
    input  logic [31:0]      result_place_i,
    output logic [31:0]      result_o  // four cycles after its place
);
  /* verilator lint_off UNUSEDPARAM */
  `include "smgpu_design.svh"
  /* verilator lint_on UNUSEDPARAM */
  localparam logic [3:0] SPECTRAL = 4'd0, HD = 4'd1, CACHE = 4'd4;
  logic rst_q;
  always_ff @(posedge aclk) rst_q <= !aresetn;
  logic spectral, hd, cache, spectral_ready, spectral_done, hd_done, cache_done;
  logic [31:0] spectral_result, hd_result, cache_result;
  assign spectral = engine_i == SPECTRAL;
  assign hd = engine_i == HD;
  assign cache = engine_i == CACHE;
  smgpu_spectral #(.LANES(ARRAY_ROWS), .NODES(MAX_NODES)) spectral_engine (
      .clk_i(aclk), .rst_i(rst_q), .load_i(load_i && spectral), .load_ready_o(spectral_ready), .load_kind_i, .load_place_i, .load_word_i,
      .start_i(start_i && spectral), .operation_i, .coarse_i, .parameter_i, .done_o(spectral_done), .result_kind_i, .result_place_i,
      .result_o(spectral_result));
  smgpu_hd #(.BANKS(HD_BANKS), .ROWS(HD_ROWS)) hd_engine (
      .clk_i(aclk), .rst_i(rst_q), .load_i(load_i && hd), .load_place_i, .load_word_i(load_word_i[31:0]), .start_i(start_i && hd), .operation_i,
      .coarse_i, .parameter_i, .done_o(hd_done), .result_kind_i(result_kind_i[0]), .result_place_i, .result_o(hd_result));
  smgpu_cache #(.BANKS(HD_BANKS), .ROWS(VECTOR_ROWS), .ENTRIES(NUM_ENTRIES), .REDUCED(HD_DIM_REDUCED)) cache_engine (
      .clk_i(aclk), .rst_i(rst_q), .load_i(load_i && cache), .load_kind_i(load_kind_i[0]), .load_place_i, .load_word_i(load_word_i[31:0]),
      .start_i(start_i && cache), .query_i(operation_i[0]), .parameter_i, .done_o(cache_done), .result_kind_i(result_kind_i[1:0]),
      .result_place_i, .result_o(cache_result));
  assign load_ready_o = !spectral || spectral_ready;
  assign done_o = (spectral && spectral_done) || (hd && hd_done) || (cache && cache_done);
  assign result_o = spectral ? spectral_result : hd ? hd_result : cache_result;
endmodule
