/* The import of Vivado board files of several forms: small files written for this test, with the pitfalls of real ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "devices/board.h"
#include "devices/vivado.h"
#include "tests/devices/sample.h"
#include "tests/test.h"

/* An import in a folder of its own. */
struct import {
    char *folder, *path;
    struct dse_strbuf xml, warnings;
    struct dse_board *board; /* NULL after a failure */
    enum dse_status status;
    struct dse_error err;
};

static void begin(struct import *import, const char *board_xml)
{
    *import = (struct import){.folder = make_folder()};
    import->path = put_file(import->folder, "board.xml", board_xml);
}

static void add(const struct import *import, const char *name, const char *text)
{
    free(put_file(import->folder, name, text));
}

/* Imports a file, and checks the result as `boards check` does. */
static void run(struct import *import)
{
    import->status = dse_vivado_import(import->path, NULL, &import->xml, &import->warnings, &import->err);
    if (import->status != DSE_OK)
        return;
    struct dse_error err = {0};
    struct dse_strbuf problems = {0};
    size_t count = 0;
    char *out = put_file(import->folder, "out.xml", import->xml.text);
    assert_int_equal(dse_board_check(out, &problems, &count, &err), DSE_OK);
    if (count > 0)
        fail_msg("%s", problems.text);
    if (dse_board_open(out, &import->board, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_strbuf_free(&problems);
    free(out);
}

static void run_well(struct import *import)
{
    run(import);
    if (import->status != DSE_OK)
        fail_msg("%s", import->err.message);
}

static void warns(const struct import *import, const char *words)
{
    if (strstr(dse_strbuf_text(&import->warnings), words) == NULL)
        fail_msg("no warning \"%s\" in:\n%s", words, dse_strbuf_text(&import->warnings));
}

static void end(struct import *import)
{
    dse_board_free(import->board);
    dse_strbuf_free(&import->xml);
    dse_strbuf_free(&import->warnings);
    free(import->path);
    remove_folder(import->folder);
}

#define PARAMETER(name, value) "<user_parameter name=\"CONFIG." name "\" value=\"" value "\"/>\n"
#define IP_PRESET(name, core, parameters)                                                                     \
    "<ip_preset preset_proc_name=\"" name "\"><ip vendor=\"xilinx.com\" library=\"ip\" name=\"" core           \
    "\"><user_parameters>\n" parameters "</user_parameters></ip></ip_preset>\n"
#define PRESETS(presets) "<?xml version=\"1.0\" standalone=\"no\"?>\n<ip_presets schema=\"1.0\">" presets "</ip_presets>\n"
#define BOARD(name, part, interfaces, components)                                                             \
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!-- ours -->\n"                            \
    "<board schema_version=\"2.2\" vendor=\"example.com\" name=\"" name "\" display_name=\"A board\" "         \
    "preset_file=\"preset.xml\"><file_version>1.3</file_version><jumpers/>\n<components>\n"                    \
    "<component name=\"fmc\" type=\"connector\"><pins><pin index=\"1\" name=\"a\"/></pins></component>\n"      \
    "<component name=\"part0\" type=\"fpga\" part_name=\"" part "\"><interfaces>\n" interfaces                 \
    "</interfaces></component>\n" components "</components></board>\n"
#define INTERFACE(name, type, component, preset, pins)                                                        \
    "<interface mode=\"master\" name=\"" name "\" type=\"" type "\" of_component=\"" component                 \
    "\" preset_proc=\"" preset "\">" pins "</interface>\n"
#define DATA_PINS(left, pin)                                                                                  \
    "<port_maps><port_map logical_port=\"DQ\" dir=\"inout\" left=\"" left "\" right=\"0\"><pin_maps>"          \
    "<pin_map port_index=\"0\" component_pin=\"" pin "\"/></pin_maps></port_map></port_maps>"
#define CLOCK(name, hz)                                                                                       \
    "<interface mode=\"slave\" name=\"" name "\" type=\"xilinx.com:interface:diff_clock_rtl:1.0\">"            \
    "<parameters><parameter name=\"frequency\" value=\"" hz "\"/></parameters></interface>\n"
#define MEMORY_CHIP(name, part, type, size)                                                                   \
    "<component name=\"" name "\" type=\"chip\" sub_type=\"ddr\" part_name=\"" part "\"><parameters>"          \
    "<parameter name=\"ddr_type\" value=\"" type "\"/><parameter name=\"size\" value=\"" size "\"/>"           \
    "</parameters></component>\n"

#define DDR4 "xilinx.com:interface:ddr4_rtl:1.0"
#define DDR3 "xilinx.com:interface:ddrx_rtl:1.0"
#define LPDDR4 "xilinx.com:interface:lpddr4_rtl:1.0"
#define PS8_IO INTERFACE("ps8_fixedio", "xilinx.com:zynq_ultra_ps_e:fixedio_rtl:1.0", "ps8", "ps8_preset", "")
#define PS7_IO                                                                                                \
    INTERFACE("ps7_fixedio", "xilinx.com:display_processing_system7:fixedio_rtl:1.0", "ps7", "ps7_preset", "")

#define PS8_DDR4                                                                                              \
    IP_PRESET("ps8_preset", "zynq_ultra_ps_e",                                                                \
              PARAMETER("PSU__DDRC__BUS_WIDTH", "64 Bit") PARAMETER("PSU__DDRC__DRAM_WIDTH", "16 Bits")        \
                  PARAMETER("PSU__DDRC__MEMORY_TYPE", "DDR 4") PARAMETER("PSU__DDRC__SPEED_BIN", "DDR4_2400T") \
                      PARAMETER("PSU__CRF_APB__DDR_CTRL__FREQMHZ", "1067")                                     \
                          PARAMETER("PSU__DDRC__DEVICE_CAPACITY", "8192 MBits")                                \
                              PARAMETER("PSU__FPGA_PL0_ENABLE", "1")                                           \
                                  PARAMETER("PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ", "99.99"))

/* Missing values of a shipped board come from that board, but not if the part differs. */
TEST(a_shipped_board_of_the_name_and_part_comes_first)
{
    struct import i;
    begin(&i, BOARD("zybo-z7-20", "xc7z020clg400-1", PS7_IO CLOCK("sys_clock", "125000000"), ""));
    run_well(&i);
    assert_non_null(strstr(i.xml.text, "As of zybo-z7-20"));
    assert_null(strstr(i.xml.text, "pynq"));
    end(&i);
    begin(&i, BOARD("zybo-z7-20", "xc7z045ffg900-2", PS7_IO CLOCK("sys_clock", "125000000"), ""));
    run_well(&i);
    assert_null(strstr(i.xml.text, "As of zybo-z7-20"));
    end(&i);
}

TEST(ultrascale_zynq_with_both_memories)
{
    struct import i;
    begin(&i, BOARD("My Board", "xczu7ev-ffvc1156-2-e",
                    PS8_IO CLOCK("clk_300mhz", "300000000")
                        INTERFACE("ddr4_sdram", DDR4, "ddr4_sdram", "ddr4_preset", DATA_PINS("63", "dq0")),
                    MEMORY_CHIP("ddr4_sdram", "MT40A512M16", "ddr4", "8Gb")));
    add(&i, "preset.xml",
        PRESETS(PS8_DDR4 IP_PRESET("ddr4_preset", "ddr4",
                                   PARAMETER("C0.DDR4_MemoryPart", "MT40A512M16JY-075E")
                                       PARAMETER("C0.DDR4_TimePeriod", "833") PARAMETER("C0.DDR4_DataWidth", "64"))));
    run_well(&i);
    assert_string_equal(i.board->name, "my-board");
    assert_string_equal(i.board->part, "xczu7ev-ffvc1156-2-e");
    assert_int_equal(i.board->chip[DSE_BRAM18], 624);
    assert_int_equal(i.board->memory_count, 2);
    const struct dse_memory *ps = dse_board_memory(i.board, "ps-ddr"), *pl = dse_board_memory(i.board, "pl-ddr");
    assert_int_equal(ps->kind, DSE_MEMORY_PS_DDR);
    assert_string_equal(ps->technology, "DDR4");
    assert_int_equal(ps->width_bits, 64);
    assert_int_equal(ps->capacity_bytes, (int64_t)4 << 30); /* four x16 components of 8 Gb */
    assert_true(ps->preset_transfers_hz == 2133e6);         /* 2 × 1067 MHz, as it is sold */
    assert_true(ps->nominal_transfers_hz == 2400e6);
    assert_int_equal(pl->capacity_bytes, (int64_t)4 << 30);
    assert_true(pl->preset_transfers_hz == 2400e6);
    assert_true(pl->nominal_transfers_hz == 2667e6); /* -075E */
    warns(&i, "ddr4_sdram: board.xml writes its size as \"8Gb\", gigabits");
    assert_int_equal(i.board->clock_input_count, 2);
    assert_string_equal(i.board->clock_inputs[0].name, "clk_300mhz");
    assert_true(i.board->clock_inputs[0].clock_hz == 300e6);
    assert_true(fabs(i.board->clock_inputs[1].clock_hz - 99.99e6) < 1);
    assert_int_equal(i.board->port_count, 3); /* hp, hpc and m_axi */
    assert_int_equal(i.board->ports[0].max_burst_beats, 16);
    end(&i);
}

TEST(zynq_7000)
{
    struct import i;
    begin(&i, BOARD("seven", " xc7z020clg400-1\t", PS7_IO CLOCK("sys_clock", "125000000"), ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("ps7_preset", "processing_system7",
                          PARAMETER("PCW_UIPARAM_DDR_FREQ_MHZ", "533.333313")
                              PARAMETER("PCW_UIPARAM_DDR_MEMORY_TYPE", "DDR 3 (Low Voltage)")
                                  PARAMETER("PCW_UIPARAM_DDR_PARTNO", "MT41K256M16 RE-125")
                                      PARAMETER("PCW_FPGA0_PERIPHERAL_FREQMHZ", "50"))));
    run_well(&i);
    const struct dse_memory *ps = dse_board_memory(i.board, "ps-ddr");
    assert_string_equal(i.board->part, "xc7z020clg400-1");
    assert_string_equal(ps->technology, "DDR3L");
    assert_int_equal(ps->width_bits, 32); /* the core's own default: the preset does not set it */
    warns(&i, "PCW_UIPARAM_DDR_BUS_WIDTH");
    assert_int_equal(ps->capacity_bytes, (int64_t)1 << 30); /* two components of 256M x 16 */
    assert_true(ps->preset_transfers_hz == 1066e6);
    assert_string_equal(i.board->ports[0].name, "hp");
    assert_int_equal(i.board->ports[0].width_bits, 64);
    assert_int_equal(i.board->clock_input_count, 2);
    end(&i);
}

#define MIG(part, device, size, pin)                                                                          \
    "<?xml version=\"1.0\" standalone=\"no\"?>\n<Project NoOfControllers=\"1\"><TargetFPGA>" part              \
    "</TargetFPGA><Controller number=\"0\"><MemoryDevice>DDR3_SDRAM/" device "</MemoryDevice>"                \
    "<TimePeriod>1250</TimePeriod><DataWidth>64</DataWidth><ECC>Disabled</ECC>"                               \
    "<MemoryVoltage>1.5V</MemoryVoltage><C0_MEM_SIZE>" size "</C0_MEM_SIZE><PinSelection>"                    \
    "<Pin PADName=\"" pin "\" name=\"ddr3_dq[0]\"/></PinSelection></Controller></Project>\n"

TEST(a_mig_project_beside_the_preset)
{
    struct import i;
    begin(&i, BOARD("kintex", "xc7k325tffg900-2",
                    INTERFACE("ddr3", DDR3, "ddr3", "one", "") INTERFACE("ddr3_2g", DDR3, "ddr3_2g", "two", ""), ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("one", "mig_7series", PARAMETER("XML_INPUT_FILE", "mig.prj"))
                    IP_PRESET("two", "mig_7series", PARAMETER("XML_INPUT_FILE", "mig_2g.prj"))));
    add(&i, "mig.prj", MIG("xc7k325t-ffg900/-2", "SODIMMs/MT8JTF12864HZ-1G6", "1073741824", "AA15"));
    add(&i, "mig_2g.prj", MIG("xc7k325t-ffg900/-1", "SODIMMs/MT4KTF25664HZ-1G9", "2147483648", "AA15"));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 1); /* both use the same pins */
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)1 << 30);
    assert_true(i.board->memories[0].preset_transfers_hz == 1600e6);
    assert_int_equal(i.board->memories[0].width_bits, 64);
    warns(&i, "ddr3_2g: a further channel or setting of an earlier memory");
    warns(&i, "mig_2g.prj is for xc7k325t-ffg900/-1, board.xml for xc7k325tffg900-2");
    warns(&i, "ddr3: a module in a socket");
    end(&i);
}

