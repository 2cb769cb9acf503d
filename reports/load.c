#include "reports/load.h"

#include <math.h>

#include "core/units.h"
#include "reports/fields.h"
#include "reports/schema.h"

#define AT(member) offsetof(struct dse_load_result, member)

const struct dse_field dse_fields_load[] = {
    DSE_FIELD("rate_hz", NULL, REAL, AT(rate_hz)),       DSE_FIELD("capacity_hz", NULL, REAL, AT(capacity_hz)),
    DSE_FIELD("saturation_hz", NULL, REAL, AT(saturation_hz)),
    DSE_FIELD("utilisation", NULL, REAL, AT(utilisation)), DSE_FIELD("limited_by", NULL, WORD, AT(limit), .words = dse_load_limits),
    DSE_FIELD("state", NULL, WORD, AT(state), .words = dse_load_states),
    DSE_FIELD("mean_s", NULL, REAL, AT(mean_s)),
    DSE_FIELD("p50_s", NULL, REAL, AT(p50_s)),           DSE_FIELD("p99_s", NULL, REAL, AT(p99_s)),
    DSE_FIELD("p999_s", NULL, REAL, AT(p999_s)),         DSE_FIELD("mg1_mean_s", NULL, REAL, AT(formula_s)),
    DSE_FIELD("items_per_launch", NULL, REAL, AT(items_per_launch)), DSE_FIELD("items", NULL, COUNT, AT(items)), {0}};

json_t *dse_load_json(const struct dse_load_result *result)
{
    return dse_fields_json(dse_fields_load, result);
}

static void add_time(struct dse_strbuf *out, const char *before, double s)
{
    char text[32];
    dse_strbuf_printf(out, "%s%s", before, dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, s));
}

void dse_load_write(const struct dse_load_result *result, const struct dse_host *host, const char *items, struct dse_strbuf *out)
{
    char rate[64], most[64];
    dse_strbuf_printf(out, "%-12s %s arrive (host %s); the %s can serve %s; utilisation %.3f\n", "load", dse_load_rate(result->rate_hz, items, rate), host->name,
                      dse_load_limits[result->limit], dse_load_rate(result->saturation_hz, items, most), result->utilisation);
    if (result->state == DSE_LOAD_IS_OVER)
        dse_strbuf_printf(out, "%-12s overloaded: more %s arrive than the system delivers, and the queue grows %s\n", "", items,
                          isinf(result->p99_s) ? "without limit" : "until the file's last arrival");
    if (isinf(result->p99_s))
        return;
    dse_strbuf_printf(out, "%-12s ", "");
    add_time(out, "p50 ", result->p50_s);
    add_time(out, ", p99 ", result->p99_s);
    add_time(out, ", p99.9 ", result->p999_s);
    add_time(out, ", mean ", result->mean_s);
    if (!isnan(result->formula_s))
        add_time(out, " (M/G/1: ", result->formula_s);
    dse_strbuf_printf(out, "%s; %.2f %s per launch\n", isnan(result->formula_s) ? "" : ")", result->items_per_launch, items);
    if (result->state == DSE_LOAD_IS_NEAR)
        dse_strbuf_printf(out, "%-12s warning: near saturation, the queue is not steady over %zu %s; the times depend on the seed\n", "", result->items, items);
}
