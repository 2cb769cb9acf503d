/* Makes a board of this program from Vivado's files, the catalogue and the nearest shipped board. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "devices/board.h"
#include "devices/catalogue.h"
#include "devices/families.h"
#include "devices/vivado.h"
#include "devices/vivado_files.h"

#define FACTS_MAX 512
#define SOURCES_MAX 64
#define ALTERNATIVES_MAX (2 * DSE_VIVADO_MEMORIES_MAX)
#define LIKES_MAX 8 /* shipped boards held while the draft refers to their texts */

/* The board under construction. Its arrays are those below; texts are in its arena or in its sources. */
struct draft {
    struct dse_board board;
    struct dse_memory memories[DSE_VIVADO_MEMORIES_MAX + 1];
    struct dse_port ports[DSE_VIVADO_MEMORIES_MAX + 8];
    struct dse_board_fact facts[FACTS_MAX];
    struct dse_board_source sources[SOURCES_MAX];
    struct dse_board_alternative alternatives[ALTERNATIVES_MAX];
    struct dse_vivado_files files;
    struct dse_catalogue *catalogue;
    const struct dse_device *device;
    const struct dse_family *family;
    struct dse_board *likes[LIKES_MAX];
    size_t like_count;
    const struct dse_board *like; /* the nearest shipped board */
    const struct dse_board_source *from_board, *from_preset;
    struct dse_strbuf *warnings;
    bool full; /* an array did not suffice */
};

