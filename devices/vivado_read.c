/* Reads board.xml: the FPGA, its memory interfaces and clocks, and the files beside it that they refer to. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "core/units.h"
#include "devices/vivado_dram.h"
#include "devices/vivado_files.h"

#define FILE_BYTES_MAX ((size_t)8 << 20) /* the largest in the board store have 2 MB */
#define INTERFACES_MAX 256                /* memories and clocks considered: each is searched for in the whole tree */
#define DEPTH_MAX 64

/* State while the files are read. */
struct reading {
    struct dse_vivado_files *files;
    struct dse_xml *board, *preset; /* preset NULL if there is none */
    dse_xml_node root, preset_root, fpga;
    const char *folder;
};

static dse_xml_node find_below(struct dse_xml *doc, dse_xml_node node, const char *name, const char *attribute,
                               const char *value, int depth)
{
    if (depth == 0)
        return NULL;
    for (dse_xml_node n = dse_xml_first(node, NULL); n != NULL; n = dse_xml_next(n, NULL)) {
        if (strcmp(dse_xml_name(n), name) == 0) {
            const char *own = attribute != NULL ? dse_xml_text(doc, n, attribute) : NULL;
            if (attribute == NULL || (own != NULL && strcmp(own, value) == 0))
                return n;
        }
        dse_xml_node inner = find_below(doc, n, name, attribute, value, depth - 1);
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

dse_xml_node dse_vivado_find(struct dse_xml *doc, dse_xml_node node, const char *name, const char *attribute,
                             const char *value)
{
    return find_below(doc, node, name, attribute, value, DEPTH_MAX);
}

/* True if the text contains the word, in upper or lower case. */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; text != NULL && *text != '\0'; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

/* The part's name without surrounding white space: an attribute today, an element in the oldest files. */
static const char *part_of(struct reading *in, dse_xml_node component)
{
    static const char *const space = " \t\r\n";
    const char *part = dse_xml_text(in->board, component, "part_name");
    dse_xml_node element = dse_xml_first(component, "part_name");
    if (part == NULL && element != NULL)
        part = dse_xml_content(in->board, element);
    if (part == NULL)
        return NULL;
    part += strspn(part, space);
    size_t length = strcspn(part, space);
    return length > 0 ? dse_arena_strndup(&in->files->arena, part, length) : NULL;
}

static bool is_fpga(struct dse_xml *doc, dse_xml_node component)
{
    const char *type = dse_xml_text(doc, component, "type");
    return type != NULL && (strcasecmp(type, "fpga") == 0 || strcasecmp(type, "part") == 0);
}

/* Chooses the FPGA: the first whose part is known, else the first. Warns of others. */
static enum dse_status choose_fpga(struct reading *in, const char *path,
                                   bool (*is_known)(const char *part, const void *user), const void *user,
                                   struct dse_error *err)
{
    dse_xml_node components = dse_vivado_find(in->board, in->root, "components", NULL, NULL);
    bool known = false;
    size_t count = 0;
    for (dse_xml_node n = dse_xml_first(components, "component"); n != NULL; n = dse_xml_next(n, "component")) {
        const char *part = is_fpga(in->board, n) ? part_of(in, n) : NULL;
        if (part == NULL)
            continue;
        count++;
        if (in->fpga != NULL && (known || !is_known(part, user)))
            continue;
        in->fpga = n;
        in->files->part = part;
        known = is_known(part, user);
    }
    if (in->fpga == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: names no <component type=\"fpga\" part_name=…>%s", path,
                        dse_vivado_find(in->board, in->root, "component", "type", "connector") != NULL
                            ? "; a carrier card has none: import the file of the module that it carries"
                            : "");
    if (count > 1)
        dse_strbuf_printf(in->files->warnings, "the board has %zu FPGAs; %s is used\n", count,
                          in->files->part);
    return DSE_OK;
}

/* A document beside the board file. A missing or broken one is a warning; names may not lead to other folders. */
static struct dse_xml *open_beside(struct reading *in, const char *name, const char *root_name,
                                   dse_xml_node *root)
{
    struct dse_xml *doc = NULL;
    struct dse_error err = {0};
    if (strchr(name, '/') != NULL || strchr(name, '\\') != NULL) {
        dse_strbuf_printf(in->files->warnings, "%s: is missing beside the board file, so it is not read\n", name);
        return NULL;
    }
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(in->folder, name);
    enum dse_status status = dse_xml_read_file(path, FILE_BYTES_MAX, &doc, &err);
    if (status == DSE_OK) {
        *root = dse_xml_root(doc, root_name);
        if (*root != NULL)
            return doc;
        dse_fail(&err, DSE_BAD_INPUT, "%s: the root element is not <%s>", name, root_name);
        dse_xml_free(doc);
    }
    dse_strbuf_printf(in->files->warnings, "%s; its content is ignored\n", err.message);
    return NULL;
}

static enum dse_status open_preset(struct reading *in, const char *preset_path, struct dse_error *err)
{
    in->files->preset_name = "";
    if (preset_path != NULL) {
        DSE_TRY(dse_xml_read_file(preset_path, FILE_BYTES_MAX, &in->preset, err));
        in->preset_root = dse_xml_root(in->preset, "ip_presets");
        if (in->preset_root == NULL)
            return dse_xml_verdict(in->preset, err);
        in->files->preset_name = dse_vivado_keep(in->files, dse_path_base(preset_path));
        return DSE_OK;
    }
    const char *named = dse_xml_text(in->board, in->root, "preset_file");
    const char *name = named != NULL && *named != '\0' ? named : "preset.xml";
    char *path DSE_CLEANUP(dse_free_at) = dse_path_join(in->folder, name);
    bool there = dse_file_exists(path);
    if (there || (named != NULL && *named != '\0'))
        in->preset = open_beside(in, name, "ip_presets", &in->preset_root);
    else
        dse_strbuf_printf(in->files->warnings, "no preset file is beside the board file\n");
    if (in->preset != NULL)
        in->files->preset_name = dse_vivado_keep(in->files, name);
    return DSE_OK;
}

/* The IP core that a preset configures, among those called `cores`: in the preset file, else in board.xml itself. */
static dse_xml_node find_core(struct reading *in, const char *preset, const char *const *cores,
                              struct dse_xml **doc)
{
    const struct {
        struct dse_xml *doc;
        dse_xml_node root;
    } places[] = {{in->preset, in->preset_root}, {in->board, in->root}};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        if (places[p].doc == NULL)
            continue;
        dse_xml_node set = preset != NULL
                               ? dse_vivado_find(places[p].doc, places[p].root, "ip_preset",
                                                 "preset_proc_name", preset)
                               : places[p].root;
        for (size_t i = 0; set != NULL && cores[i] != NULL; i++) {
            dse_xml_node ip = dse_vivado_find(places[p].doc, set, "ip", "name", cores[i]);
            if (ip != NULL) {
                *doc = places[p].doc;
                return ip;
            }
        }
    }
    return NULL;
}

/* The component called `name`, and its properties of the memory. */
static void read_component(struct reading *in, const char *name, struct dse_vivado_memory *memory)
{
    dse_xml_node component = dse_vivado_find(in->board, in->root, "component", "name", name);
    dse_xml_node parameters = dse_xml_first(component, "parameters");
    const char *size = dse_vivado_parameter(in->board, parameters, "size");
    const char *type = dse_vivado_parameter(in->board, parameters, "ddr_type");
    const char *part = dse_xml_text(in->board, component, "part_name");
    if (size == NULL)
        size = dse_vivado_parameter(in->board, parameters, "memory_size");
    if (size != NULL && memory->size_text[0] == '\0') {
        memory->size_text = dse_vivado_keep(in->files, size);
        if (!dse_dram_size(size, &memory->size_bits, &memory->size_in_bits))
            memory->size_bits = 0;
    }
    if (memory->technology[0] == '\0' && type != NULL)
        memory->technology = dse_dram_technology(type);
    if (memory->technology[0] == '\0' && part != NULL)
        memory->technology = dse_dram_part_technology(part);
    struct dse_dram dram = dse_dram_decode(part != NULL ? part : "");
    memory->module = memory->module || dram.module;
    if (memory->width_bits == 0 && dram.module)
        memory->width_bits = dram.width_bits;
    if (memory->nominal_hz == 0)
        memory->nominal_hz = dram.transfers_hz;
    if (memory->capacity_bytes == 0 && dram.module)
        memory->capacity_bytes = dram.capacity_bits / 8;
    else if (memory->capacity_bytes == 0 && dram.width_bits > 0 && memory->width_bits >= dram.width_bits)
        memory->capacity_bytes =
            dram.capacity_bits / 8 * (memory->width_bits / dram.width_bits) * memory->channels;
}

/* The lines of a port: as stated, else the number of its pins; 0 for more than any memory has. */
static int64_t port_bits(struct dse_xml *doc, dse_xml_node map)
{
    const char *left = dse_xml_text(doc, map, "left"), *right = dse_xml_text(doc, map, "right");
    double bits = 0;
    if (left != NULL && right != NULL)
        bits = fabs(strtod(left, NULL) - strtod(right, NULL)) + 1;
    else
        for (dse_xml_node pin = dse_xml_first(dse_xml_first(map, "pin_maps"), "pin_map"); pin != NULL && bits <= 1024;
             pin = dse_xml_next(pin, "pin_map"))
            bits++;
    return bits <= 1024 ? (int64_t)bits : 0;
}

/* True for data ports: DQ, LPDDR4's DQ_A and DQ_B, and DQ0, DQ1, … if each line is a port of its own. */
static bool is_data_port(const char *logical, bool *single)
{
    *single = false;
    if (logical == NULL || strncasecmp(logical, "DQ", 2) != 0)
        return false;
    const char *rest = logical + 2;
    *single = *rest != '\0' && rest[strspn(rest, "0123456789")] == '\0';
    return *rest == '\0' || *single || strcasecmp(rest, "_A") == 0 || strcasecmp(rest, "_B") == 0;
}

/* The data ports of an interface: their width, and the pin of the first bit. LPDDR4 has two of them. */
static void read_port_map(struct reading *in, dse_xml_node interface, struct dse_vivado_memory *memory)
{
    dse_xml_node maps = dse_xml_first(interface, "port_maps");
    int64_t bits = 0;
    for (dse_xml_node m = dse_xml_first(maps, "port_map"); m != NULL; m = dse_xml_next(m, "port_map")) {
        bool single = false;
        if (!is_data_port(dse_xml_text(in->board, m, "logical_port"), &single))
            continue;
        bits += bits > 1024 ? 0 : single ? 1 : port_bits(in->board, m);
        dse_xml_node pin = dse_vivado_find(in->board, m, "pin_map", NULL, NULL);
        const char *name = dse_xml_text(in->board, pin, "component_pin");
        if (memory->pin[0] == '\0')
            memory->pin = dse_vivado_keep(in->files, name);
    }
    if (memory->width_bits == 0)
        memory->width_bits = bits == 72 ? 64 : bits == 40 || bits == 36 ? 32 : bits <= 1024 ? bits : 0;
}

/* The part in a mig.prj ("xc7k325t-ffg900/-2") equals the board's without its dashes and slashes. */
static bool same_part(const char *mig, const char *board)
{
    for (;;) {
        while (*mig == '-' || *mig == '/')
            mig++;
        while (*board == '-' || *board == '/')
            board++;
        if (*mig == '\0' || *board == '\0')
            return *mig == *board;
        if (strncasecmp(mig, board, 1) != 0)
            return false;
        mig++;
        board++;
    }
}

static void read_mig_file(struct reading *in, const char *name, struct dse_vivado_memory *memory)
{
    dse_xml_node project = NULL;
    struct dse_xml *doc = open_beside(in, name, "Project", &project);
    if (doc == NULL)
        return;
    dse_vivado_read_mig(doc, project, in->files, memory);
    memory->where = dse_vivado_keep(in->files, name);
    dse_xml_node target = dse_xml_first(project, "TargetFPGA");
    const char *part = dse_xml_content(doc, target);
    if (target != NULL && !same_part(part, in->files->part))
        dse_strbuf_printf(in->files->warnings, "%s is for %.60s, board.xml for %s; the latter is used\n", name,
                          part, in->files->part);
    dse_xml_free(doc);
}

static bool is_memory_interface(const char *type)
{
    static const char *const words[] = {":ddr", ":lpddr", ":ddrx", "ddr4_rtl", "ddr3_rtl", "ddrx_rtl"};
    if (type == NULL || has_word(type, "fixedio"))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(type, words[i]))
            return true;
    return false;
}

