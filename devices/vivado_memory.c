/* The parameters of memory controllers: Zynq processing systems, DDR3 and DDR4 controllers, MIG, Versal's NoC. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "devices/vivado_dram.h"
#include "devices/vivado_files.h"

const char *dse_vivado_keep(struct dse_vivado_files *files, const char *text)
{
    return text != NULL ? dse_arena_strdup(&files->arena, text) : "";
}

/* True for "CONFIG.NAME", with any number of "CONFIG." prefixes and surrounding white space, as some presets have them. */
static bool is_called(const char *own, const char *name)
{
    own += strspn(own, " \t\r\n");
    while (strncasecmp(own, "CONFIG.", 7) == 0)
        own += 7;
    size_t length = strlen(name);
    return strncasecmp(own, name, length) == 0 && own[length + strspn(own + length, " \t\r\n")] == '\0';
}

const char *dse_vivado_parameter(struct dse_xml *doc, dse_xml_node ip, const char *name)
{
    const char *value = NULL;
    for (dse_xml_node n = dse_xml_first(ip, NULL); n != NULL; n = dse_xml_next(n, NULL)) {
        const char *own = dse_xml_text(doc, n, "name");
        const char *inner = dse_vivado_parameter(doc, n, name);
        if (own != NULL && is_called(own, name) && dse_xml_has(n, "value"))
            value = dse_xml_text(doc, n, "value");
        if (inner != NULL)
            value = inner;
    }
    return value;
}

/* The number at the start of a text ("64 Bit", "4096 MBits", " 8.000"); 0 if there is none. */
static double leading_number(const char *text)
{
    char *end = NULL;
    double value = text != NULL ? strtod(text, &end) : 0;
    return end != text && value > 0 && value < 1e12 ? value : 0;
}

static double number_parameter(struct dse_xml *doc, dse_xml_node ip, const char *name)
{
    return leading_number(dse_vivado_parameter(doc, ip, name));
}

/* Transfers per second in a speed grade's name: "DDR4_2133P", "DDR4-3200AA(22-22-22)", "LPDDR4-4267". */
static double rate_in_name(const char *name)
{
    for (const char *p = name; p != NULL && *p != '\0'; p++)
        if ((p == name || !isdigit((unsigned char)p[-1])) && strspn(p, "0123456789") >= 3)
            return strtod(p, NULL) * 1e6;
    return 0;
}

/* Data bits of a bus with its ECC bits taken off. */
static int64_t data_bits(double width, bool ecc)
{
    int64_t bits = width > 0 && width <= 4096 ? (int64_t)width : 0;
    return bits == 72 || (ecc && bits == 80) ? 64 : bits == 40 || bits == 36 ? 32 : bits;
}

static bool says_yes(const char *text)
{
    return text != NULL && (strcasecmp(text, "true") == 0 || strcasecmp(text, "enabled") == 0 ||
                            strcmp(text, "1") == 0 || strcasecmp(text, "on") == 0);
}

/* The names of the same facts in the two processing systems. */
struct ps_names {
    const char *ip, *type, *bus, *component_width, *capacity, *bin, *frequency, *part, *high_address, *ranks;
    const char *row, *column, *bank, *bank_group;
    double usual_bus_bits; /* the core's own default */
};

static const struct ps_names ps_cores[] = {
    {"zynq_ultra_ps_e", "PSU__DDRC__MEMORY_TYPE", "PSU__DDRC__BUS_WIDTH", "PSU__DDRC__DRAM_WIDTH",
     "PSU__DDRC__DEVICE_CAPACITY", "PSU__DDRC__SPEED_BIN", "PSU__CRF_APB__DDR_CTRL__FREQMHZ",
     "PSU__DDRC__PARTNO", "PSU_DDR_RAM_HIGHADDR", "PSU__DDRC__RANK_ADDR_COUNT", "PSU__DDRC__ROW_ADDR_COUNT",
     "PSU__DDRC__COL_ADDR_COUNT", "PSU__DDRC__BANK_ADDR_COUNT", "PSU__DDRC__BG_ADDR_COUNT", 64},
    {"processing_system7", "PCW_UIPARAM_DDR_MEMORY_TYPE", "PCW_UIPARAM_DDR_BUS_WIDTH",
     "PCW_UIPARAM_DDR_DRAM_WIDTH", "PCW_UIPARAM_DDR_DEVICE_CAPACITY", "PCW_UIPARAM_DDR_SPEED_BIN",
     "PCW_UIPARAM_DDR_FREQ_MHZ", "PCW_UIPARAM_DDR_PARTNO", "PCW_DDR_RAM_HIGHADDR", "",
     "PCW_UIPARAM_DDR_ROW_ADDR_COUNT", "PCW_UIPARAM_DDR_COL_ADDR_COUNT", "PCW_UIPARAM_DDR_BANK_ADDR_COUNT", "",
     32},
};

