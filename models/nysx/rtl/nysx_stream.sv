/* SPDX-License-Identifier: MIT */ // The accelerator with a queue (overlap other than none): nysx_top plus a ring of descriptors in memory (nysx_queue.sv), active while
// register TAIL is ahead of the answers. Otherwise one graph per start, as in nysx_top.
`include "nysx_ports.svh"
module nysx_stream #(
    parameter int unsigned ADDRESS_BITS = 40
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    input  logic                    s_axi_awvalid,
    output logic                    s_axi_awready,
    input  logic [5:0]              s_axi_awaddr,
    input  logic                    s_axi_wvalid,
    output logic                    s_axi_wready,
    input  logic [31:0]             s_axi_wdata,
    input  logic [3:0]              s_axi_wstrb,
    output logic                    s_axi_bvalid,
    input  logic                    s_axi_bready,
    output logic [1:0]              s_axi_bresp,
    input  logic                    s_axi_arvalid,
    output logic                    s_axi_arready,
    input  logic [5:0]              s_axi_araddr,
    output logic                    s_axi_rvalid,
    input  logic                    s_axi_rready,
    output logic [31:0]             s_axi_rdata,
    output logic [1:0]              s_axi_rresp,
    output logic                    m_axi_arvalid,
    input  logic                    m_axi_arready,
    output logic [ADDRESS_BITS-1:0] m_axi_araddr,
    output logic [7:0]              m_axi_arlen,
    output logic [2:0]              m_axi_arsize,
    output logic [1:0]              m_axi_arburst,
    input  logic                    m_axi_rvalid,
    output logic                    m_axi_rready,
    input  logic [127:0]            m_axi_rdata,
    input  logic [1:0]              m_axi_rresp,
    input  logic                    m_axi_rlast,
    output logic                    m_axi_awvalid,
    input  logic                    m_axi_awready,
    output logic [ADDRESS_BITS-1:0] m_axi_awaddr,
    output logic [7:0]              m_axi_awlen,
    output logic [2:0]              m_axi_awsize,
    output logic [1:0]              m_axi_awburst,
    output logic                    m_axi_wvalid,
    input  logic                    m_axi_wready,
    output logic [127:0]            m_axi_wdata,
    output logic [15:0]             m_axi_wstrb,
    output logic                    m_axi_wlast,
    input  logic                    m_axi_bvalid,
    output logic                    m_axi_bready,
    input  logic [1:0]              m_axi_bresp,
`ifdef NYSX_P_PORT_BITS
    output logic                    m_axi_p_arvalid,
    input  logic                    m_axi_p_arready,
    output logic [ADDRESS_BITS-1:0] m_axi_p_araddr,
    output logic [7:0]              m_axi_p_arlen,
    output logic [2:0]              m_axi_p_arsize,
    output logic [1:0]              m_axi_p_arburst,
    input  logic                    m_axi_p_rvalid,
    output logic                    m_axi_p_rready,
    input  logic [`NYSX_P_PORT_BITS-1:0] m_axi_p_rdata,
    input  logic [1:0]              m_axi_p_rresp,
    input  logic                    m_axi_p_rlast,
`endif
    output logic                    interrupt_o // level, until done is cleared
);
`ifdef NYSX_P_PORT_BITS
  localparam int unsigned P_DATA_BITS = `NYSX_P_PORT_BITS;
  localparam bit STREAMED = 1'b1;
  assign m_axi_p_arsize = 3'($clog2(P_DATA_BITS / 8));
  assign m_axi_p_arburst = 2'b01;
