/* Prices of boards as vendors announced them, from devices/machines/prices.xml. */
#pragma once

#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"

struct dse_price {
    const char *board;        /* its name */
    double usd;               /* above 0 */
    const char *date;         /* date of the announcement, YYYY-MM-DD */
    const char *source;
};

struct dse_prices {
    struct dse_price *items; /* count */
    size_t count;
    struct dse_arena arena; /* owns the texts and the array */
};

/* Reads the shipped file. DSE_BAD_INPUT if it is missing or malformed. */
enum dse_status dse_prices_open(struct dse_prices *out, struct dse_error *err);
void dse_prices_free(struct dse_prices *prices);

/* The price of a board, or NULL if none is known. */
const struct dse_price *dse_prices_find(const struct dse_prices *prices, const char *board);