/* The bits of one component: as given, or from its part number, or from its addresses. */
static double component_bits(struct dse_xml *doc, dse_xml_node ip, const struct ps_names *names,
                             const struct dse_dram *dram, double width)
{
    int64_t bits = 0;
    bool in_bits = false;
    const char *capacity = dse_vivado_parameter(doc, ip, names->capacity);
    if (capacity != NULL && dse_dram_size(capacity, &bits, &in_bits))
        return (double)bits;
    if (dram->capacity_bits > 0 && !dram->module)
        return (double)dram->capacity_bits;
    double row = number_parameter(doc, ip, names->row), column = number_parameter(doc, ip, names->column);
    double bank = number_parameter(doc, ip, names->bank);
    double group = names->bank_group[0] != '\0' ? number_parameter(doc, ip, names->bank_group) : 0;
    if (row < 1 || column < 1 || bank < 1 || row + column + bank + group > 48)
        return 0;
    return exp2(row + column + bank + group) * width;
}

/* The highest address of the memory in the processor's map: "0x1FFFFFFF" is 512 MB. */
static int64_t bytes_below(const char *high_address)
{
    if (high_address == NULL || strncasecmp(high_address, "0x", 2) != 0)
        return 0;
    long long high = strtoll(high_address, NULL, 16);
    return high >= 0xfffff && high < (1LL << 40) ? (int64_t)(high + 1) : 0;
}

static void read_ps_rate(struct dse_xml *doc, dse_xml_node ip, const struct ps_names *names,
                         struct dse_vivado_memory *memory)
{
    double bin = rate_in_name(dse_vivado_parameter(doc, ip, names->bin));
    double set = dse_dram_rate(2e6 * number_parameter(doc, ip, names->frequency));
    memory->preset_hz = set > 0 ? set : bin;
    memory->nominal_hz = fmax(memory->preset_hz, bin);
}

static void read_ps(struct dse_xml *doc, dse_xml_node ip, const struct ps_names *names,
                    struct dse_vivado_files *files, struct dse_vivado_memory *memory)
{
    const char *part = dse_vivado_parameter(doc, ip, names->part);
    struct dse_dram dram = dse_dram_decode(part != NULL ? part : "");
    const char *type = dse_vivado_parameter(doc, ip, names->type);
    memory->technology = dse_dram_technology(type != NULL ? type : "");
    if (memory->technology[0] == '\0')
        memory->technology = dse_dram_part_technology(part != NULL ? part : "");
    memory->channels = 1;
    double bus = number_parameter(doc, ip, names->bus);
    if (bus == 0) {
        bus = names->usual_bus_bits;
        dse_strbuf_printf(files->warnings, "%s: no %s; %g bit, the usual setting, is used\n", memory->interface,
                          names->bus, bus);
    }
    memory->width_bits = data_bits(bus, false);
    double width = number_parameter(doc, ip, names->component_width);
    if (width == 0)
        width = (double)dram.width_bits;
    read_ps_rate(doc, ip, names, memory);
    double bits = component_bits(doc, ip, names, &dram, width);
    double ranks = names->ranks[0] != '\0' ? 1 + number_parameter(doc, ip, names->ranks) : 1;
    if (bits > 0 && width > 0 && ranks <= 4)
        memory->capacity_bytes = (int64_t)(bits * (double)memory->width_bits / width * ranks / 8);
    else
        memory->capacity_bytes = bytes_below(dse_vivado_parameter(doc, ip, names->high_address));
}

