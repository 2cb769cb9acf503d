/* The words that board files and the part catalogue share. All lists end in NULL. */
#pragma once

#include <stdbool.h>

/* "zynq-7000", "zynq-ultrascale-plus", …: a device family, which selects the operator costs. */
extern const char *const dse_family_names[];

/* "DSP48E1", "DSP48E2", "DSP58". */
extern const char *const dse_dsp_names[];

/* Strength of a value's evidence, from a tool's own report down to an assumption. */
extern const char *const dse_evidence_names[];

/* True for a name of lower-case letters, digits, '.', '_' and '-' that begins with a letter or digit. */
bool dse_is_board_name(const char *name);

/* True for families whose chips have a processing system with its own memory behind AXI ports. */
bool dse_family_has_ps(const char *family);