static const char *DSE_PRINTF(2, 3) text(struct draft *draft, const char *format, ...)
{
    char buffer[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return dse_arena_strdup(&draft->board.arena, buffer);
}

/* A source of the draft: the one with this id, or a copy of the given one. */
static const struct dse_board_source *use_source(struct draft *draft, const struct dse_board_source *source)
{
    struct dse_board *board = &draft->board;
    for (size_t i = 0; i < board->source_count; i++)
        if (strcmp(draft->sources[i].id, source->id) == 0)
            return &draft->sources[i];
    if (board->source_count == SOURCES_MAX) {
        draft->full = true;
        return &draft->sources[0];
    }
    draft->sources[board->source_count] = *source;
    return &draft->sources[board->source_count++];
}

static void add_fact(struct draft *draft, const char *what, const struct dse_board_source *source,
                     const char *note)
{
    if (draft->board.fact_count == FACTS_MAX) {
        draft->full = true;
        return;
    }
    draft->facts[draft->board.fact_count++] =
        (struct dse_board_fact){.what = what, .source = use_source(draft, source), .note = note};
}

/* Adds the source of a value taken from another board, and a note that says so. */
static void add_like_fact(struct draft *draft, const char *what, const struct dse_board *like,
                          const char *like_what)
{
    const struct dse_board_fact *fact = dse_board_fact_find(like, like_what);
    if (fact == NULL)
        return;
    const char *note = fact->note[0] != '\0' ? text(draft, "As of %s: %s", like->name, fact->note)
                                             : text(draft, "As of %s.", like->name);
    add_fact(draft, what, fact->source, note);
}

/* Opens a shipped board once and keeps it while the draft lives. */
static enum dse_status open_like(struct draft *draft, const char *name, const struct dse_board **out,
                                 struct dse_error *err)
{
    for (size_t i = 0; i < draft->like_count; i++)
        if (strcmp(draft->likes[i]->name, name) == 0) {
            *out = draft->likes[i];
            return DSE_OK;
        }
    if (draft->like_count == LIKES_MAX)
        return dse_fail(err, DSE_LIMIT, "the catalogue asks for more than %d boards", LIKES_MAX);
    DSE_TRY(dse_board_open(name, &draft->likes[draft->like_count], err));
    *out = draft->likes[draft->like_count++];
    return DSE_OK;
}

static bool is_known(const char *part, const void *user)
{
    return dse_catalogue_device(user, part) != NULL;
}

/* A name of our form: lower case, other characters made '-'. */
static const char *board_name(struct draft *draft, const char *name)
{
    char out[64];
    size_t length = 0;
    for (; *name != '\0' && length < sizeof out - 1; name++) {
        char c = (char)tolower((unsigned char)*name);
        bool good = isascii((unsigned char)c) && (isalnum((unsigned char)c) || strchr("._-", c) != NULL);
        if (good || length > 0)
            out[length++] = good ? c : '-';
    }
    out[length] = '\0';
    const char *start = out + strspn(out, "._-");
    return *start != '\0' ? text(draft, "%s", start) : "imported";
}

static void describe_files(struct draft *draft)
{
    const struct dse_vivado_files *files = &draft->files;
    struct dse_board_source board = {
        .id = "vivado-board", .evidence = "board-files",
        .text = text(draft, "Vivado board file %.80s%s%.40s%s%.60s", files->name,
                     files->version[0] != '\0' ? ", version " : "", files->version,
                     files->vendor[0] != '\0' ? ", of " : "", files->vendor)};
    draft->from_board = use_source(draft, &board);
    struct dse_board_source preset = {.id = "vivado-preset", .evidence = "board-files",
                                      .text = text(draft, "%.80s of the same board", files->preset_name)};
    draft->from_preset = files->preset_name[0] != '\0' ? use_source(draft, &preset) : draft->from_board;
}

/* The shipped board of that name or alias, if it has the same part: values missing in the files are most likely equal there. */
static const char *shipped_twin(struct draft *draft, const char *name)
{
    struct dse_error none;
    const struct dse_board *twin = NULL;
    if (open_like(draft, name, &twin, &none) != DSE_OK)
        return NULL;
    const struct dse_device *device = dse_catalogue_device(draft->catalogue, twin->part);
    return device == draft->device ? twin->name : NULL;
}

static enum dse_status start_part(struct draft *draft, const char *path, struct dse_error *err)
{
    struct dse_board *board = &draft->board;
    const char *part = draft->files.part;
    draft->device = dse_catalogue_device(draft->catalogue, part);
    if (draft->device == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the part \"%.60s\" is not in the catalogue (catalogue/parts.xml); "
                                            "add a <device> line for it", path, part);
    draft->family = dse_catalogue_family(draft->catalogue, draft->device->family);
    if (draft->family == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "catalogue/parts.xml: no <family> is called %s",
                        draft->device->family);
    int grade = dse_part_speed_grade(part);
    if (grade == 0)
        dse_strbuf_printf(draft->warnings, "part %s: names no speed grade; the slowest is assumed\n", part);
    if (strstr(part, "-es") != NULL || strstr(part, "-ES") != NULL)
        dse_strbuf_printf(draft->warnings, "part %s: an engineering sample\n", part);
    const char *like = draft->device->like;
    const char *twin = shipped_twin(draft, board_name(draft, draft->files.name));
    if (twin != NULL)
        like = twin;
    if (like == NULL)
        like = grade >= 2 ? draft->family->like_fast : draft->family->like_slow;
    DSE_TRY(open_like(draft, like, &draft->like, err));
    board->name = board_name(draft, draft->files.name);
    board->title = draft->files.title[0] != '\0' ? draft->files.title : board->name;
    board->part = part;
    board->family = draft->device->family;
    board->dsp_type = draft->family->dsp_type;
    board->process_nm = draft->family->process_nm;
    board->slrs = draft->device->slrs;
    return DSE_OK;
}

static void fill_resources(struct draft *draft)
{
    struct dse_board *board = &draft->board;
    bool clamped = false;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        board->chip[r] = draft->device->chip[r];
        board->headroom[r] = draft->like->headroom[r];
        board->platform[r] = draft->like->platform[r];
        if (board->platform[r] > board->chip[r] / 2) { /* the platform of a larger chip */
            board->platform[r] = board->chip[r] / 2;
            clamped = true;
        }
    }
    add_fact(draft, "part", draft->from_board, "");
    add_fact(draft, "chip", draft->device->source, text(draft, "Of %s in the catalogue.", draft->device->name));
    if (clamped) {
        dse_strbuf_printf(draft->warnings, "platform: the platform of %s is too large for this chip; reduced to half of the chip\n",
                          draft->like->name);
        add_fact(draft, "platform", &(struct dse_board_source){"assumed", "assumed", "Assumed in this file"},
                 text(draft, "As of %s, but no more than half of the chip.", draft->like->name));
    } else {
        add_like_fact(draft, "platform", draft->like, "platform");
    }
    add_like_fact(draft, "headroom", draft->like, "headroom");
}

