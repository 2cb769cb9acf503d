/* The texts for the tools: make with Verilator and Yosys, Vivado; and the page that says what is in the folder. */
#include <inttypes.h>

#include "core/version.h"
#include "emit/rtl/rtl.h"

static const char *top_of(const struct dse_rtl_design *design)
{
    return design->rtl->top;
}

void dse_rtl_makefile(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    const char *top = top_of(design);
    dse_strbuf_printf(out, "# Written by nysx-dse %s. sim: Verilator 5; synth: Yosys 0.23 or newer.\nTOP = %s\n", DSE_VERSION, top);
    dse_strbuf_add(out, "SOURCES = $(sort $(wildcard *.sv))\n"
                        "SEED = 1\n"
                        "STALL = 30\n"
                        "WARNINGS = -Wall\n"
                        "OPTIMISE = -O2\n\n"
                        ".PHONY: all lint sim synth clean\n"
                        "all: sim\n\n"
                        "lint:\n\tverilator --lint-only -Wall --assert -I. --top-module $(TOP) $(TOP).sv\n\n");
    if (design->cases != NULL)
        dse_strbuf_printf(out,
                          "sim: build/V$(TOP)\n"
                          "\t./build/V$(TOP) --cycles cycles.txt\n"
                          "\t./build/V$(TOP) --stall $(STALL) --seed $(SEED)\n\n"
                          "build/V$(TOP): $(SOURCES) %s %s_design.svh %s_design.h\n"
                          "\tverilator --cc --exe --build $(WARNINGS) --assert -O3 -CFLAGS '$(OPTIMISE) -I..' --Mdir build -I. \\\n"
                          "\t    --top-module $(TOP) $(TOP).sv %s\n\n",
                          design->rtl->bench, design->setup->family->name, design->setup->family->name,
                          design->rtl->bench);
    else
        dse_strbuf_add(out, "sim:\n\t@echo 'no cases: nysx-dse emit --flow rtl --cases N writes the test bench' && false\n\n");
    dse_strbuf_add(out, "ENGINES =");
    for (size_t e = 0; design->rtl->engines[e] != NULL; e++)
        dse_strbuf_printf(out, " %s", design->rtl->engines[e]);
    dse_strbuf_add(out, "\n\n"
                        "synth: $(ENGINES:%=synth/%.json)\n"
                        "\tsh synth.sh table $(ENGINES)\n\n"
                        "synth/%.json: $(SOURCES) $(wildcard *.svh *.hex)\n"
                        "\t@mkdir -p synth\n"
                        "\tsh synth.sh engine $*\n\n"
                        "clean:\n\trm -rf build synth cycles.txt\n");
}

void dse_rtl_synthesis(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "#!/bin/sh\n# Written by nysx-dse %s. Yosys counts what an engine takes of an UltraScale+ device.\n", DSE_VERSION);
    dse_strbuf_printf(out, "#   synth.sh engine NAME    into synth/NAME.json\n"
                           "#   synth.sh table NAME...  a row an engine\n"
                           "set -eu\nTOP=%s\n", top_of(design));
    dse_strbuf_add(out,
                   "OPTIONS='-family xcup -nowidelut -noiopad -noclkbuf -flatten'\n"
                   "case $1 in\n"
                   "engine)\n"
                   "    # The design is elaborated whole, so that the engine has its own parameters; then it becomes the top.\n"
                   "    if ! yosys -q -l synth/$2.log -p \"read_verilog -sv -defer *.sv; hierarchy -top $TOP;\n"
                   "        setattr -mod -unset top *; setattr -mod -set top 1 *$2 *$2\\\\*; select -assert-min 1 A:top=1;\n"
                   "        synth_xilinx $OPTIONS; tee -q -o synth/$2.json stat -json -tech xilinx\" 2> synth/$2.err; then\n"
                   "        if grep -q 'assert' synth/$2.err; then echo '{}' > synth/$2.json; else cat synth/$2.err >&2; exit 1; fi\n"
                   "    fi ;;\n"
                   "table)\n"
                   "    shift\n"
                   "    printf '%-16s %7s %7s %7s %7s %5s %7s %5s\\n' engine lut logic lutram ff carry bram18 dsp\n"
                   "    for engine; do\n"
                   "        awk -v name=\"$engine\" '\n"
                   "            /\"design\"/ { begun = 1; seen = 1 }\n"
                   "            begun && match($0, /\"[A-Z0-9a-z_$]+\": [0-9]+/) {\n"
                   "                split(substr($0, RSTART, RLENGTH), pair, /\": /); key = substr(pair[1], 2); n = pair[2]\n"
                   "                if (key ~ /^LUT[1-6]$/ || key == \"INV\") logic_luts += n\n"
                   "                else if (key ~ /^SRL/) ram += n\n"
                   "                else if (key ~ /^RAM(32|64)X1S/) ram += n\n"
                   "                else if (key ~ /^RAM(32|64)X1D/) ram += 2 * n\n"
                   "                else if (key ~ /^RAM128X1/) ram += (key ~ /D/ ? 4 : 2) * n\n"
                   "                else if (key ~ /^RAM256X1/) ram += (key ~ /D/ ? 8 : 4) * n\n"
                   "                else if (key ~ /^RAM512X1/) ram += 8 * n\n"
                   "                else if (key ~ /^RAM(32M|64M)$/) ram += 4 * n\n"
                   "                else if (key ~ /^RAM(32M16|64M8)$/) ram += 8 * n\n"
                   "                else if (key ~ /^FD[CPRS]E/) ff += n\n"
                   "                else if (key ~ /^CARRY/) carry += n\n"
                   "                else if (key ~ /^RAMB18/) bram += n\n"
                   "                else if (key ~ /^RAMB36/) bram += 2 * n\n"
                   "                else if (key ~ /^DSP48/) dsp += n\n"
                   "            }\n"
                   "            END { if (seen) printf \"%-16s %7d %7d %7d %7d %5d %7d %5d\\n\", name, logic_luts + ram, logic_luts, ram, ff,\n"
                   "                                  carry, bram, dsp }' synth/$engine.json\n"
                   "    done\n");
    const struct dse_estimate *estimate = design->estimate;
    dse_strbuf_printf(out, "    printf '%%-16s %%7d %%7s %%7d %%7d %%5s %%7d %%5d\\n' 'predicted, all' %" PRId64 " '' %" PRId64 " %" PRId64
                           " '' %" PRId64 " %" PRId64 " ;;\nesac\n",
                      estimate->sums.resources[DSE_LUT], estimate->sums.resources[DSE_LUTRAM], estimate->sums.resources[DSE_FF],
                      estimate->sums.resources[DSE_BRAM18], estimate->sums.resources[DSE_DSP]);
}

