# SPDX-License-Identifier: MIT
# Written by nysx-dse @VERSION@: the accelerator as an IP in ip/, for block_design.tcl. vivado -mode batch -source package.tcl (never run here)
create_project -force package package -part {@PART@}
add_files [concat [glob *.sv] [glob *.svh] [glob *.hex] @IP@.v]
set_property file_type {Verilog Header} [get_files *.svh]
set_property file_type {Memory Initialization Files} [get_files *.hex]
add_files -fileset constrs_1 clock.xdc
set_property used_in {out_of_context synthesis implementation} [get_files clock.xdc]
set_property top @IP@ [current_fileset]
update_compile_order -fileset sources_1
ipx::package_project -root_dir ip -vendor nysx-dse -library user -taxonomy /UserIP -import_files -set_current true -force
set core [ipx::current_core]
set_property name @IP@ $core
set_property version 1.0 $core
set_property display_name {@TITLE@} $core
set_property description {@TOP@ for @DATASET@ on @BOARD@ at @CLOCK_MHZ@ MHz} $core
ipx::associate_bus_interfaces -busif s_axi -clock aclk $core
ipx::associate_bus_interfaces -busif m_axi -clock aclk $core
@IF SECOND_PORT@
ipx::associate_bus_interfaces -busif @SECOND_PORT@ -clock aclk $core
@END@
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
