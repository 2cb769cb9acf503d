/* SPDX-License-Identifier: MIT */ // The accelerator: AXI4-Lite registers, and a 128-bit AXI4 read master for the query. Reset is active low, as in AXI;
// all signals share one clock.
`include "nysx_ports.svh"
module nysx_top #(
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
  logic start, busy, done;
  logic [31:0] nodes, nonzeros, answer, probes;
  logic [63:0] address, p_address;
  logic [31:0] tail;
  logic restart, ready, loading;
  logic [7*32-1:0] cycles;
  nysx_axi_lite #(.STREAMED(STREAMED)) registers (
      .clk_i(aclk), .rst_i(rst_q), .awvalid_i(s_axi_awvalid), .awready_o(s_axi_awready), .awaddr_i(s_axi_awaddr),
      .wvalid_i(s_axi_wvalid), .wready_o(s_axi_wready), .wdata_i(s_axi_wdata), .wstrb_i(s_axi_wstrb), .bvalid_o(s_axi_bvalid),
      .bready_i(s_axi_bready), .arvalid_i(s_axi_arvalid), .arready_o(s_axi_arready), .araddr_i(s_axi_araddr),
      .rvalid_o(s_axi_rvalid), .rready_i(s_axi_rready), .rdata_o(s_axi_rdata), .start_o(start), .nodes_o(nodes),
      .nonzeros_o(nonzeros), .address_o(address), .p_address_o(p_address), .tail_o(tail), .restart_o(restart), .answered_i('0), .busy_i(busy), .done_i(done), .interrupt_o, .answer_i(answer), .cycles_i(cycles),
      .probes_i(probes));
  nysx_core #(.ADDRESS_BITS(ADDRESS_BITS), .P_DATA_BITS(P_DATA_BITS)) core (
      .clk_i(aclk), .rst_i(rst_q), .start_i(start), .nodes_i(nodes), .nonzeros_i(nonzeros),
      .address_i(address[ADDRESS_BITS-1:0]), .ready_o(ready), .loading_o(loading), .busy_o(busy), .done_o(done), .answer_o(answer), .cycles_o(cycles),
      .probes_o(probes), .arvalid_o(m_axi_arvalid), .arready_i(m_axi_arready), .araddr_o(m_axi_araddr),
      .arlen_o(m_axi_arlen), .rvalid_i(m_axi_rvalid), .rready_o(m_axi_rready), .rdata_i(m_axi_rdata),
      .rresp_i(m_axi_rresp), .p_address_i(p_address[ADDRESS_BITS-1:0]), .p_arvalid_o(m_axi_p_arvalid),
      .p_arready_i(m_axi_p_arready), .p_araddr_o(m_axi_p_araddr), .p_arlen_o(m_axi_p_arlen), .p_rvalid_i(m_axi_p_rvalid),
      .p_rready_o(m_axi_p_rready), .p_rdata_i(m_axi_p_rdata), .p_rresp_i(m_axi_p_rresp), .p_rlast_i(m_axi_p_rlast));
  logic unused;
  assign unused = &{1'b0, m_axi_rlast, address, p_address, tail, restart, ready, loading};
endmodule
