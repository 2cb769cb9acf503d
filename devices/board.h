/* A board: the contents of its chip, the part that a kernel may use, and its memories, ports, clocks and power.
 *
 * Boards are XML files (devices/schema/board.xsd); every value in them names its source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"

/* Largest numbers for one board; its reader rejects more. */
#define DSE_MEMORY_MAX 4
#define DSE_PORT_MAX 16

struct dse_strbuf;

/* The countable resources of programmable logic. BRAM counts 18 Kb halves: a RAMB36 is 2. LUTRAM is the part of the LUTs used as memory, and is
 * contained in the LUT count. */
enum dse_resource { DSE_BRAM18, DSE_URAM, DSE_DSP, DSE_LUT, DSE_FF, DSE_LUTRAM, DSE_RESOURCE_COUNT };

/* "bram18", "uram", "dsp", "lut", "ff", "lutram": the names in JSON, XML and expressions. */
extern const char *const dse_resource_names[DSE_RESOURCE_COUNT];

enum dse_memory_kind { DSE_MEMORY_PS_DDR, DSE_MEMORY_PL_DDR, DSE_MEMORY_HBM };

/* "ps-ddr", "pl-ddr", "hbm" and a NULL. */
extern const char *const dse_memory_kind_names[];

/* One external memory: `channels` equal channels of `width_bits` data bits at a transfer rate. */
struct dse_memory {
    const char *name;             /* "ps-ddr", "pl-ddr", "hbm" */
    enum dse_memory_kind kind;
    const char *technology;       /* "DDR4", "LPDDR4", "HBM2", … */
    int64_t channels;
    int64_t width_bits;           /* data bits per channel, without ECC */
    double preset_transfers_hz;   /* transfers per second in the vendor's board preset */
    double nominal_transfers_hz;  /* transfers per second that the part is rated for */
    double efficiency;            /* sustained share of the preset rate for long sequential reads, 0 to 1 */
    double efficiency_low, efficiency_high; /* its band */
    double read_latency_s;        /* idle latency from an accepted read to its first data */
    double read_latency_low_s, read_latency_high_s; /* its band */
    int64_t capacity_bytes;       /* all channels together */
    double energy_j_per_bit;      /* dynamic energy of the device and its interface */
    double energy_low_j_per_bit, energy_high_j_per_bit; /* its band */
};

/* How a kernel reaches a memory. */
struct dse_port {
    const char *name;      /* "hp", "hpc", "m_axi", "hbm-pc" */
    const char *memory;    /* the name of the memory behind it */
    int64_t count;         /* ports of this kind that a kernel can have */
    int64_t width_bits;    /* the widest data path of one port; wider words take several beats */
    int64_t max_burst_beats; /* beats of one burst (16 behind a Zynq PS port, which is AXI3 inside) */
};

/* A limit of utilisation for timing closure: up to `clock_hz` a design may use this share of each resource's usable amount. */
struct dse_clock_cap {
    double clock_hz;
    double utilisation[DSE_RESOURCE_COUNT];
};

/* A clock that the board feeds to the chip; an MMCM makes kernel clocks from it. */
struct dse_clock_input {
    const char *name; /* "clk_300mhz", "pl0" */
    double clock_hz;
};

/* The source of a value. Evidence is one of "tool-report", "vendor-document", "board-files", "repository", "paper", "derived" and "assumed", from the
 * strongest to the weakest. */
struct dse_board_source {
    const char *id, *evidence, *text;
};

/* The source behind a value, which is named "chip", "memory ps-ddr rate", "port hp", "cap 300 MHz", … */
struct dse_board_fact {
    const char *what;
    const struct dse_board_source *source;
    const char *note; /* "" if there is none */
};

/* A value that another source gives, and why it was not taken. */
struct dse_board_alternative {
    const char *what, *value, *why;
    const struct dse_board_source *source;
};

/* Seconds, with their band. */
struct dse_host_cost {
    double s, low_s, high_s;
};

/* Times to launch one item, to launch a queue, to transfer data between host and memory, and to read an answer that is a register. */
struct dse_host_flow {
    struct dse_host_cost launch, queue, transfer, answer;
};

/* The program that feeds the accelerator (devices/hosts.h): the time that it adds to a launch, which `batch` items of a queue share. All 0: not chosen. */
struct dse_host {
    char name[16]; /* "linux" */
    int64_t batch;
    enum { DSE_HOST_KEEPS_FULL, DSE_HOST_WAITS, DSE_HOST_WAITS_AT_STARTS } waits; /* whether a launch begins after the answers of the last one: never, always, or only if it starts the accelerator again */
    struct dse_host_flow hls, rtl; /* properties of the hosts of either flow */
    struct dse_host_cost byte, operation; /* per byte that the host writes for an item, per operation of its own part of the inference */
    double power_w, power_low_w, power_high_w; /* power of the processor that it runs on */
};

