/* SPDX-License-Identifier: MIT */ // P_nys from external memory: the port's words lie in order of use and become steps, one BITS-bit element per lane. Steps follow one another
// without gaps. Either a word is a whole number of steps, or a step a whole number of words. A command reads all of P once; a last word that is only
// partly used stays until the next command.
module nysx_streamed #(
    parameter int unsigned LANES = 16,
    parameter int unsigned BITS = 8,
    parameter int unsigned PORT_BITS = 512,
    parameter int unsigned WORDS = 9375,
    parameter int unsigned QUEUE = 512,     // words, as in nysx_axi_read
    parameter int unsigned OUTSTANDING = 16, // bursts
    parameter int unsigned ADDRESS_BITS = 40,
    localparam int unsigned STEP_BITS = LANES * BITS
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    start_i,
    input  logic [ADDRESS_BITS-1:0] address_i,
    output logic                    error_o, // since the command
    output logic                    arvalid_o,
    input  logic                    arready_i,
    output logic [ADDRESS_BITS-1:0] araddr_o,
    output logic [7:0]              arlen_o,
    input  logic                    rvalid_i,
    output logic                    rready_o,
    input  logic [PORT_BITS-1:0]    rdata_i,
    input  logic [1:0]              rresp_i,
    input  logic                    rlast_i,
    output logic                    valid_o,
    input  logic                    ready_i,
    output logic [STEP_BITS-1:0]    entries_o
);
  localparam int unsigned COUNT_BITS = WORDS < 16 ? 5 : $clog2(WORDS + 1); // a burst's beat count has five bits
  logic word_valid, word_ready;
  logic [PORT_BITS-1:0] word;
  nysx_axi_read #(.DATA_BITS(PORT_BITS), .ADDRESS_BITS(ADDRESS_BITS), .COUNT_BITS(COUNT_BITS), .QUEUE(QUEUE), .OUTSTANDING(OUTSTANDING)) port (
      .clk_i, .rst_i, .start_i, .address_i, .words_i(COUNT_BITS'(WORDS)), .error_o, .arvalid_o, .arready_i, .araddr_o, .arlen_o, .rvalid_i,
      .rready_o, .rdata_i, .rresp_i, .rlast_i, .valid_o(word_valid), .ready_i(word_ready), .data_o(word));
  if (STEP_BITS <= PORT_BITS) begin : gen_steps
    localparam int unsigned STEPS = PORT_BITS / STEP_BITS; // steps per word
    localparam int unsigned STEP_SELECT = STEPS > 1 ? $clog2(STEPS) : 1;
    logic [STEP_SELECT-1:0] step_q;
    assign valid_o = word_valid;
    assign word_ready = start_i || (ready_i && step_q == STEP_SELECT'(STEPS - 1));
    assign entries_o = word[32'(step_q)*STEP_BITS+:STEP_BITS];
    always_ff @(posedge clk_i)
      if (rst_i || start_i) step_q <= '0;
      else if (valid_o && ready_i) step_q <= word_ready ? '0 : step_q + 1'b1;
  end else begin : gen_words
    localparam int unsigned PARTS = STEP_BITS / PORT_BITS; // words of a step
    localparam int unsigned PART_BITS = $clog2(PARTS);
    logic [PART_BITS-1:0] part_q;
    logic [STEP_BITS-PORT_BITS-1:0] held_q; // words of a step, all but the last; the first lowest
    logic last;
    assign last = part_q == PART_BITS'(PARTS - 1);
    assign valid_o = word_valid && last;
    assign word_ready = !last || ready_i;
    assign entries_o = {word, held_q};
    always_ff @(posedge clk_i) begin
      if (word_valid && word_ready) held_q <= (STEP_BITS - PORT_BITS)'({word, held_q} >> PORT_BITS);
      if (rst_i) part_q <= '0;
      else if (word_valid && word_ready) part_q <= last ? '0 : part_q + 1'b1;
    end
  end
`ifndef SYNTHESIS
  initial assert (PORT_BITS % STEP_BITS == 0 || STEP_BITS % PORT_BITS == 0) else $fatal(1, "nysx_streamed: neither a word nor a step divides the other");
`endif
endmodule
