/* Data of the page's script, as one JSON object. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/version.h"
#include "explore/corners.h"
#include "reports/corners.h"
#include "reports/page.h"

static const char *dimension_word(enum dse_dimension dimension)
{
    static const char *const words[] = {
        [DSE_DIMENSION_NONE] = "",       [DSE_DIMENSION_TIME] = "time",   [DSE_DIMENSION_ENERGY] = "energy",
        [DSE_DIMENSION_POWER] = "power", [DSE_DIMENSION_FREQUENCY] = "frequency", [DSE_DIMENSION_RATE] = "frequency", [DSE_DIMENSION_BYTES] = "bytes",
        [DSE_DIMENSION_BANDWIDTH] = "bandwidth"};
    return words[dimension];
}

/* Heading of the quality: its name if all views measured the same one. */
static const char *quality_heading(const struct dse_page *page)
{
    const char *found = NULL;
    for (size_t v = 0; v < page->view_count; v++) {
        const struct dse_quality *quality = page->views[v].design != NULL ? page->views[v].design->quality : NULL;
        if (quality == NULL || (found != NULL && strcmp(found, quality->name) != 0))
            return dse_metrics[DSE_METRIC_QUALITY].heading;
        found = quality->name;
    }
    return found;
}

/* With the items that an amount covers, if they are the same in all views. */
static const char *amount_heading(const struct dse_page *page, enum dse_metric metric, char text[128])
{
    char per[64] = "", other[64];
    for (size_t v = 0; v < page->view_count; v++) {
        const struct dse_design *design = page->views[v].design;
        if (design != NULL && strcmp(dse_amount_per(design->setup->family, metric, &design->estimate->config, design->estimate->platform.batch, other), per) != 0)
            snprintf(per, sizeof per, "%s", v == 0 ? other : "");
    }
    snprintf(text, 128, "%s%s", dse_metrics[metric].heading, per);
    return text;
}

static json_t *metrics_json(const struct dse_page *page)
{
    json_t *array = json_array();
    char heading[128];
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", dse_metrics[m].name, "key",
                                               dse_metrics[m].key, "heading",
                                               m == DSE_METRIC_QUALITY ? quality_heading(page) : amount_heading(page, (enum dse_metric)m, heading), "dimension",
                                               dimension_word(dse_metrics[m].dimension), "higher",
                                               dse_metrics[m].higher_is_better, "resource", dse_metrics[m].resource >= 0));
    return array;
}

static json_t *knobs_json(const struct dse_page *page)
{
    static const char *const kinds[] = {"", "algorithmic", "hardware", "both"};
    json_t *array = json_array();
    for (size_t k = 0; k < page->space->count; k++) {
        const struct dse_knob *knob = &page->space->knobs[k];
        char text[64];
        json_t *domain = json_array();
        for (size_t i = 0; i < knob->domain_count; i++)
            json_array_append_new(domain, json_string(dse_knob_format(knob, knob->domain[i], text, sizeof text)));
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:o, s:b, s:s?}", "name", knob->name, "title", knob->title, "kind",
                                               kinds[knob->kind], "default", dse_knob_format(knob, knob->fallback, text, sizeof text), "domain",
                                               domain, "free", dse_bits_has(page->free, k), "when",
                                               knob->condition >= 0 ? page->space->knobs[knob->condition].name : NULL));
    }
    return array;
}

static json_t *engines_json(const struct dse_model_family *family)
{
    json_t *array = json_array();
    for (size_t e = 0; e < family->engine_count; e++)
        json_array_append_new(array, json_pack("{s:s, s:s}", "name", family->engines[e].name, "title",
                                               family->engines[e].title));
    return array;
}

static json_t *question_json(const struct dse_setting *question)
{
    json_t *array = json_array();
    for (size_t i = 0; question != NULL && i < question->count; i++)
        json_array_append_new(array, json_pack("[s, s]", question->pairs[i].name, question->pairs[i].value));
    return array;
}