/* True if an earlier memory is the same one under another name or with another setting. */
static bool seen_before(const struct dse_vivado_files *files, const struct dse_vivado_memory *memory)
{
    for (size_t i = 0; i < files->memory_count; i++) {
        const struct dse_vivado_memory *other = &files->memories[i];
        bool pins = memory->pin[0] != '\0' && other->pin[0] != '\0';
        if (memory->pair[0] != '\0' && strcmp(memory->pair, other->pair) == 0)
            return true;
        if (pins ? strcmp(memory->pin, other->pin) == 0
                 : memory->component[0] != '\0' && strcmp(memory->component, other->component) == 0)
            return true;
    }
    return false;
}

static void add_memory(struct dse_vivado_files *files, const struct dse_vivado_memory *memory)
{
    if (seen_before(files, memory))
        dse_strbuf_printf(files->warnings, "%s: a further channel or setting of an earlier memory, left out\n",
                          memory->interface);
    else if (files->memory_count == DSE_VIVADO_MEMORIES_MAX)
        dse_strbuf_printf(files->warnings, "%s: more than %d memories, left out\n", memory->interface,
                          DSE_VIVADO_MEMORIES_MAX);
    else
        files->memories[files->memory_count++] = *memory;
}

static struct dse_vivado_memory named_memory(struct dse_vivado_files *files, const char *name)
{
    return (struct dse_vivado_memory){.interface = dse_vivado_keep(files, name), .component = "", .pin = "", .pair = "",
                                      .technology = "", .where = "", .size_text = ""};
}

