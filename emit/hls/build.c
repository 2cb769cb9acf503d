/* What builds a folder: its Makefile, the block design of the IP flow, and the page that says what is in it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/version.h"
#include "emit/hls/parts.h"
#include "emit/hls/words.h"

static const char *family_of(const struct dse_hls_design *design)
{
    return design->setup->family->name;
}

static bool is_source(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

static void add_sources(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    for (const char *const *source = design->hls->sources; source != NULL && *source != NULL; source++)
        if (is_source(*source))
            dse_strbuf_printf(out, " %s", *source);
}

static bool has_bench(const struct dse_hls_design *design)
{
    return design->cases != NULL && design->hls->bench != NULL;
}

/* What no vendor's tool is needed for: C simulation, the host program, the packer as a library. */
static void add_own_targets(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const char *f = family_of(design);
    if (!has_bench(design))
        dse_strbuf_add(out, "csim csim-cpp:\n\t@echo 'no cases: nysx-dse emit --cases N writes the test bench' && false\n\n");
    for (int cpp = 0; has_bench(design) && cpp < 2; cpp++) {
        const char *name = cpp ? "csim-cpp" : "csim";
        dse_strbuf_printf(out,
                          "%s: build/%s\n\tbuild/%s\n\n"
                          "build/%s: $(SOURCES) %s %s_pack.c $(wildcard *.h)\n\t@mkdir -p build\n"
                          "\t%s -ffp-contract=off -I. $(SOURCES) %s %s_pack.c -lm -o $@\n\n",
                          name, name, name, name, design->hls->bench, f,
                          cpp ? "$(CXX) $(CXXFLAGS) -std=c++17 -x c++ $(HLS_INCLUDE)" : "$(CC) $(CFLAGS) -std=c99", design->hls->bench, f);
    }
    dse_strbuf_printf(out,
                      "host: host/%s_host host/%s_pack.so\n\n"
                      "host/%s_host: host/host.cpp %s_pack.c %s_pack.h %s_config.h\n"
                      "\t$(CC) $(CFLAGS) -std=c99 -I. -c %s_pack.c -o host/%s_pack.o\n"
                      "\t$(CXX) $(CXXFLAGS) -std=c++17 -I. -I$(XRT_INCLUDE) host/host.cpp host/%s_pack.o $(XRT_LIBRARY) -pthread -o $@\n\n"
                      "host/%s_pack.so: %s_pack.c %s_pack.h %s_config.h\n"
                      "\t$(CC) $(CFLAGS) -std=c99 -fPIC -shared -I. %s_pack.c -o $@\n\n",
                      f, f, f, f, f, f, f, f, f, f, f, f, f, f);
    dse_strbuf_printf(out, "run: host/%s_host\n\thost/%s_host --xclbin %s.xclbin --repeat $(REPEAT)\n\n", f, f, f);
}

static void add_vendor_targets(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const char *f = family_of(design), *top = design->hls->top;
    dse_strbuf_add(out, "cpp: $(SOURCES) hls_config.cfg expected.json\n\t@rm -rf cpp && mkdir cpp && cp *.c *.h *.bin expected.json cpp\n"
                        "\t@for file in cpp/*.c; do mv $$file $${file%.c}.cpp; done\n"
                        "\t@sed 's/\\.c$$/.cpp/' hls_config.cfg >cpp/hls_config.cfg\n\n");
    dse_strbuf_printf(out, "csynth-cpp: cpp\n\tcd cpp && v++ -c --mode hls --config hls_config.cfg --work_dir %s\n\n", top);
    dse_strbuf_printf(out,
                      "csim-hls:\n\tvitis-run --mode hls --csim --config hls_config.cfg --work_dir %s\n\n"
                      "csynth: %s/%s.xo\n\n"
                      "%s/%s.xo: $(SOURCES) hls_config.cfg $(wildcard *.h)\n\tv++ -c --mode hls --config hls_config.cfg --work_dir %s\n\n"
                      "cosim: csynth\n\tvitis-run --mode hls --cosim --config hls_config.cfg --work_dir %s\n\n",
                      top, top, top, top, top, top, top);
    dse_strbuf_printf(out,
                      "link: %s.xclbin\n\n"
                      "%s.xclbin: %s/%s.xo link_config.cfg\n"
                      "\t@test -n '$(PLATFORM)' || { echo 'make link PLATFORM=…: the platform to link for'; exit 2; }\n"
                      "\tv++ -l -t $(TARGET) --platform $(PLATFORM) --config link_config.cfg $< -o $@\n\n",
                      f, f, top, top);
    dse_strbuf_printf(out,
                      "ip:\n\tv++ -c --mode hls --config ip_config.cfg --work_dir ip\n\n"
                      "bitstream: ip\n\tvivado -mode batch -source block_design.tcl\n\n"
                      "clean:\n\trm -rf build cpp ip vivado %s %s.xclbin host/%s_host host/*.o host/*.so\n",
                      top, f, f);
}

