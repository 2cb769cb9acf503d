/* Quality on demand for several data sets. A common setting is trained if its combined quality may put it on the front. It is trained on the data
 * sets that have not measured it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "explore/joint.h"

struct asking {
    struct dse_joint_exploration *exploration;
    struct dse_lazy lazy;
};

/* ---- search ---- */

/* Front of one candidate: unknown qualities are taken as the best possible. */
static enum dse_status search_one(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer,
                                  struct dse_error *err)
{
    const struct asking *asking = user;
    const struct dse_joint_exploration *e = asking->exploration;
    struct dse_alternative settings[DSE_KNOB_MAX];
    struct dse_joint_set sets[DSE_KNOB_MAX];
    struct dse_question own = *question;
    for (size_t set = 0; set < e->sets; set++) {
        settings[set] = e->joined[set].alternatives[e->measured + which];
        if (isnan(settings[set].quality))
            settings[set].quality = asking->lazy.best_quality;
        sets[set] = (struct dse_joint_set){&settings[set], e->weights[set]};
    }
    own.alternatives = settings;
    own.own = &e->own[e->measured + which];
    return dse_joint_answer(e, &own, sets, answer, err);
}

/* ---- measurements ---- */

static const struct dse_quality *quality_of(const struct dse_joint_exploration *e, size_t set, size_t which)
{
    const struct dse_exploration *part = &e->parts[set];
    return dse_profile_quality_of(e->bench->space, part->profile, &e->joined[set].alternatives[e->measured + which].config);
}

/* Trains the missing candidates of a data set. */
static enum dse_status train(const struct asking *asking, size_t set, const size_t *which, size_t count, bool *ended, struct dse_error *err)
{
    struct dse_joint_exploration *e = asking->exploration;
    struct dse_exploration *part = &e->parts[set];
    struct dse_setting *settings DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *settings); /* borrowed */
    double *quality DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *quality);
    size_t *taken DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *taken), wanted = 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = e->places[(e->measured + which[i]) * e->sets + set] - part->question.alternative_count;
        bool there = quality_of(e, set, which[i]) != NULL; /* several candidates may share the setting */
        for (size_t k = 0; k < wanted && !there; k++)
            there = taken[k] == place;
        if (there)
            continue;
        settings[wanted] = part->settings.full[place];
        taken[wanted++] = place;
    }
    if (wanted > 0) {
        part->trainings.total = part->trainings.trainings + part->trainings.found + wanted * part->trainings.seeds;
        DSE_TRY(dse_trainings_quality(&part->trainings, settings, wanted, quality, ended, err));
    }
    return DSE_OK;
}

/* Combined quality of a candidate; NaN while a data set lacks it, below all if a data set's limit fails. */
static double combined_quality(const struct dse_joint_exploration *e, size_t which)
{
    double values[DSE_KNOB_MAX];
    bool below = false;
    for (size_t set = 0; set < e->sets; set++) {
        const struct dse_quality *quality = quality_of(e, set, which);
        if (quality == NULL)
            return NAN;
        values[set] = quality->mean;
        below |= !(quality->mean >= e->parts[set].standard.floor);
    }
    return below ? -INFINITY : dse_joint_values(e->how, DSE_METRIC_QUALITY, values, e->weights, e->sets);
}

static enum dse_status measure(void *user, const size_t *which, size_t count, double *quality, bool *ended, struct dse_error *err)
{
    const struct asking *asking = user;
    const struct dse_joint_exploration *e = asking->exploration;
    for (size_t set = 0; set < e->sets && !*ended; set++)
        DSE_TRY(train(asking, set, which, count, ended, err));
    for (size_t i = 0; i < count; i++)
        quality[i] = combined_quality(e, which[i]);
    return DSE_OK;
}

/* ---- the whole search ---- */

enum dse_status dse_joint_lazily(struct dse_joint_exploration *e, struct dse_fates *fates, struct dse_error *err)
{
    size_t seeds = 1, count = e->setting_count - e->measured;
    struct dse_question question = e->question;
    struct dse_candidate *candidates DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *candidates);
    struct asking asking = {.exploration = e};
    for (size_t set = 0; set < e->sets; set++)
        seeds = e->parts[set].trainings.seeds > seeds ? e->parts[set].trainings.seeds : seeds;
    for (size_t i = 0; i < count; i++) {
        candidates[i].alternative = e->joined[0].alternatives[e->measured + i];
        candidates[i].alternative.quality = NAN;
    }
    question.alternative_count = e->measured;
    asking.lazy = (struct dse_lazy){.question = &question, .candidates = candidates, .candidate_count = count, .least_quality = -DBL_MAX,
                                    .best_quality = 1.0, .batch = (8 + seeds - 1) / seeds, .search = search_one, .measure = measure,
                                    .user = &asking};
    enum dse_status status = dse_lazy_search(&asking.lazy, &e->answer, err);
    dse_fates_count(&asking.lazy, fates);
    for (size_t set = 0; set < e->sets; set++) {
        const struct dse_exploration *part = &e->parts[set];
        fates->crossed = part->settings.crossed > fates->crossed ? part->settings.crossed : fates->crossed;
        fates->trainings += part->trainings.trainings + part->trainings.found;
    }
    e->answer.proven &= fates->crossed == 0;
    return status;
}