struct dse_board {
    const char *name;   /* "zcu104": the file's stem, lower case */
    const char *title;  /* "AMD ZCU104" */
    const char *const *aliases; /* alias_count further names, lower case */
    size_t alias_count;
    const char *part;   /* "xczu7ev-ffvc1156-2-e" */
    const char *family; /* "zynq-ultrascale-plus", "virtex-ultrascale-plus", "zynq-7000", "versal", … : selects
                         * the operator costs */
    const char *dsp_type; /* "DSP48E1", "DSP48E2", "DSP58" */
    int64_t process_nm;
    int64_t slrs;
    int64_t chip[DSE_RESOURCE_COUNT];     /* the whole chip; LUTRAM: the LUTs that can be memory */
    int64_t platform[DSE_RESOURCE_COUNT]; /* the part of it that shell and platform take */
    double headroom[DSE_RESOURCE_COUNT];  /* share of the rest kept free for routing, 0 to below 1 */
    const struct dse_memory *memories;    /* memory_count; at least one; the first is the default for streams */
    size_t memory_count;
    const struct dse_port *ports; /* port_count */
    size_t port_count;
    const struct dse_clock_cap *caps; /* cap_count, ascending by clock_hz; above the last clock: infeasible */
    size_t cap_count;
    double default_clock_hz, max_clock_hz;
    const struct dse_clock_input *clock_inputs; /* clock_input_count; often 0 */
    size_t clock_input_count;
    double static_power_w, static_power_low_w, static_power_high_w; /* programmable logic, at 25 °C ambient */
    double ps_power_w; /* the processing system under load; NaN if there is none or it is unknown */
    double ps_power_low_w, ps_power_high_w; /* its band; NaN with it */
    const struct dse_board_source *sources; /* source_count */
    size_t source_count;
    const struct dse_board_fact *facts; /* fact_count, in the file's order */
    size_t fact_count;
    const struct dse_board_alternative *alternatives; /* alternative_count */
    size_t alternative_count;
    const char *file;  /* file that it was read from */
    int link;             /* link of a board without a processor to its host: 0 a card in a PCIe slot, 1 Ethernet */
    struct dse_host host; /* no part of the file */
    struct dse_arena arena; /* owns every text and array above */
};

/* Reads and checks one board file. DSE_BAD_INPUT names file, line, element, value and the allowed values. */
enum dse_status dse_board_read(const char *path, struct dse_board **out, struct dse_error *err);

/* As dse_board_read, from memory; `name` stands for the file's name in messages. */
enum dse_status dse_board_read_memory(const char *data, size_t size, const char *name,
                                      struct dse_board **out, struct dse_error *err);

/* Gives the board another name, with which its title then ends. Changes nothing if it has the name already. */
void dse_board_rename(struct dse_board *board, const char *name);

/* Appends the board as a board file. Fitted values are omitted; the others read back equal. */
void dse_board_write(const struct dse_board *board, struct dse_strbuf *out);

/* Appends every problem of a file to `problems`, one per line, in the file's order: those that the reader finds, and those that only the schema (share
 * file schema/board.xsd) finds. `count` is 0 for a good file. The status is not DSE_OK only if the check itself is impossible (no schema). */
enum dse_status dse_board_check(const char *path, struct dse_strbuf *problems, size_t *count,
                                struct dse_error *err);

/* `name` is a shipped board's name or alias (upper or lower case, '_' and ' ' for '-'). Or it is the part of a single board or the part's beginning
 * up to a '-' (if several match, the error names them). If it holds a '/' or ends in .xml it is a file. A file with a shipped board's name and other
 * values is named by its file. An unknown name is DSE_BAD_USAGE, listing the nearest names. The board has the default host path (devices/hosts.h). */
enum dse_status dse_board_open(const char *name, struct dse_board **out, struct dse_error *err);

/* The boards that --board names: for a pattern with '*' or '?' the matching shipped names, sorted; else `pattern` itself. DSE_BAD_USAGE if a pattern
 * matches nothing. Free with dse_share_names_free of core/file.h. */
enum dse_status dse_board_names(const char *pattern, char ***names, size_t *count, struct dse_error *err);

void dse_board_free(struct dse_board *board);
static inline void dse_board_free_at(struct dse_board **board) /* for DSE_CLEANUP */
{
    dse_board_free(*board);
}

/* Resources that a kernel may use: (chip − platform) × (1 − headroom), rounded down. `headroom` < 0 takes the board's own; otherwise it replaces the
 * board's for every resource. */
void dse_board_limits(const struct dse_board *board, double headroom, int64_t limits[DSE_RESOURCE_COUNT]);

/* The cap at a clock: that of the slowest listed clock that is at least as fast; NULL above all. */
const struct dse_clock_cap *dse_board_cap(const struct dse_board *board, double clock_hz);

/* The first fact of that name; NULL if there is none. */
const struct dse_board_fact *dse_board_fact_find(const struct dse_board *board, const char *what);

/* The reason for a cap of the board; NULL if none is given. */
const struct dse_board_source *dse_board_cap_source(const struct dse_board *board, const struct dse_clock_cap *cap);

/* Sustained bytes per second of one memory at its preset rate, all channels together. */
double dse_memory_sustained_bytes_per_s(const struct dse_memory *memory);

const struct dse_memory *dse_board_memory(const struct dse_board *board, const char *name);