/* The shipped memory that gives efficiency, latency and energy: the nearest board's if it has one of this kind and technology, else the catalogue's
 * choice. */
static enum dse_status find_like_memory(struct draft *draft, enum dse_memory_kind kind, const char *technology,
                                        const struct dse_board **board, const struct dse_memory **memory,
                                        double *usual_hz, struct dse_error *err)
{
    const struct dse_memory_like *like = dse_catalogue_memory(draft->catalogue, kind, technology);
    if (like == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "catalogue/parts.xml: no <memory> for %s %s",
                        dse_memory_kind_names[kind], technology);
    *usual_hz = like->transfers_hz;
    for (size_t i = 0; i < draft->like->memory_count; i++)
        if (draft->like->memories[i].kind == kind &&
            (technology[0] == '\0' || strcmp(draft->like->memories[i].technology, technology) == 0)) {
            *board = draft->like;
            *memory = &draft->like->memories[i];
            *usual_hz = (*memory)->preset_transfers_hz;
            return DSE_OK;
        }
    DSE_TRY(open_like(draft, like->board, board, err));
    *memory = dse_board_memory(*board, like->memory);
    return *memory != NULL ? DSE_OK
                           : dse_fail(err, DSE_BAD_INPUT, "catalogue/parts.xml: %s has no memory %s", like->board, like->memory);
}

/* "pl-ddr", "pl-ddr-2", …: a name that no earlier memory has. */
static const char *free_name(struct draft *draft, const char *base)
{
    const char *name = base;
    for (size_t n = 2; dse_board_memory(&draft->board, name) != NULL; n++)
        name = text(draft, "%s-%zu", base, n);
    return name;
}

static void warn_of(struct draft *draft, const struct dse_vivado_memory *said, const char *what,
                    const char *taken)
{
    dse_strbuf_printf(draft->warnings, "%s: the files do not give its %s; %s\n", said->interface, what, taken);
}

static const struct dse_board_source assumed = {"assumed", "assumed", "Assumed in this file"};

/* The source of the memory's parameters. */
static const struct dse_board_source *source_of(struct draft *draft, const struct dse_vivado_memory *said)
{
    if (said->where[0] == '\0' || strcmp(said->where, "board.xml") == 0)
        return draft->from_board;
    if (strcmp(said->where, draft->files.preset_name) == 0)
        return draft->from_preset;
    struct dse_board_source project = {.id = board_name(draft, said->where), .evidence = "board-files",
                                       .text = text(draft, "%.80s of the same board", said->where)};
    return use_source(draft, &project);
}

/* Compares the size in board.xml with that of the parameters: it may be in gigabits, of one component, or simply wrong. */
static void weigh_sizes(struct draft *draft, const struct dse_vivado_memory *said, struct dse_memory *memory,
                        const char *fact)
{
    if (said->size_text[0] == '\0' || memory->capacity_bytes == 0 || said->size_bits == memory->capacity_bytes * 8)
        return;
    const char *why = said->size_bits == 0 ? "an unreadable size"
                      : said->size_in_bits ? "gigabits: the size of one component"
                                           : "in contradiction to the controller's parameters";
    dse_strbuf_printf(draft->warnings, "%s: board.xml writes its size as \"%.40s\", %s; %lld MiB is taken\n",
                      said->interface, said->size_text, why, (long long)(memory->capacity_bytes >> 20));
    if (draft->board.alternative_count < ALTERNATIVES_MAX)
        draft->alternatives[draft->board.alternative_count++] =
            (struct dse_board_alternative){.what = fact, .value = text(draft, "%.40s", said->size_text),
                                           .why = why, .source = draft->from_board};
}

