#include "resources/open_memory.h"

#include <math.h>
#include <stddef.h>

/* A way to build a memory: `cells` in all, in stacks of `rows`. */
struct choice {
    double cost, rows, cells;
    double bram18; /* blocks per cell; 0: LUTs */
};

/* Costs beside the cells: half a LUT per bit for each two words that it is selected from, and half a gate to select the written row. */
static double around(const struct dse_open_memory *m, double rows)
{
    return rows > 1.0 ? (m->paired ? 2.0 : 1.0) * m->bits * (rows - 1.0) / 2.0 + (m->rom ? 0.0 : rows / 2.0) : 0.0;
}

static void take_cheaper(struct choice *best, double cost, double rows, double cells, double bram18)
{
    if (cost < best->cost)
        *best = (struct choice){cost, rows, cells, bram18};
}

/* The cheapest block of 18 or 36 Kbit and its width; the first at equal cost. A memory other than a ROM costs two more. */
static struct choice cheapest_blocks(const struct dse_open_memory *m)
{
    static const double width[] = {1.0, 2.0, 4.0, 9.0, 18.0, 36.0, 72.0}, depth[] = {16384.0, 8192.0, 4096.0, 2048.0, 1024.0, 512.0};
    struct choice best = {.cost = INFINITY};
    for (size_t full = 0; full < 2; full++)
        for (size_t w = 0; w < 6 + full - m->paired; w++) { /* the widest takes both ports */
            double rows = ceil(m->words / (w < 6 ? depth[w] * (double)(1 + full) : 512.0)), unit = m->rom ? 1.0 : fmin(width[w], 9.0);
            double cells = ceil(rows * ceil(m->bits / unit) * unit / width[w]); /* rows share a cell if they are written in bytes of 9 bits */
            take_cheaper(&best, cells * (full ? 257.0 : 129.0) + around(m, rows) + (m->rom ? 0.0 : 2.0), rows, cells,
                         full ? 2.0 : 1.0);
        }
    return best;
}

/* RAM32M16: 8 LUTs, of 32 words of 14 bits or 64 of 7; a cell's cost is proportional to the bits used. */
static struct choice cheapest_luts(const struct dse_open_memory *m)
{
    struct choice best = {.cost = INFINITY};
    for (int wide = 0; wide < 2; wide++) {
        double rows = ceil(m->words / (wide ? 32.0 : 64.0)), width = wide ? 14.0 : 7.0;
        take_cheaper(&best, 16.0 * rows * m->bits / width + around(m, rows), rows, rows * ceil(m->bits / width), 0.0);
    }
    return best;
}

double dse_open_select_luts(double words)
{
    return ceil((words - 1.0) / 3.0);
}

/* A table in LUTs: 64 words per LUT, and 0.8 to join two of them (random tables of 100, 256 and 1,024 words take 3.4, 6.4 and 28.6 LUTs per
 * bit). Equal columns count once: there are no more columns than different ones of so few words. */
static struct dse_open_cells table_in_luts(const struct dse_open_memory *m)
{
    double columns = m->words < 30.0 ? fmin(m->bits, exp2(m->words) - 2.0) : m->bits, rows = ceil(m->words / 64.0);
    columns = fmax(columns, 0.0);
    return (struct dse_open_cells){.lut = columns * (rows + 0.8 * (rows - 1.0)), .ff = columns * m->latency};
}

struct dse_open_cells dse_open_memory(const struct dse_open_memory *m)
{
    struct choice blocks = cheapest_blocks(m), luts = m->rom ? (struct choice){.cost = m->words * m->bits / 64.0} : cheapest_luts(m);
    bool block = m->style == DSE_OPEN_BLOCK || (m->style == DSE_OPEN_AUTO && blocks.cost < luts.cost);
    if (!block && m->rom)
        return table_in_luts(m);
    struct choice c = block ? blocks : luts;
    double read = m->paired ? 2.0 : 1.0;
    struct dse_open_cells out = {.block = block, .lut = read * m->bits * dse_open_select_luts(c.rows) + (c.rows > 1.0 && !m->rom ? c.rows : 0.0)};
    out.ff = read * ((c.rows > 1.0 ? ceil(log2(c.rows)) : 0.0) + (block ? 0.0 : m->bits) + m->bits * (m->latency - 1));
    if (block) {
        out.bram18 = c.cells * c.bram18;
    } else {
        out.lutram = 8.0 * c.cells;
        out.lut += out.lutram;
    }
    return out;
}
