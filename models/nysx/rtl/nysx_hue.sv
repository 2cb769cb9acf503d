/* SPDX-License-Identifier: MIT */ // Histogram Update Engine: counts bins in PES parallel histograms and merges them.
//
// Lane l sends its bins to elements l, l + LANES, … in turn. With more lanes than elements, element p takes bins from
// lanes p, p + PES, … in turn. A histogram has two memories, for even and odd bins; the merge sums and clears two
// bins per cycle. A count passes read, register, add and write, with forwarding over two cycles.
// SIZES_FILE: words of two bins to merge, per hop.
module nysx_hue #(
    parameter int unsigned PES = 4,
    parameter int unsigned LANES = 1,
    parameter int unsigned HOPS = 10,
    parameter int unsigned BIN_BITS = 10,
    parameter int unsigned WORDS = 282, // two bins per word
    parameter int unsigned COUNT_BITS = 8,
    parameter SIZES_FILE = "hue_words.hex",
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1,
    localparam int unsigned WORD_BITS = WORDS > 1 ? $clog2(WORDS) : 1,
    localparam int unsigned SIZE_BITS = $clog2(WORDS + 1)
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic [LANES-1:0]          valid_i,
    output logic [LANES-1:0]          ready_o,
    input  logic [LANES*BIN_BITS-1:0] bins_i,
    output logic                      busy_o, // a count is in flight
    output logic                      clean_o, // memories are cleared after a reset; no bin may arrive before
    input  logic [HOP_BITS-1:0]       hop_i,
    input  logic                      merge_i,
    output logic                      merged_o, // one-cycle pulse, with or after the last word
    output logic                      write_o,
    output logic [WORD_BITS-1:0]      word_o,
    output logic [2*COUNT_BITS-1:0]   counts_o
);
  // ---- assignment of bins to elements
  logic [PES-1:0] take;
  logic [PES*BIN_BITS-1:0] taken;
  if (LANES <= PES) begin : gen_spread
    localparam int unsigned EACH = PES / LANES;
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      localparam int unsigned TRIP_BITS = EACH > 1 ? $clog2(EACH) : 1;
      logic [TRIP_BITS-1:0] trip_q;
      always_ff @(posedge clk_i)
        if (rst_i) trip_q <= '0;
        else if (valid_i[l]) trip_q <= trip_q == TRIP_BITS'(EACH - 1) ? '0 : trip_q + 1'b1;
      assign ready_o[l] = 1'b1;
      for (genvar k = 0; k < EACH; k++) begin : gen_element
        assign take[k*LANES+l] = valid_i[l] && trip_q == TRIP_BITS'(k);
        assign taken[(k*LANES+l)*BIN_BITS+:BIN_BITS] = bins_i[l*BIN_BITS+:BIN_BITS];
      end
    end
  end else begin : gen_gather
    localparam int unsigned EACH = LANES / PES;
    for (genvar p = 0; p < PES; p++) begin : gen_element
      logic [EACH-1:0] asks, gets;
      logic [EACH*BIN_BITS-1:0] offers;
      for (genvar k = 0; k < EACH; k++) begin : gen_lane
        assign asks[k] = valid_i[k*PES+p];
        assign offers[k*BIN_BITS+:BIN_BITS] = bins_i[(k*PES+p)*BIN_BITS+:BIN_BITS];
        assign ready_o[k*PES+p] = gets[k];
      end
      // Each hop starts with the first lane
      nysx_arbiter #(.COUNT(EACH), .WIDTH(BIN_BITS)) arbiter (
          .clk_i, .rst_i(rst_i || merge_i), .valid_i(asks), .data_i(offers), .ready_o(gets), .valid_o(take[p]),
          .data_o(taken[p*BIN_BITS+:BIN_BITS]), .ready_i(1'b1));
    end
  end

  // ---- merge, one word per cycle
  logic merging_q, reading_q, washing_q, clearing_q;
  logic [SIZE_BITS-1:0] merge_q, size;
  logic [WORD_BITS-1:0] clear_q;
  nysx_rom #(.WIDTH(SIZE_BITS), .DEPTH(HOPS), .FILE(SIZES_FILE)) sizes (.clk_i, .address_i(hop_i), .data_o(size));
  logic more;
  assign more = (merging_q || washing_q) && merge_q != (washing_q ? SIZE_BITS'(WORDS) : size);
  assign clean_o = !washing_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) merging_q <= 1'b0;
    else if (merge_i) merging_q <= 1'b1;
    else if (!more) merging_q <= 1'b0;
    if (rst_i) washing_q <= 1'b1;
    else if (!more) washing_q <= 1'b0;
    if (merge_i || rst_i) merge_q <= '0;
    else if (more) merge_q <= merge_q + 1'b1;
    clearing_q <= more && !rst_i;
    reading_q <= more && !washing_q && !rst_i;
    clear_q <= merge_q[WORD_BITS-1:0];
  end
  localparam int unsigned SUMMED = PES > 8 ? ($clog2(PES) + 2) / 3 : 1; // latency of nysx_sum
  nysx_delay #(.WIDTH(1), .STAGES(SUMMED), .RESET(1'b1)) merged_late (.clk_i, .rst_i, .d_i(merging_q && !more), .q_o(merged_o));

  // ---- elements
  logic [PES-1:0] counting;
  logic [PES*COUNT_BITS-1:0] evens, odds;
  for (genvar p = 0; p < PES; p++) begin : gen_pe
    logic take_q, take2_q, take3_q, same_q, same_late_q;
    logic [BIN_BITS-1:0] bin, bin_q, bin2_q, bin3_q;
    logic [COUNT_BITS-1:0] count, count3_q, count4_q;
    assign bin = taken[p*BIN_BITS+:BIN_BITS];
    assign counting[p] = take_q;
    logic [2*COUNT_BITS-1:0] read, read_q;
    // Forwards the counts of the two previous bins, which are not written yet
    assign count = (same_q ? count3_q : same_late_q ? count4_q
                    : bin2_q[0] ? read_q[2*COUNT_BITS-1:COUNT_BITS] : read_q[COUNT_BITS-1:0]) + 1'b1;
    always_ff @(posedge clk_i) begin
      {take3_q, take2_q, take_q} <= rst_i ? '0 : {take2_q, take_q, take[p]};
      {bin3_q, bin2_q, bin_q} <= {bin2_q, bin_q, bin};
      same_q <= take2_q && bin2_q == bin_q;
      same_late_q <= take3_q && bin3_q == bin_q;
      {count4_q, count3_q} <= {count3_q, count};
      read_q <= read;
    end
    for (genvar h = 0; h < 2; h++) begin : gen_half
      logic [WORD_BITS-1:0] read_at, write_at;
      assign read_at = merging_q ? merge_q[WORD_BITS-1:0] : WORD_BITS'(bin >> 1);
      assign write_at = clearing_q ? clear_q : WORD_BITS'(bin2_q >> 1);
      nysx_ram #(.WIDTH(COUNT_BITS), .DEPTH(WORDS)) histogram (
          .clk_i, .write_i(clearing_q || (take2_q && bin2_q[0] == h)), .write_address_i(write_at),
          .data_i(clearing_q ? '0 : count), .read_address_i(read_at), .data_o(read[h*COUNT_BITS+:COUNT_BITS]));
    end
    assign evens[p*COUNT_BITS+:COUNT_BITS] = read_q[COUNT_BITS-1:0];
    assign odds[p*COUNT_BITS+:COUNT_BITS] = read_q[2*COUNT_BITS-1:COUNT_BITS];
`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
      if (!rst_i) assert (!(take[p] && (merging_q || clearing_q))) else $error("a bin came during the merge");
`endif
  end
  assign busy_o = counting != '0 || take != '0 || valid_i != '0;

  // ---- sum over the elements
  nysx_sum #(.COUNT(PES), .WIDTH(COUNT_BITS)) even_sum (.clk_i, .values_i(evens), .sum_o(counts_o[COUNT_BITS-1:0]));
  nysx_sum #(.COUNT(PES), .WIDTH(COUNT_BITS)) odd_sum (.clk_i, .values_i(odds), .sum_o(counts_o[2*COUNT_BITS-1:COUNT_BITS]));
  nysx_delay #(.WIDTH(1), .STAGES(1 + SUMMED), .RESET(1'b1)) write_late (.clk_i, .rst_i, .d_i(reading_q), .q_o(write_o));
  nysx_delay #(.WIDTH(WORD_BITS), .STAGES(1 + SUMMED)) word_late (.clk_i, .rst_i, .d_i(clear_q), .q_o(word_o));
endmodule
