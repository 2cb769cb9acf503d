/* Cost libraries fitted from reports of one's own builds (`calibrate --apply`), kept beside the board that they hold for: of a
 * board file in its folder ("mine.hls.calibration.xml" beside "mine.xml"), of a shipped board among the user's data
 * ($XDG_DATA_HOME/nysx-dse/boards, else ~/.local/share/nysx-dse/boards). What is kept there every later question of that board
 * and flow uses, and every answer names it; --calibration names another, or `none`. */
#pragma once

#include "core/strbuf.h"
#include "devices/board.h"
#include "explore/request.h"

/* Where the library of a board and flow ("hls", "rtl") is kept; malloc'd. NULL where the environment names no place. */
char *dse_calibrated_path(const struct dse_board *board, const char *flow);

/* Path of the calibration for a board: the request's --calibration, none for the word `none`, else the file kept beside the board;
 * malloc'd, or NULL for none. */
char *dse_calibrated_of(const struct dse_request *request, const struct dse_board *board);

/* Keeps a calibration's XML; its folder is made where it is missing. */
enum dse_status dse_calibrated_keep(const char *path, const struct dse_strbuf *xml, struct dse_error *err);
