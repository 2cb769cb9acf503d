/* The two constants of the column "as published".
 *
 * latency = bytes / stated bandwidth + seconds · counted, power = static + activity · (the design's − static). Each is linear
 * in its constant, so least squares of relative errors is a quotient of sums. */
#include <math.h>
#include <string.h>

#include "validation/published.h"

/* constant · by = wanted, in units of `of`. */
struct line {
    double sum_by_wanted, sum_by_by, least, most;
};

static void add(struct line *line, double by, double wanted, double of)
{
    if (!(by > 0.0) || !isfinite(wanted) || !(of > 0.0))
        return;
    line->sum_by_wanted += by * wanted / (of * of);
    line->sum_by_by += by * by / (of * of);
    double alone = fmax(wanted / by, 0.0);
    line->least = fmin(line->least, alone);
    line->most = fmax(line->most, alone);
}

static double constant(const struct line *line, double *low, double *high)
{
    double value = line->sum_by_by > 0.0 ? fmax(line->sum_by_wanted / line->sum_by_by, 0.0) : 0.0;
    *low = fmin(line->least, value);
    *high = fmax(line->most, value);
    return value;
}

void dse_published_fit_make(const struct dse_measured_case *cases, size_t count, const char *without,
                            struct dse_published_fit *out)
{
    struct line time = {.least = INFINITY}, power = {.least = INFINITY};
    for (size_t i = 0; i < count; i++) {
        const struct dse_measured_case *c = &cases[i];
        if (strcmp(c->published->dataset, without) == 0)
            continue;
        double latency = dse_published_value(dse_published_figure_find(c->published, "latency_s", ""));
        double watt = dse_published_value(dse_published_figure_find(c->published, "power_w", ""));
        add(&time, c->counted, latency - c->stream_s, latency);
        add(&power, c->power_w - c->static_w, watt - c->static_w, watt);
    }
    *out = (struct dse_published_fit){.without = without};
    out->seconds = constant(&time, &out->seconds_low, &out->seconds_high);
    out->activity = constant(&power, &out->activity_low, &out->activity_high);
}