void dse_rtl_vivado(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    double clock_hz = (double)design->estimate->config.value[design->setup->family->clock_knob] * 1e6;
    dse_strbuf_printf(out, "# Written by nysx-dse %s. vivado -mode batch -source vivado.tcl (never run here)\n", DSE_VERSION);
    dse_strbuf_add(out, "read_verilog -sv [glob *.sv]\nforeach table [glob *.hex] { add_files $table }\n");
    dse_strbuf_printf(out, "synth_design -top %s -part {%s} -mode out_of_context -include_dirs .\n", top_of(design),
                      design->setup->board->part);
    dse_strbuf_printf(out, "create_clock -period %.3f [get_ports aclk]\n", 1e9 / clock_hz);
    dse_strbuf_add(out, "report_utilization -hierarchical -file utilization_synth.rpt\n"
                        "opt_design\nplace_design\nroute_design\n"
                        "report_utilization -hierarchical -file utilization_routed.rpt\n"
                        "report_timing_summary -file timing.rpt\n");
}

void dse_rtl_readme(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    const struct dse_estimate *estimate = design->estimate;
    double clock_hz = (double)estimate->config.value[design->setup->family->clock_knob] * 1e6;
    dse_strbuf_printf(out, "# %s for %s on %s at %g MHz\n\nWritten by nysx-dse %s.\n\n", design->rtl->top, design->dataset,
                      design->setup->board->name, clock_hz / 1e6, DSE_VERSION);
    dse_strbuf_printf(out, "    make sim      # Verilator: the graphs of %s_cases.bin, first undisturbed, then with waits at every port\n"
                           "    make synth    # Yosys: what each engine takes\n"
                           "    make lint     # Verilator, -Wall\n\n", design->setup->family->name);
    dse_strbuf_printf(out, "| file | holds |\n| --- | --- |\n"
                           "| `*.sv` | the modules, one a file; each header says what it computes and what its parameters are |\n"
                           "| `%s_design.svh`, `%s_design.h` | this design's parameters, for the modules and for the bench |\n"
                           "| `*.hex` | what the memories hold from the start, for `$readmemh` |\n"
                           "| `%s`, `%s_cases.bin` | the test bench, and graphs with the answers that it must see (with `--cases`) |\n"
                           "| `synth.sh`, `vivado.tcl` | Yosys and Vivado; the latter was never run here |\n\n",
                      design->setup->family->name, design->setup->family->name, design->rtl->bench,
                      design->setup->family->name);
    dse_strbuf_add(out, "Registers are in the header of `nysx_axi_lite.sv`. A query lies in memory as three arrays, each from a multiple of 16 "
                        "bytes on: row pointers and neighbours of A (INDEX_BITS each), labels (LABEL_BITS each). Where SORTED is 1 the "
                        "processor gives the nodes the numbers of their places by ascending row length; a row keeps the order of its "
                        "neighbours. `query_of` in the bench does it.\n");
}