/* The capacity in bytes, and its source. */
static int64_t choose_capacity(struct draft *draft, const struct dse_vivado_memory *said,
                               const struct dse_memory *like, const struct dse_board_source **source,
                               const char **note)
{
    *source = source_of(draft, said);
    *note = "";
    if (said->capacity_bytes >= 1 << 20)
        return said->capacity_bytes;
    *source = draft->from_board;
    if (said->size_bits >= (int64_t)8 << 20 && !said->size_in_bits)
        return said->size_bits / 8;
    if (said->size_bits >= (int64_t)8 << 20 && said->width_bits >= 16) {
        int64_t components = said->width_bits / 16;
        warn_of(draft, said, "capacity", "its size is in gigabits: taken as the size of one 16 bit component");
        *note = text(draft, "%.40s for one component, taken to be 16 bit wide.", said->size_text);
        return said->size_bits / 8 * components;
    }
    warn_of(draft, said, "capacity", "the value of the nearest shipped board is used");
    *source = &assumed;
    *note = "Not in the files: as of the nearest shipped board.";
    return like->capacity_bytes;
}

static void fill_rate(struct draft *draft, const struct dse_vivado_memory *said, struct dse_memory *memory,
                      double usual_hz, const char *fact)
{
    memory->preset_transfers_hz = said->preset_hz > 0 ? said->preset_hz : said->nominal_hz;
    memory->nominal_transfers_hz = fmax(said->nominal_hz, memory->preset_transfers_hz);
    if (memory->preset_transfers_hz >= 1e6 && memory->nominal_transfers_hz <= 1e11) {
        add_fact(draft, fact, source_of(draft, said),
                 said->preset_hz > 0 ? "" : "The rate of the part; the files set none.");
        return;
    }
    warn_of(draft, said, "rate", "the usual value of its kind is used");
    memory->preset_transfers_hz = memory->nominal_transfers_hz = usual_hz;
    add_fact(draft, fact, &assumed, "Not in the files: the usual rate of memories of this kind.");
}

static enum dse_status add_memory(struct draft *draft, const struct dse_vivado_memory *said,
                                  enum dse_memory_kind kind, struct dse_error *err)
{
    const struct dse_board *like_board = NULL;
    const struct dse_memory *like = NULL;
    double usual_hz = 0;
    DSE_TRY(find_like_memory(draft, kind, said->technology, &like_board, &like, &usual_hz, err));
    struct dse_memory memory = *like;
    memory.kind = kind;
    memory.name = free_name(draft, dse_memory_kind_names[kind]);
    memory.channels = said->channels > 0 ? said->channels : 1;
    if (said->technology[0] != '\0')
        memory.technology = said->technology;
    else
        warn_of(draft, said, "technology", "the value of the nearest shipped board is used");
    if (said->width_bits >= 8 && said->width_bits % 8 == 0)
        memory.width_bits = said->width_bits;
    else
        warn_of(draft, said, "width", "the value of the nearest shipped board is used");
    if (said->module)
        dse_strbuf_printf(draft->warnings, "%s: a module in a socket, assumed to be present\n", said->interface);
    const struct dse_board_source *source = NULL;
    const char *note = "";
    add_fact(draft, text(draft, "memory %s", memory.name), source_of(draft, said),
             text(draft, "%.80s.", said->interface));
    fill_rate(draft, said, &memory, usual_hz, text(draft, "memory %s rate", memory.name));
    static const char *const copied[] = {"efficiency", "latency", "energy"};
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        add_like_fact(draft, text(draft, "memory %s %s", memory.name, copied[i]), like_board,
                      text(draft, "memory %s %s", like->name, copied[i]));
    memory.capacity_bytes = choose_capacity(draft, said, like, &source, &note);
    const char *fact = text(draft, "memory %s capacity", memory.name);
    add_fact(draft, fact, source, note);
    weigh_sizes(draft, said, &memory, fact);
    draft->memories[draft->board.memory_count++] = memory;
    return DSE_OK;
}

