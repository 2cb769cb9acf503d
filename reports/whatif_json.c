/* What-if answers as JSON. */

#include "reports/whatif.h"
#include "reports/json.h"

static json_t *pair(double from, double to)
{
    return json_pack("{s:o, s:o, s:o}", "from", dse_json_number(from), "to", dse_json_number(to), "ratio",
                     dse_json_number(dse_whatif_ratio(from, to)));
}

static json_t *words(const char *from, const char *to)
{
    return json_pack("{s:s, s:s}", "from", from, "to", to);
}

static json_t *delta_json(const struct dse_whatif_report *report)
{
    json_t *object = json_object();
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        json_object_set_new(object, dse_metrics[m].key,
                            pair(report->baseline->estimate.metrics[m], report->changed->estimate.metrics[m]));
    return object;
}

static json_t *engines_json(const struct dse_whatif_report *report)
{
    const struct dse_model_family *family = report->baseline->setup.family;
    json_t *array = json_array();
    for (size_t e = 0; e < family->engine_count; e++) {
        struct dse_engine_row from = dse_engine_row(family, &report->baseline->estimate, e);
        struct dse_engine_row to = dse_engine_row(family, &report->changed->estimate, e);
        json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", from.name, "cycles", pair((double)from.cycles, (double)to.cycles),
                                   "latency_s", pair(from.latency_s, to.latency_s), "ddr_bytes", pair((double)from.bytes, (double)to.bytes),
                                   "dynamic_energy_j", pair(from.energy_j, to.energy_j));
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            json_object_set_new(object, dse_resource_names[r], pair((double)from.resources[r], (double)to.resources[r]));
        json_object_set_new(object, "bound", words(dse_bound_words[from.bound], dse_bound_words[to.bound]));
        json_array_append_new(array, object);
    }
    return array;
}

/* Resources with which the change exceeds a cap at its clock. */
static json_t *breaks_json(const struct dse_estimate *changed)
{
    json_t *array = json_array();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        int64_t used = changed->sums.resources[r] * changed->platform.units;
        if (used > changed->platform.capped[r])
            json_array_append_new(array, json_pack("{s:s, s:I, s:I}", "resource", dse_resource_names[r], "used",
                                                   (json_int_t)used, "cap", (json_int_t)changed->platform.capped[r]));
    }
    if (!changed->platform.clock_allowed)
        json_array_append_new(array, json_pack("{s:s}", "resource", "clock"));
    return array;
}

static json_t *sensitivity_json(const struct dse_whatif_report *report)
{
    static const enum dse_metric also[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY};
    const struct dse_space *space = report->baseline->setup.space;
    json_t *array = json_array();
    for (size_t i = 0; report->moves != NULL && i < report->moves->count; i++) {
        const struct dse_whatif_move *move = &report->moves->moves[i];
        char value[64];
        dse_knob_format(&space->knobs[move->knob], move->value, value, sizeof value);
        json_t *object = json_pack("{s:s, s:s, s:s, s:o}", "knob", space->knobs[move->knob].name, "value", value, "metric",
                                   dse_metrics[report->metric].key, "ratio", dse_json_number(move->ratio[report->metric]));
        for (size_t m = 0; m < sizeof also / sizeof *also; m++) {
            char key[64];
            snprintf(key, sizeof key, "%s_ratio", dse_metrics[also[m]].name);
            json_object_set_new(object, key, dse_json_number(move->ratio[also[m]]));
        }
        json_object_set_new(object, "fits", json_boolean(move->fits));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *least_json(const struct dse_whatif_report *report)
{
    if (report->least == NULL)
        return json_null();
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "target", report->target, "changes", (json_int_t)report->least->changes,
                     "space_size", (json_int_t)report->least->space_size, "evaluated",
                     (json_int_t)report->least->evaluated, "best", dse_json_number(report->least->best));
}

json_t *dse_whatif_json(const struct dse_whatif_report *report)
{
    const struct dse_whatif_design *baseline = report->baseline, *changed = report->changed;
    const struct dse_engine *engines = baseline->setup.family->engines;
    struct dse_design from = {&baseline->setup, report->dataset, &baseline->estimate, baseline->quality, &report->standard, 0, 0.0, report->facts, report->origin, NULL};
    struct dse_design to = {&changed->setup, report->dataset, &changed->estimate, changed->quality, &report->standard, 0, 0.0, report->facts, NULL, NULL};
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "nysx-dse.whatif/1", "family",
                     baseline->setup.family->name, "board", baseline->setup.board->name, "dataset", report->dataset, "baseline",
                     dse_estimate_json(&from, DSE_ESTIMATE_WHOLE), "changed", dse_estimate_json(&to, DSE_ESTIMATE_WHOLE), "delta", delta_json(report), "engines",
                     engines_json(report), "bottleneck",
                     words(engines[baseline->estimate.bottleneck].name, engines[changed->estimate.bottleneck].name), "breaks",
                     breaks_json(&changed->estimate), "least", least_json(report), "sensitivity", sensitivity_json(report));
}
