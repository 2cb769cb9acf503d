# SPDX-License-Identifier: MIT
# Written by nysx-dse @VERSION@: the accelerator as an IP in a block design, its ports connected as in the models.
@IF RTL@
#   vivado -mode batch -source package.tcl
@ELSE@
#   v++ -c --mode hls --config ip_config.cfg --work_dir ip
@END@
#   vivado -mode batch -source block_design.tcl
# Not run by nysx-dse's own tests, which have no Vivado. The PS is set up from the board files if they are installed.
set name @FAMILY@
set clock_mhz @CLOCK_MHZ@
create_project -force $name vivado -part @PART@
set found [get_board_parts -quiet -filter {NAME =~ *@BOARD@*}]
if {$found ne {}} { set_property board_part [lindex $found end] [current_project] }
set_property ip_repo_paths [file normalize ip] [current_project]
update_ip_catalog
create_bd_design system
@IF ZYNQ_7000@
set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 ps]
catch {apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config {apply_board_preset 1 make_external {FIXED_IO, DDR}} $ps}
set_property -dict [list CONFIG.PCW_USE_M_AXI_GP0 1 CONFIG.PCW_EN_CLK0_PORT 1 \
    CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz] $ps
set clock [get_bd_pins ps/FCLK_CLK0]
set reset [get_bd_pins ps/FCLK_RESET0_N]
set control [get_bd_intf_pins ps/M_AXI_GP0]
set interrupts {IRQ_F2P CONFIG.PCW_USE_FABRIC_INTERRUPT 1 CONFIG.PCW_IRQ_F2P_INTR 1}
connect_bd_net $clock [get_bd_pins ps/M_AXI_GP0_ACLK]
proc open_port {tag} {
    set_property -dict [list CONFIG.PCW_USE_S_AXI_$tag 1 CONFIG.PCW_S_AXI_${tag}_DATA_WIDTH 64] [get_bd_cells ps]
    connect_bd_net $::clock [get_bd_pins ps/S_AXI_${tag}_ACLK]
    return [get_bd_intf_pins ps/S_AXI_$tag]
}
@END@
@IF ULTRASCALE@
set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e ps]
catch {apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e -config {apply_board_preset 1} $ps}
set_property -dict [list CONFIG.PSU__USE__M_AXI_GP0 1 CONFIG.PSU__USE__M_AXI_GP1 0 CONFIG.PSU__USE__M_AXI_GP2 0 \
    CONFIG.PSU__FPGA_PL0_ENABLE 1 CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ $clock_mhz] $ps
set clock [get_bd_pins ps/pl_clk0]
set reset [get_bd_pins ps/pl_resetn0]
set control [get_bd_intf_pins ps/M_AXI_HPM0_FPD]
set interrupts {pl_ps_irq0 CONFIG.PSU__USE__IRQ0 1}
connect_bd_net $clock [get_bd_pins ps/maxihpm0_fpd_aclk]
array set number {HPC0 0 HPC1 1 HP0 2 HP1 3 HP2 4 HP3 5}
proc open_port {tag} {
    global number
    set_property -dict [list CONFIG.PSU__USE__S_AXI_GP$number($tag) 1 CONFIG.PSU__SAXIGP$number($tag)__DATA_WIDTH 128] [get_bd_cells ps]
    connect_bd_net $::clock [get_bd_pins ps/saxi[string tolower $tag]_fpd_aclk]
    return [get_bd_intf_pins ps/S_AXI_${tag}_FPD]
}
@END@
@IF NO_PS@
set clock [create_bd_port -dir I -type clk -freq_hz [expr {int($clock_mhz * 1e6)}] clock]
set reset [create_bd_port -dir I -type rst reset_n]
set control {}
@END@
create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset resets
connect_bd_net $clock [get_bd_pins resets/slowest_sync_clk]
connect_bd_net $reset [get_bd_pins resets/ext_reset_in]
# A SmartConnect in front of each port: `joint NAME` creates it, or adds one slave interface.
proc joint {name slaves masters} {
    set cell [create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect $name]
    set_property -dict [list CONFIG.NUM_SI $slaves CONFIG.NUM_MI $masters] $cell
    connect_bd_net $::clock [get_bd_pins $name/aclk]
    connect_bd_net [get_bd_pins resets/interconnect_aresetn] [get_bd_pins $name/aresetn]
}
array set taken {}
proc to_ps {pin tag} {
    global taken
    if {![info exists taken($tag)]} {
        set taken($tag) 0
        joint to_$tag 1 1
        connect_bd_intf_net [get_bd_intf_pins to_$tag/M00_AXI] [open_port $tag]
    }
    set_property CONFIG.NUM_SI [expr {$taken($tag) + 1}] [get_bd_cells to_$tag]
    connect_bd_intf_net [get_bd_intf_pins $pin] [get_bd_intf_pins to_$tag/[format S%02d_AXI $taken($tag)]]
    incr taken($tag)
}
proc outside {pin args} { make_bd_intf_pins_external [get_bd_intf_pins $pin] }
if {$control ne {}} { joint controls 1 @UNITS@; connect_bd_intf_net $control [get_bd_intf_pins controls/S00_AXI] }
@UNIT_CELLS@
@PORT_NETS@
assign_bd_address
validate_bd_design
save_bd_design
add_files -norecurse [make_wrapper -files [get_files system.bd] -top]
set_property top system_wrapper [current_fileset]
if {$control ne {}} {
    launch_runs impl_1 -to_step write_bitstream -jobs 4
    wait_on_run impl_1
    file copy -force [glob vivado/*.runs/impl_1/*.bit] $name.bit
    file copy -force [lindex [glob vivado/*.gen/sources_1/bd/system/hw_handoff/*.hwh] 0] $name.hwh
}