/* Five x16 components of 8 Gb on 72 bits are 4 GB of data; "8GB" is written. The chip has HBM besides. */
TEST(ecc_and_a_size_that_is_wrong)
{
    struct import i;
    begin(&i, BOARD("hbmboard", "xcvu37p-fsvh2892-2L-e",
                    INTERFACE("ddr4", DDR4, "ddr4", "p", DATA_PINS("71", "dq0")),
                    MEMORY_CHIP("ddr4", "MT40A512M16", "ddr4", "8GB")));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("p", "ddr4",
                          PARAMETER("C0.DDR4_MemoryPart", "MT40A512M16HA-075E") PARAMETER("C0.DDR4_TimePeriod", "750")
                              PARAMETER("C0.DDR4_DataWidth", "72") PARAMETER("C0.DDR4_Ecc", "true"))));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 2);
    assert_string_equal(i.board->memories[0].name, "hbm");
    assert_int_equal(i.board->memories[0].channels, 32);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)8 << 30);
    assert_string_equal(i.board->memories[1].name, "pl-ddr");
    assert_int_equal(i.board->memories[1].width_bits, 64);
    assert_int_equal(i.board->memories[1].capacity_bytes, (int64_t)4 << 30);
    assert_true(i.board->memories[1].preset_transfers_hz == 2667e6);
    warns(&i, "board.xml writes its size as \"8GB\", in contradiction to the controller's parameters; 4096 MiB is taken");
    assert_int_equal(i.board->alternative_count, 1);
    assert_string_equal(i.board->alternatives[0].value, "8GB");
    end(&i);
}

