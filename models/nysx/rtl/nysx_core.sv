/* SPDX-License-Identifier: MIT */ // The accelerator without its registers: the engines of one design and their stage sequence
// (models/nysx/microarchitecture.md). Sizes come from the emitted nysx_design.svh.
//
// LSHU, MPHE and HUE process the same hop concurrently; every other stage begins when the previous one ends.
// A graph passes three steps: query load, hops, encoding with classification. OVERLAP (nysx_design.svh) sets how steps overlap.
// Without 2 or 3, one graph is in flight. With 2, the last step of a graph overlaps the first two steps of the next. With 3, each step
// holds its own graph. Buffers between overlapped steps have two banks.
module nysx_core #(
    parameter int unsigned ADDRESS_BITS = 40,
    parameter int unsigned P_DATA_BITS = 128 // width of the port to P_nys, in the streamed form
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    start_i,
    input  logic [31:0]             nodes_i,
    input  logic [31:0]             nonzeros_i,
    input  logic [ADDRESS_BITS-1:0] address_i,
    output logic                    ready_o, // a start is accepted
    output logic                    loading_o, // query sizes must be stable
    output logic                    busy_o,
    output logic                    done_o, // one-cycle pulse; graphs end in start order
    output logic [31:0]             answer_o,
    output logic [7*32-1:0]         cycles_o,
    output logic [31:0]             probes_o,
    output logic                    arvalid_o,
    input  logic                    arready_i,
    output logic [ADDRESS_BITS-1:0] araddr_o,
    output logic [7:0]              arlen_o,
    input  logic                    rvalid_i,
    output logic                    rready_o,
    input  logic [127:0]            rdata_i,
    input  logic [1:0]              rresp_i,
    input  logic [ADDRESS_BITS-1:0] p_address_i, // of P_nys, and its port
    output logic                    p_arvalid_o,
    input  logic                    p_arready_i,
    output logic [ADDRESS_BITS-1:0] p_araddr_o,
    output logic [7:0]              p_arlen_o,
    input  logic                    p_rvalid_i,
    output logic                    p_rready_o,
    input  logic [P_DATA_BITS-1:0]  p_rdata_i,
    input  logic [1:0]              p_rresp_i,
    input  logic                    p_rlast_i
);
  /* verilator lint_off UNUSEDPARAM */ // each form of the projection has sizes of its own
  `include "nysx_design.svh"
  /* verilator lint_on UNUSEDPARAM */
  localparam int unsigned PORT_BITS = 128;
  localparam int unsigned INDICES = PORT_BITS / INDEX_BITS;
  localparam int unsigned LABELS = PORT_BITS / LABEL_BITS;
  localparam int unsigned NODE_BITS = $clog2(MAX_NODES + 1);
  localparam int unsigned NNZ_BITS = $clog2(MAX_NNZ + 1);
  localparam int unsigned HOP_BITS = HOPS > 1 ? $clog2(HOPS) : 1;
  localparam int unsigned LANDMARK_BITS = LANDMARKS > 1 ? $clog2(LANDMARKS) : 1;
  localparam int unsigned CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1;
  localparam int unsigned HISTOGRAM_WORD_BITS = HISTOGRAM_WORDS > 1 ? $clog2(HISTOGRAM_WORDS) : 1;
  localparam bit DIRECT = NEE_FORM == 3;
  localparam int unsigned TAKERS = DIRECT ? NEE_CODES : MPHE_LOOKUPS; // codes taken per cycle
  localparam int unsigned STREAMS = LSHU_PE < TAKERS ? LSHU_PE : TAKERS;
  localparam int unsigned VALUE_BITS = KERNEL_BITS + 1; // C − c̄
  // Tuple codes: a start of the direct form makes all DRAWS codes of a node, PARTS in parallel; with landmarks each has a start of its own.
  localparam int unsigned PARTS = !DIRECT ? 1 : DRAWS < TAKERS / STREAMS ? DRAWS : TAKERS / STREAMS;
  localparam int unsigned ROUNDS = DIRECT ? DRAWS / PARTS : 1;
  localparam int unsigned CODES = STREAMS * PARTS; // streams of codes
  localparam int unsigned LSHU_HOPS = DIRECT ? HOPS : HOPS / DRAWS;
  localparam int unsigned LSHU_HOP_BITS = LSHU_HOPS > 1 ? $clog2(LSHU_HOPS) : 1;
  localparam int unsigned SLOTS = (MAX_NODES + LSHU_PE - 1) / LSHU_PE * (LSHU_PE / STREAMS); // nodes of a stream
  localparam int unsigned EMITTED_BITS = $clog2(MAX_NODES * PARTS * ROUNDS + 1); // width of the number of a start's codes

  localparam logic [31:0] TOO_MANY_NODES = -32'sd1, TOO_MANY_NONZEROS = -32'sd2, BAD_GRAPH = -32'sd3,
                          BUS_ERROR = -32'sd5;

  // ---- stages
  localparam bit LISTED_AHEAD = OVERLAP >= 2; // hops overlap the encoding of the previous graph
  localparam bit LOADED_AHEAD = OVERLAP >= 3; // query load overlaps the hops of the previous graph
  typedef enum logic [2:0] {FREE, WASH, QUERY, LOADED, REJECT} load_t;
  typedef enum logic [2:0] {WAITING, PASSES, MERGE, SIMILARITY, LISTED} hop_t;
  typedef enum logic [1:0] {IDLE, ENCODE, CLASSIFY} class_t;
  load_t load_q;
  hop_t state_q;
  class_t class_q;
  logic query_done, query_bad, bus_error, p_error, merged, similar, classified, looked_up, encoded;
  logic emitting, clean;
  logic [HOP_BITS-1:0] hop_q;
  logic [NODE_BITS-1:0] nodes_q, hop_nodes_q;
  logic [NNZ_BITS-1:0] nonzeros_q;
  logic too_many_nodes_q, too_many_nonzeros_q, begin_q, hop_start_q, first_q, merge_start_q, similar_start_q, encode_start_q;
  logic load_bank_q, hop_bank_q, list_bank_q, class_bank_q; // bank written, bank read: of the query; of the code list
  logic [31:0] answer_q;
  logic [CLASS_BITS-1:0] class_found;
  always_ff @(posedge clk_i) begin // sizes are stable for two cycles before their start
    too_many_nodes_q <= nodes_i > 32'(MAX_NODES);
    too_many_nonzeros_q <= nonzeros_i > 32'(MAX_NNZ);
  end
  assign loading_o = load_q == WASH || load_q == QUERY;
  assign busy_o = load_q != FREE || state_q != WAITING || class_q != IDLE;
  assign ready_o = load_q == FREE && (LOADED_AHEAD || state_q == WAITING) && (LISTED_AHEAD || class_q == IDLE);
  assign answer_o = answer_q;
  logic last_hop, sound, loaded, listed, take_query, take_list;
  assign last_hop = hop_q == HOP_BITS'(HOPS - 1);
  assign sound = !bus_error && !query_bad;
  assign loaded = load_q == LOADED || (load_q == QUERY && query_done && sound);
  assign listed = state_q == LISTED || (last_hop && (DIRECT ? state_q == PASSES && looked_up : state_q == SIMILARITY && similar));
  assign take_query = loaded && state_q == WAITING;
  assign take_list = listed && class_q == IDLE;
  always_ff @(posedge clk_i) begin
    begin_q <= 1'b0;
    if (rst_i) begin
      load_q <= FREE;
      load_bank_q <= 1'b0;
    end else
      case (load_q)
        FREE:
          if (start_i && ready_o) begin
            nodes_q <= nodes_i[NODE_BITS-1:0];
            nonzeros_q <= nonzeros_i[NNZ_BITS-1:0];
            begin_q <= !too_many_nodes_q && !too_many_nonzeros_q && clean;
            load_q <= too_many_nodes_q || too_many_nonzeros_q ? REJECT : clean ? QUERY : WASH;
          end
        WASH: // after a reset: clear the aborted query's memories
          if (clean) begin
            begin_q <= 1'b1;
            load_q <= QUERY;
          end
        QUERY: if (query_done) load_q <= !sound ? REJECT : take_query ? FREE : LOADED;
        LOADED: if (take_query) load_q <= FREE;
        default: if (state_q == WAITING && class_q == IDLE) load_q <= FREE; // REJECT, after earlier graphs end
      endcase
    if (!rst_i && LOADED_AHEAD && take_query) load_bank_q <= !load_bank_q;
  end
  always_ff @(posedge clk_i) begin
    {hop_start_q, first_q, merge_start_q, similar_start_q} <= '0;
    if (rst_i) begin
      state_q <= WAITING;
      list_bank_q <= 1'b0;
    end else
      case (state_q)
        WAITING:
          if (take_query) begin
            hop_q <= '0;
            hop_nodes_q <= nodes_q;
            hop_bank_q <= load_bank_q;
            {hop_start_q, first_q} <= '1;
            state_q <= PASSES;
          end
        PASSES:
          if (looked_up && DIRECT) begin
            hop_q <= hop_q + 1'b1;
            hop_start_q <= !last_hop;
            state_q <= !last_hop ? PASSES : take_list ? WAITING : LISTED;
          end else if (looked_up) begin
            merge_start_q <= 1'b1;
            state_q <= MERGE;
          end
        MERGE:
          if (merged) begin
            similar_start_q <= 1'b1;
            state_q <= SIMILARITY;
          end
        SIMILARITY:
          if (similar) begin
            hop_q <= hop_q + 1'b1;
            hop_start_q <= !last_hop;
            state_q <= !last_hop ? PASSES : take_list ? WAITING : LISTED;
          end
        default: if (take_list) state_q <= WAITING; // LISTED
      endcase
    if (!rst_i && LISTED_AHEAD && take_list) list_bank_q <= !list_bank_q;
  end
  always_ff @(posedge clk_i) begin
    {encode_start_q, done_o} <= '0;
    if (rst_i) class_q <= IDLE;
    else
      case (class_q)
        IDLE:
          if (take_list) begin
            class_bank_q <= list_bank_q;
            encode_start_q <= 1'b1;
            class_q <= ENCODE;
          end else if (load_q == REJECT && state_q == WAITING) done_o <= 1'b1;
        ENCODE: if (encoded) class_q <= CLASSIFY;
        default: // CLASSIFY
          if (classified) begin
            done_o <= 1'b1;
            class_q <= IDLE;
          end
      endcase
    if (class_q == CLASSIFY && classified) answer_q <= p_error ? BUS_ERROR : 32'(class_found);
    else if (class_q == IDLE && load_q == REJECT) answer_q <= rejection_q;
  end
  logic [31:0] rejection_q; // error code of a rejected query
  always_ff @(posedge clk_i)
    if (load_q == FREE) rejection_q <= too_many_nodes_q ? TOO_MANY_NODES : TOO_MANY_NONZEROS;
    else if (load_q == QUERY) rejection_q <= bus_error ? BUS_ERROR : BAD_GRAPH;

  // ---- counters of the stages
  logic [TAKERS-1:0] probed;    // one level probed
  logic [2*TAKERS-1:0] decided; // a code counted or listed, and a code missed; both may be set in one cycle
  // Counted one cycle late; final before the registers are read
  localparam int unsigned TAKER_BITS = $clog2(TAKERS + 1);
  logic [31:0] probes_q;
  logic [TAKER_BITS-1:0] probes_now, probes_late_q;
  logic begin_late_q, first_late_q, encode_late_q;
  always_comb begin
    probes_now = '0;
    for (int unsigned l = 0; l < TAKERS; l++) probes_now = probes_now + TAKER_BITS'(probed[l]);
  end
  assign probes_o = probes_q;
  always_ff @(posedge clk_i) begin
    begin_late_q <= begin_q;
    first_late_q <= first_q;
    encode_late_q <= encode_start_q;
    probes_late_q <= probes_now;
    probes_q <= begin_late_q ? '0 : probes_q + 32'(probes_late_q);
  end
  for (genvar k = 0; k < 7; k++) begin : gen_cycles
    logic here, here_q, fresh;
    logic [31:0] cycles_q;
    assign fresh = !LISTED_AHEAD || k == 0 ? begin_late_q : k < 5 ? first_late_q : encode_late_q; // restarts at each step's latest graph
    assign here = k == 0 ? load_q == QUERY
                : k == 1 ? state_q == PASSES && !emitted
                : k == 2 ? state_q == PASSES && emitted
                : k == 3 ? state_q == MERGE
                : k == 4 ? state_q == SIMILARITY
                : k == 5 ? class_q == ENCODE : class_q == CLASSIFY;
    always_ff @(posedge clk_i) begin
      here_q <= here;
      cycles_q <= fresh ? 32'(here_q) : cycles_q + 32'(here_q);
    end
    assign cycles_o[k*32+:32] = cycles_q;
  end

  // ---- query
  logic word_valid, word_ready;
  logic [PORT_BITS-1:0] word;
  // The query's word count is computed before it starts: the last register write precedes the query by at least three cycles.
  localparam int unsigned FEATURE_GROUP = LSHU_PE > PORT_BITS / 32 ? LSHU_PE : PORT_BITS / 32; // as in nysx_features
  localparam int unsigned FEATURE_WORDS = FEATURE_COLUMNS * FEATURE_GROUP * 32 / PORT_BITS; // words of a group of nodes
  localparam int unsigned NODE_WORDS = ATTRIBUTES ? (MAX_NODES + FEATURE_GROUP - 1) / FEATURE_GROUP * FEATURE_WORDS : (MAX_NODES + LABELS - 1) / LABELS;
  localparam int unsigned MOST_WORDS = (MAX_NODES + INDICES) / INDICES + (MAX_NNZ + INDICES - 1) / INDICES + NODE_WORDS;
  localparam int unsigned QUERY_BITS = MOST_WORDS < 16 ? 5 : $clog2(MOST_WORDS + 1); // a burst's beat count has five bits
  logic [QUERY_BITS-1:0] row_words_q, neighbour_words_q, label_words_q, label_parts_q, two_words_q, words_q;
  always_ff @(posedge clk_i) begin
    row_words_q <= QUERY_BITS'((32'(nodes_i[NODE_BITS-1:0]) + INDICES) / INDICES);
    neighbour_words_q <= QUERY_BITS'((32'(nonzeros_i[NNZ_BITS-1:0]) + INDICES - 1) / INDICES);
    two_words_q <= row_words_q + neighbour_words_q;
    label_parts_q <= QUERY_BITS'(ATTRIBUTES ? (32'(nodes_i[NODE_BITS-1:0]) + FEATURE_GROUP - 1) / FEATURE_GROUP : (32'(nodes_i[NODE_BITS-1:0]) + LABELS - 1) / LABELS);
    label_words_q <= ATTRIBUTES ? label_parts_q * QUERY_BITS'(FEATURE_WORDS) : label_parts_q;
    words_q <= two_words_q + label_words_q;
  end
  localparam int unsigned WORD_BITS = INDEX_BITS > QUERY_BITS ? INDEX_BITS : QUERY_BITS;
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i && begin_q)
      assert (32'(words_q) == (32'(nodes_q) + INDICES) / INDICES + (32'(nonzeros_q) + INDICES - 1) / INDICES +
                              (ATTRIBUTES ? (32'(nodes_q) + FEATURE_GROUP - 1) / FEATURE_GROUP * FEATURE_WORDS : (32'(nodes_q) + LABELS - 1) / LABELS)) else $error("a query began before its words were counted");
`endif
  nysx_axi_read #(.DATA_BITS(PORT_BITS), .ADDRESS_BITS(ADDRESS_BITS), .COUNT_BITS(QUERY_BITS)) query_port (
      .clk_i, .rst_i, .start_i(begin_q), .address_i, .words_i(words_q), .error_o(bus_error), .arvalid_o, .arready_i,
      .araddr_o, .arlen_o, .rvalid_i, .rready_o, .rdata_i, .rresp_i, .rlast_i(1'b0), .valid_o(word_valid), .ready_i(word_ready),
      .data_o(word));
  logic rows_write, neighbours_write, labels_write;
  logic [WORD_BITS-1:0] word_number;
  logic [INDICES*NNZ_BITS-1:0] begins, lengths;
  logic [PORT_BITS-1:0] raw;
  nysx_query #(.PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ),
               .COUNT_BITS(QUERY_BITS)) query (
      .clk_i, .rst_i, .start_i(begin_q), .nodes_i(nodes_q), .nonzeros_i(nonzeros_q), .row_words_i(row_words_q),
      .neighbour_words_i(neighbour_words_q), .label_words_i(label_words_q), .done_o(query_done),
      .bad_o(query_bad), .valid_i(word_valid), .ready_o(word_ready), .data_i(word), .rows_write_o(rows_write),
      .neighbours_write_o(neighbours_write), .labels_write_o(labels_write), .word_o(word_number), .begins_o(begins),
      .lengths_o(lengths), .raw_o(raw));

  // ---- codes, bins, histograms
  localparam int unsigned NODE_VALUE_BITS = 32 + (CODES_TUPLE ? (SLOTS > 1 ? $clog2(SLOTS) : 1) + (FEATURE_COLUMNS > 1 ? $clog2(FEATURE_COLUMNS) : 1) : 0);
  logic [STREAMS-1:0] value_out, value_taken;
  logic [CODES-1:0] code_valid, code_ready;
  logic [STREAMS*NODE_VALUE_BITS-1:0] node_values;
  logic [CODES*64-1:0] codes;
  logic lshu_idle;
  logic [LSHU_HOP_BITS-1:0] lshu_hop;
  assign lshu_hop = LSHU_HOP_BITS'(32'(hop_q) / (HOPS / LSHU_HOPS));
  nysx_lshu #(.PES(LSHU_PE), .STREAMS(STREAMS), .PORT_BITS(PORT_BITS), .INDEX_BITS(INDEX_BITS), .LABEL_BITS(LABEL_BITS),
              .MAX_NODES(MAX_NODES), .MAX_NNZ(MAX_NNZ), .HOPS(LSHU_HOPS), .COLUMNS(FEATURE_COLUMNS), .NORMALISED(ROW_NORMALISED), .WL(CODES_WL),
              .TUPLE(CODES_TUPLE), .ATTRIBUTES(ATTRIBUTES), .FEATURE_WORD_BITS(WORD_BITS), .BANKED(LOADED_AHEAD)) lshu (
      .clk_i, .rst_i, .rows_write_i(rows_write), .neighbours_write_i(neighbours_write), .labels_write_i(labels_write && !ATTRIBUTES),
      .features_write_i(labels_write && ATTRIBUTES),
      .word_i(word_number), .begins_i(begins), .lengths_i(lengths), .raw_i(raw), .write_bank_i(load_bank_q), .read_bank_i(hop_bank_q), .start_i(hop_start_q),
      .hop_i(lshu_hop), .nodes_i(hop_nodes_q), .emitting_o(emitting), .idle_o(lshu_idle), .valid_o(value_out), .ready_i(value_taken),
      .values_o(node_values));
  nysx_codes #(.STREAMS(STREAMS), .HOPS(HOPS), .WL(CODES_WL), .TUPLE(CODES_TUPLE), .FOLD(DIRECT), .PARTS(PARTS), .ROUNDS(ROUNDS),
               .COLUMNS(FEATURE_COLUMNS), .SLOTS(SLOTS), .WIDTH(WIDTH_BITS)) code_units (
      .clk_i, .rst_i, .hop_i(hop_q), .valid_i(value_out), .ready_o(value_taken), .values_i(node_values),
      .valid_o(code_valid), .ready_i(code_ready), .codes_o(codes));

  // A hop's codes are complete when every node is decided.
  localparam int unsigned DECIDED_BITS = $clog2(2 * TAKERS + 1) < EMITTED_BITS ? $clog2(2 * TAKERS + 1) : EMITTED_BITS; // at most the number of codes
  logic [DECIDED_BITS-1:0] decided_now, decided_q;
  logic [EMITTED_BITS-1:0] undecided_q;
  always_comb begin
    decided_now = '0;
    for (int unsigned l = 0; l < 2 * TAKERS; l++) decided_now = decided_now + DECIDED_BITS'(decided[l]);
  end
  always_ff @(posedge clk_i) begin
    decided_q <= rst_i || hop_start_q ? '0 : decided_now;
    if (hop_start_q || state_q != PASSES) undecided_q <= EMITTED_BITS'(32'(hop_nodes_q) * (PARTS * ROUNDS));
    else undecided_q <= undecided_q - EMITTED_BITS'(decided_q);
  end
  logic hue_busy, emitted, emitted_q; // the hop's last pass runs or has ended
  assign emitted = emitting || emitted_q;
  always_ff @(posedge clk_i) emitted_q <= emitted && state_q == PASSES && !hop_start_q && !rst_i;
  assign looked_up = emitted && !hop_start_q && lshu_idle && undecided_q == '0 && !hue_busy;

  // ---- signals that the test bench reads, in both forms
  logic kernel_valid;
  logic [KERNEL_BITS-1:0] kernel /* verilator public_flat_rd */;
  logic sign_valid /* verilator public_flat_rd */;
  logic [NEE_LANES-1:0] signs /* verilator public_flat_rd */;
  logic sign_last;
  logic [CLASSES*WEIGHT_SUM_BITS-1:0] class_weights; // sums over the listed codes

  if (NEE_FORM != 0) begin : gen_no_stream
    assign {p_error, p_arvalid_o, p_araddr_o, p_arlen_o, p_rready_o} = '0;
    logic unused_port;
    assign unused_port = &{1'b0, p_address_i, p_arready_i, p_rvalid_i, p_rdata_i, p_rresp_i, p_rlast_i};
  end
  if (DIRECT) begin : gen_direct
    // ---- direct form: list of 32-bit codes, signs of their sums
    logic [CODES*32-1:0] list_codes;
    assign code_ready = '1;
    for (genvar f = 0; f < CODES; f++) begin : gen_stream
      assign list_codes[f*32+:32] = codes[f*64+:32];
      logic unused;
      assign unused = &{1'b0, codes[f*64+32+:32]};
    end
    assign decided = (2 * TAKERS)'(code_valid);
    assign probed = '0;
    assign hue_busy = 1'b0;
    assign clean = 1'b1;
    assign {merged, similar} = '0;
    logic unused_start;
    assign unused_start = &{1'b0, merge_start_q, similar_start_q, list_bank_q, class_bank_q};
    assign {kernel_valid, kernel} = '0;
    nysx_direct #(.STREAMS(CODES), .CODES(NEE_CODES), .LANES(NEE_LANES), .DIM(DIM),
                  .MOST(HOPS * ROUNDS * ((MAX_NODES + STREAMS - 1) / STREAMS)), .SUM_BITS(NEE_SUM_BITS), .CENTERED(CENTERED),
                  .TABLE_BITS(TABLE_BITS), .CLASSES(CLASSES), .WEIGHT_SUM_BITS(WEIGHT_SUM_BITS), .BANKED(LISTED_AHEAD)) direct (
        .clk_i, .rst_i, .write_bank_i(list_bank_q), .read_bank_i(class_bank_q), .clear_i(first_q), .valid_i(code_valid), .codes_i(list_codes), .start_i(encode_start_q),
        .valid_o(sign_valid), .signs_o(signs), .last_o(sign_last), .weights_o(class_weights));
  end else begin : gen_landmarks
    assign class_weights = '0;
    logic unused_bank; // this form has no overlap: models/nysx/microarchitecture.md
    assign unused_bank = class_bank_q;
    logic [MPHE_LOOKUPS-1:0] missed, bin_valid, bin_ready;
    logic [MPHE_LOOKUPS*BIN_BITS-1:0] bin_stream;
    nysx_mphe #(.LANES(MPHE_LOOKUPS), .STREAMS(STREAMS), .HOPS(HOPS), .LEVELS(MPH_LEVELS), .K_BITS(MPH_K_BITS),
                .WORDS(MPH_WORDS), .RANK_BITS(MPH_RANK_BITS), .CODES(CODEBOOK_TOTAL), .CODE_BITS(CODE_BITS), .SIGNED_CODES(!CODES_WL),
                .BIN_BITS(BIN_BITS), .CODEBOOK_STYLE(PLACE_CODEBOOK)) mphe (
        .clk_i, .rst_i, .hop_i(hop_q), .valid_i(code_valid), .ready_o(code_ready), .codes_i(codes), .missed_o(missed),
        .probed_o(probed), .valid_o(bin_valid), .ready_i(bin_ready), .bins_o(bin_stream));
    logic merged_write, hue_clean, kse_clean;
    assign clean = hue_clean && kse_clean;
    logic [HISTOGRAM_WORD_BITS-1:0] merged_word;
    logic [2*COUNT_BITS-1:0] merged_counts;
    nysx_hue #(.PES(HUE_PE), .LANES(MPHE_LOOKUPS), .HOPS(HOPS), .BIN_BITS(BIN_BITS), .WORDS(HISTOGRAM_WORDS),
               .COUNT_BITS(COUNT_BITS)) hue (
        .clk_i, .rst_i, .valid_i(bin_valid), .ready_o(bin_ready), .bins_i(bin_stream), .busy_o(hue_busy), .clean_o(hue_clean), .hop_i(hop_q),
        .merge_i(merge_start_q), .merged_o(merged), .write_o(merged_write), .word_o(merged_word),
        .counts_o(merged_counts));
    assign decided = {missed, bin_valid & bin_ready};

    // ---- C
    logic kernel_last, value_valid, value_last;
    logic [LANDMARK_BITS-1:0] kernel_landmark, value_landmark;
    logic signed [VALUE_BITS-1:0] value;
    nysx_kse #(.PES(KSE_PE), .HOPS(HOPS), .LANDMARKS(LANDMARKS), .WORDS(KSE_WORDS), .TRIPS(KSE_TRIPS),
               .BIN_BITS(BIN_BITS), .FACTOR_BITS(H_COUNT_BITS), .COUNT_BITS(COUNT_BITS),
               .HISTOGRAM_WORDS(HISTOGRAM_WORDS), .KERNEL_BITS(KERNEL_BITS), .STYLE(PLACE_H)) kse (
        .clk_i, .rst_i, .write_i(merged_write), .word_i(merged_word), .counts_i(merged_counts),
        .start_i(similar_start_q), .hop_i(hop_q), .done_o(similar), .clean_o(kse_clean), .read_i(encode_start_q), .valid_o(kernel_valid),
        .landmark_o(kernel_landmark), .kernel_o(kernel), .last_o(kernel_last));
    if (CENTERED) begin : gen_center
      logic signed [31:0] center;
      logic [KERNEL_BITS-1:0] kernel_q;
      logic signed [VALUE_BITS-1:0] difference;
      nysx_rom #(.WIDTH(32), .DEPTH(LANDMARKS), .FILE("center.hex")) centers (.clk_i, .address_i(kernel_landmark),
                                                                              .data_o(center));
      assign difference = $signed({1'b0, kernel_q}) - VALUE_BITS'(center);
      always_ff @(posedge clk_i) kernel_q <= kernel;
      assign value = difference;
      nysx_delay #(.WIDTH(1), .STAGES(1), .RESET(1'b1)) late (.clk_i, .rst_i, .d_i(kernel_valid), .q_o(value_valid));
      nysx_delay #(.WIDTH(LANDMARK_BITS + 1), .STAGES(1)) aside (.clk_i, .rst_i, .d_i({kernel_last, kernel_landmark}),
                                                                 .q_o({value_last, value_landmark}));
      logic unused;
      assign unused = &{1'b0, center};
    end else begin : gen_plain
      assign value = $signed({1'b0, kernel});
      assign {value_valid, value_last, value_landmark} = {kernel_valid, kernel_last, kernel_landmark};
    end

    // ---- the projection
    if (NEE_FORM == 2) begin : gen_factored
      localparam int unsigned RANK_BITS = RANK > 1 ? $clog2(RANK) : 1;
      localparam int unsigned ENTRY_BITS = GENERATOR_SIGNS ? 1 : 8;
      logic phi_valid, phi_last, entries_valid, entries_ready, start_q;
      logic [RANK_BITS-1:0] phi_row;
      logic signed [PHI_BITS-1:0] phi;
      logic [NEE_LANES*ENTRY_BITS-1:0] entries;
      nysx_phi #(.LANDMARKS(LANDMARKS), .RANK(RANK), .LANES(PHI_LANES), .BITS(PHI_BITS), .VALUE_BITS(VALUE_BITS),
                 .SCALE(PHI_SCALE)) phi_map (
          .clk_i, .rst_i, .valid_i(value_valid), .landmark_i(value_landmark), .value_i(value), .last_i(value_last),
          .valid_o(phi_valid), .row_o(phi_row), .phi_o(phi), .last_o(phi_last));
      always_ff @(posedge clk_i) start_q <= phi_valid && phi_last && !rst_i;
      nysx_generator #(.LANES(NEE_LANES), .COLUMNS(RANK), .GROUPS(NEE_GROUPS), .SIGNS(GENERATOR_SIGNS),
                       .COUNTED(GENERATOR_COUNTED), .SEED(GENERATOR_SEED)) generator (
          .clk_i, .rst_i, .start_i(begin_q), .valid_o(entries_valid), .ready_i(entries_ready), .entries_o(entries));
      nysx_nee #(.LANES(NEE_LANES), .ROWS(DIM), .COLUMNS(RANK), .VALUE_BITS(PHI_BITS), .ENTRY_BITS(ENTRY_BITS),
                 .SUM_BITS(NEE_SUM_BITS)) nee (
          .clk_i, .rst_i, .write_i(phi_valid), .column_i(phi_row), .value_i(phi), .valid_i(entries_valid),
          .ready_o(entries_ready), .entries_i(entries), .start_i(start_q), .valid_o(sign_valid), .signs_o(signs),
          .last_o(sign_last));
    end else begin : gen_stored
      logic entries_valid, entries_ready, start_q;
      logic [NEE_LANES*P_BITS-1:0] entries;
      always_ff @(posedge clk_i) start_q <= value_valid && value_last && !rst_i;
      if (NEE_FORM == 1) begin : gen_resident
        nysx_resident #(.LANES(NEE_LANES), .BITS(P_BITS), .WORDS(P_WORDS)) resident (
            .clk_i, .rst_i, .start_i(encode_start_q), .valid_o(entries_valid), .ready_i(entries_ready),
            .entries_o(entries));
      end else begin : gen_streamed
        nysx_streamed #(.LANES(NEE_LANES), .BITS(P_BITS), .PORT_BITS(P_DATA_BITS), .WORDS(P_WORDS), .QUEUE(P_FIFO_DEPTH),
                        .OUTSTANDING(P_OUTSTANDING), .ADDRESS_BITS(ADDRESS_BITS)) streamed (
            .clk_i, .rst_i, .start_i(encode_start_q), .address_i(p_address_i), .error_o(p_error), .arvalid_o(p_arvalid_o),
            .arready_i(p_arready_i), .araddr_o(p_araddr_o), .arlen_o(p_arlen_o), .rvalid_i(p_rvalid_i), .rready_o(p_rready_o),
            .rdata_i(p_rdata_i), .rresp_i(p_rresp_i), .rlast_i(p_rlast_i), .valid_o(entries_valid), .ready_i(entries_ready),
            .entries_o(entries));
      end
      nysx_nee #(.LANES(NEE_LANES), .ROWS(DIM), .COLUMNS(LANDMARKS), .VALUE_BITS(VALUE_BITS), .ENTRY_BITS(P_BITS),
                 .EXPONENT_BITS(P_EXPONENT_BITS), .SUM_BITS(NEE_SUM_BITS)) nee (
          .clk_i, .rst_i, .write_i(value_valid), .column_i(value_landmark), .value_i(value), .valid_i(entries_valid),
          .ready_o(entries_ready), .entries_i(entries), .start_i(start_q), .valid_o(sign_valid), .signs_o(signs),
          .last_o(sign_last));
    end
  end
  assign encoded = sign_valid && sign_last;

  // ---- the class
  nysx_sce #(.DIM(DIM), .CLASSES(CLASSES), .LANES(NEE_LANES), .BITS(SCE_BITS), .ROWS(SCE_ROWS),
             .PROTOTYPE_BITS(PROTOTYPE_BITS), .OFFSETS(PROTOTYPE_OFFSETS), .VALUE_BITS(SCE_VALUE_BITS),
             .NORM_BITS(SCE_NORM_BITS), .ADDED(TABLE_BITS > 0), .ADDED_BITS(WEIGHT_SUM_BITS), .ADDED_SHIFT(TABLE_SHIFT), .STYLE(PLACE_PROTOTYPES)) sce (
      .clk_i, .rst_i, .valid_i(sign_valid), .signs_i(signs), .last_i(sign_last), .added_i(class_weights), .valid_o(classified),
      .class_o(class_found));

  // The test bench reads these signals and compares them with the executor.
  logic tap_kernel_valid /* verilator public_flat_rd */;
  assign tap_kernel_valid = kernel_valid;
endmodule
