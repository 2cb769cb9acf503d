#include "executor/simulated.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "resources/costs.h"

static uint64_t cycles_at(const void *record, size_t at, size_t index)
{
    uint64_t value;
    memcpy(&value, (const char *)record + at + index * sizeof value, sizeof value);
    return value;
}

void dse_simulation_count(struct dse_simulation *simulation, size_t engine, const char *name, double mean)
{
    struct dse_simulated_engine *e = &simulation->engines[engine];
    struct dse_simulated_count *count = dse_list_more(&e->counts, &e->count_count, sizeof *count);
    *count = (struct dse_simulated_count){name, mean};
}

static void make_room(const struct dse_sim_form *form, size_t items, size_t stages, uint64_t absent, struct dse_simulation *out)
{
    out->items = items;
    out->engines = dse_calloc(form->engine_count + 1, sizeof *out->engines);
    out->stages = dse_calloc(stages + 1, sizeof *out->stages);
    out->total = dse_calloc(items + 1, sizeof *out->total);
    for (size_t e = 0; e < form->engine_count; e++)
        if ((absent >> e & 1) == 0) {
            struct dse_simulated_engine *engine = &out->engines[out->engine_count++];
            *engine = (struct dse_simulated_engine){.name = form->engines[e].name, .stage = form->stages[form->engines[e].first],
                                                    .cycles = dse_calloc(items + 1, sizeof *engine->cycles)};
        }
    for (size_t k = 0; k < stages; k++) {
        struct dse_simulated_stage *stage = &out->stages[out->stage_count++];
        *stage = (struct dse_simulated_stage){form->stages[k], dse_calloc(items + 1, sizeof *stage->cycles)};
    }
}

static void gather_engine(const struct dse_sim_form *form, size_t e, const char *records, double share,
                          const struct dse_simulation *all, struct dse_simulated_engine *out)
{
    for (size_t i = 0; i < all->items; i++) {
        uint64_t stood = 0, work = cycles_at(records + i * form->record_bytes, form->work_at, e);
        for (size_t k = form->engines[e].first; k <= form->engines[e].last; k++)
            stood += cycles_at(records + i * form->record_bytes, form->stage_at, k);
        out->cycles[i] = work;
        out->waiting_cycles += work > 0 && stood > work ? (double)(stood - work) * share : 0.0;
    }
}

void dse_simulation_gather(const struct dse_sim_form *form, const void *records, size_t items, size_t stages,
                           uint64_t absent, struct dse_simulation *out)
{
    double share = items > 0 ? 1.0 / (double)items : 1.0;
    make_room(form, items, stages, absent, out);
    for (size_t k = 0; k < stages; k++)
        for (size_t i = 0; i < items; i++) {
            out->stages[k].cycles[i] = cycles_at((const char *)records + i * form->record_bytes, form->stage_at, k);
            out->total[i] += out->stages[k].cycles[i];
        }
    for (size_t e = 0, place = 0; e < form->engine_count; e++) {
        if (absent >> e & 1)
            continue;
        gather_engine(form, e, records, share, out, &out->engines[place]);
        for (size_t c = 0; c < form->counter_count; c++) {
            double sum = 0.0;
            if (form->counters[c].engine != e)
                continue;
            for (size_t i = 0; i < items; i++)
                sum += (double)cycles_at((const char *)records + i * form->record_bytes, form->counters[c].at, 0);
            dse_simulation_count(out, place, form->counters[c].name, sum * share);
        }
        place++;
    }
}

void dse_simulation_flow(const struct dse_sim_step *steps, size_t count, struct dse_simulation *out)
{
    uint64_t begin[DSE_SIM_STEPS] = {0}, handed[DSE_SIM_STEPS] = {0}, end[DSE_SIM_STEPS] = {0}, first = 0;
    for (size_t i = 0; i < out->items; i++) {
        for (size_t k = 0; k < count; k++) {
            uint64_t free = i == 0 ? 0 : handed[k] + 1 > end[k] + steps[k].gap ? handed[k] + 1 : end[k] + steps[k].gap;
            uint64_t came = k > 0 ? end[k - 1] : 0;
            begin[k] = came > free ? came : free;
            end[k] = begin[k];
            for (size_t s = steps[k].first; s <= steps[k].last; s++)
                end[k] += out->stages[s].cycles[i];
            if (k > 0)
                handed[k - 1] = begin[k];
        }
        handed[count - 1] = end[count - 1];
        first = i == 0 ? end[count - 1] : first;
    }
    out->interval_cycles = out->items > 1 ? (double)(end[count - 1] - first) / (double)(out->items - 1) : (double)end[count - 1];
}

enum dse_status dse_simulate(const struct dse_model *model, const struct dse_dataset *data, const struct dse_setting *knobs,
                             const struct dse_board *board, const struct dse_run *run, struct dse_simulation *result,
                             struct dse_error *err)
{
    struct dse_config config;
    *result = (struct dse_simulation){0};
    dse_knobs_default(model->executor->knobs, &config);
    if (model->executor->assume != NULL)
        model->executor->assume(model, run, &config);
    DSE_TRY(dse_knobs_hardware(model->executor->knobs, knobs, &model->words, &config, err));
    return dse_simulate_config(model, data, &config, board, run, result, err);
}

enum dse_status dse_simulate_config(const struct dse_model *model, const struct dse_dataset *data, const struct dse_config *config,
                                    const struct dse_board *board, const struct dse_run *run, struct dse_simulation *result,
                                    struct dse_error *err)
{
    DSE_CLEANUP(dse_costs_free_at) struct dse_costs *own = NULL;
    struct dse_run how = *run;
    struct dse_config whole = *config;
    *result = (struct dse_simulation){0};
    if (how.in_rtl && model->executor->rtl == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--flow=rtl: the family %s has no RTL", model->executor->family);
    if (how.costs == NULL) {
        DSE_TRY(dse_costs_for_board(board, NULL, &own, err));
        how.costs = own;
    }
    dse_knobs_of_model(model->executor->knobs, &model->words, &whole);
    enum dse_status status = model->executor->simulate(model, data, &whole, board, &how, result, err);
    if (status != DSE_OK)
        dse_simulation_free(result);
    result->config = whole;
    return status;
}

void dse_simulation_free(struct dse_simulation *result)
{
    if (result == NULL)
        return;
    for (size_t i = 0; i < result->engine_count; i++) {
        free(result->engines[i].cycles);
        free(result->engines[i].counts);
    }
    for (size_t i = 0; i < result->stage_count; i++)
        free(result->stages[i].cycles);
    free(result->engines);
    free(result->stages);
    free(result->total);
    *result = (struct dse_simulation){0};
}
