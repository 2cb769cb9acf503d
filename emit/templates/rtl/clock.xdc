# Written by nysx-dse @VERSION@. Read before synthesis, so that synthesis is timing-driven.
create_clock -name aclk -period @PERIOD_NS@ [get_ports aclk]
