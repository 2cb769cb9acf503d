/* Fuzzes the board reader: any input gives a board or one line of error, and an accepted board can be written and read again. */
#include "core/strbuf.h"
#include "devices/board.h"
#include "tests/fuzz/input.h"

static void write_and_read_again(const struct dse_board *board)
{
    struct dse_strbuf text = {0};
    struct dse_board *again = NULL;
    struct dse_error err = {0};
    dse_board_write(board, &text);
    if (dse_board_read_memory(text.text, text.length, "again.xml", &again, &err) != DSE_OK)
        abort();
    if (again->memory_count != board->memory_count || again->cap_count != board->cap_count)
        abort();
    dse_board_free(again);
    dse_strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_error err = {0};
    struct dse_board *board = NULL;
    enum dse_status status = dse_board_read_memory((const char *)data, size, "fuzz.xml", &board, &err);
    if (status == DSE_OK)
        write_and_read_again(board);
    else if (board != NULL || err.message[0] == '\0' || strchr(err.message, '\n') != NULL)
        abort();
    dse_board_free(board);
    return 0;
}