void dse_hls_makefile(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    dse_strbuf_printf(out,
                      "# Written by nysx-dse %s.\n"
                      "#   csim, csim-cpp     C simulation by any C compiler; as C++17, where Vitis HLS is found with its streams and words\n"
                      "#   host, run          the host program for XRT and the query packer for PYNQ; run it on a board\n"
                      "#   csim-hls, csynth, cosim   by Vitis HLS 2023.2 or newer\n"
                      "#   cpp, csynth-cpp    the same sources as C++ in cpp/, for its streams and words; synthesis of them\n"
                      "#   link PLATFORM=…    the kernel on a platform, by v++; TARGET=hw_emu for emulation\n"
                      "#   ip, bitstream      the IP flow: the block design around it, by Vivado\n"
                      "SOURCES =", DSE_VERSION);
    add_sources(design, out);
    dse_strbuf_add(out, "\nCFLAGS ?= -O2 -Wall -Wextra\nCXXFLAGS ?= -O2 -Wall -Wextra\n"
                        "XRT ?= $(if $(XILINX_XRT),$(XILINX_XRT),/opt/xilinx/xrt)\n"
                        "XRT_INCLUDE ?= $(XRT)/include\nXRT_LIBRARY ?= -L$(XRT)/lib -lxrt_coreutil\n"
                        "HLS_INCLUDE ?= $(if $(XILINX_HLS),-isystem $(XILINX_HLS)/include)\n"
                        "TARGET ?= hw\nREPEAT ?= 1\n\n"
                        ".PHONY: csim csim-cpp host run cpp csim-hls csynth csynth-cpp cosim link ip bitstream clean\n\n");
    add_own_targets(design, out);
    add_vendor_targets(design, out);
}

/* Memory ports of all units, by what they are connected to in the block design. */
static void for_each_port(const struct dse_hls_design *design, struct dse_strbuf *out,
                          void (*add)(const struct dse_hls_design *, int64_t unit, const char *name, const char *tag, bool behind_ps,
                                      struct dse_strbuf *))
{
    const struct dse_hls *hls = design->hls;
    for (int64_t unit = 0; unit < design->estimate->platform.units; unit++)
        for (size_t p = 0; p < hls->port_count; p++)
            for (int64_t i = 0; i < hls->ports[p].count && !dse_hls_is_register(&hls->ports[p]); i++) {
                char name[DSE_HLS_TEXT_MAX], tag[64];
                bool ps = design->setup->board->memories[hls->ports[p].memory].kind == DSE_MEMORY_PS_DDR;
                dse_hls_argument(&hls->ports[p], i, name, sizeof name);
                dse_hls_memory_tag(design, &hls->ports[p], unit, i, tag, sizeof tag);
                add(design, unit, name, tag, ps, out);
            }
}

static void connect_port(const struct dse_hls_design *design, int64_t unit, const char *name, const char *tag, bool behind_ps,
                         struct dse_strbuf *out)
{
    dse_strbuf_printf(out, behind_ps ? "to_ps %s_%" PRId64 "/m_axi_gmem_%s %s\n" : "outside %s_%" PRId64 "/m_axi_gmem_%s ;# %s\n",
                      design->hls->top, unit + 1, name, tag);
}