/* The common part of the interfaces of one controller's channels: the preset, and the name without the channel's digit ("ch0_lpddr4_c0",
 * "lpddr4_b0_ch1"). Controllers of the same setting share a preset, so the preset alone does not suffice. */
static const char *pair_of(struct reading *in, const char *preset, const char *interface)
{
    char key[256];
    int written = snprintf(key, sizeof key, "%.120s %.120s", preset, interface);
    char *name = written > 0 ? strrchr(key, ' ') : NULL;
    char *channel = name != NULL ? strstr(name, "ch") : NULL;
    while (channel != NULL && !isdigit((unsigned char)channel[2]))
        channel = strstr(channel + 2, "ch");
    if (channel != NULL)
        channel[2] = '?';
    else if (name != NULL)
        *name = '\0';
    return dse_vivado_keep(in->files, key);
}

static void read_interface(struct reading *in, dse_xml_node interface)
{
    static const char *const cores[] = {"ddr4", "ddr3", "mig_7series", "axi_noc", "axi_noc2", "noc_mc_ddr4",
                                        "noc_mc_ddr5", NULL};
    const char *type = dse_xml_text(in->board, interface, "type");
    const char *preset = dse_xml_text(in->board, interface, "preset_proc");
    const char *component = dse_xml_text(in->board, interface, "of_component");
    struct dse_vivado_memory memory = named_memory(in->files, dse_xml_text(in->board, interface, "name"));
    memory.channels = 1;
    struct dse_xml *doc = NULL;
    dse_xml_node core = preset != NULL ? find_core(in, preset, cores, &doc) : NULL;
    if (core != NULL) {
        const char *project = dse_vivado_parameter(doc, core, "XML_INPUT_FILE");
        memory.where = doc == in->preset ? in->files->preset_name : "board.xml";
        if (project != NULL)
            read_mig_file(in, project, &memory);
        else
            dse_vivado_read_ip(doc, core, in->files, &memory);
        if (memory.channels > 1)
            memory.pair = pair_of(in, preset, memory.interface);
    }
    read_port_map(in, interface, &memory);
    if (component != NULL) {
        memory.component = dse_vivado_keep(in->files, component);
        read_component(in, component, &memory);
    }
    if (memory.technology[0] == '\0')
        memory.technology = dse_dram_technology(type);
    add_memory(in->files, &memory);
}