static json_t *inputs_json(const struct dse_page *page)
{
    json_t *array = json_array();
    for (size_t i = 0; i < page->input_count; i++) {
        const struct dse_page_input *input = &page->inputs[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o}", "kind", input->kind, "name", input->name, "source",
                                               input->source, "hash", dse_json_hash(input->hash)));
    }
    return array;
}

static json_t *commands_json(const struct dse_page *page, bool of_design)
{
    json_t *array = json_array();
    for (size_t i = 0; i < page->command_count; i++)
        if (page->commands[i].of_design == of_design)
            json_array_append_new(array, json_pack("{s:s, s:s}", "what", page->commands[i].what, "command",
                                                   page->commands[i].command));
    return array;
}

/* ---- one view ---- */

/* Cost entries used by the chosen and the published design, with the factors of their bands. */
static json_t *costs_json(const struct dse_page_view *view)
{
    static const enum dse_resource shown[] = {DSE_LUT, DSE_FF, DSE_DSP, DSE_BRAM18};
    const struct dse_costs *costs = view->design->setup->costs;
    json_t *array = json_array();
    for (size_t i = 0; i < dse_costs_entry_count(costs); i++) {
        uint64_t used = view->design->estimate->provenance.used[i / 64];
        if (view->paper != NULL)
            used |= view->paper->estimate->provenance.used[i / 64];
        if ((used >> (i % 64) & 1) == 0)
            continue;
        const struct dse_cost_entry *entry = dse_costs_entry(costs, i);
        json_t *object = json_pack("{s:s, s:s, s:s}", "entry", entry->name, "level", dse_level_names[entry->level],
                                   "source", entry->source);
        for (size_t r = 0; r < sizeof shown / sizeof *shown; r++)
            json_object_set_new(object, dse_resource_names[shown[r]],
                                json_pack("[f, f]", entry->low[shown[r]], entry->high[shown[r]]));
        json_array_append_new(array, object);
    }
    return array;
}

/* Base64 (RFC 4648). */
static char *base64(const char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = dse_malloc(4 * ((size + 2) / 3) + 1), *at = text;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t word = (uint32_t)(unsigned char)bytes[i] << 16;
        if (i + 1 < size)
            word |= (uint32_t)(unsigned char)bytes[i + 1] << 8;
        if (i + 2 < size)
            word |= (unsigned char)bytes[i + 2];
        *at++ = digits[word >> 18];
        *at++ = digits[word >> 12 & 63];
        *at++ = i + 1 < size ? digits[word >> 6 & 63] : '=';
        *at++ = i + 2 < size ? digits[word & 63] : '=';
    }
    *at = '\0';
    return text;
}

static enum dse_status add_rooflines(const struct dse_page_view *view, json_t *object, struct dse_error *err)
{
    struct dse_strbuf svg DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(dse_rooflines_render(view->rooflines, view->roofline_count, &DSE_ROOFLINE_STYLE, DSE_FIGURE_SVG, &svg, err));
    char *text DSE_CLEANUP(dse_free_at) = base64(svg.text, svg.length);
    json_t *all = dse_rooflines_json(view->rooflines, view->roofline_count);
    json_object_set_new(object, "roofline_svg", json_string(text));
    json_object_set(object, "rooflines", json_object_get(all, "results"));
    json_decref(all);
    return DSE_OK;
}

/* Only the displayed parts: the cost entries are separate. */
static json_t *paper_json(const struct dse_page_view *view)
{
    if (view->paper == NULL)
        return json_null();
    json_t *object = dse_estimate_json(view->paper, DSE_ESTIMATE_OF_MANY);
    json_object_del(object, "provenance");
    return object;
}

/* Measured quality of a design with its deviation, and its reference. */
static json_t *measured_json(const struct dse_design *design)
{
    const struct dse_quality *quality = design != NULL ? design->quality : NULL;
    if (quality == NULL)
        return json_null();
    json_t *object = json_pack("{s:f, s:f, s:I}", "mean", quality->mean, "std", quality->std, "n", (json_int_t)quality->n);
    dse_json_put_number(object, "error", dse_corner_standard_error(quality));
    dse_json_put_number(object, "majority", design->standard != NULL ? design->standard->majority : NAN);
    return object;
}

