/* The texts for the tools: make with Verilator and Yosys, Vivado; and the page that says what is in the folder. */
#include <inttypes.h>
#include <string.h>

#include "core/version.h"
#include "emit/rtl/rtl.h"

static const char *top_of(const struct dse_rtl_design *design)
{
    return design->rtl->top;
}

/* The test bench, compiled into a folder. */
static void add_build(const struct dse_rtl_design *design, const char *folder, const char *options, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name, *bench = design->rtl->bench;
    dse_strbuf_printf(out,
                      "%s/V$(TOP): $(SOURCES) %s %s_design.svh %s_design.h\n"
                      "\tverilator --cc --exe --build $(WARNINGS) --assert -O3 -j $(JOBS) -CFLAGS -I.. --Mdir %s -I.%s \\\n"
                      "\t    -MAKEFLAGS '-s OPT_FAST=$(OPTIMISE) OPT_SLOW=-O0' --top-module $(TOP) $(TOP).sv %s\n\n",
                      folder, bench, family, family, folder, options, bench);
}

void dse_rtl_makefile(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    const char *top = top_of(design);
    dse_strbuf_printf(out, "# Written by nysx-dse %s. sim: Verilator 5; synth: Yosys 0.23 or newer.\nTOP = %s\n", DSE_VERSION, top);
    dse_strbuf_add(out, "SOURCES = $(sort $(wildcard *.sv))\n"
                        "SEED = 1\n"
                        "STALL = 30\n"
                        "WARNINGS = -Wall\n"
                        "OPTIMISE = -O1\n" /* of what runs every cycle; a build takes longer than its graphs do */
                        "JOBS = 0\n\n"
                        ".PHONY: all lint sim trace synth clean\n"
                        "all: sim\n\n"
                        "lint:\n\tverilator --lint-only -Wall --assert -I. --top-module $(TOP) $(TOP).sv\n\n");
    if (design->cases != NULL) {
        dse_strbuf_add(out, "sim: build/V$(TOP)\n"
                            "\t./build/V$(TOP) --cycles cycles.txt\n"
                            "\t./build/V$(TOP) --stall $(STALL) --seed $(SEED)\n\n"
                            "# Every change of every net, as VCD to standard output\n"
                            "trace: build-trace/V$(TOP)\n"
                            "\t./build-trace/V$(TOP) --trace /dev/stdout\n\n");
        add_build(design, "build", "", out);
        add_build(design, "build-trace", " --trace --trace-max-width 1048576", out);
    } else {
        dse_strbuf_add(out, "sim:\n\t@echo 'no cases: nysx-dse emit --flow rtl --cases N writes the test bench' && false\n\n");
    }
    dse_strbuf_add(out, "MODULES =");
    for (const struct dse_rtl_module *m = design->rtl->modules; m->name != NULL; m++)
        dse_strbuf_printf(out, " %s", m->name);
    dse_strbuf_add(out, "\n\n"
                        "synth: $(MODULES:%=synth/%.json)\n"
                        "\tsh synth.sh table\n\n"
                        "synth/design.il: $(SOURCES) $(wildcard *.svh *.hex)\n"
                        "\tsh synth.sh design\n\n"
                        "synth/%.json: synth/design.il synth.sh synth.conf\n"
                        "\tsh synth.sh engine $*\n\n"
                        "clean:\n\trm -rf build build-trace synth cycles.txt\n");
}

/* What a level of LUTs may take with the net behind it, by speed grade 1 to 3: the budgets of report_failfast, of the vendor's own
 * Tcl store (Xilinx/XilinxTclStore, designutils). 0: a family that it does not have. */
static double lut_ns(const struct dse_board *board)
{
    static const struct {
        const char *family; /* what a library's name ends with */
        double ns[3];
    } budgets[] = {{"ultrascale-plus", {0.350, 0.300, 0.250}}, {"kria", {0.350, 0.300, 0.250}}, {"ultrascale", {0.490, 0.425, 0.360}},
                   {"-7", {0.575, 0.500, 0.425}}, {"-7000", {0.575, 0.500, 0.425}}};
    const char *grade = strrchr(board->part, '-');
    for (; grade != NULL && grade > board->part && (grade[1] < '1' || grade[1] > '3'); grade--) /* "-2-e", "-2LV-e" */
        continue;
    size_t index = grade != NULL && grade > board->part ? (size_t)(grade[1] - '1') : 0, length = strlen(board->family);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        size_t end = strlen(budgets[i].family);
        if (length >= end && strcmp(board->family + length - end, budgets[i].family) == 0)
            return budgets[i].ns[index];
    }
    return 0.0;
}

void dse_rtl_synthesis(const struct dse_rtl_design *design, struct dse_strbuf *out)
{
    const struct dse_model_family *family = design->setup->family;
    double clock_hz = (double)design->estimate->config.value[family->clock_knob] * 1e6;
    dse_strbuf_printf(out, "# Written by nysx-dse %s, for synth.sh.\nTOP=%s\nMODULES='", DSE_VERSION, top_of(design));
    for (const struct dse_rtl_module *m = design->rtl->modules; m->name != NULL; m++)
        dse_strbuf_printf(out, "%s%s:%s", m == design->rtl->modules ? "" : " ", m->name, m->engine);
    dse_strbuf_printf(out, "'\nPERIOD_NS=%.3f\nLUT_NS=%.3f\n# lut lutram ff bram18 dsp of each engine, by the estimate\nPREDICTED='\n", 1e9 / clock_hz,
                      lut_ns(design->setup->board));
    for (size_t e = 0; e < family->engine_count; e++) {
        const int64_t *r = design->estimate->engines[e].sums.resources;
        dse_strbuf_printf(out, "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", family->engines[e].name,
                          r[DSE_LUT], r[DSE_LUTRAM], r[DSE_FF], r[DSE_BRAM18], r[DSE_DSP]);
    }
    dse_strbuf_add(out, "'\n");
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
                           "    make lint     # Verilator, -Wall\n\n"
                           "After `make synth`, `nysx-dse calibrate --from .` fits the estimate of such designs to what was counted.\n\n", design->setup->family->name);
    dse_strbuf_printf(out, "| file | holds |\n| --- | --- |\n"
                           "| `*.sv` | the modules, one a file; each header says what it computes and what its parameters are |\n"
                           "| `%s_design.svh`, `%s_design.h` | this design's parameters, for the modules and for the bench |\n"
                           "| `*.hex` | what the memories hold from the start, for `$readmemh` |\n"
                           "| `%s`, `%s_cases.bin` | the test bench, and graphs with the answers that it must see (with `--cases`) |\n"
                           "| `expected.json` | which design this is, and cycles and resources by the models |\n"
                           "| `synth.sh`, `synth.conf`, `vivado.tcl` | Yosys and Vivado; the latter was never run here |\n\n",
                      design->setup->family->name, design->setup->family->name, design->rtl->bench,
                      design->setup->family->name);
    dse_strbuf_add(out, "Registers are in the header of `nysx_axi_lite.sv`. A query lies in memory as three arrays, each from a multiple of 16 "
                        "bytes on: row pointers and neighbours of A (INDEX_BITS each), labels (LABEL_BITS each). Where SORTED is 1 the "
                        "processor gives the nodes the numbers of their places by ascending row length; a row keeps the order of its "
                        "neighbours. `query_of` in the bench does it.\n");
}