/* Warns of external memories of kinds that no model here streams from, so that they are not assumed to be imported. */
static void warn_of_other_memory(struct reading *in, dse_xml_node interface)
{
    static const char *const kinds[] = {"emc_rtl", "qdr", "rld", "hyperbus", "hyperram", "sram", "psram"};
    const char *type = dse_xml_text(in->board, interface, "type");
    const char *name = dse_xml_text(in->board, interface, "name");
    const char *of = dse_xml_text(in->board, interface, "of_component");
    if (has_word(name, "flash") || has_word(of, "flash"))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_word(type, kinds[i])) {
            dse_strbuf_printf(in->files->warnings, "%.60s: a memory of a kind without a model (%.80s), left out\n",
                              name != NULL ? name : "", type);
            return;
        }
}

/* The memory of the processing system: its preset is that of the fixed IO, else any of the core's. */
static void read_ps_memory(struct reading *in)
{
    static const char *const cores[] = {"zynq_ultra_ps_e", "processing_system7", NULL};
    struct dse_vivado_memory memory = named_memory(in->files, "PS memory");
    dse_xml_node interfaces = dse_xml_first(in->fpga, "interfaces");
    dse_xml_node core = NULL;
    struct dse_xml *doc = NULL;
    for (dse_xml_node n = dse_xml_first(interfaces, "interface"); n != NULL; n = dse_xml_next(n, "interface")) {
        const char *preset = dse_xml_text(in->board, n, "preset_proc");
        if (preset == NULL || !has_word(dse_xml_text(in->board, n, "type"), "fixedio"))
            continue;
        core = find_core(in, preset, cores, &doc);
        break;
    }
    if (core == NULL)
        core = find_core(in, NULL, cores, &doc);
    if (core == NULL)
        return;
    static const char *const switches[] = {"PSU__DDRC__ENABLE", "PCW_EN_DDR", "PCW_UIPARAM_DDR_ENABLE"};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const char *enabled = dse_vivado_parameter(doc, core, switches[i]);
        if (enabled != NULL && strcmp(enabled, "0") == 0) {
            in->files->ps_memory_off = true;
            dse_strbuf_printf(in->files->warnings, "PS memory: the preset switches it off (%s)\n", switches[i]);
            return;
        }
    }
    memory.on_ps = true;
    memory.where = doc == in->preset ? in->files->preset_name : "board.xml";
    dse_vivado_read_ip(doc, core, in->files, &memory);
    add_memory(in->files, &memory);
}

