/* The contents of the files of a Vivado board, before the catalogue fills the gaps. Only for use in this room. */
#pragma once

#include "core/arena.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"

#define DSE_VIVADO_MEMORIES_MAX 32
#define DSE_VIVADO_CLOCKS_MAX 32

/* One memory interface. Texts are "" and numbers 0 if the files do not give them. */
struct dse_vivado_memory {
    const char *interface;  /* "ddr4_sdram" */
    const char *component;  /* its component */
    const char *pin;        /* where its first data bit goes: equal pins are one memory */
    const char *pair;       /* preset of a controller with two channels: both channels name it */
    const char *technology; /* "DDR4" */
    const char *where;      /* source of its parameters: "preset.xml", "mig.prj" */
    bool on_ps;
    int64_t channels, width_bits; /* data bits per channel */
    double preset_hz, nominal_hz; /* transfers per second */
    int64_t capacity_bytes;       /* from the controller's parameters or the part number */
    const char *size_text;        /* its size as written in board.xml */
    int64_t size_bits;            /* size of that text */
    bool size_in_bits;            /* written in gigabits */
    bool module;                  /* a DIMM: its socket may be empty */
};

struct dse_vivado_files {
    const char *name, *title, *version, *vendor;
    const char *part;
    const char *preset_name; /* the preset file's name, or "" */
    struct dse_vivado_memory memories[DSE_VIVADO_MEMORIES_MAX];
    size_t memory_count;
    struct dse_clock_input clocks[DSE_VIVADO_CLOCKS_MAX];
    bool clock_from_preset[DSE_VIVADO_CLOCKS_MAX];
    size_t clock_count;
    bool ps_memory_off; /* the processing system's memory is switched off: the board has none there */
    struct dse_strbuf *warnings; /* not owned */
    struct dse_arena arena;
};

/* Reads board.xml and the files beside it. `is_known` tells whether the catalogue has a part. If the board has several FPGAs, the first known one is
 * taken. Release with dse_vivado_files_free, also after a failure. */
enum dse_status dse_vivado_read(const char *board_path, const char *preset_path,
                                bool (*is_known)(const char *part, const void *user), const void *user,
                                struct dse_vivado_files *files, struct dse_error *err);
void dse_vivado_files_free(struct dse_vivado_files *files);

/* The parameters of one IP core in a preset, and of a mig.prj file. Both fill in the members of `memory` that they know. */
void dse_vivado_read_ip(struct dse_xml *doc, dse_xml_node ip, struct dse_vivado_files *files,
                        struct dse_vivado_memory *memory);
void dse_vivado_read_mig(struct dse_xml *doc, dse_xml_node project, struct dse_vivado_files *files,
                         struct dse_vivado_memory *memory);

/* The value of a parameter of an IP core, named without "CONFIG."; the last one if there are several; NULL if there is none. */
const char *dse_vivado_parameter(struct dse_xml *doc, dse_xml_node ip, const char *name);

/* A copy in the arena; "" for NULL. */
const char *dse_vivado_keep(struct dse_vivado_files *files, const char *text);

/* The first element called `name` below `node`, at any depth, whose `attribute` is `value` (NULL: any). */
dse_xml_node dse_vivado_find(struct dse_xml *doc, dse_xml_node node, const char *name, const char *attribute,
                             const char *value);
