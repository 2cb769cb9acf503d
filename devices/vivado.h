/* Vivado board files (board.xml, preset.xml and mig.prj of Xilinx/XilinxBoardStore and others) as boards.
 *
 * Such files name the part, its memories with the parameters of their controllers, and the clocks of the board. Missing values come from the
 * catalogue (devices/catalogue/parts.xml) and from the nearest shipped board, which it names. The note of each such value says so. Each gap or
 * contradiction is a warning. */
#pragma once

#include "core/status.h"
#include "core/strbuf.h"

/* Appends the board of `board_path` as a board file of this program to `xml`, and missing or odd values to `warnings`, one per line. `preset_path`
 * NULL takes the preset file that the board file names, or preset.xml, beside it. DSE_BAD_INPUT if a file is no Vivado board file, its part is not in
 * the catalogue, or it names no external memory. */
enum dse_status dse_vivado_import(const char *board_path, const char *preset_path, struct dse_strbuf *xml,
                                  struct dse_strbuf *warnings, struct dse_error *err);
