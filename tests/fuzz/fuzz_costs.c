/* Fuzzes the reader of cost libraries; an accepted library must answer every look-up. */
#include <math.h>

#include "resources/packing.h"
#include "resources/power.h"
#include "tests/fuzz/input.h"

static void check_cost(const struct dse_costs *costs, const struct dse_cost *cost, struct dse_tally *tally)
{
    require(cost->entry < dse_costs_entry_count(costs));
    require(cost->latency_cycles >= 0 && cost->interval_cycles >= 1);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        require(isfinite(cost->amount[r]) && cost->amount[r] >= 0);
    dse_tally_add(tally, costs, cost, 3);
}

static void ask_operators(const struct dse_costs *costs, struct dse_tally *tally)
{
    struct dse_cost cost;
    for (int op = 0; op < DSE_OP_COUNT; op++)
        for (int p = 0; p < DSE_PRECISION_COUNT; p++)
            for (int form = 0; form <= DSE_FORM_ANY; form++)
                if (dse_costs_operator(costs, (enum dse_operator)op, (enum dse_precision)p, (enum dse_form)form,
                                       3e8, &cost, NULL) == DSE_OK)
                    check_cost(costs, &cost, tally);
    for (int s = 0; s < DSE_STRUCTURE_COUNT; s++)
        for (double at = 0; at < 2000; at = at * 7 + 1)
            if (dse_costs_structure(costs, (enum dse_structure)s, at, &cost, NULL) == DSE_OK)
                check_cost(costs, &cost, tally);
}

static void ask_memories(const struct dse_costs *costs, struct dse_tally *tally)
{
    struct dse_cost cost;
    for (int storage = 0; storage <= DSE_STORAGE_AUTO; storage++)
        for (int64_t words = 1; words < 100000; words = words * 13 + 1) {
            struct dse_array array = dse_array_of(words, 37);
            array.banks = 3;
            if (dse_pack_array(costs, &array, (enum dse_storage)storage, &cost, NULL) == DSE_OK)
                check_cost(costs, &cost, tally);
        }
    dse_pack_fifo(costs, 512, 512, 2, tally, NULL);
    dse_pack_m_axi(costs, 512, 0, 0, 2, tally, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_costs *costs;
    struct dse_error err = {0};
    enum dse_status status = dse_costs_read_memory((const char *)data, size, "fuzz.xml", &costs, &err);
    require(status == DSE_OK ? costs != NULL : costs == NULL && err.message[0] != '\0');
    if (status == DSE_OK) {
        struct dse_tally tally = {0};
        struct dse_power power;
        ask_operators(costs, &tally);
        ask_memories(costs, &tally);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            require(tally.low[r] <= tally.nominal[r] && tally.nominal[r] <= tally.high[r]);
        dse_power_of_tally(costs, &tally, 3e8, 0, &power);
        require(power.low_w <= power.watt && power.watt <= power.high_w);
    }
    dse_costs_free(costs);
    return 0;
}