/* True if two interfaces are channels of one memory. */
static bool same_kind(const struct dse_vivado_memory *a, const struct dse_vivado_memory *b)
{
    return !a->on_ps && !b->on_ps && strcmp(a->technology, b->technology) == 0 &&
           a->width_bits == b->width_bits && a->preset_hz == b->preset_hz && a->nominal_hz == b->nominal_hz &&
           a->capacity_bytes == b->capacity_bytes && a->module == b->module &&
           (a->size_bits == b->size_bits || (a->capacity_bytes > 0 && (a->size_bits == 0 || b->size_bits == 0)));
}

/* Interfaces with equal settings become channels of one memory. */
static enum dse_status add_memories(struct draft *draft, struct dse_error *err)
{
    struct dse_vivado_files *files = &draft->files;
    bool taken[DSE_VIVADO_MEMORIES_MAX] = {false};
    for (size_t i = 0; i < files->memory_count; i++) {
        if (taken[i])
            continue;
        struct dse_vivado_memory sum = files->memories[i];
        for (size_t k = i + 1; k < files->memory_count; k++)
            if (!taken[k] && same_kind(&files->memories[i], &files->memories[k])) {
                taken[k] = true;
                sum.channels += files->memories[k].channels;
                sum.capacity_bytes += files->memories[k].capacity_bytes;
                sum.size_bits += files->memories[k].size_bits;
                if (files->memories[k].size_text[0] == '\0')
                    sum.size_text = ""; /* written only for some channels: nothing to compare */
                sum.interface = text(draft, "%.60s and %.60s", sum.interface, files->memories[k].interface);
            }
        DSE_TRY(add_memory(draft, &sum, sum.on_ps ? DSE_MEMORY_PS_DDR : DSE_MEMORY_PL_DDR, err));
    }
    return DSE_OK;
}

/* A processor without a preset still has its memory: the nearest board's, with a warning. */
static enum dse_status add_missing_ps_memory(struct draft *draft, struct dse_error *err)
{
    if (!dse_family_has_ps(draft->device->family) || draft->files.ps_memory_off)
        return DSE_OK;
    for (size_t i = 0; i < draft->files.memory_count; i++)
        if (draft->files.memories[i].on_ps)
            return DSE_OK;
    const struct dse_memory *like = NULL;
    for (size_t i = 0; i < draft->like->memory_count; i++)
        if (draft->like->memories[i].kind == DSE_MEMORY_PS_DDR)
            like = &draft->like->memories[i];
    if (like == NULL)
        return DSE_OK;
    struct dse_vivado_memory said = {.interface = "PS memory", .component = "", .pin = "", .pair = "", .where = "",
                                     .size_text = "", .technology = like->technology, .on_ps = true,
                                     .channels = like->channels, .width_bits = like->width_bits};
    dse_strbuf_printf(draft->warnings, "PS memory: no preset defines it; technology and width are as of %s\n",
                      draft->like->name);
    return add_memory(draft, &said, DSE_MEMORY_PS_DDR, err);
}

/* HBM is part of the chip: no board file mentions it. It goes first, as the fastest. Versal's is HBM2E: the same number of pseudo-channels, at the
 * faster rate of the catalogue. */
