/* SPDX-License-Identifier: MIT */ // AXI4 read master. A command (address, words) becomes bursts of at most 16 beats within one 4 KiB page; the beats
// form a stream. A burst is requested only when the queue has room for all its beats, so RREADY stays high.
// The address is a multiple of the word size. error_o is set by the first response other than OKAY and cleared by the next command.
module nysx_axi_read #(
    parameter int unsigned DATA_BITS = 128,
    parameter int unsigned ADDRESS_BITS = 40,
    parameter int unsigned COUNT_BITS = 24,  // width of a command's word count
    parameter int unsigned QUEUE = 64,       // words; a power of two, at least 16
    parameter int unsigned OUTSTANDING = 0   // bursts at most between their request and their last beat; 0: as many as the queue has room for
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    start_i,
    input  logic [ADDRESS_BITS-1:0] address_i,
    input  logic [COUNT_BITS-1:0]   words_i,
    output logic                    error_o,
    output logic                    arvalid_o,
    input  logic                    arready_i,
    output logic [ADDRESS_BITS-1:0] araddr_o,
    output logic [7:0]              arlen_o,
    input  logic                    rvalid_i,
    output logic                    rready_o,
    input  logic [DATA_BITS-1:0]    rdata_i,
    input  logic [1:0]              rresp_i,
    input  logic                    rlast_i, // with OUTSTANDING
    output logic                    valid_o,
    input  logic                    ready_i,
    output logic [DATA_BITS-1:0]    data_o
);
  localparam int unsigned BYTES = DATA_BITS / 8;
  localparam int unsigned BYTE_BITS = $clog2(BYTES);
  localparam int unsigned PAGE_BITS = 12 - BYTE_BITS; // bits of a word's position in its 4 KiB page
  localparam int unsigned ROOM_BITS = $clog2(QUEUE) + 1;
  localparam int unsigned BURST = 16;

  // The next burst's beats are counted one cycle before the request, from the words left. A burst of 16 beats keeps the
  // word's position modulo 16; a burst that ends at the page end makes it 0.
  // A burst stays in its 4 KiB page, so only the position in the page is added to; the next page's number is already in a register.
  logic [COUNT_BITS-1:0] left_q;
  logic [ADDRESS_BITS-1:0] next_q;
  logic [ADDRESS_BITS-13:0] page_behind_q;
  logic [PAGE_BITS:0] place_behind;     // position after the burst, with carry
  logic [PAGE_BITS-5:0] place;          // next word's position in its 4 KiB page, divided by 16
  logic [ROOM_BITS-1:0] room_q;         // unreserved words of the queue
  logic [4:0] page_end_q, beats_q;      // beats to the page end, if fewer than 16
  logic at_end, few, counted_q, room_enough, allowed, ask;
  assign place = next_q[11:BYTE_BITS+4];
  assign at_end = &place;
  assign few = at_end ? left_q < COUNT_BITS'(page_end_q) : left_q < COUNT_BITS'(BURST);
  assign room_enough = room_q >= ROOM_BITS'(BURST);
  assign place_behind = {1'b0, next_q[11:BYTE_BITS]} + (PAGE_BITS + 1)'(beats_q);
  assign ask = counted_q && room_enough && allowed && (!arvalid_o || arready_i) && !start_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      arvalid_o <= 1'b0;
      left_q <= '0;
      counted_q <= 1'b0;
      room_q <= ROOM_BITS'(QUEUE);
      error_o <= 1'b0;
    end else begin
      if (arready_i) arvalid_o <= 1'b0;
      counted_q <= !ask && !start_i && left_q != '0;
      beats_q <= few ? 5'(left_q) : at_end ? page_end_q : 5'(BURST);
      if (start_i) page_end_q <= 5'(BURST) - {1'b0, address_i[BYTE_BITS+:4]};
      else if (ask && at_end) page_end_q <= 5'(BURST);
      if (start_i) begin
        left_q <= words_i;
        next_q <= address_i;
        error_o <= 1'b0;
      end else if (ask) begin
        arvalid_o <= 1'b1;
        araddr_o <= next_q;
        arlen_o <= 8'(beats_q) - 8'd1;
        left_q <= left_q - COUNT_BITS'(beats_q);
        next_q[11:0] <= {place_behind[PAGE_BITS-1:0], next_q[BYTE_BITS-1:0]};
        if (place_behind[PAGE_BITS]) next_q[ADDRESS_BITS-1:12] <= page_behind_q;
      end
      page_behind_q <= next_q[ADDRESS_BITS-1:12] + 1'b1;
      room_q <= ask ? room_q - ROOM_BITS'(beats_q) + ROOM_BITS'(valid_o && ready_i) : room_q + ROOM_BITS'(valid_o && ready_i);
      if (rvalid_i && rready_o && rresp_i != 2'b00) error_o <= 1'b1;
    end
  end

  // Requests are two cycles apart at least, so the count of bursts is compared one cycle late.
  if (OUTSTANDING > 0) begin : gen_limit
    localparam int unsigned BURST_BITS = $clog2(OUTSTANDING + 1);
    logic [BURST_BITS-1:0] bursts_q;
    logic allowed_q;
    assign allowed = allowed_q;
    always_ff @(posedge clk_i) begin
      allowed_q <= bursts_q != BURST_BITS'(OUTSTANDING);
      bursts_q <= rst_i ? '0 : bursts_q + BURST_BITS'(ask) - BURST_BITS'(rvalid_i && rready_o && rlast_i);
    end
  end else begin : gen_free
    logic unused_last;
    assign unused_last = rlast_i;
    assign allowed = 1'b1;
  end

  if (QUEUE > 64) begin : gen_block
    nysx_fifo_block #(.WIDTH(DATA_BITS), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(rvalid_i), .ready_o(rready_o), .data_i(rdata_i),
                                                               .valid_o, .ready_i, .data_o);
  end else begin : gen_luts
    logic [ROOM_BITS-1:0] unused_count;
    nysx_fifo #(.WIDTH(DATA_BITS), .DEPTH(QUEUE)) queue (.clk_i, .rst_i, .valid_i(rvalid_i), .ready_o(rready_o),
                                                         .data_i(rdata_i), .valid_o, .ready_i, .data_o, .count_o(unused_count));
  end
  nysx_handshake #(.WIDTH(ADDRESS_BITS + 8)) ar_check (.clk_i, .rst_i, .valid_i(arvalid_o), .ready_i(arready_i),
                                                       .data_i({araddr_o, arlen_o}));
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (!rvalid_i || rready_o) else $error("a beat came that nobody had room for");
      assert (!start_i || left_q == '0) else $error("a command came during another");
    end
`endif
endmodule
