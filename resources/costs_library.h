/* The inside of a cost library; for costs.c and its readers only. */
#pragma once

#include "core/arena.h"
#include "core/xml.h"
#include "resources/costs.h"

/* Amounts at one clock (operators) or one size (structures). */
struct cost_point {
    double key;
    double amount[DSE_RESOURCE_COUNT];
    int64_t latency_cycles, interval_cycles;
    uint16_t entry;
};

/* Points [first, first + count) of one operator or structure, ascending by key. */
struct cost_group {
    uint16_t first, count;
    uint8_t layer; /* file of the chain of bases that set it: a later one replaces it as a whole */
    double step;   /* structures: sizes are rounded up to multiples of it, where above 0 */
};

struct level_band {
    double low[DSE_RESOURCE_COUNT], high[DSE_RESOURCE_COUNT];
};

#define COST_PACES_MAX 64

/* Calibration of an engine's loops. */
struct cost_pace {
    const char *family, *engine;
    struct dse_pace pace;
    struct dse_amount amounts[DSE_RESOURCE_COUNT];
};

struct dse_costs {
    struct dse_arena arena;
    struct cost_pace paces[COST_PACES_MAX];
    size_t pace_count;
    const char *family, *calibration;
    struct dse_cost_entry entries[DSE_COST_ENTRIES_MAX];
    size_t entry_count;
    struct cost_point points[DSE_COST_ENTRIES_MAX];
    size_t point_count;
    struct cost_group operators[DSE_OP_COUNT][DSE_PRECISION_COUNT][DSE_FORM_COUNT];
    uint8_t first_form[DSE_OP_COUNT][DSE_PRECISION_COUNT]; /* 1 + form listed first; 0: none */
    uint8_t first_layer[DSE_OP_COUNT][DSE_PRECISION_COUNT];
    struct cost_group structures[DSE_STRUCTURE_COUNT];
    struct level_band bands[DSE_LEVEL_COUNT];
    struct dse_packing_rules packing;
    struct dse_power_rules power;
    bool has_packing, has_power;
    bool of_open_synthesis; /* the calibration */
};

/* Reads the elements under <costs> of one file of the chain. `doc` has the verdict, and keeps texts in the library's arena. */
void dse_costs_read_layer(struct dse_costs *costs, struct dse_xml *doc, dse_xml_node root, const char *file, unsigned layer);

/* Adds a problem to `doc` for each part that a complete library must have and this one lacks. */
void dse_costs_check_complete(const struct dse_costs *costs, struct dse_xml *doc, dse_xml_node root);

/* Applies a calibration's factors and bands to every entry that they name. */
enum dse_status dse_costs_apply_calibration(struct dse_costs *costs, const char *path, struct dse_error *err);
