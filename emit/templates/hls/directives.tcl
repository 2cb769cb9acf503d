# SPDX-License-Identifier: MIT
# Written by nysx-dse @VERSION@. For Vitis HLS up to 2023.1, inside a solution:
#   source directives.tcl
# with the source compiled without the header's own pragmas: -cflags -D@PREFIX@_NO_PRAGMAS
set_part {@PART@}
create_clock -period @CLOCK_MHZ@MHz -name default
set_directive_top -name @TOP@ "@TOP@"
@TCL_PORTS@
@TCL_DIRECTIVES@