/* Vivado's names of the processing system's clock and ports. */
static const char ultrascale_ps[] =
    "set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e ps]\n"
    "catch {apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e -config {apply_board_preset 1} $ps}\n"
    "set_property -dict [list CONFIG.PSU__USE__M_AXI_GP0 1 CONFIG.PSU__USE__M_AXI_GP1 0 CONFIG.PSU__USE__M_AXI_GP2 0 \\\n"
    "    CONFIG.PSU__FPGA_PL0_ENABLE 1 CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ $clock_mhz] $ps\n"
    "set clock [get_bd_pins ps/pl_clk0]\nset reset [get_bd_pins ps/pl_resetn0]\nset control [get_bd_intf_pins ps/M_AXI_HPM0_FPD]\n"
    "connect_bd_net $clock [get_bd_pins ps/maxihpm0_fpd_aclk]\n"
    "array set number {HPC0 0 HPC1 1 HP0 2 HP1 3 HP2 4 HP3 5}\n"
    "proc open_port {tag} {\n"
    "    global number\n"
    "    set_property -dict [list CONFIG.PSU__USE__S_AXI_GP$number($tag) 1 CONFIG.PSU__SAXIGP$number($tag)__DATA_WIDTH 128] [get_bd_cells ps]\n"
    "    connect_bd_net $::clock [get_bd_pins ps/saxi[string tolower $tag]_fpd_aclk]\n"
    "    return [get_bd_intf_pins ps/S_AXI_${tag}_FPD]\n"
    "}\n";
static const char zynq_ps[] =
    "set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 ps]\n"
    "catch {apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config {apply_board_preset 1 make_external {FIXED_IO, DDR}} $ps}\n"
    "set_property -dict [list CONFIG.PCW_USE_M_AXI_GP0 1 CONFIG.PCW_EN_CLK0_PORT 1 \\\n"
    "    CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz] $ps\n"
    "set clock [get_bd_pins ps/FCLK_CLK0]\nset reset [get_bd_pins ps/FCLK_RESET0_N]\nset control [get_bd_intf_pins ps/M_AXI_GP0]\n"
    "connect_bd_net $clock [get_bd_pins ps/M_AXI_GP0_ACLK]\n"
    "proc open_port {tag} {\n"
    "    set_property -dict [list CONFIG.PCW_USE_S_AXI_$tag 1 CONFIG.PCW_S_AXI_${tag}_DATA_WIDTH 64] [get_bd_cells ps]\n"
    "    connect_bd_net $::clock [get_bd_pins ps/S_AXI_${tag}_ACLK]\n"
    "    return [get_bd_intf_pins ps/S_AXI_$tag]\n"
    "}\n";
/* Without one, the designer connects clock, reset, control and memories. */
static const char no_ps[] =
    "set clock [create_bd_port -dir I -type clk -freq_hz [expr {int($clock_mhz * 1e6)}] clock]\n"
    "set reset [create_bd_port -dir I -type rst reset_n]\nset control {}\n";
