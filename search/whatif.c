#include "search/whatif.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

enum dse_status dse_whatif_evaluate(const struct dse_whatif *whatif, const struct dse_config *config,
                                    struct dse_whatif_design *out, struct dse_error *err)
{
    out->setup = whatif->setup;
    struct dse_config canonical = *config;
    dse_config_canonical(whatif->setup.space, &canonical);
    DSE_TRY(dse_profile_work(whatif->setup.space, whatif->profile, &canonical, &out->setup.workload, err));
    DSE_TRY(dse_estimate_make(&out->setup, &canonical, &out->estimate, err));
    out->quality = dse_profile_quality_of(whatif->setup.space, whatif->profile, &canonical);
    if (out->quality != NULL)
        out->estimate.metrics[DSE_METRIC_QUALITY] = out->quality->mean;
    return DSE_OK;
}

double dse_whatif_ratio(double from, double to)
{
    if (isnan(from) || isnan(to))
        return NAN;
    if (from == 0.0)
        return to == 0.0 ? 1.0 : INFINITY;
    return to / from;
}

dse_knob_set dse_whatif_changes(const struct dse_space *space, const struct dse_config *base,
                                const struct dse_config *changed)
{
    dse_knob_set set = {{0}};
    for (size_t k = 0; k < space->count; k++)
        if (base->value[k] != changed->value[k] && dse_knob_active(space, changed, k))
            dse_bits_add(&set, k);
    return set;
}

/* ---- sensitivity ---- */

static enum dse_status move_one(const struct dse_whatif *whatif, const struct dse_whatif_design *base, size_t knob,
                                int64_t value, struct dse_whatif_moves *out, struct dse_error *err)
{
    struct dse_whatif_design design;
    struct dse_config config = base->estimate.config;
    config.value[knob] = value;
    dse_config_canonical(whatif->setup.space, &config);
    if (dse_profile_find_work(whatif->setup.space, whatif->profile, &config) == NULL) {
        out->not_profiled++;
        return DSE_OK;
    }
    DSE_TRY(dse_whatif_evaluate(whatif, &config, &design, err));
    out->unbuildable += design.estimate.rejection.rejected;
    if (design.estimate.rejection.rejected)
        return DSE_OK;
    struct dse_whatif_move *move = &out->moves[out->count++];
    *move = (struct dse_whatif_move){.knob = knob, .value = value, .fits = design.estimate.fits};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        move->ratio[m] = dse_whatif_ratio(base->estimate.metrics[m], design.estimate.metrics[m]);
    return DSE_OK;
}

/* Distance of a ratio from 1 in either direction; NaN counts as no effect. */
static double effect(double ratio)
{
    if (isnan(ratio))
        return 0.0;
    return ratio > 0.0 ? fabs(log(ratio)) : INFINITY;
}

/* Sort key of moves: the knob's largest effect, the knob, then from the best to the worst value. Stored beside the moves
 * because a comparison function has no further argument. */
struct ranked {
    struct dse_whatif_move move;
    double knob_effect, cost;
};

static int by_effect(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->knob_effect != y->knob_effect)
        return x->knob_effect > y->knob_effect ? -1 : 1;
    if (x->move.knob != y->move.knob)
        return x->move.knob < y->move.knob ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->move.value > y->move.value) - (x->move.value < y->move.value);
}

static void drop_unmeasured(struct dse_whatif_moves *moves)
{
    size_t kept = 0;
    for (size_t i = 0; i < moves->count; i++)
        if (!isnan(moves->moves[i].ratio[DSE_METRIC_QUALITY]))
            moves->moves[kept++] = moves->moves[i];
    moves->unmeasured = moves->count - kept;
    moves->count = kept;
}

static void rank(struct dse_whatif_moves *moves, enum dse_metric metric, double from)
{
    struct ranked *ranked DSE_CLEANUP(dse_free_at) = dse_calloc(moves->count + 1, sizeof *ranked);
    double largest[DSE_KNOB_MAX] = {0.0};
    for (size_t i = 0; i < moves->count; i++)
        largest[moves->moves[i].knob] = fmax(largest[moves->moves[i].knob], effect(moves->moves[i].ratio[metric]));
    for (size_t i = 0; i < moves->count; i++) {
        double ratio = moves->moves[i].ratio[metric];
        double cost = isnan(ratio) ? 1.0 : dse_metrics[metric].higher_is_better && !(from < 0.0) ? -ratio : ratio;
        ranked[i] = (struct ranked){moves->moves[i], largest[moves->moves[i].knob], cost};
    }
    qsort(ranked, moves->count, sizeof *ranked, by_effect);
    for (size_t i = 0; i < moves->count; i++)
        moves->moves[i] = ranked[i].move;
}

static enum dse_status move_all(const struct dse_whatif *whatif, const struct dse_config *base, enum dse_metric metric, struct dse_whatif_moves *out, struct dse_error *err)
{
    const struct dse_space *space = whatif->setup.space;
    struct dse_whatif_design from;
    DSE_TRY(dse_whatif_evaluate(whatif, base, &from, err));
    DSE_TRY(dse_rejection_verdict(&from.estimate.rejection, err));
    for (size_t k = 0; k < space->count; k++)
        for (size_t v = 0; v < space->knobs[k].domain_count && dse_knob_active(space, &from.estimate.config, k); v++)
            if (space->knobs[k].domain[v] != from.estimate.config.value[k])
                DSE_TRY(move_one(whatif, &from, k, space->knobs[k].domain[v], out, err));
    if (metric == DSE_METRIC_QUALITY)
        drop_unmeasured(out);
    rank(out, metric, from.estimate.metrics[metric]);
    return DSE_OK;
}

enum dse_status dse_whatif_sensitivity(const struct dse_whatif *whatif, const struct dse_config *base,
                                       enum dse_metric metric, struct dse_whatif_moves *out, struct dse_error *err)
{
    const struct dse_space *space = whatif->setup.space;
    size_t values = 0;
    for (size_t k = 0; k < space->count; k++)
        values += space->knobs[k].domain_count;
    *out = (struct dse_whatif_moves){.moves = dse_calloc(values + 1, sizeof *out->moves)};
    enum dse_status status = move_all(whatif, base, metric, out, err);
    if (status != DSE_OK)
        dse_whatif_moves_free(out);
    return status;
}

void dse_whatif_moves_free(struct dse_whatif_moves *moves)
{
    free(moves->moves);
    *moves = (struct dse_whatif_moves){0};
}
