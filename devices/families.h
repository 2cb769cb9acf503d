/* The words that board files and the part catalogue share. All lists end in NULL. */
#pragma once

#include <stdbool.h>

/* "zynq-7000", "zynq-ultrascale-plus", …: a device family, which selects the operator costs. */
extern const char *const dse_family_names[];

/* "DSP48E1", "DSP48E2", "DSP58". */
extern const char *const dse_dsp_names[];

/* How well a value is founded, from a tool's own report down to an assumption. */
extern const char *const dse_evidence_names[];

/* True for a name of lower-case letters, digits, '.', '_' and '-' that begins with a letter or digit. */
bool dse_is_board_name(const char *name);

/* True for families whose chips hold a processing system behind AXI ports with its own memory. */
bool dse_family_has_ps(const char *family);