static const char joints[] =
    "create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset resets\n"
    "connect_bd_net $clock [get_bd_pins resets/slowest_sync_clk]\n"
    "connect_bd_net $reset [get_bd_pins resets/ext_reset_in]\n"
    "# A SmartConnect in front of each port: `joint NAME` makes it, with room for one more on its inner side each time.\n"
    "proc joint {name slaves masters} {\n"
    "    set cell [create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect $name]\n"
    "    set_property -dict [list CONFIG.NUM_SI $slaves CONFIG.NUM_MI $masters] $cell\n"
    "    connect_bd_net $::clock [get_bd_pins $name/aclk]\n"
    "    connect_bd_net [get_bd_pins resets/interconnect_aresetn] [get_bd_pins $name/aresetn]\n"
    "}\n"
    "array set taken {}\n"
    "proc to_ps {pin tag} {\n"
    "    global taken\n"
    "    if {![info exists taken($tag)]} {\n"
    "        set taken($tag) 0\n"
    "        joint to_$tag 1 1\n"
    "        connect_bd_intf_net [get_bd_intf_pins to_$tag/M00_AXI] [open_port $tag]\n"
    "    }\n"
    "    set_property CONFIG.NUM_SI [expr {$taken($tag) + 1}] [get_bd_cells to_$tag]\n"
    "    connect_bd_intf_net [get_bd_intf_pins $pin] [get_bd_intf_pins to_$tag/[format S%02d_AXI $taken($tag)]]\n"
    "    incr taken($tag)\n"
    "}\n"
    "proc outside {pin args} { make_bd_intf_pins_external [get_bd_intf_pins $pin] }\n";
static const char ending[] =
    "assign_bd_address\nvalidate_bd_design\nsave_bd_design\n"
    "add_files -norecurse [make_wrapper -files [get_files system.bd] -top]\n"
    "set_property top system_wrapper [current_fileset]\n"
    "if {$control ne {}} {\n"
    "    launch_runs impl_1 -to_step write_bitstream -jobs 4\n"
    "    wait_on_run impl_1\n"
    "    file copy -force [glob vivado/*.runs/impl_1/*.bit] $name.bit\n"
    "    file copy -force [lindex [glob vivado/*.gen/sources_1/bd/system/hw_handoff/*.hwh] 0] $name.hwh\n"
    "}\n";

static void add_units(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const char *top = design->hls->top;
    int64_t units = design->estimate->platform.units;
    dse_strbuf_printf(out, "if {$control ne {}} { joint controls 1 %" PRId64 "; connect_bd_intf_net $control [get_bd_intf_pins controls/S00_AXI] }\n", units);
    for (int64_t unit = 0; unit < units; unit++) {
        dse_strbuf_printf(out,
                          "create_bd_cell -type ip -vlnv xilinx.com:hls:%s %s_%" PRId64 "\n"
                          "connect_bd_net $clock [get_bd_pins %s_%" PRId64 "/ap_clk]\n"
                          "connect_bd_net [get_bd_pins resets/peripheral_aresetn] [get_bd_pins %s_%" PRId64 "/ap_rst_n]\n",
                          top, top, unit + 1, top, unit + 1, top, unit + 1);
        dse_strbuf_printf(out,
                          "if {$control eq {}} { outside %s_%" PRId64 "/s_axi_control } else {\n"
                          "    connect_bd_intf_net [get_bd_intf_pins controls/M%02" PRId64 "_AXI] [get_bd_intf_pins %s_%" PRId64 "/s_axi_control]\n}\n",
                          top, unit + 1, unit, top, unit + 1);
    }
}

void dse_hls_block_design(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_board *board = design->setup->board;
    bool ps = board->memories[0].kind == DSE_MEMORY_PS_DDR;
    dse_strbuf_printf(out,
                      "# Written by nysx-dse %s: the accelerator as an IP in a block design, its ports where the models have them.\n"
                      "#   v++ -c --mode hls --config ip_config.cfg --work_dir ip\n"
                      "#   vivado -mode batch -source block_design.tcl\n"
                      "# Not run by nysx-dse's own tests, which have no Vivado. Board files, where installed, are taken for the PS.\n"
                      "set name %s\nset clock_mhz %g\ncreate_project -force $name vivado -part ",
                      DSE_VERSION, family_of(design), dse_hls_clock_mhz(design));
    dse_words_plain(out, board->part);
    dse_strbuf_add(out, "\nset found [get_board_parts -quiet -filter {NAME =~ *");
    dse_words_plain(out, board->name);
    dse_strbuf_add(out, "*}]\nif {$found ne {}} { set_property board_part [lindex $found end] [current_project] }\n"
                        "set_property ip_repo_paths [file normalize ip] [current_project]\nupdate_ip_catalog\ncreate_bd_design system\n");
    dse_strbuf_add(out, !ps ? no_ps : strncmp(board->family, "zynq-7000", 9) == 0 ? zynq_ps : ultrascale_ps);
    dse_strbuf_add(out, joints);
    add_units(design, out);
    for_each_port(design, out, connect_port);
    dse_strbuf_add(out, ending);
}

