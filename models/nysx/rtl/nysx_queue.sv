/* SPDX-License-Identifier: MIT */ // Queue of graphs: a ring of 32-byte descriptors in memory. The processor writes the first 16 bytes of a descriptor: the
// query's address (64 bits, a multiple of 16), its nodes and its non-zeros (32 bits each). The accelerator writes the other 16: the answer
// (32 bits), the answer's number (32 bits, counted from 1 since the ring's address or size was written), zeros.
//
// One descriptor is prefetched over the query's read port, whose bursts stay in order. Answers are written in graph order.
module nysx_queue #(
    parameter int unsigned ADDRESS_BITS = 40,
    parameter int unsigned UNDER_WAY = 8 // graphs whose answers are not yet in memory; a power of two
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    restart_i, // one cycle after the ring's address or size is written: restart at the first descriptor
    input  logic [ADDRESS_BITS-1:0] ring_i,
    input  logic [31:0]             size_i,    // descriptors in the ring
    input  logic [31:0]             tail_i,    // descriptors handed over since the restart
    output logic [31:0]             answered_o,
    output logic                    active_o,
    output logic                    drained_o, // one-cycle pulse: all graphs answered
    // the core
    output logic                    start_o,
    input  logic                    ready_i,
    input  logic                    loading_i, // query sizes must be stable
    input  logic                    done_i,
    input  logic [31:0]             answer_i,
    output logic [31:0]             nodes_o,
    output logic [31:0]             nonzeros_o,
    output logic [ADDRESS_BITS-1:0] address_o,
    // reads of the core, and the merged reads
    input  logic                    arvalid_i,
    output logic                    arready_o,
    input  logic [ADDRESS_BITS-1:0] araddr_i,
    input  logic [7:0]              arlen_i,
    output logic                    rvalid_o,
    input  logic                    rready_i,
    output logic                    arvalid_o,
    input  logic                    arready_i,
    output logic [ADDRESS_BITS-1:0] araddr_o,
    output logic [7:0]              arlen_o,
    input  logic                    rvalid_i,
    output logic                    rready_o,
    input  logic [127:0]            rdata_i,
    input  logic                    rlast_i,
    // the answers
    output logic                    awvalid_o,
    input  logic                    awready_i,
    output logic [ADDRESS_BITS-1:0] awaddr_o,
    output logic                    wvalid_o,
    input  logic                    wready_i,
    output logic [127:0]            wdata_o,
    input  logic                    bvalid_i
);
  localparam int unsigned ROOM_BITS = $clog2(UNDER_WAY) + 1;

  // ---- descriptors, one prefetched
  logic [31:0] asked_q, ask_slot_q, write_slot_q, written_q;
  logic ask_q, awaited_q, next_valid_q, own_last, taken_over;
  logic own_grant, held_q, own_q, order_room, order_valid, order_own;
  logic [ADDRESS_BITS-1:0] ask_address_q, next_address_q, write_address_q;
  logic [31:0] next_nodes_q, next_nonzeros_q;
  logic ask_last_q, write_last_q; // whether a slot is the ring's last; two requests, or two answers, are at least two cycles apart
  always_ff @(posedge clk_i) begin
    ask_last_q <= ask_slot_q + 32'd1 == size_i;
    write_last_q <= write_slot_q + 32'd1 == size_i;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i || restart_i) begin
      {asked_q, ask_slot_q} <= '0;
      ask_address_q <= ring_i;
      {ask_q, awaited_q, next_valid_q} <= '0;
    end else begin
      if (taken_over) next_valid_q <= 1'b0;
      if (!ask_q && !awaited_q && !next_valid_q && asked_q != tail_i) ask_q <= 1'b1;
      if (ask_q && own_grant && arready_i && order_room) begin
        {ask_q, awaited_q} <= 2'b01;
        asked_q <= asked_q + 32'd1;
        ask_slot_q <= ask_last_q ? '0 : ask_slot_q + 32'd1;
        ask_address_q <= ask_last_q ? ring_i : ask_address_q + ADDRESS_BITS'(32);
      end
      if (own_last) {awaited_q, next_valid_q} <= 2'b01;
    end
    if (own_last) begin
      next_address_q <= rdata_i[ADDRESS_BITS-1:0];
      {next_nonzeros_q, next_nodes_q} <= rdata_i[127:64];
    end
  end

  // ---- next graph; its sizes are stable for two cycles before its start
  logic valid_q, settling_q, settled_q, room;
  logic [ROOM_BITS-1:0] under_way_q;
  assign room = under_way_q != ROOM_BITS'(UNDER_WAY);
  assign start_o = valid_q && settled_q && ready_i && room;
  assign taken_over = next_valid_q && !valid_q && !loading_i;
  always_ff @(posedge clk_i) begin
    if (rst_i || restart_i) {valid_q, settling_q, settled_q} <= '0;
    else begin
      valid_q <= taken_over || (valid_q && !start_o);
      settling_q <= valid_q && !start_o;
      settled_q <= settling_q && valid_q && !start_o;
    end
    if (taken_over) begin
      address_o <= next_address_q;
      nodes_o <= next_nodes_q;
      nonzeros_o <= next_nonzeros_q;
    end
  end

  // ---- read arbitration: a grant holds until accepted; a queue remembers the requester until the last beat
  assign own_grant = held_q ? own_q : ask_q;
  assign arvalid_o = (own_grant ? ask_q : arvalid_i) && order_room;
  assign arready_o = arready_i && order_room && !own_grant;
  assign araddr_o = own_grant ? ask_address_q : araddr_i;
  assign arlen_o = own_grant ? '0 : arlen_i;
  always_ff @(posedge clk_i) begin
    held_q <= arvalid_o && !arready_i && !rst_i;
    own_q <= own_grant;
  end
  logic [3:0] unused_orders;
  nysx_fifo #(.WIDTH(1), .DEPTH(8)) orders (
      .clk_i, .rst_i, .valid_i(arvalid_o && arready_i), .ready_o(order_room), .data_i(own_grant), .valid_o(order_valid),
      .ready_i(rvalid_i && rready_o && rlast_i), .data_o(order_own), .count_o(unused_orders));
  assign own_last = rvalid_i && order_valid && order_own;
  assign rvalid_o = rvalid_i && order_valid && !order_own;
  assign rready_o = order_valid && (order_own || rready_i);

  // ---- answers
  logic answer_valid, answer_room, write, answering_q;
  logic [31:0] answer;
  logic [3:0] unused_answers;
  nysx_fifo #(.WIDTH(32), .DEPTH(UNDER_WAY)) answers (
      .clk_i, .rst_i, .valid_i(done_i && active_o), .ready_o(answer_room), .data_i(answer_i), .valid_o(answer_valid),
      .ready_i(write), .data_o(answer), .count_o(unused_answers));
  assign write = answer_valid && !awvalid_o && !wvalid_o;
  always_ff @(posedge clk_i) begin
    drained_o <= 1'b0;
    if (rst_i || restart_i) begin
      {written_q, write_slot_q, answered_o, under_way_q} <= '0;
      write_address_q <= ring_i;
      {awvalid_o, wvalid_o, answering_q} <= '0;
    end else begin
      if (awready_i) awvalid_o <= 1'b0;
      if (wready_i) wvalid_o <= 1'b0;
      if (write) begin
        {awvalid_o, wvalid_o} <= 2'b11;
        awaddr_o <= write_address_q + ADDRESS_BITS'(16);
        wdata_o <= {64'b0, written_q + 32'd1, answer};
        written_q <= written_q + 32'd1;
        write_slot_q <= write_last_q ? '0 : write_slot_q + 32'd1;
        write_address_q <= write_last_q ? ring_i : write_address_q + ADDRESS_BITS'(32);
      end
      under_way_q <= under_way_q + ROOM_BITS'(start_o) - ROOM_BITS'(bvalid_i);
      answered_o <= answered_o + 32'(bvalid_i);
      answering_q <= active_o;
      drained_o <= answering_q && !active_o;
    end
  end
  always_ff @(posedge clk_i) active_o <= answered_o != tail_i && !rst_i && !restart_i; // a register: it selects the core's inputs
`ifndef SYNTHESIS
  always_ff @(posedge clk_i)
    if (!rst_i) begin
      assert (answer_room || !done_i || !active_o) else $error("an answer came that nobody had room for");
      assert (!bvalid_i || under_way_q != '0) else $error("a write was answered that nobody made");
    end
`else
  logic unused_room;
  assign unused_room = answer_room;
`endif
  logic unused;
  assign unused = &{1'b0, rdata_i[63:ADDRESS_BITS]};
endmodule