static void add_clock(struct dse_vivado_files *files, const char *name, double clock_hz, bool from_preset)
{
    const char *why = !(clock_hz >= 1e3) || clock_hz > 5e9              ? "its frequency cannot be read"
                      : files->clock_count == DSE_VIVADO_CLOCKS_MAX ? "too many clocks"
                                                                    : NULL;
    if (why != NULL) {
        dse_strbuf_printf(files->warnings, "clock %.60s: %s, left out\n", name, why);
        return;
    }
    for (size_t i = 0; i < files->clock_count; i++)
        if (strcmp(files->clocks[i].name, name) == 0)
            return;
    files->clock_from_preset[files->clock_count] = from_preset;
    files->clocks[files->clock_count++] = (struct dse_clock_input){dse_vivado_keep(files, name), clock_hz};
}

/* "100000000", "1e8", "100 MHz" in hertz; 0 for any other text. */
static double clock_rate(const char *text)
{
    double clock_hz = 0;
    bool percent = false;
    const char *end = NULL;
    text += strspn(text, " \t\r\n");
    bool read = dse_quantity_parse(text, DSE_DIMENSION_FREQUENCY, &clock_hz, &percent, &end);
    return read && !percent && end[strspn(end, " \t\r\n")] == '\0' ? clock_hz : 0;
}

