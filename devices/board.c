#include "devices/board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"

const char *const dse_resource_names[DSE_RESOURCE_COUNT] = {
    [DSE_BRAM18] = "bram18", [DSE_URAM] = "uram", [DSE_DSP] = "dsp",
    [DSE_LUT] = "lut",       [DSE_FF] = "ff",     [DSE_LUTRAM] = "lutram",
};

const char *const dse_memory_kind_names[] = {"ps-ddr", "pl-ddr", "hbm", NULL};

void dse_board_free(struct dse_board *board)
{
    if (board == NULL)
        return;
    struct dse_arena arena = board->arena; /* the board itself may not lie in its own arena */
    dse_arena_free(&arena);
    free(board);
}

void dse_board_limits(const struct dse_board *board, double headroom, int64_t limits[DSE_RESOURCE_COUNT])
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double kept_free = headroom < 0 ? board->headroom[r] : headroom;
        double rest = (double)(board->chip[r] - board->platform[r]);
        /* A millionth of a unit hides the rounding of 1 − headroom, as in 100 × (1 − 0.9). */
        limits[r] = (int64_t)floor(rest * (1 - kept_free) + 1e-6);
    }
}

const struct dse_clock_cap *dse_board_cap(const struct dse_board *board, double clock_hz)
{
    for (size_t i = 0; i < board->cap_count; i++)
        if (board->caps[i].clock_hz >= clock_hz)
            return &board->caps[i];
    return NULL;
}

const struct dse_board_fact *dse_board_fact_find(const struct dse_board *board, const char *what)
{
    for (size_t i = 0; i < board->fact_count; i++)
        if (strcmp(board->facts[i].what, what) == 0)
            return &board->facts[i];
    return NULL;
}

const struct dse_board_source *dse_board_cap_source(const struct dse_board *board, const struct dse_clock_cap *cap)
{
    char what[64];
    snprintf(what, sizeof what, "cap %g MHz", cap->clock_hz / 1e6);
    const struct dse_board_fact *fact = dse_board_fact_find(board, what);
    return fact != NULL ? fact->source : NULL;
}

double dse_memory_sustained_bytes_per_s(const struct dse_memory *memory)
{
    double bytes_a_transfer = (double)memory->width_bits / 8;
    return (double)memory->channels * bytes_a_transfer * memory->preset_transfers_hz * memory->efficiency;
}

void dse_board_rename(struct dse_board *board, const char *name)
{
    struct dse_strbuf title DSE_CLEANUP(dse_strbuf_free) = {0};
    if (strcmp(board->name, name) == 0)
        return;
    dse_strbuf_printf(&title, "%s (%s)", board->title, name);
    board->name = dse_arena_strdup(&board->arena, name);
    board->title = dse_arena_strdup(&board->arena, dse_strbuf_text(&title));
}

const struct dse_memory *dse_board_memory(const struct dse_board *board, const char *name)
{
    for (size_t i = 0; i < board->memory_count; i++)
        if (strcmp(board->memories[i].name, name) == 0)
            return &board->memories[i];
    return NULL;
}
