/* Boards as tables, JSON (nysx-dse.boards/1, nysx-dse.board/1) and CSV. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "devices/board.h"
#include "reports/format.h"

/* One line per board; JSON and CSV with resource counts of the chip and of its usable part. */
void dse_boards_list(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format, size_t width);

/* Everything that is known of each board, with its sources. Several boards make one JSON object
 * {"schema": "nysx-dse.boards/1", "boards": […]}. */
void dse_boards_show(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format, size_t width);

/* An imported board as nysx-dse.board/1, with the lines of `warnings` as the array "warnings". */
void dse_board_imported(struct dse_strbuf *out, const struct dse_board *board, const char *warnings);

/* The lines of a text as a JSON array; owned by the caller. */
json_t *dse_lines_json(const char *lines);