/* Fills rate, width and capacity from a controller that names its part. */
static void fill_from_part(struct dse_vivado_memory *memory, const char *part, double period_ps, double width,
                           bool ecc)
{
    struct dse_dram dram = dse_dram_decode(part != NULL ? part : "");
    memory->channels = 1;
    memory->width_bits = width > 0 ? data_bits(width, ecc) : dram.module ? dram.width_bits : 0;
    memory->preset_hz = period_ps > 0 ? dse_dram_rate(2e12 / period_ps) : dram.transfers_hz;
    memory->nominal_hz = fmax(memory->preset_hz, dram.transfers_hz);
    memory->module = memory->module || dram.module;
    if (dram.module)
        memory->capacity_bytes = dram.capacity_bits / 8;
    else if (dram.width_bits > 0 && memory->width_bits >= dram.width_bits)
        memory->capacity_bytes = dram.capacity_bits / 8 * (memory->width_bits / dram.width_bits);
}

/* The ddr4 and ddr3 cores of UltraScale: parameters CONFIG.C0.DDR4_…, in older ones without C0. */
static void read_ddr(struct dse_xml *doc, dse_xml_node ip, const char *technology, struct dse_vivado_memory *memory)
{
    static const char *const suffixes[] = {"MemoryPart", "TimePeriod", "DataWidth", "Ecc", "MemoryType"};
    const char *values[sizeof suffixes / sizeof *suffixes] = {NULL};
    static const char *const prefixes[] = {"C0.", "", "C0_"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes && values[i] == NULL; p++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s_%s", prefixes[p], technology, suffixes[i]);
            values[i] = dse_vivado_parameter(doc, ip, name);
        }
    memory->technology = dse_dram_technology(technology);
    memory->module = values[4] != NULL && strstr(values[4], "DIMM") != NULL;
    fill_from_part(memory, values[0], leading_number(values[1]), leading_number(values[2]), says_yes(values[3]));
}

/* Versal: the memory controller inside the network on chip. */
static void read_noc(struct dse_xml *doc, dse_xml_node ip, struct dse_vivado_memory *memory)
{
    const char *type = dse_vivado_parameter(doc, ip, "CONTROLLERTYPE");
    const char *channels = dse_vivado_parameter(doc, ip, "MC_NO_CHANNELS");
    const char *device = dse_vivado_parameter(doc, ip, "MC_MEMORY_DEVICETYPE");
    const char *part = dse_vivado_parameter(doc, ip, "MC_COMPONENT_WIDTH");
    memory->technology = dse_dram_technology(type != NULL ? type : "");
    memory->channels = channels != NULL && strcasecmp(channels, "Dual") == 0 ? 2 : 1;
    memory->width_bits = data_bits(number_parameter(doc, ip, "MC_DATAWIDTH"), true);
    double grade = rate_in_name(dse_vivado_parameter(doc, ip, "MC_MEMORY_SPEEDGRADE"));
    double period_ps = number_parameter(doc, ip, "MC_OP_TIMEPERIOD0"); /* its operating rate, if that is given separately */
    if (period_ps == 0)
        period_ps = number_parameter(doc, ip, "MC_MEMORY_TIMEPERIOD0");
    memory->preset_hz = period_ps > 0 ? dse_dram_rate(2e12 / period_ps) : grade;
    memory->nominal_hz = fmax(memory->preset_hz, grade);
    memory->module = device != NULL && strstr(device, "DIMM") != NULL;
    double rows = number_parameter(doc, ip, "MC_ROWADDRESSWIDTH");
    double rank = fmax(1, number_parameter(doc, ip, "MC_RANK"));
    double component = part != NULL && (*part == 'x' || *part == 'X') ? leading_number(part + 1) : 0;
    if (strcmp(memory->technology, "DDR4") == 0 && rows >= 12 && rows <= 20 && component > 0 && rank <= 4) {
        double banks = component >= 16 ? 3 : 4; /* two bank bits, and one or two of bank groups (JESD79-4) */
        double words = exp2(rows + 10 + banks); /* ten column bits */
        memory->capacity_bytes =
            (int64_t)(words * (double)(memory->width_bits * memory->channels) / 8 * rank);
    }
    int64_t density_bits = 0;
    bool in_bits = false;
    const char *density = dse_vivado_parameter(doc, ip, "MC_COMPONENT_DENSITY");
    if (strncmp(memory->technology, "LPDDR", 5) == 0 && memory->width_bits == 32 && density != NULL &&
        dse_dram_size(density, &density_bits, &in_bits))
        memory->capacity_bytes = density_bits / 8 * memory->channels; /* one component of 32 bits per channel */
}

