# SPDX-License-Identifier: MIT
# Written by nysx-dse @VERSION@. vivado -mode batch -source vivado.tcl (never run here)
read_verilog -sv [glob *.sv]
read_verilog @IP@.v
read_xdc clock.xdc
foreach table [glob *.hex] { add_files $table }
synth_design -top @IP@ -part {@PART@} -mode out_of_context -include_dirs .
report_utilization -hierarchical -file utilization_synth.rpt
opt_design
place_design
route_design
report_utilization -hierarchical -file utilization_routed.rpt
report_timing_summary -file timing.rpt
