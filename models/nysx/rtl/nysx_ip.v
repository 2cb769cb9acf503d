// SPDX-License-Identifier: MIT
// nysx_top for Vivado's IP packager and block designs, which need Verilog at the top level: the same ports as bus interfaces.
`include "nysx_ports.svh"
module nysx_ip #(
    parameter ADDRESS_BITS = 40
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
`ifdef NYSX_P_PORT_BITS
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi:m_axi:m_axi_p, ASSOCIATED_RESET aresetn" *)
`else
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi:m_axi, ASSOCIATED_RESET aresetn" *)
`endif
    input  wire                    aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire                    aresetn,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWVALID" *)
    (* X_INTERFACE_PARAMETER = "PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH 6" *)
    input  wire                    s_axi_awvalid,
    output wire                    s_axi_awready,
    input  wire [5:0]              s_axi_awaddr,
    input  wire [2:0]              s_axi_awprot,
    input  wire                    s_axi_wvalid,
    output wire                    s_axi_wready,
    input  wire [31:0]             s_axi_wdata,
    input  wire [3:0]              s_axi_wstrb,
    output wire                    s_axi_bvalid,
    input  wire                    s_axi_bready,
    output wire [1:0]              s_axi_bresp,
    input  wire                    s_axi_arvalid,
    output wire                    s_axi_arready,
    input  wire [5:0]              s_axi_araddr,
    input  wire [2:0]              s_axi_arprot,
    output wire                    s_axi_rvalid,
    input  wire                    s_axi_rready,
    output wire [31:0]             s_axi_rdata,
    output wire [1:0]              s_axi_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi ARVALID" *)
    (* X_INTERFACE_PARAMETER = "PROTOCOL AXI4, READ_WRITE_MODE READ_ONLY, DATA_WIDTH 128, MAX_BURST_LENGTH 16, SUPPORTS_NARROW_BURST 0" *)
    output wire                    m_axi_arvalid,
    input  wire                    m_axi_arready,
    output wire [0:0]              m_axi_arid,
    output wire [ADDRESS_BITS-1:0] m_axi_araddr,
    output wire [7:0]              m_axi_arlen,
    output wire [2:0]              m_axi_arsize,
    output wire [1:0]              m_axi_arburst,
    output wire [3:0]              m_axi_arcache,
    output wire [2:0]              m_axi_arprot,
    input  wire                    m_axi_rvalid,
    output wire                    m_axi_rready,
    input  wire [0:0]              m_axi_rid,
    input  wire [127:0]            m_axi_rdata,
    input  wire [1:0]              m_axi_rresp,
    input  wire                    m_axi_rlast,
`ifdef NYSX_P_PORT_BITS
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_p ARVALID" *)
    (* X_INTERFACE_PARAMETER = "PROTOCOL AXI4, READ_WRITE_MODE READ_ONLY, MAX_BURST_LENGTH 16, SUPPORTS_NARROW_BURST 0" *)
    output wire                    m_axi_p_arvalid,
    input  wire                    m_axi_p_arready,
    output wire [0:0]              m_axi_p_arid,
    output wire [ADDRESS_BITS-1:0] m_axi_p_araddr,
    output wire [7:0]              m_axi_p_arlen,
    output wire [2:0]              m_axi_p_arsize,
    output wire [1:0]              m_axi_p_arburst,
    output wire [3:0]              m_axi_p_arcache,
    output wire [2:0]              m_axi_p_arprot,
    input  wire                    m_axi_p_rvalid,
    output wire                    m_axi_p_rready,
    input  wire [0:0]              m_axi_p_rid,
    input  wire [`NYSX_P_PORT_BITS-1:0] m_axi_p_rdata,
    input  wire [1:0]              m_axi_p_rresp,
    input  wire                    m_axi_p_rlast,
`endif
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 interrupt INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire                    interrupt
);
  assign m_axi_arcache = 4'b0011; // normal memory, non-cacheable
  assign m_axi_arprot = 3'b000;
  assign m_axi_arid = 1'b0;
`ifdef NYSX_P_PORT_BITS
  assign m_axi_p_arcache = 4'b0011;
  assign m_axi_p_arprot = 3'b000;
  assign m_axi_p_arid = 1'b0;
`endif
  nysx_top #(.ADDRESS_BITS(ADDRESS_BITS)) top (
      .aclk(aclk), .aresetn(aresetn),
      .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr),
      .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
      .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp),
      .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr),
      .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp),
      .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen),
      .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready),
      .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
`ifdef NYSX_P_PORT_BITS
      .m_axi_p_arvalid(m_axi_p_arvalid), .m_axi_p_arready(m_axi_p_arready), .m_axi_p_araddr(m_axi_p_araddr),
      .m_axi_p_arlen(m_axi_p_arlen), .m_axi_p_arsize(m_axi_p_arsize), .m_axi_p_arburst(m_axi_p_arburst),
      .m_axi_p_rvalid(m_axi_p_rvalid), .m_axi_p_rready(m_axi_p_rready), .m_axi_p_rdata(m_axi_p_rdata),
      .m_axi_p_rresp(m_axi_p_rresp), .m_axi_p_rlast(m_axi_p_rlast),
`endif
      .interrupt_o(interrupt));
endmodule