void dse_vivado_read_ip(struct dse_xml *doc, dse_xml_node ip, struct dse_vivado_files *files,
                        struct dse_vivado_memory *memory)
{
    const char *core = dse_xml_text(doc, ip, "name");
    if (core == NULL)
        return;
    for (size_t i = 0; i < sizeof ps_cores / sizeof *ps_cores; i++)
        if (strcmp(core, ps_cores[i].ip) == 0)
            read_ps(doc, ip, &ps_cores[i], files, memory);
    if (strcmp(core, "ddr4") == 0)
        read_ddr(doc, ip, "DDR4", memory);
    else if (strcmp(core, "ddr3") == 0)
        read_ddr(doc, ip, "DDR3", memory);
    else if (strncmp(core, "axi_noc", 7) == 0 || strncmp(core, "noc_mc", 6) == 0)
        read_noc(doc, ip, memory);
}

/* The text of a child element, or NULL. */
static const char *child_text(struct dse_xml *doc, dse_xml_node parent, const char *name)
{
    dse_xml_node child = dse_xml_first(parent, name);
    return child != NULL ? dse_xml_content(doc, child) : NULL;
}

/* A project may have several controllers of its core; they are channels of one memory here. */
static void count_controllers(dse_xml_node first, struct dse_vivado_files *files,
                              struct dse_vivado_memory *memory)
{
    const int64_t most = 8; /* limit of the core (UG586) */
    for (dse_xml_node n = dse_xml_next(first, "Controller"); n != NULL && memory->channels < most;
         n = dse_xml_next(n, "Controller"))
        memory->channels++;
    if (memory->channels == 1)
        return;
    memory->capacity_bytes *= memory->channels;
    dse_strbuf_printf(files->warnings, "%s: %lld controllers in one project, assumed equal to the first\n",
                      memory->interface, (long long)memory->channels);
}

void dse_vivado_read_mig(struct dse_xml *doc, dse_xml_node project, struct dse_vivado_files *files,
                         struct dse_vivado_memory *memory)
{
    dse_xml_node controller = dse_xml_first(project, "Controller");
    const char *device = child_text(doc, controller, "MemoryDevice");
    if (device == NULL)
        return;
    const char *slash = strrchr(device, '/');
    const char *voltage = child_text(doc, controller, "MemoryVoltage");
    const char *ecc = child_text(doc, controller, "ECC");
    const char *dimm = strchr(device, '/');
    fill_from_part(memory, slash != NULL ? slash + 1 : device,
                   leading_number(child_text(doc, controller, "TimePeriod")),
                   leading_number(child_text(doc, controller, "DataWidth")), says_yes(ecc));
    memory->technology = dse_dram_technology(device);
    if (strcmp(memory->technology, "DDR3") == 0 && voltage != NULL && strncmp(voltage, "1.35", 4) == 0)
        memory->technology = "DDR3L";
    memory->module = memory->module || (dimm != NULL && strncasecmp(dimm, "/sodimm", 7) == 0);
    double size = leading_number(child_text(doc, controller, "C0_MEM_SIZE"));
    if (size >= 1 << 20)
        memory->capacity_bytes = (int64_t)size;
    count_controllers(controller, files, memory);
    dse_xml_node pin = dse_xml_first(dse_xml_first(controller, "PinSelection"), "Pin");
    for (; pin != NULL; pin = dse_xml_next(pin, "Pin")) {
        const char *name = dse_xml_text(doc, pin, "name");
        if (name != NULL && strstr(name, "dq[0]") != NULL)
            memory->pin = dse_vivado_keep(files, dse_xml_text(doc, pin, "PADName"));
    }
}
