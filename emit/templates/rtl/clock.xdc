# Written by nysx-dse @VERSION@. Before synthesis, so that it works to the clock.
create_clock -name aclk -period @PERIOD_NS@ [get_ports aclk]
