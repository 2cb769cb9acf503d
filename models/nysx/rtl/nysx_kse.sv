/* SPDX-License-Identifier: MIT */ // Kernel Similarity Engine: adds H(t) h(t) to C, a sparse product over the landmarks' rows. In each cycle every element takes one
// non-zero of its own row from one word of the table. An iteration's rows are padded to its longest row, and the iteration's last word ends them.
// Each element accumulates its rows in its own memory; C is the sum over the elements.
//
// ENTRIES_FILE: {last of the iteration, element PES − 1's (count, bin), …, element 0's}. ROWS_FILE: an iteration's rows, ROW_BITS
// each, LANDMARKS for none. HOPS_FILE: {first iteration, first word} per hop, and one entry after the last hop.
module nysx_kse #(
    parameter int unsigned PES = 4,
    parameter int unsigned HOPS = 10,
    parameter int unsigned LANDMARKS = 150,
    parameter int unsigned WORDS = 3700,
    parameter int unsigned TRIPS = 380,
    parameter int unsigned BIN_BITS = 10,
    parameter int unsigned FACTOR_BITS = 5, // width of a count in H
    parameter int unsigned COUNT_BITS = 8,  // width of a count in h
    parameter int unsigned HISTOGRAM_WORDS = 282,
    parameter int unsigned KERNEL_BITS = 13,
    parameter STYLE = "auto",
    parameter ENTRIES_FILE = "kse_entries.hex",
    parameter ROWS_FILE = "kse_rows.hex",
    parameter HOPS_FILE = "kse_hops.hex",
    localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1,
    localparam int unsigned WORD_BITS = HISTOGRAM_WORDS > 1 ? $clog2(HISTOGRAM_WORDS) : 1,
    localparam int unsigned LANDMARK_BITS = LANDMARKS > 1 ? $clog2(LANDMARKS) : 1
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    // merged histogram
    input  logic                     write_i,
    input  logic [WORD_BITS-1:0]     word_i,
    input  logic [2*COUNT_BITS-1:0]  counts_i,
    // hop
    input  logic                     start_i,
    input  logic [HOP_BITS-1:0]      hop_i,
    output logic                     done_o, // one cycle
    output logic                     clean_o, // C is cleared after a reset; no hop may start before
    // C: read and cleared
    input  logic                     read_i,
    output logic                     valid_o,
    output logic [LANDMARK_BITS-1:0] landmark_o,
    output logic [KERNEL_BITS-1:0]   kernel_o,
    output logic                     last_o
);
  localparam int unsigned ENTRY_BITS = BIN_BITS + FACTOR_BITS;
  localparam int unsigned AT_BITS = $clog2(WORDS + 1);
  localparam int unsigned TRIP_BITS = $clog2(TRIPS + 1);
  localparam int unsigned ROW_BITS = $clog2(LANDMARKS + 1);
  localparam int unsigned HOP_ROM = $clog2(HOPS + 1);

  // ---- words of the hop, one per cycle
  logic [AT_BITS-1:0] at_q, end_q, hop_at;
  logic [TRIP_BITS-1:0] trip_q, hop_trip;
  logic [2:0] begin_q; // two look-ups: begin and end of the hop
  logic busy_q, word_valid;
  logic [HOP_ROM-1:0] hop_place;
  assign hop_place = HOP_ROM'(hop_i) + HOP_ROM'(begin_q[0]);
  nysx_rom #(.WIDTH(TRIP_BITS + AT_BITS), .DEPTH(HOPS + 1), .FILE(HOPS_FILE)) hops (
      .clk_i, .address_i(hop_place), .data_o({hop_trip, hop_at}));
  assign word_valid = busy_q && at_q != end_q;
  always_ff @(posedge clk_i) begin
    begin_q <= rst_i ? '0 : {begin_q[1:0], start_i};
    if (begin_q[0]) at_q <= hop_at;
    else if (word_valid) at_q <= at_q + 1'b1;
    if (begin_q[1]) end_q <= hop_at;
    if (rst_i) busy_q <= 1'b0;
    else if (begin_q[1]) busy_q <= 1'b1;
    else if (at_q == end_q) busy_q <= 1'b0;
  end

  // ---- pipeline: 1, 2: word; 3: counts of its two bins; 4: the bin's count; 5: product; 6: sum; then C's memory
  logic [PES*ENTRY_BITS:0] entries;
  logic entry_last, valid2, valid3_q, valid4_q, valid5_q, last5;
  logic [AT_BITS-1:0] unused_at;
  assign unused_at = at_q;
  localparam int unsigned ROM_BITS = WORDS > 1 ? $clog2(WORDS) : 1;
  nysx_rom #(.WIDTH(PES * ENTRY_BITS + 1), .DEPTH(WORDS), .LATENCY(2), .STYLE(STYLE), .FILE(ENTRIES_FILE)) entry_rom (
      .clk_i, .address_i(at_q[ROM_BITS-1:0]), .data_o(entries));
  assign entry_last = entries[PES*ENTRY_BITS];
  nysx_delay #(.WIDTH(1), .STAGES(2), .RESET(1'b1)) word_late (.clk_i, .rst_i, .d_i(word_valid), .q_o(valid2));
  always_ff @(posedge clk_i) {valid5_q, valid4_q, valid3_q} <= rst_i ? '0 : {valid4_q, valid3_q, valid2};
  nysx_delay #(.WIDTH(1), .STAGES(3)) product_last (.clk_i, .rst_i, .d_i(entry_last), .q_o(last5));

  // ---- rows of the ending iteration
  localparam int unsigned TRIP_ROM = TRIPS > 1 ? $clog2(TRIPS) : 1;
  logic [PES*ROW_BITS-1:0] rows;
  logic fresh_q, end6_q, end7_q, end8_q, end9_q;
  nysx_rom #(.WIDTH(PES * ROW_BITS), .DEPTH(TRIPS), .FILE(ROWS_FILE)) row_rom (
      .clk_i, .address_i(trip_q[TRIP_ROM-1:0]), .data_o(rows));
  always_ff @(posedge clk_i) begin
    if (begin_q[0]) trip_q <= hop_trip;
    else if (valid5_q && last5) trip_q <= trip_q + 1'b1;
    if (rst_i || begin_q[0]) fresh_q <= 1'b1;
    else if (valid5_q) fresh_q <= last5;
    {end9_q, end8_q, end7_q, end6_q} <= rst_i ? '0 : {end8_q, end7_q, end6_q, valid5_q && last5};
  end

  // ---- read C: address, word, sum
  localparam int unsigned SUMMED = PES > 8 ? ($clog2(PES) + 2) / 3 : 1; // latency of nysx_sum
  logic reading_q, reading1_q, reading2_q, washing_q; // washing_q: a reset clears C; the reads are discarded
  assign clean_o = !washing_q;
  logic [LANDMARK_BITS-1:0] read_q, read1_q, read2_q;
  always_ff @(posedge clk_i) begin
    washing_q <= rst_i || (washing_q && (reading_q || reading1_q));
    if (rst_i) reading_q <= 1'b1;
    else if (read_i) reading_q <= 1'b1;
    else if (read_q == LANDMARK_BITS'(LANDMARKS - 1)) reading_q <= 1'b0;
    read_q <= reading_q && !rst_i ? read_q + 1'b1 : '0;
    reading1_q <= reading_q && !rst_i;
    read1_q <= read_q;
    reading2_q <= reading1_q && !washing_q && !rst_i;
    read2_q <= read1_q;
  end
  nysx_delay #(.WIDTH(1), .STAGES(SUMMED), .RESET(1'b1)) valid_late (.clk_i, .rst_i, .d_i(reading2_q), .q_o(valid_o));
  nysx_delay #(.WIDTH(LANDMARK_BITS + 1), .STAGES(SUMMED)) landmark_late (
      .clk_i, .rst_i, .d_i({read2_q == LANDMARK_BITS'(LANDMARKS - 1), read2_q}), .q_o({last_o, landmark_o}));

  // ---- elements
  logic [PES*KERNEL_BITS-1:0] kernels;
  // An element of C is at least as large as each product it sums.
  localparam int unsigned PRODUCT_BITS = FACTOR_BITS + COUNT_BITS < KERNEL_BITS ? FACTOR_BITS + COUNT_BITS : KERNEL_BITS;
  for (genvar p = 0; p < PES; p++) begin : gen_pe
    logic [BIN_BITS-1:0] bin;
    assign bin = entries[p*ENTRY_BITS+:BIN_BITS];
    logic odd_q;
    logic [2*COUNT_BITS-1:0] counts;
    logic [COUNT_BITS-1:0] count_q;
    logic [FACTOR_BITS-1:0] factor_q, factor_late_q;
    logic [PRODUCT_BITS-1:0] product_q;
    logic [KERNEL_BITS-1:0] sum_q, end_sum_q, end_sum_late_q, end_sum_last_q, stored, stored_q;
    nysx_ram #(.WIDTH(2 * COUNT_BITS), .DEPTH(HISTOGRAM_WORDS)) histogram (
        .clk_i, .write_i, .write_address_i(word_i), .data_i(counts_i),
        .read_address_i(WORD_BITS'(bin >> 1)), .data_o(counts));
    always_ff @(posedge clk_i) begin
      odd_q <= bin[0];
      factor_q <= entries[p*ENTRY_BITS+BIN_BITS+:FACTOR_BITS];
      count_q <= odd_q ? counts[2*COUNT_BITS-1:COUNT_BITS] : counts[COUNT_BITS-1:0];
      factor_late_q <= factor_q;
      product_q <= PRODUCT_BITS'(factor_late_q) * PRODUCT_BITS'(count_q);
      if (valid5_q) sum_q <= (fresh_q ? '0 : sum_q) + KERNEL_BITS'(product_q);
      end_sum_q <= sum_q;
      end_sum_late_q <= end_sum_q;
      end_sum_last_q <= end_sum_late_q;
      stored_q <= stored;
    end
    // rows of an iteration: row number in the end cycle, rows one cycle later; then read, registered, and written
    logic [ROW_BITS-1:0] row, row_q, row_late_q;
    assign row = rows_late_q[p*ROW_BITS+:ROW_BITS];
    always_ff @(posedge clk_i) {row_late_q, row_q} <= {row_q, row};
    nysx_ram #(.WIDTH(KERNEL_BITS), .DEPTH(LANDMARKS)) kernel (
        .clk_i, .write_i(reading1_q || (end9_q && row_late_q != ROW_BITS'(LANDMARKS))),
        .write_address_i(reading1_q ? read1_q : row_late_q[LANDMARK_BITS-1:0]),
        .data_i(reading1_q ? '0 : stored_q + end_sum_last_q),
        .read_address_i(reading_q ? read_q : row[LANDMARK_BITS-1:0]), .data_o(stored));
    assign kernels[p*KERNEL_BITS+:KERNEL_BITS] = stored_q;
  end
  logic [PES*ROW_BITS-1:0] rows_late_q;
  always_ff @(posedge clk_i) rows_late_q <= rows;

  nysx_sum #(.COUNT(PES), .WIDTH(KERNEL_BITS)) kernel_sum (.clk_i, .values_i(kernels), .sum_o(kernel_o));

  // ---- done when the pipeline is empty
  logic way_q;
  logic nothing;
  assign nothing = !busy_q && begin_q == '0 && !valid2 && !valid3_q && !valid4_q && !valid5_q && !end6_q && !end7_q && !end8_q && !end9_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) way_q <= 1'b0;
    else if (start_i) way_q <= 1'b1;
    else if (nothing && way_q && !word_late1_q) way_q <= 1'b0;
    done_o <= way_q && nothing && !word_late1_q && !start_i && !rst_i;
  end
  logic word_late1_q;
  always_ff @(posedge clk_i) word_late1_q <= word_valid && !rst_i;
  logic unused;
  assign unused = &{1'b0, trip_q};
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!(start_i && way_q)) else $error("a hop came during another");
      assert (!(reading_q && way_q)) else $error("C was read while it was added up");
      assert (!(write_i && way_q)) else $error("the histogram changed while it was read");
    end
`endif
endmodule
