/* The clock of the models against place and route with open tools. Drawn designs (rtl_design.h) of at most LUT_MOST LUTs are emitted, and `make pnr`
 * maps, places and routes each for an ECP5 with three seeds. The reference is their median. The prediction uses the paths that decide at which clock
 * a design is feasible, with the delays of that family (models/path.h). */
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/path.h"
#include "validation/published.h"
#include "validation/rtl_design.h"

#define STREAM_PNR 0x706e
#define LUT_MOST 15000.0
#define TEXT_BYTES 512

static void keep_line(const char *line, void *to)
{
    if (line[0] != '\n')
        snprintf(to, TEXT_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void add_row(const struct dse_rtl_drawn *d, size_t index, const json_t *routed, const struct dse_clock_limit *clock,
                    struct dse_validation *out)
{
    struct dse_drawn_row drawn;
    char note[sizeof drawn.config + 256], source[TEXT_BYTES];
    const json_t *tools = json_object_get(routed, "tools"), *part = json_array_get(json_object_get(routed, "parts"), 0);
    snprintf(source, sizeof source, "%.150s; %.150s; ECP5-%s grade %.0f", json_string_value(json_array_get(tools, 0)),
             json_string_value(json_array_get(tools, 1)), json_string_value(json_object_get(routed, "device")), number_of(routed, "grade"));
    dse_rtl_drawn_row(d, index, source, &drawn);
    snprintf(note, sizeof note, "routed: %s, %.1f to %.1f MHz, %.0f LUT, %.0f FF; predicted: %s, %" PRId64 " LUT: %s", json_string_value(json_object_get(routed, "engine")),
             number_of(routed, "low_mhz"), number_of(routed, "high_mhz"), number_of(part, "lut"), number_of(part, "ff"), clock->where,
             d->estimate->sums.resources[DSE_LUT], drawn.config);
    drawn.row.what = "clock_mhz";
    drawn.row.note = note;
    drawn.row.group = d->family->engines[clock->engine].name;
    drawn.row.predicted = 1e3 / clock->ns;
    drawn.row.low = 1e3 / (clock->ns * clock->high);
    drawn.row.high = 1e3 / (clock->ns * clock->low);
    drawn.row.reference = number_of(routed, "median_mhz");
    dse_validation_add(out, &drawn.row);
}

/* The pnr.json named by NYSX_ROUTED, or NULL. Its `design`, if it has one, replaces a draw; with a clock it also replaces place and route. */
static json_t *kept_routing(void)
{
    const char *kept = getenv("NYSX_ROUTED");
    return kept != NULL ? json_load_file(kept, 0, NULL) : NULL;
}

static enum dse_status one(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    struct dse_setup setup = d->draw.setup;
    struct dse_clock_limit clock;
    char path[PATH_MAX], said[TEXT_BYTES] = "make pnr failed";
    json_error_t problem;
    setup.workload = &d->own;
    setup.delays = &dse_path_ecp5;
    DSE_TRY(dse_estimate_make(&setup, &d->estimate->config, d->held_out, err));
    json_t *routed DSE_CLEANUP(json_decrefp) = kept_routing();
    if (json_object_get(routed, "median_mhz") == NULL) {
        if (dse_rtl_make(d->folder, "pnr SEEDS='1 2 3'", keep_line, said) != 0)
            return dse_fail(err, DSE_ANSWER_NO, "%s: %s", d->folder, said);
        json_decref(routed);
        snprintf(path, sizeof path, "%s/pnr/pnr.json", d->folder);
        routed = json_load_file(path, 0, &problem);
    }
    if (routed == NULL) /* it was skipped */
        return dse_fail(err, DSE_LIMIT, "--against pnr: %s", said);
    clock = d->held_out->clock;
    if (!json_is_true(json_object_get(routed, "by_part"))) /* engines routed alone do not crowd each other */
        clock.ns *= 1.0 + dse_path_ecp5.crowd * (double)d->held_out->sums.resources[DSE_LUT];
    add_row(d, index, routed, &clock, out);
    return DSE_OK;
}

enum dse_status dse_validate_pnr(const struct dse_validation_ground *g, size_t count, struct dse_validation *out, struct dse_error *err)
{
    json_t *routed DSE_CLEANUP(json_decrefp) = kept_routing();
    const struct dse_rtl_plan plan = {.level = "pnr", .whole = true, .tools = "make python3", .most_lut = LUT_MOST, .stream = STREAM_PNR, .anew = true,
                                      .given = json_string_value(json_object_get(routed, "design"))};
    return dse_rtl_drawn_all(g, &plan, count, one, out, err);
}