TEST(equal_interfaces_become_channels)
{
#define RDIMM                                                                                                 \
    PARAMETER("C0.DDR4_MemoryType", "RDIMMs") PARAMETER("C0.DDR4_MemoryPart", "MTA18ASF2G72PZ-2G3")            \
        PARAMETER("C0.DDR4_TimePeriod", "833") PARAMETER("C0.DDR4_DataWidth", "72") PARAMETER("C0.DDR4_Ecc", "true")
    struct import i;
    begin(&i, BOARD("card", "xcu250-figd2104-2L-e",
                    INTERFACE("c0", DDR4, "c0", "p", DATA_PINS("71", "c0_dq0"))
                        INTERFACE("c1", DDR4, "c1", "p", DATA_PINS("71", "c1_dq0"))
                            INTERFACE("c1_fast", DDR4, "c1_fast", "p", DATA_PINS("71", "c1_dq0")),
                    MEMORY_CHIP("c0", "", "ddr4", "16GB")));
    add(&i, "preset.xml", PRESETS(IP_PRESET("p", "ddr4", RDIMM)));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 1);
    assert_int_equal(i.board->memories[0].channels, 2);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)32 << 30);
    assert_int_equal(i.board->chip[DSE_LUT], 1728000);
    assert_int_equal(i.board->slrs, 4);
    end(&i);
}

