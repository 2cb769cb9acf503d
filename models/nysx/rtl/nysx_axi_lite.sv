/* SPDX-License-Identifier: MIT */ // AXI4-Lite slave: the accelerator's 32-bit registers. nysx_registers.svh, emitted with the design, lists
// addresses and meanings. Writes obey the byte strobes. Done is a level: writing 1 to its bit, or the next start, clears it.
// The interrupt is Done where the interrupt is enabled. One transfer at a time; unassigned addresses read as 0.
module nysx_axi_lite #(
    parameter int unsigned STAGES = 7,
    parameter bit QUEUED = 1'b0, // adds the registers of the queue
    parameter bit STREAMED = 1'b0 // adds those of P_nys' address, at the places of the first two counters
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 awvalid_i,
    output logic                 awready_o,
    input  logic [5:0]           awaddr_i,
    input  logic                 wvalid_i,
    output logic                 wready_o,
    input  logic [31:0]          wdata_i,
    input  logic [3:0]           wstrb_i,
    output logic                 bvalid_o,
    input  logic                 bready_i,
    input  logic                 arvalid_i,
    output logic                 arready_o,
    input  logic [5:0]           araddr_i,
    output logic                 rvalid_o,
    input  logic                 rready_i,
    output logic [31:0]          rdata_o,
    output logic                 start_o, // one cycle
    output logic [31:0]          nodes_o,
    output logic [31:0]          nonzeros_o,
    output logic [63:0]          address_o,
    output logic [63:0]          p_address_o, // of P_nys, in the streamed form
    output logic [31:0]          tail_o,    // queue: descriptors handed over since its address or size was written
    output logic                 restart_o, // pulses in the cycle after such a write
    input  logic [31:0]          answered_i,
    input  logic                 busy_i,
    input  logic                 done_i, // one cycle
    output logic                 interrupt_o, // a level
    input  logic [31:0]          answer_i,
    input  logic [STAGES*32-1:0] cycles_i,
    input  logic [31:0]          probes_i
);
  /* verilator lint_off UNUSEDPARAM */
  `include "nysx_registers.svh"
  /* verilator lint_on UNUSEDPARAM */
  logic done_q, enable_q, write, control;
  assign write = awvalid_i && wvalid_i && !bvalid_o && !rst_i; // a master may start in the first cycle after reset
  assign awready_o = write;
  assign wready_o = write;
  assign arready_o = arvalid_i && !rvalid_o && !rst_i;
  logic [31:0] cycles;
  logic [2:0] stage;
  assign stage = araddr_i[4:2];
  assign cycles = 32'(stage) < STAGES ? cycles_i[32'(stage)*32+:32] : probes_i; // stages, then the probe count
  assign control = write && awaddr_i[5:2] == REG_CONTROL[5:2] && wstrb_i[0];
  // Merges data into old by byte strobes
  function automatic logic [31:0] written(input logic [31:0] old, input logic [31:0] data, input logic [3:0] strobe);
    for (int unsigned i = 0; i < 4; i++) written[8*i+:8] = strobe[i] ? data[8*i+:8] : old[8*i+:8];
  endfunction
  always_ff @(posedge clk_i) begin
    start_o <= !rst_i && control && wdata_i[0] && !busy_i && !start_o;
    interrupt_o <= !rst_i && done_q && enable_q && !start_o;
    if (rst_i) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
      done_q <= 1'b0;
      enable_q <= 1'b0;
    end else begin
      if (write) bvalid_o <= 1'b1;
      else if (bready_i) bvalid_o <= 1'b0;
      if (arready_o) rvalid_o <= 1'b1;
      else if (rready_i) rvalid_o <= 1'b0;
      if (done_i) done_q <= 1'b1;
      else if (start_o || (control && wdata_i[1])) done_q <= 1'b0;
      if (write && awaddr_i[5:2] == REG_INTERRUPT[5:2] && wstrb_i[0]) enable_q <= wdata_i[0];
    end
    if (write)
      case (awaddr_i[5:2])
        REG_NODES[5:2]: nodes_o <= written(nodes_o, wdata_i, wstrb_i);
        REG_NONZEROS[5:2]: nonzeros_o <= written(nonzeros_o, wdata_i, wstrb_i);
        REG_ADDRESS[5:2]: address_o[31:0] <= written(address_o[31:0], wdata_i, wstrb_i);
        REG_ADDRESS_HIGH[5:2]: address_o[63:32] <= written(address_o[63:32], wdata_i, wstrb_i);
        4'd8: if (STREAMED) p_address_o[31:0] <= written(p_address_o[31:0], wdata_i, wstrb_i);
        4'd9: if (STREAMED) p_address_o[63:32] <= written(p_address_o[63:32], wdata_i, wstrb_i);
        default: ;
      endcase
    if (!STREAMED) p_address_o <= '0;
    restart_o <= QUEUED && write && (awaddr_i[5:2] == REG_NODES[5:2] || awaddr_i[5:3] == REG_ADDRESS[5:3]);
    if (!QUEUED || rst_i || restart_o) tail_o <= '0;
    else if (write && awaddr_i[5:2] == 4'd7) tail_o <= written(tail_o, wdata_i, wstrb_i);
    if (arready_o)
      case (araddr_i[5:2])
        REG_CONTROL[5:2]: rdata_o <= {30'b0, done_q && !start_o, busy_i || start_o};
        REG_ANSWER[5:2]: rdata_o <= answer_i;
        REG_NODES[5:2]: rdata_o <= nodes_o;
        REG_NONZEROS[5:2]: rdata_o <= nonzeros_o;
        REG_ADDRESS[5:2]: rdata_o <= address_o[31:0];
        REG_ADDRESS_HIGH[5:2]: rdata_o <= address_o[63:32];
        REG_INTERRUPT[5:2]: rdata_o <= 32'(enable_q);
        default: rdata_o <= araddr_i[5] ? cycles : QUEUED && araddr_i[5:2] == 4'd7 ? answered_i : '0;
      endcase
  end
  logic unused;
  assign unused = &{1'b0, awaddr_i[1:0], araddr_i[1:0]};
  nysx_handshake #(.WIDTH(32)) read_check (.clk_i, .rst_i, .valid_i(rvalid_o), .ready_i(rready_i), .data_i(rdata_o));
  nysx_handshake #(.WIDTH(1)) answer_check (.clk_i, .rst_i, .valid_i(bvalid_o), .ready_i(bready_i), .data_i(1'b0));
endmodule
