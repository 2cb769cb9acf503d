/* The words that board files and the part catalogue share. All lists end in NULL. */
#pragma once

#include <stdbool.h>

/* "zynq-7000", "zynq-ultrascale-plus", …: a device family, which selects the operator costs. */
extern const char *const dse_family_names[];

/* Largest clock in MHz of a family's global clock network, in its fastest speed grade; 0 for an unknown family. Source: FMAX_BUFG of the data sheets DS189
 * (Spartan-7), DS181 (Artix-7), DS182, DS183 and DS191 (Kintex-7, Virtex-7, Zynq-7000), DS892 and DS893 (UltraScale), DS922, DS923, DS925 and DS931
 * (UltraScale+). Versal's data sheets leave it to the routing (AM003); its value is an upper bound. */
int dse_family_clock_mhz(const char *family);

/* "DSP48E1", "DSP48E2", "DSP58". */
extern const char *const dse_dsp_names[];

/* Strength of a value's evidence, from a tool's own report down to an assumption. */
extern const char *const dse_evidence_names[];

/* True for a name of lower-case letters, digits, '.', '_' and '-' that begins with a letter or digit. */
bool dse_is_board_name(const char *name);

/* True for families whose chips have a processing system with its own memory behind AXI ports. */
bool dse_family_has_ps(const char *family);