#define NOC_LPDDR4                                                                                            \
    PARAMETER("CONTROLLERTYPE", "LPDDR4_SDRAM") PARAMETER("MC_NO_CHANNELS", "Dual")                            \
        PARAMETER("MC_MEMORY_SPEEDGRADE", "LPDDR4-4267") PARAMETER("MC_DATAWIDTH", "32")                       \
            PARAMETER("MC_MEMORY_TIMEPERIOD0", "512")

TEST(versal_with_its_network_on_chip)
{
    struct import i;
    begin(&i, BOARD("versal", "xcvc1902-vsva2197-2MP-e-S",
                    INTERFACE("dimm", DDR4, "dimm", "dimm_preset", "") INTERFACE("ch0", LPDDR4, "lp0", "lp_preset", "")
                        INTERFACE("ch1", LPDDR4, "lp1", "lp_preset", ""),
                    MEMORY_CHIP("dimm", "", "ddr4", "4GB") MEMORY_CHIP("lp0", "", "lpddr4", "4GB")));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("dimm_preset", "axi_noc",
                          PARAMETER("CONTROLLERTYPE", "DDR4_SDRAM") PARAMETER("MC_NO_CHANNELS", "Single")
                              PARAMETER("MC_MEMORY_SPEEDGRADE", "DDR4-3200AA(22-22-22)")
                                  PARAMETER("MC_COMPONENT_WIDTH", "x8") PARAMETER("MC_DATAWIDTH", "64")
                                      PARAMETER("MC_MEMORY_DEVICETYPE", "UDIMMs")
                                          PARAMETER("MC_ROWADDRESSWIDTH", "16") PARAMETER("MC_RANK", "1"))
                    IP_PRESET("lp_preset", "axi_noc", NOC_LPDDR4)));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 2);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)8 << 30); /* the size parameter says 4GB */
    assert_true(i.board->memories[0].preset_transfers_hz == 3200e6);
    warns(&i, "dimm: board.xml writes its size as \"4GB\"");
    const struct dse_memory *lp = dse_board_memory(i.board, "pl-ddr-2");
    assert_non_null(lp);
    assert_int_equal(lp->channels, 2); /* two interfaces of one controller with two channels */
    assert_int_equal(lp->capacity_bytes, (int64_t)4 << 30);
    assert_true(fabs(lp->preset_transfers_hz - 3906.25e6) < 1);
    assert_true(lp->nominal_transfers_hz == 4267e6);
    end(&i);
}