`else
  localparam int unsigned P_DATA_BITS = 128;
  localparam bit STREAMED = 1'b0;
  logic m_axi_p_arvalid, m_axi_p_arready, m_axi_p_rvalid, m_axi_p_rready, m_axi_p_rlast, unused_p;
  logic [ADDRESS_BITS-1:0] m_axi_p_araddr;
  logic [7:0] m_axi_p_arlen;
  logic [P_DATA_BITS-1:0] m_axi_p_rdata;
  logic [1:0] m_axi_p_rresp;
  assign {m_axi_p_arready, m_axi_p_rvalid, m_axi_p_rlast, m_axi_p_rdata, m_axi_p_rresp} = '0;
  assign unused_p = &{1'b0, m_axi_p_arvalid, m_axi_p_rready, m_axi_p_araddr, m_axi_p_arlen};
`endif
  logic rst_q;
  always_ff @(posedge aclk) rst_q <= !aresetn;
  assign s_axi_bresp = 2'b00;
  assign s_axi_rresp = 2'b00;
  assign m_axi_arsize = 3'd4; // 16 bytes per beat
  assign m_axi_arburst = 2'b01;
  assign {m_axi_awlen, m_axi_awsize, m_axi_awburst} = {8'd0, 3'd4, 2'b01}; // one beat per burst
  assign {m_axi_wstrb, m_axi_wlast, m_axi_bready} = '1;
  logic start, restart, active, drained, queue_start, core_ready, core_loading, core_busy, core_done;
  logic [31:0] nodes, nonzeros, tail, answered, answer, probes, queue_nodes, queue_nonzeros;
  logic [63:0] address, p_address;
  logic [ADDRESS_BITS-1:0] queue_address, core_araddr;
  logic [7*32-1:0] cycles;
  logic core_arvalid, core_arready, core_rvalid, core_rready;
  logic [7:0] core_arlen;
  nysx_axi_lite #(.QUEUED(1'b1), .STREAMED(STREAMED)) registers (
      .clk_i(aclk), .rst_i(rst_q), .awvalid_i(s_axi_awvalid), .awready_o(s_axi_awready), .awaddr_i(s_axi_awaddr),
      .wvalid_i(s_axi_wvalid), .wready_o(s_axi_wready), .wdata_i(s_axi_wdata), .wstrb_i(s_axi_wstrb), .bvalid_o(s_axi_bvalid),
      .bready_i(s_axi_bready), .arvalid_i(s_axi_arvalid), .arready_o(s_axi_arready), .araddr_i(s_axi_araddr),
      .rvalid_o(s_axi_rvalid), .rready_i(s_axi_rready), .rdata_o(s_axi_rdata), .start_o(start), .nodes_o(nodes),
      .nonzeros_o(nonzeros), .address_o(address), .p_address_o(p_address), .tail_o(tail), .restart_o(restart), .answered_i(answered),
      .busy_i(core_busy || active), .done_i(drained || (core_done && !active)), .interrupt_o, .answer_i(answer), .cycles_i(cycles),
      .probes_i(probes));
  nysx_queue #(.ADDRESS_BITS(ADDRESS_BITS)) queue (
      .clk_i(aclk), .rst_i(rst_q), .restart_i(restart), .ring_i(address[ADDRESS_BITS-1:0]), .size_i(nodes), .tail_i(tail),
      .answered_o(answered), .active_o(active), .drained_o(drained), .start_o(queue_start), .ready_i(core_ready),
      .loading_i(core_loading), .done_i(core_done), .answer_i(answer), .nodes_o(queue_nodes), .nonzeros_o(queue_nonzeros),
      .address_o(queue_address), .arvalid_i(core_arvalid), .arready_o(core_arready), .araddr_i(core_araddr),
      .arlen_i(core_arlen), .rvalid_o(core_rvalid), .rready_i(core_rready), .arvalid_o(m_axi_arvalid),
      .arready_i(m_axi_arready), .araddr_o(m_axi_araddr), .arlen_o(m_axi_arlen), .rvalid_i(m_axi_rvalid),
      .rready_o(m_axi_rready), .rdata_i(m_axi_rdata), .rlast_i(m_axi_rlast), .awvalid_o(m_axi_awvalid),
      .awready_i(m_axi_awready), .awaddr_o(m_axi_awaddr), .wvalid_o(m_axi_wvalid), .wready_i(m_axi_wready),
      .wdata_o(m_axi_wdata), .bvalid_i(m_axi_bvalid));
  nysx_core #(.ADDRESS_BITS(ADDRESS_BITS), .P_DATA_BITS(P_DATA_BITS)) core (
      .clk_i(aclk), .rst_i(rst_q), .start_i(active ? queue_start : start), .nodes_i(active ? queue_nodes : nodes),
      .nonzeros_i(active ? queue_nonzeros : nonzeros), .address_i(active ? queue_address : address[ADDRESS_BITS-1:0]),
      .ready_o(core_ready), .loading_o(core_loading), .busy_o(core_busy), .done_o(core_done), .answer_o(answer), .cycles_o(cycles),
      .probes_o(probes), .arvalid_o(core_arvalid), .arready_i(core_arready), .araddr_o(core_araddr), .arlen_o(core_arlen),
      .rvalid_i(core_rvalid), .rready_o(core_rready), .rdata_i(m_axi_rdata), .rresp_i(m_axi_rresp), .p_address_i(p_address[ADDRESS_BITS-1:0]), .p_arvalid_o(m_axi_p_arvalid),
      .p_arready_i(m_axi_p_arready), .p_araddr_o(m_axi_p_araddr), .p_arlen_o(m_axi_p_arlen), .p_rvalid_i(m_axi_p_rvalid),
      .p_rready_o(m_axi_p_rready), .p_rdata_i(m_axi_p_rdata), .p_rresp_i(m_axi_p_rresp), .p_rlast_i(m_axi_p_rlast));
  logic unused;
  assign unused = &{1'b0, address, p_address, m_axi_bresp};
endmodule