static enum dse_status add_hbm(struct draft *draft, struct dse_error *err)
{
    const struct dse_board *board = NULL;
    const struct dse_memory *like = NULL;
    double usual_hz = 0;
    if (draft->device->hbm_bytes == 0)
        return DSE_OK;
    const bool faster = strcmp(draft->device->family, "versal") == 0;
    const char *technology = faster ? "HBM2E" : "HBM2";
    DSE_TRY(find_like_memory(draft, DSE_MEMORY_HBM, technology, &board, &like, &usual_hz, err));
    struct dse_memory memory = *like;
    memory.name = "hbm";
    memory.capacity_bytes = draft->device->hbm_bytes;
    if (faster) {
        memory.technology = technology;
        memory.preset_transfers_hz = memory.nominal_transfers_hz = usual_hz;
    }
    static const char *const parts[] = {"", " rate", " efficiency", " latency", " energy"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (faster && strcmp(parts[i], " rate") == 0)
            add_fact(draft, "memory hbm rate", &assumed, "The usual rate of HBM2E: 819 GB/s over 32 pseudo-channels.");
        else
            add_like_fact(draft, text(draft, "memory hbm%s", parts[i]), board,
                          text(draft, "memory %s%s", like->name, parts[i]));
    add_fact(draft, "memory hbm capacity", draft->device->source,
             text(draft, "Of %s in the catalogue.", draft->device->name));
    memmove(&draft->memories[1], &draft->memories[0], draft->board.memory_count * sizeof *draft->memories);
    draft->memories[0] = memory;
    draft->board.memory_count++;
    return DSE_OK;
}

static void add_port(struct draft *draft, struct dse_port port, const struct dse_board *like,
                     const char *like_name)
{
    const char *base = port.name;
    for (size_t n = 2, i = 0; i < draft->board.port_count; i++)
        if (strcmp(draft->ports[i].name, port.name) == 0) {
            port.name = text(draft, "%s-%zu", base, n++);
            i = (size_t)-1; /* from the start, with the new name */
        }
    if (draft->board.port_count == sizeof draft->ports / sizeof *draft->ports) {
        draft->full = true;
        return;
    }
    add_like_fact(draft, text(draft, "port %s", port.name), like, text(draft, "port %s", like_name));
    draft->ports[draft->board.port_count++] = port;
}

/* The ports of the nearest shipped memory of the same kind lead to each memory. */
static enum dse_status add_ports(struct draft *draft, struct dse_error *err)
{
    for (size_t i = 0; i < draft->board.memory_count; i++) {
        const struct dse_memory *memory = &draft->memories[i];
        const struct dse_board *board = NULL;
        const struct dse_memory *like = NULL;
        double usual_hz = 0;
        const char *technology = memory->kind == DSE_MEMORY_HBM ? "HBM2" : memory->technology;
        DSE_TRY(find_like_memory(draft, memory->kind, technology, &board, &like, &usual_hz, err));
        if (memory->kind == DSE_MEMORY_PS_DDR && dse_board_memory(draft->like, "ps-ddr") != NULL) {
            board = draft->like; /* ports belong to the processing system, not to the technology */
            like = dse_board_memory(board, "ps-ddr");
        }
        for (size_t p = 0; p < board->port_count; p++) {
            struct dse_port port = board->ports[p];
            if (strcmp(port.memory, like->name) != 0)
                continue;
            port.memory = memory->name;
            if (memory->kind == DSE_MEMORY_PL_DDR && (port.count < memory->channels || port.count == like->channels))
                port.count = memory->channels;
            add_port(draft, port, board, board->ports[p].name);
        }
    }
    return DSE_OK;
}

static void fill_clocks(struct draft *draft)
{
    struct dse_board *board = &draft->board;
    const struct dse_board *like = draft->like;
    board->default_clock_hz = like->default_clock_hz;
    board->max_clock_hz = like->max_clock_hz;
    board->caps = like->caps;
    board->cap_count = like->cap_count;
    add_like_fact(draft, "clocks", like, "clocks");
    for (size_t i = 0; i < like->cap_count; i++) {
        const char *what = text(draft, "cap %g MHz", like->caps[i].clock_hz / 1e6);
        add_like_fact(draft, what, like, what);
    }
    board->clock_inputs = draft->files.clocks;
    board->clock_input_count = draft->files.clock_count;
    for (size_t i = 0; i < draft->files.clock_count; i++)
        add_fact(draft, text(draft, "clock %.60s", draft->files.clocks[i].name),
                 draft->files.clock_from_preset[i] ? draft->from_preset : draft->from_board, "");
    if (draft->files.clock_count == 0)
        dse_strbuf_printf(draft->warnings, "no clock: the files give no clock with a frequency\n");
}

static void fill_power(struct draft *draft)
{
    struct dse_board *board = &draft->board;
    const double luts = (double)board->chip[DSE_LUT];
    board->static_power_w = draft->family->static_w_per_lut * luts;
    board->static_power_low_w = draft->family->static_low_w_per_lut * luts;
    board->static_power_high_w = draft->family->static_high_w_per_lut * luts;
    add_fact(draft, "static power", draft->family->source, text(draft, "For %.0f LUTs.", luts));
    board->ps_power_w = board->ps_power_low_w = board->ps_power_high_w = NAN;
    if (!dse_family_has_ps(board->family) || isnan(draft->like->ps_power_w))
        return;
    board->ps_power_w = draft->like->ps_power_w;
    board->ps_power_low_w = draft->like->ps_power_low_w;
    board->ps_power_high_w = draft->like->ps_power_high_w;
    add_like_fact(draft, "ps power", draft->like, "ps power");
}

static enum dse_status fill(struct draft *draft, const char *path, struct dse_error *err)
{
    draft->board.memories = draft->memories;
    draft->board.ports = draft->ports;
    draft->board.facts = draft->facts;
    draft->board.sources = draft->sources;
    draft->board.alternatives = draft->alternatives;
    describe_files(draft);
    DSE_TRY(start_part(draft, path, err));
    fill_resources(draft);
    DSE_TRY(add_memories(draft, err));
    DSE_TRY(add_missing_ps_memory(draft, err));
    DSE_TRY(add_hbm(draft, err));
    if (draft->board.memory_count == 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: names no external memory of a modelled kind, and the part "
                                            "has no memory of its own: a board needs one", path);
    DSE_TRY(add_ports(draft, err));
    fill_clocks(draft);
    fill_power(draft);
    dse_strbuf_printf(draft->warnings,
                      "platform, headroom, clock caps, ports and the memories' efficiency, latency and energy are "
                      "not in such files: values of %s and similar boards are used\n", draft->like->name);
    return draft->full ? dse_fail(err, DSE_LIMIT, "%s: more notes than an imported board can hold", path)
                       : DSE_OK;
}

/* The result must be a valid board: anything else is an error here, not in the user's next command. */
static enum dse_status check_result(const char *path, const struct dse_strbuf *xml, size_t start,
                                    struct dse_error *err)
{
    struct dse_board *board = NULL;
    struct dse_error why = {0};
    enum dse_status status = dse_board_read_memory(xml->text + start, xml->length - start, path, &board, &why);
    dse_board_free(board);
    return status == DSE_OK ? DSE_OK : dse_fail(err, status, "%s: gives an invalid board: %s", path, why.message);
}

static void release(struct draft *draft)
{
    for (size_t i = 0; i < draft->like_count; i++)
        dse_board_free(draft->likes[i]);
    dse_catalogue_free(draft->catalogue);
    dse_vivado_files_free(&draft->files);
    dse_arena_free(&draft->board.arena);
    free(draft);
}

static enum dse_status import_board(struct draft *draft, const char *board_path, const char *preset_path, struct dse_strbuf *xml,
                                    struct dse_error *err)
{
    DSE_TRY(dse_catalogue_open(&draft->catalogue, err));
    DSE_TRY(dse_vivado_read(board_path, preset_path, is_known, draft->catalogue, &draft->files, err));
    DSE_TRY(fill(draft, board_path, err));
    size_t start = xml->length;
    dse_board_write(&draft->board, xml);
    return check_result(board_path, xml, start, err);
}

enum dse_status dse_vivado_import(const char *board_path, const char *preset_path, struct dse_strbuf *xml,
                                  struct dse_strbuf *warnings, struct dse_error *err)
{
    struct draft *draft = dse_calloc(1, sizeof *draft);
    draft->warnings = draft->files.warnings = warnings;
    enum dse_status status = import_board(draft, board_path, preset_path, xml, err);
    release(draft);
    return status;
}