#define LPDDR4_PINS(bank)                                                                                     \
    "<port_maps><port_map logical_port=\"DQ_A\" dir=\"inout\" left=\"15\" right=\"0\"><pin_maps>"                \
    "<pin_map port_index=\"0\" component_pin=\"" bank "_dq_a0\"/></pin_maps></port_map>"                       \
    "<port_map logical_port=\"DQ_B\" dir=\"inout\" left=\"15\" right=\"0\"/></port_maps>"
#define LPDDR4_BANK(bank, preset)                                                                             \
    INTERFACE(bank "_ch0", LPDDR4, bank, preset, LPDDR4_PINS(bank "_ch0"))                                    \
    INTERFACE(bank "_ch1", LPDDR4, bank, preset, LPDDR4_PINS(bank "_ch1"))

/* Three banks share a preset and are three controllers all the same; the fourth is slower. */
TEST(controllers_that_share_a_preset)
{
    struct import i;
    begin(&i, BOARD("banks", "xcvp1502-vsva2785-2MHP-e-S",
                    LPDDR4_BANK("lpddr4_b0", "c0c1c2") LPDDR4_BANK("lpddr4_b1", "c0c1c2")
                        LPDDR4_BANK("lpddr4_b2", "c0c1c2") LPDDR4_BANK("lpddr4_b3", "c3"),
                    ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("c0c1c2", "axi_noc", NOC_LPDDR4)
                    IP_PRESET("c3", "axi_noc", NOC_LPDDR4 PARAMETER("MC_MEMORY_TIMEPERIOD0", "625"))));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 2);
    assert_int_equal(i.board->memories[0].channels, 6);
    assert_int_equal(i.board->memories[0].width_bits, 32);
    assert_int_equal(i.board->memories[1].channels, 2);
    assert_true(i.board->memories[1].preset_transfers_hz == 3200e6);
    end(&i);
    /* Without a preset, the data ports alone give the channels and their width. */
    begin(&i, BOARD("bare-banks", "xcvp1502-vsva2785-2MHP-e-S",
                    LPDDR4_BANK("lpddr4_b0", "none") LPDDR4_BANK("lpddr4_b1", "none"), ""));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 1);
    assert_int_equal(i.board->memories[0].channels, 4);
    assert_int_equal(i.board->memories[0].width_bits, 32);
    end(&i);
}