/* Designs with corner names, each with its names. */
static json_t *corners_json(const struct dse_corners *corners)
{
    json_t *array = json_array();
    char meaning[DSE_CORNER_MEANING];
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] != DSE_CORNER_NONE)
            json_array_append_new(array, json_pack("{s:s, s:s, s:I}", "title", dse_corner_titles[c], "meaning",
                                                   dse_corner_meaning(corners, (enum dse_corner)c, meaning), "point", (json_int_t)corners->at[c]));
    return array;
}

static enum dse_status add_view(const struct dse_page_view *view, json_t *views, struct dse_error *err)
{
    const struct dse_costs *costs = view->design->setup->costs;
    json_t *objectives = json_array();
    for (size_t o = 0; o < view->objective_count; o++)
        json_array_append_new(objectives, json_integer(view->objectives[o]));
    json_t *object = json_pack(
        "{s:{s:s, s:s, s:s}, s:s, s:o, s:o, s:o, s:o, s:f, s:b, s:s, s:o, s:o, s:I, s:s, s:o, s:{s:o}, s:o, s:s, s:s?}", "board", "name",
        view->board->name, "title", view->board->title, "part", view->board->part, "dataset", view->dataset, "objectives", objectives,
        "space_size", dse_json_count(view->space_size), "evaluated", dse_json_count(view->evaluated), "feasible",
        dse_json_count(view->feasible), "seconds", view->seconds, "proven", view->proven, "remark", view->remark, "points",
        dse_page_points_json(view->points), "corners", corners_json(&view->corners), "chosen", (json_int_t)view->chosen, "chosen_because",
        view->chosen_because, "paper", paper_json(view), "measured", "chosen", measured_json(view->design), "costs", costs_json(view),
        "cost_library", dse_costs_family(costs), "calibration", dse_costs_calibration(costs));
    if (view->paper != NULL) {
        json_object_set_new(json_object_get(object, "measured"), "paper", measured_json(view->paper));
        json_object_set_new(object, "baseline", dse_baseline_json(&view->baseline, view->paper->estimate));
    }
    json_array_append_new(views, object);
    return add_rooflines(view, object, err);
}

static const char bands_note[] =
    "Low and high combine two errors. One is the bands of the cost entries below, all in one direction. The other is the mean error of these "
    "estimates against published builds of this family. Without published builds they cover the kernel only, by schedules or RTL, and "
    "are unknown if only the family's own simulation exists. Latency and energy are model estimates; "
    "`nysx-dse validate` compares them with the project's own cycle-level simulation (self-consistency) and with "
    "published figures, row by row. Accuracy is measured, never estimated.";

enum dse_status dse_page_json(const struct dse_page *page, json_t **out, struct dse_error *err)
{
    json_t *views = json_array();
    json_t *object DSE_CLEANUP(json_decrefp) = json_pack(
        "{s:s, s:s, s:{s:s, s:s}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:s, s:o}", "schema", "nysx-dse.report/1", "program",
        "nysx-dse " DSE_VERSION, "family", "name", page->family->name, "title", page->family->title, "question", question_json(page->question),
        "metrics", metrics_json(page), "knobs", knobs_json(page), "engines", engines_json(page->family), "inputs", inputs_json(page),
        "commands", commands_json(page, false), "commands_of_design", commands_json(page, true), "study", page->study, "bands_note",
        bands_note, "views", views);
    json_object_set_new(object, "items", json_string(dse_items_word(page->family, &page->views[0].design->estimate->config)));
    for (size_t v = 0; v < page->view_count; v++)
        DSE_TRY(add_view(&page->views[v], views, err));
    *out = json_incref(object);
    return DSE_OK;
}