static void list_port(const struct dse_hls_design *design, int64_t unit, const char *name, const char *tag, bool behind_ps,
                      struct dse_strbuf *out)
{
    (void)behind_ps;
    dse_strbuf_printf(out, "| %s_%" PRId64 " | %s | %s |\n", design->hls->top, unit + 1, name, tag);
}

static void add_expected(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_estimate *estimate = design->estimate;
    char text[64];
    dse_strbuf_printf(out, "\n## What the models say\n\n%.0f cycles at %g MHz, %s a graph;", estimate->metrics[DSE_METRIC_CYCLES],
                      dse_hls_clock_mhz(design),
                      dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, estimate->metrics[DSE_METRIC_LATENCY]));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        dse_strbuf_printf(out, "%s %" PRId64 " %s", r == 0 ? "" : ",", estimate->sums.resources[r], dse_resource_names[r]);
    dse_strbuf_add(out, " a unit. `expected.json` has it by stage, engine and loop. After synthesis the reports below this folder teach "
                        "the models, and every later question of the board uses what they learned:\n\n"
                        "    nysx-dse calibrate --from . --apply\n");
}

void dse_hls_readme(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const char *f = family_of(design);
    dse_strbuf_printf(out, "# %s, for ", design->setup->family->title);
    dse_words_plain(out, design->dataset);
    dse_strbuf_add(out, " on ");
    dse_words_plain(out, design->setup->board->title);
    dse_strbuf_printf(out,
                      "\n\nWritten by nysx-dse %s; the command is in `%s_origin.h`.\n\n"
                      "| file | is |\n| --- | --- |\n"
                      "| `%s_config.h`, `%s_origin.h`, `%s_model.h` | sizes, types and directives; where it comes from; the trained tables |\n"
                      "| `*.c` | the accelerator, a file an engine%s |\n"
                      "| `%s_pack.c`, `%s_pack.h` | queries as the kernel takes them: a library for hosts |\n"
                      "| `%s_model.bin` | every array, little-endian: what the host puts into memory |\n"
                      "| `host/host.cpp`, `host/host.py` | host programs for XRT and PYNQ |\n"
                      "| `hls_config.cfg`, `directives.tcl` | synthesis to a kernel; the directives for older Vitis HLS |\n"
                      "| `link_config.cfg` | units, clock and memories for `v++ -l` |\n"
                      "| `ip_config.cfg`, `block_design.tcl` | the IP flow: synthesis to an IP, and Vivado's design around it |\n"
                      "| `expected.json` | cycles and resources by the models |\n"
                      "| `Makefile` | all of the steps |\n\n",
                      DSE_VERSION, f, f, f, f, has_bench(design) ? "; with the test bench" : "", f, f, f);
    dse_strbuf_printf(out,
                      "## Steps\n\n"
                      "    make csim                     # any C compiler; must end with \"equal\"\n"
                      "    make csynth cosim             # Vitis HLS 2023.2 or newer\n"
                      "    make link PLATFORM=…          # v++: %s.xclbin\n"
                      "    make host && make run         # on the board, with XRT\n\n"
                      "or, as an IP with PYNQ:\n\n"
                      "    make ip bitstream             # Vivado: %s.bit and %s.hwh\n"
                      "    make host/%s_pack.so       # on the board\n"
                      "    python3 host/host.py --overlay %s.bit\n\n"
                      "Both hosts load the model, %ssend the test graphs, compare the classes, and print the times.\n\n"
                      "## Memories\n\n| unit | argument | memory |\n| --- | --- | --- |\n",
                      f, f, f, f, f, "have UltraRAM loaded where tables lie there, ");
    for_each_port(design, out, list_port);
    add_expected(design, out);
}