/* One project for both sockets, and one for the first of them alone. */
TEST(a_mig_project_of_two_controllers)
{
#define CONTROLLER(pin)                                                                                       \
    "<Controller><MemoryDevice>DDR3_SDRAM/SODIMMs/MT18KSF1G72HZ-1G6</MemoryDevice><TimePeriod>1333</TimePeriod>" \
    "<DataWidth>72</DataWidth><ECC>Enabled</ECC><PinSelection><Pin PADName=\"" pin                             \
    "\" name=\"ddr3_dq[0]\"/></PinSelection></Controller>"
    struct import i;
    begin(&i, BOARD("sockets", "xc7vx690tffg1157-2",
                    INTERFACE("both", DDR3, "both", "both", "") INTERFACE("first", DDR3, "first", "first", ""), ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("both", "mig_7series", PARAMETER("XML_INPUT_FILE", "both.prj"))
                    IP_PRESET("first", "mig_7series", PARAMETER("XML_INPUT_FILE", "first.prj"))));
    add(&i, "both.prj",
        "<Project><TargetFPGA>xc7vx690t-ffg1157/-2</TargetFPGA>" CONTROLLER("AF11") CONTROLLER("C1") "</Project>");
    add(&i, "first.prj",
        "<Project><TargetFPGA>xc7vx690t-ffg1157/-2</TargetFPGA>" CONTROLLER("AF11") "</Project>");
    run_well(&i);
    warns(&i, "both: 2 controllers in one project");
    assert_int_equal(i.board->memory_count, 1);
    assert_int_equal(i.board->memories[0].channels, 2);
    assert_int_equal(i.board->memories[0].width_bits, 64);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)16 << 30);
    end(&i);
}

TEST(only_clocks_that_run_are_taken)
{
    struct import i;
    begin(&i, BOARD("clocks", "xc7z007sclg225-1", PS7_IO, ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("ps7_preset", "processing_system7",
                          PARAMETER("PCW_FPGA0_PERIPHERAL_FREQMHZ", "50") PARAMETER("PCW_FPGA1_PERIPHERAL_FREQMHZ", "100")
                              PARAMETER("PCW_EN_CLK1_PORT", "1") PARAMETER("PCW_FPGA2_PERIPHERAL_FREQMHZ", "50")
                                  PARAMETER("PCW_EN_CLK2_PORT", "0")
                                      PARAMETER("PCW_FPGA3_PERIPHERAL_FREQMHZ", "50"))));
    run_well(&i);
    assert_int_equal(i.board->clock_input_count, 2);
    assert_string_equal(i.board->clock_inputs[1].name, "fclk1");
    assert_true(i.board->clock_inputs[1].clock_hz == 100e6);
    end(&i);
    /* A dropped clock is named. */
    begin(&i, BOARD("words", "xck26-sfvc784-2LV-c",
                    PS8_IO CLOCK("unit", "125 MHz") CLOCK("plain", "1.0e8") CLOCK("word", "fast") CLOCK("minus", "-5")
                        INTERFACE("mute", "xilinx.com:signal:clock_rtl:1.0", "none", "none", ""),
                    ""));
    run_well(&i);
    assert_int_equal(i.board->clock_input_count, 2);
    assert_true(i.board->clock_inputs[0].clock_hz == 125e6 && i.board->clock_inputs[1].clock_hz == 100e6);
    warns(&i, "clock word: its frequency cannot be read, left out");
    warns(&i, "clock minus: its frequency cannot be read, left out");
    warns(&i, "clock mute: the files do not give its frequency, left out");
    end(&i);
}

/* The configured rate is distinguished from the part's; names may be surrounded by spaces; the part has one channel. */
TEST(versal_at_an_operating_period)
{
    struct import i;
    begin(&i, BOARD("trips", "xcve2802-vsvh1760-2MP-e-S",
                    LPDDR4_BANK("trip1", "trip1") LPDDR4_BANK("trip2", "trip2"),
                    "<component name=\"trip1\" type=\"chip\" part_name=\"MT53E512M32D1ZW-046\"/>"
                    "<component name=\"trip2\" type=\"chip\" part_name=\"MT53E512M32D1ZW-046\"/>"));
#define TRIP                                                                                                  \
    PARAMETER("CONTROLLERTYPE", "LPDDR4_SDRAM") PARAMETER("MC_NO_CHANNELS", "Dual")                            \
        PARAMETER("MC_MEMORY_SPEEDGRADE", "LPDDR4-3733") PARAMETER("MC_DATAWIDTH ", "32")                      \
            PARAMETER("MC_OP_TIMEPERIOD0", "541")
    add(&i, "preset.xml", PRESETS(IP_PRESET("trip1", "axi_noc", TRIP) IP_PRESET("trip2", "axi_noc", TRIP)));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 1);
    assert_int_equal(i.board->memories[0].channels, 4);
    assert_int_equal(i.board->memories[0].width_bits, 32);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)8 << 30);
    assert_true(fabs(i.board->memories[0].preset_transfers_hz - 2e12 / 541) < 1);
    assert_true(i.board->memories[0].nominal_transfers_hz == 3733e6);
    end(&i);
    /* A density instead of a part's name; and on-chip memory that no file mentions. */
    begin(&i, BOARD("dense", "xcvh1582-vsva3697-2MP-e-S", LPDDR4_BANK("b0", "p"), ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("p", "axi_noc", NOC_LPDDR4 PARAMETER("MC_COMPONENT_DENSITY", "16Gb"))));
    run_well(&i);
    assert_int_equal(i.board->memories[1].capacity_bytes, (int64_t)4 << 30);
    assert_string_equal(i.board->memories[0].technology, "HBM2E");
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)32 << 30);
    assert_true(i.board->memories[0].preset_transfers_hz == 3200e6); /* times 32 channels of 64 bit: 819.2 GB/s */
    end(&i);
}

