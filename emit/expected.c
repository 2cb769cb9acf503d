#include "emit/expected.h"

#include <stdlib.h>

#include "core/json.h"

static json_t *resources_of(const struct dse_accumulators *sums)
{
    json_t *object = json_object();
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(sums->resources[r]));
    return object;
}

static json_t *engines_of(const struct dse_expected *design)
{
    json_t *array = json_array();
    for (size_t e = 0; e < design->setup->family->engine_count; e++) {
        const struct dse_engine_estimate *engine = &design->estimate->engines[e];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(design->setup->family->engines[e].name));
        json_object_set_new(object, "cycles", json_integer(engine->cycles));
        json_object_set_new(object, "resources", resources_of(&engine->sums));
        json_array_append_new(array, object);
    }
    return array;
}

/* The design itself, each knob that it has by its word: what `calibrate --from` reads back. */
static json_t *config_of(const struct dse_expected *design)
{
    const struct dse_space *space = design->setup->space;
    json_t *object = json_object();
    char text[64];
    for (size_t k = 0; k < space->count; k++)
        if (dse_knob_active(space, &design->estimate->config, k))
            json_object_set_new(object, space->knobs[k].name,
                                json_string(dse_knob_format(&space->knobs[k], design->estimate->config.value[k], text, sizeof text)));
    return object;
}

json_t *dse_expected_json(const struct dse_expected *design)
{
    const struct dse_estimate *estimate = design->estimate;
    const struct dse_model_family *family = design->setup->family;
    json_t *stages = json_object(), *root = json_object();
    for (size_t k = 0; k < family->stage_count; k++)
        json_object_set_new(stages, family->stages[k], json_integer(estimate->sums.busy_cycles[DSE_CASE_MEAN][k] +
                                                                    estimate->sums.fill_cycles[DSE_CASE_MEAN][k]));
    json_object_set_new(root, "schema", json_string("nysx-dse.expected/1"));
    json_object_set_new(root, "top", json_string(design->top));
    json_object_set_new(root, "family", json_string(family->name));
    json_object_set_new(root, "flow", json_string(design->flow));
    json_object_set_new(root, "board", json_string(design->setup->board->name));
    json_object_set_new(root, "dataset", json_string(design->dataset));
    json_object_set_new(root, "config", config_of(design));
    json_object_set_new(root, "stages", stages);
    json_object_set_new(root, "cycles", json_real(estimate->metrics[DSE_METRIC_CYCLES]));
    json_object_set_new(root, "engines", engines_of(design));
    json_object_set_new(root, "clock_mhz", json_integer(estimate->config.value[family->clock_knob]));
    json_object_set_new(root, "resources", resources_of(&estimate->sums));
    return root;
}

void dse_expected_write(json_t *root, struct dse_strbuf *out)
{
    char *text = dse_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    out->failed |= text == NULL;
    if (text != NULL)
        dse_strbuf_printf(out, "%s\n", text);
    free(text);
}
