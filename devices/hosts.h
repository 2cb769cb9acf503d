/* Host paths: the time that the program feeding an accelerator adds, from devices/hosts/hosts.xml. */
#pragma once

#include "devices/board.h"

#define DSE_HOST_STEPS_MAX 16

struct dse_host_step {
    const char *name;     /* "register write" */
    int each;             /* what takes it (dse_host_each_names) */
    int flow;             /* whose hosts take it: 0: of both flows, 1: HLS, 2: RTL (dse_host_flow_names) */
    double times, queued; /* per unit; in a launch of a queue */
    double s, low_s, high_s; /* time of one */
    const char *evidence; /* "measured", "derived" or "assumed" */
    const char *source;   /* its text */
    const char *note;     /* "" for none */
};

/* Where the host is, as the paths' file names it: on the board, or a computer that has the board in a PCIe slot or at its Ethernet port. */
enum dse_host_place { DSE_HOST_PROCESSOR, DSE_HOST_CARD, DSE_HOST_ETHERNET };

struct dse_host_path {
    const char *name, *title;
    enum dse_host_place on;
    int waits; /* as in dse_host */
    double power_w, power_low_w, power_high_w; /* power of the host; NaN: the board's file has it */
    struct dse_host_step steps[DSE_HOST_STEPS_MAX]; /* step_count */
    size_t step_count;
};

struct dse_host_paths {
    struct dse_host_path *items; /* count */
    size_t count;
    struct dse_arena arena; /* owns the texts and the array */
};

/* "launch", "transfer", "answer", "byte", "operation" and a NULL; "both", "hls", "rtl" and a NULL. */
extern const char *const dse_host_each_names[], *const dse_host_flow_names[];

/* Reads the shipped file. DSE_BAD_INPUT when it is missing or malformed. */
enum dse_status dse_host_paths_open(struct dse_host_paths *out, struct dse_error *err);
void dse_host_paths_free(struct dse_host_paths *paths);

enum dse_host_place dse_host_place(const struct dse_board *board);

/* Gives the board a host path by name (NULL: "linux" on a board with a processor, "xrt" for a card, "ethernet" for the others), with `batch` items per launch (1 or more).
 * DSE_BAD_USAGE for a path that the board does not have, listing those that it has. */
enum dse_status dse_host_choose(struct dse_board *board, const char *name, int64_t batch, struct dse_error *err);