/* Some files declare a port per line, or only pins. */
TEST(data_ports_of_every_form)
{
    struct dse_strbuf lines = {0};
    struct import i;
    for (int n = 0; n < 72; n++)
        dse_strbuf_printf(&lines, "<port_map logical_port=\"DQ%d\" physical_port=\"q%d\"/>"
                                  "<port_map logical_port=\"DQS_T%d\" physical_port=\"s%d\"/>", n, n, n, n);
    dse_strbuf_printf(&lines, "</port_maps>");
    char *text = replaced(BOARD("lines", "xczu49dr-ffvf1760-2-e",
                                INTERFACE("sodimm", "xilinx.com:interface:ddr4:1.0", "sodimm", "none", "<port_maps>@"), ""),
                          "@", dse_strbuf_text(&lines));
    begin(&i, text);
    run_well(&i);
    assert_int_equal(dse_board_memory(i.board, "pl-ddr")->width_bits, 64); /* 64 of 72, without ECC */
    end(&i);
    free(text);
    dse_strbuf_free(&lines);
    begin(&i, BOARD("pins", "xc7a35tftg256-1",
                    INTERFACE("ddr3", DDR3, "ddr3", "none",
                              "<port_maps><port_map logical_port=\"DQ\"><pin_maps><pin_map component_pin=\"a\"/>"
                              "<pin_map component_pin=\"b\"/><pin_map component_pin=\"c\"/><pin_map component_pin=\"d\"/>"
                              "<pin_map component_pin=\"e\"/><pin_map component_pin=\"f\"/><pin_map component_pin=\"g\"/>"
                              "<pin_map component_pin=\"h\"/></pin_maps></port_map></port_maps>"), ""));
    run_well(&i);
    assert_int_equal(i.board->memories[0].width_bits, 8);
    end(&i);
}

/* A disabled memory is not imported; one of an unknown kind is named. */
TEST(memories_that_are_not_there)
{
    struct import i;
#define EMC "xilinx.com:interface:emc_rtl:1.0"
    begin(&i, BOARD("off", "xc7z010clg225-1",
                    PS7_IO INTERFACE("ddr3", DDR3, "ddr3", "none", DATA_PINS("15", "d")) INTERFACE("cell_ram", EMC, "r", "", "")
                        INTERFACE("linear_flash", EMC, "f", "", ""), ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("ps7_preset", "processing_system7", PARAMETER("PCW_UIPARAM_DDR_ENABLE", "0"))));
    run_well(&i);
    assert_int_equal(i.board->memory_count, 1);
    assert_int_equal(i.board->memories[0].kind, DSE_MEMORY_PL_DDR);
    warns(&i, "PS memory: the preset switches it off (PCW_UIPARAM_DDR_ENABLE)");
    warns(&i, "cell_ram: a memory of a kind without a model (xilinx.com:interface:emc_rtl:1.0), left out");
    assert_null(strstr(dse_strbuf_text(&i.warnings), "linear_flash"));
    end(&i);
}