static void read_clock_interface(struct reading *in, dse_xml_node interface)
{
    const char *name = dse_xml_text(in->board, interface, "name");
    const char *component = dse_xml_text(in->board, interface, "of_component");
    const char *text =
        dse_vivado_parameter(in->board, dse_xml_first(interface, "parameters"), "frequency");
    if (text == NULL && component != NULL) {
        dse_xml_node chip = dse_vivado_find(in->board, in->root, "component", "name", component);
        text = dse_vivado_parameter(in->board, dse_xml_first(chip, "parameters"), "frequency");
    }
    if (name == NULL || *name == '\0')
        return;
    if (text != NULL) {
        add_clock(in->files, name, clock_rate(text), false);
        return;
    }
    static const char *const cores[] = {"clk_wiz", NULL};
    struct dse_xml *doc = NULL;
    const char *preset = dse_xml_text(in->board, interface, "preset_proc");
    dse_xml_node core = preset != NULL ? find_core(in, preset, cores, &doc) : NULL;
    text = core != NULL ? dse_vivado_parameter(doc, core, "PRIM_IN_FREQ") : NULL;
    if (text != NULL)
        add_clock(in->files, name, 1e6 * strtod(text, NULL), true);
    else
        dse_strbuf_printf(in->files->warnings, "clock %.60s: the files do not give its frequency, left out\n", name);
}

/* Clocks that the processing system makes for the logic. */
static void read_ps_clocks(struct reading *in)
{
    static const struct {
        const char *name, *core, *parameter, *enable;
        bool usual; /* on where the files do not say */
    } clocks[] = {
        {"pl0", "zynq_ultra_ps_e", "PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ", "PSU__FPGA_PL0_ENABLE", true},
        {"pl1", "zynq_ultra_ps_e", "PSU__CRL_APB__PL1_REF_CTRL__FREQMHZ", "PSU__FPGA_PL1_ENABLE", false},
        {"pl2", "zynq_ultra_ps_e", "PSU__CRL_APB__PL2_REF_CTRL__FREQMHZ", "PSU__FPGA_PL2_ENABLE", false},
        {"pl3", "zynq_ultra_ps_e", "PSU__CRL_APB__PL3_REF_CTRL__FREQMHZ", "PSU__FPGA_PL3_ENABLE", false},
        {"fclk0", "processing_system7", "PCW_FPGA0_PERIPHERAL_FREQMHZ", "PCW_EN_CLK0_PORT", true},
        {"fclk1", "processing_system7", "PCW_FPGA1_PERIPHERAL_FREQMHZ", "PCW_EN_CLK1_PORT", false},
        {"fclk2", "processing_system7", "PCW_FPGA2_PERIPHERAL_FREQMHZ", "PCW_EN_CLK2_PORT", false},
        {"fclk3", "processing_system7", "PCW_FPGA3_PERIPHERAL_FREQMHZ", "PCW_EN_CLK3_PORT", false},
    };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct dse_xml *doc = NULL;
        const char *const cores[] = {clocks[i].core, NULL};
        dse_xml_node core = find_core(in, NULL, cores, &doc);
        const char *text = core != NULL ? dse_vivado_parameter(doc, core, clocks[i].parameter) : NULL;
        const char *enabled = core != NULL ? dse_vivado_parameter(doc, core, clocks[i].enable) : NULL;
        if (text != NULL && (enabled == NULL ? clocks[i].usual : strcmp(enabled, "0") != 0))
            add_clock(in->files, clocks[i].name, 1e6 * strtod(text, NULL), true);
    }
}

