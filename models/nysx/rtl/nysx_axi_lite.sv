/* SPDX-License-Identifier: MIT */ // AXI4-Lite slave of the accelerator's registers, of 32 bits; addresses in bytes:
//
//   00 control: write 1 to start; reads bit 0 busy, bit 1 done since the last start
//   04 answer: the class, or −1 too many nodes, −2 too many non-zeros, −3 no graph, −5 the bus answered with an error
//   08 nodes   0c non-zeros   10 address of the query   14 its upper half
//   20 + 4 k: cycles of stage k of the last query: query, propagate, lookup, histogram, similarity, encode, classify
//   3c probes of the last query
//
// One transfer at a time; strobes are not looked at, and other addresses read as 0.
module nysx_axi_lite #(
    parameter int unsigned STAGES = 7
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 awvalid_i,
    output logic                 awready_o,
    input  logic [5:0]           awaddr_i,
    input  logic                 wvalid_i,
    output logic                 wready_o,
    input  logic [31:0]          wdata_i,
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
    input  logic                 busy_i,
    input  logic                 done_i, // one cycle
    input  logic [31:0]          answer_i,
    input  logic [STAGES*32-1:0] cycles_i,
    input  logic [31:0]          probes_i
);
  logic done_q, write;
  assign write = awvalid_i && wvalid_i && !bvalid_o;
  assign awready_o = write;
  assign wready_o = write;
  assign arready_o = arvalid_i && !rvalid_o;
  logic [31:0] cycles;
  logic [2:0] stage;
  assign stage = araddr_i[4:2];
  assign cycles = 32'(stage) < STAGES ? cycles_i[32'(stage)*32+:32] : probes_i;
  always_ff @(posedge clk_i) begin
    start_o <= !rst_i && write && awaddr_i[5:2] == 4'd0 && wdata_i[0] && !busy_i;
    if (rst_i) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
      done_q <= 1'b0;
    end else begin
      if (write) bvalid_o <= 1'b1;
      else if (bready_i) bvalid_o <= 1'b0;
      if (arready_o) rvalid_o <= 1'b1;
      else if (rready_i) rvalid_o <= 1'b0;
      if (start_o) done_q <= 1'b0;
      else if (done_i) done_q <= 1'b1;
    end
    if (write)
      case (awaddr_i[5:2])
        4'd2: nodes_o <= wdata_i;
        4'd3: nonzeros_o <= wdata_i;
        4'd4: address_o[31:0] <= wdata_i;
        4'd5: address_o[63:32] <= wdata_i;
        default: ;
      endcase
    if (arready_o)
      case (araddr_i[5:2])
        4'd0: rdata_o <= {30'b0, done_q && !start_o, busy_i || start_o};
        4'd1: rdata_o <= answer_i;
        4'd2: rdata_o <= nodes_o;
        4'd3: rdata_o <= nonzeros_o;
        4'd4: rdata_o <= address_o[31:0];
        4'd5: rdata_o <= address_o[63:32];
        4'd6, 4'd7: rdata_o <= '0;
        default: rdata_o <= cycles;
      endcase
  end
  logic unused;
  assign unused = &{1'b0, awaddr_i[1:0], araddr_i[1:0]};
  nysx_handshake #(.WIDTH(32)) read_check (.clk_i, .rst_i, .valid_i(rvalid_o), .ready_i(rready_i), .data_i(rdata_o));
  nysx_handshake #(.WIDTH(1)) answer_check (.clk_i, .rst_i, .valid_i(bvalid_o), .ready_i(bready_i), .data_i(1'b0));
endmodule
