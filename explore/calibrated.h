/* Cost libraries fitted from reports of the user's own builds (`calibrate --apply`), stored beside their board. For a board file that is its folder
 * ("mine.hls.calibration.xml" beside "mine.xml"). For a shipped board it is the user's data folder ($XDG_DATA_HOME/nysx-dse/boards, otherwise
 * ~/.local/share/nysx-dse/boards). Every later question for that board and flow uses the stored library, and every answer names it; --calibration
 * names another, or `none`. */
#pragma once

#include "core/strbuf.h"
#include "devices/board.h"
#include "explore/request.h"

/* Path of the library for a board and flow ("hls", "rtl"); malloc'd. NULL if the environment names no place. */
char *dse_calibrated_path(const struct dse_board *board, const char *flow);

/* Path of the calibration for a board: the request's --calibration, none for the word `none`, otherwise the stored one;
 * malloc'd, or NULL for none. */
char *dse_calibrated_of(const struct dse_request *request, const struct dse_board *board);

/* Stores a calibration's XML; creates its folder if missing. */
enum dse_status dse_calibrated_keep(const char *path, const struct dse_strbuf *xml, struct dse_error *err);
