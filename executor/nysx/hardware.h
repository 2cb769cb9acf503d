/* The hardware that a simulation runs on: knobs as numbers, and what the board's memory can do. */
#ifndef DSE_EXECUTOR_NYSX_HARDWARE_H
#define DSE_EXECUTOR_NYSX_HARDWARE_H

#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"
#include "devices/board.h"

enum nysx_balance { NYSX_BALANCE_NONE, NYSX_BALANCE_STATIC, NYSX_BALANCE_PL };

struct nysx_hardware {
    size_t lshu_pe, mphe_lookups, hue_pe, kse_pe, sce_bits;
    enum nysx_balance lshu_balance, kse_balance; /* static of the LSHU: made by the processor (ps) */
    double gamma;
    size_t nee_lanes, nee_ports, nee_port_bits, nee_outstanding, nee_fifo_depth;
    bool sce_all;       /* all prototypes at once */
    double clock_hz;
    double latency_cycles;        /* of a read of the first memory */
    double channel_bytes_a_cycle; /* sustained, of one channel of it */
    size_t burst_beats;           /* that a port may ask for */
};

/* Reads the hardware knobs; the paper's values stand in for absent ones. DSE_BAD_USAGE for a knob or value
 * that the simulation does not have. */
enum dse_status nysx_hardware_read(const struct dse_setting *knobs, const struct dse_board *board,
                                   struct nysx_hardware *out, struct dse_error *err);

#endif