/* Only a part's name: its letters give the technology. */
TEST(a_part_number_alone)
{
    struct import i;
    begin(&i, BOARD("lite", "xc7z020clg400-2", PS7_IO, ""));
    add(&i, "preset.xml",
        PRESETS(IP_PRESET("ps7_preset", "processing_system7",
                          PARAMETER("PCW_UIPARAM_DDR_PARTNO", "MT41K256M16 RE-125"))));
    run_well(&i);
    assert_string_equal(i.board->memories[0].technology, "DDR3L");
    assert_int_equal(i.board->memories[0].width_bits, 32);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)1 << 30);
    end(&i);
    begin(&i, BOARD("mute", "xc7k325tffg900-2", INTERFACE("ram", DDR3, "ram", "none", DATA_PINS("63", "d")), ""));
    run_well(&i);
    assert_string_equal(i.board->memories[0].technology, "DDR3"); /* KC705 is the nearest board */
    end(&i);
}

TEST(what_is_missing_is_named)
{
    struct import i;
    begin(&i, BOARD("bare", "xck26-sfvc784-2LV-c", PS8_IO, ""));
    run_well(&i);
    warns(&i, "preset.xml: cannot open");
    warns(&i, "PS memory: no preset defines it; technology and width are as of kv260");
    warns(&i, "PS memory: the files do not give its rate");
    warns(&i, "PS memory: the files do not give its capacity");
    warns(&i, "no clock");
    assert_int_equal(i.board->memory_count, 1);
    end(&i);
}

TEST(gigabits_alone_are_those_of_one_component)
{
    struct import i;
    begin(&i, BOARD("bits", "xcku040-ffva1156-2-e", INTERFACE("ddr4", DDR4, "ddr4", "none", DATA_PINS("63", "d")),
                    MEMORY_CHIP("ddr4", "unknown", "ddr4", "4Gb")));
    add(&i, "preset.xml", PRESETS(""));
    run_well(&i);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)2 << 30);
    assert_int_equal(i.board->memories[0].width_bits, 64);
    warns(&i, "its size is in gigabits");
    end(&i);
}

TEST(two_fpgas_and_a_part_without_grade)
{
    struct import i;
    char *text = replaced(BOARD("pair", "XC7A100TCSG324", INTERFACE("ddr3", DDR3, "ddr3", "p", DATA_PINS("15", "d")),
                                MEMORY_CHIP("ddr3", "MT41K128M16JT-125", "ddr3", "256MB")),
                          "<component name=\"part0\"",
                          "<component name=\"bridge\" type=\"fpga\" part_name=\"xc9572xl\"/>\n"
                          "<component name=\"part0\"");
    begin(&i, text);
    run_well(&i);
    warns(&i, "the board has 2 FPGAs; XC7A100TCSG324 is used");
    warns(&i, "names no speed grade");
    assert_int_equal(i.board->chip[DSE_LUT], 63400);
    assert_int_equal(i.board->memories[0].width_bits, 16);
    assert_int_equal(i.board->memories[0].capacity_bytes, (int64_t)256 << 20);
    free(text);
    end(&i);
}

TEST(what_is_no_vivado_board_is_rejected)
{
    static const struct {
        const char *text, *message;
    } files[] = {
        {"", "board.xml"},
        {"<ip_presets/>", "the root element must be <board>"},
        {"<board/>", "names no <component type=\"fpga\""},
        {"<!DOCTYPE board><board/>", "document type declarations"},
        {sample_board, "is a board file of this program already"},
        {BOARD("x", "xc9999-x-1", "", ""), "the part \"xc9999-x-1\" is not in the catalogue"},
        {BOARD("x", "xc7a35tcpg236-1", "", ""), "names no external memory"},
        {"<board name=\"x\"><components><component name=\"som\" type=\"connector\"/></components></board>",
         "a carrier card has none"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct import i;
        begin(&i, files[f].text);
        run(&i);
        assert_int_equal(i.status, DSE_BAD_INPUT);
        if (strstr(i.err.message, files[f].message) == NULL)
            fail_msg("%s", i.err.message);
        assert_int_equal(i.xml.length, 0);
        end(&i);
    }
}

TEST(names_that_lead_elsewhere_are_not_followed)
{
    struct import i;
    char *text = replaced(BOARD("sly", "xczu7ev-ffvc1156-2-e", PS8_IO, ""), "preset_file=\"preset.xml\"",
                          "preset_file=\"../../../etc/passwd\"");
    begin(&i, text);
    run_well(&i);
    warns(&i, "../../../etc/passwd: is missing beside the board file");
    free(text);
    end(&i);
}

TESTS(NULL, NULL)
