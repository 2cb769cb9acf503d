/* The meaning of DRAM part numbers, sizes and speeds in vendors' files. Only for use in this room. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Facts from a part number; zero if it has none. */
struct dse_dram {
    int64_t capacity_bits;  /* capacity of the component, or of the data bits of a module */
    int64_t width_bits;     /* width of the component, or the data bits of a module */
    bool module;            /* a DIMM */
    double transfers_hz;    /* rate of its speed grade */
};

/* Micron components ("MT40A512M16HA-075E", "MT41K128M16 JT-125") and modules ("MTA8ATF51264HZ-2G1",
 * "MT8JTF12864HZ-1G6"), Samsung ("K4A8G165WB", "K4B2G1646") and ISSI ("IS43TR16256A") components. */
struct dse_dram dse_dram_decode(const char *part);

/* "1GB", "512 MB", "8Gb", "4096 MBits", "128M x 16", "1073741824": a size in bits. `in_bits` distinguishes gigabits from gigabytes. False if it is no
 * size. */
bool dse_dram_size(const char *text, int64_t *bits, bool *in_bits);

/* Transfers per second, from a period of the memory clock or twice a frequency. Rounded to a nominal rate of memories if it is within 0.3 % of one. */
double dse_dram_rate(double transfers_hz);

/* "DDR4", "DDR3L", "LPDDR4" … of "DDR 4", "DDR 3 (Low Voltage)", "ddr4", "DDR4_SDRAM", "LPDDR4_SDRAM"; "" for any other text. */
const char *dse_dram_technology(const char *text);

/* The technology of a part number ("MT41K256M16 RE-125" is DDR3L), or "" if its letters are unknown. */
const char *dse_dram_part_technology(const char *part);
