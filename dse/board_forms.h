/* Boards as people and programs read them: tables, JSON (nysx-dse.boards/1, nysx-dse.board/1) and CSV. */
#ifndef DSE_DSE_BOARD_FORMS_H
#define DSE_DSE_BOARD_FORMS_H

#include "core/strbuf.h"
#include "devices/board.h"
#include "dse/cli.h"

/* A line a board; JSON and CSV with counts of chip and usable part. */
void dse_boards_list(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format);

/* Everything that is known of each board, with its sources. Several boards make one JSON object
 * {"schema": "nysx-dse.boards/1", "boards": […]}. */
void dse_boards_show(struct dse_strbuf *out, struct dse_board *const *boards, size_t count,
                     enum dse_format format);

#endif