static void read_interfaces(struct reading *in)
{
    dse_xml_node interfaces = dse_xml_first(in->fpga, "interfaces");
    size_t left = INTERFACES_MAX;
    for (dse_xml_node n = dse_xml_first(interfaces, "interface"); n != NULL && left > 0;
         n = dse_xml_next(n, "interface")) {
        const char *type = dse_xml_text(in->board, n, "type");
        bool memory = is_memory_interface(type), clock = !memory && has_word(type, "clock_rtl");
        left -= memory || clock;
        if (memory)
            read_interface(in, n);
        else if (clock)
            read_clock_interface(in, n);
        else
            warn_of_other_memory(in, n);
    }
    if (left == 0)
        dse_strbuf_printf(in->files->warnings, "more than %d memory and clock interfaces; the rest is left out\n",
                          INTERFACES_MAX);
}

static enum dse_status read_root(struct reading *in, const char *path, struct dse_error *err)
{
    in->root = dse_xml_root(in->board, "board");
    if (in->root == NULL)
        return dse_xml_verdict(in->board, err);
    if (dse_xml_first(in->root, "resources") != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is a board file of this program already; use it as it is", path);
    const char *name = dse_xml_text(in->board, in->root, "name");
    if (name == NULL)
        name = dse_xml_text(in->board, in->root, "board_name");
    const char *title = dse_xml_text(in->board, in->root, "display_name");
    dse_xml_node version = dse_xml_first(in->root, "file_version");
    in->files->name = dse_vivado_keep(in->files, name);
    in->files->title = dse_vivado_keep(in->files, title);
    in->files->vendor = dse_vivado_keep(in->files, dse_xml_text(in->board, in->root, "vendor"));
    in->files->version = dse_vivado_keep(in->files, dse_xml_content(in->board, version));
    return DSE_OK;
}

/* "a/b" of "a/b/board.xml", "." of "board.xml"; malloc'd. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return dse_strdup(".");
    return slash == path ? dse_strdup("/") : dse_strndup(path, (size_t)(slash - path));
}

static enum dse_status read_all(struct reading *in, const char *board_path, const char *preset_path,
                                bool (*is_known)(const char *part, const void *user), const void *user, struct dse_error *err)
{
    DSE_TRY(dse_xml_read_file(board_path, FILE_BYTES_MAX, &in->board, err));
    DSE_TRY(read_root(in, board_path, err));
    DSE_TRY(choose_fpga(in, board_path, is_known, user, err));
    DSE_TRY(open_preset(in, preset_path, err));
    read_ps_memory(in);
    read_interfaces(in);
    read_ps_clocks(in);
    return DSE_OK;
}

enum dse_status dse_vivado_read(const char *board_path, const char *preset_path,
                                bool (*is_known)(const char *part, const void *user), const void *user,
                                struct dse_vivado_files *files, struct dse_error *err)
{
    char *folder DSE_CLEANUP(dse_free_at) = folder_of(board_path);
    struct reading in = {.files = files, .folder = folder};
    files->preset_name = "";
    enum dse_status status = read_all(&in, board_path, preset_path, is_known, user, err);
    dse_xml_free(in.preset);
    dse_xml_free(in.board);
    return status;
}

void dse_vivado_files_free(struct dse_vivado_files *files)
{
    dse_arena_free(&files->arena);
    files->memory_count = files->clock_count = 0;
}
