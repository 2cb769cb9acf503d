#include "search/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "search/filter.h"
#include "search/groups.h"
#include "search/tables.h"

#define COMPONENTS (sizeof(struct dse_accumulators) / sizeof(int64_t))
#define BUSY (sizeof(((struct dse_accumulators *)0)->busy_cycles) / sizeof(int64_t)) /* the first components: the maximum counts */
#define PLACES ((size_t)1 << 18)   /* hash capacity for costs: when half full, or */
#define POOL_MOST ((size_t)1 << 24) /* when their numbers fill the pool, everything is dropped */

/* A block's cost: the pool holds the number of its non-zero components, their indices and their values. */
struct kept {
    XXH128_hash_t key; /* hash of block, alternative and the values of the knobs that it reads */
    uint32_t at;       /* offset in the pool; 0: empty */
};

struct dse_judge {
    const struct dse_question *question;
    void **work;
    size_t *reads; /* reads of block b: first[b] to first[b + 1] */
    size_t first[DSE_BLOCK_MAX + 1];
    struct kept *kept; /* PLACES */
    size_t kept_count;
    int64_t *pool;
    size_t pool_used, pool_capacity;
};

static void list_reads(struct dse_judge *judge)
{
    const struct dse_question *q = judge->question;
    size_t count = 0;
    judge->reads = dse_malloc((q->family->block_count * DSE_KNOB_MAX + 1) * sizeof *judge->reads);
    for (size_t b = 0; b < q->family->block_count; b++) {
        dse_knob_set reads = dse_block_reads(q, b);
        for (size_t k = 0; k < q->space->count; k++)
            if (dse_bits_has(reads, k))
                judge->reads[count++] = k;
        judge->first[b + 1] = count;
    }
}

enum dse_status dse_judge_open(const struct dse_question *question, struct dse_judge **out, struct dse_error *err)
{
    struct dse_judge *judge = *out = dse_calloc(1, sizeof *judge);
    judge->question = question;
    judge->kept = dse_calloc(PLACES, sizeof *judge->kept);
    judge->pool_used = 1;
    list_reads(judge);
    return dse_work_prepare(question, &judge->work, err);
}

void dse_judge_close(struct dse_judge **out)
{
    struct dse_judge *judge = *out;
    if (judge == NULL)
        return;
    dse_work_release(judge->question, judge->work);
    free(judge->reads);
    free(judge->kept);
    free(judge->pool);
    free(judge);
    *out = NULL;
}

static XXH128_hash_t key_of(const struct dse_judge *judge, size_t block, const struct dse_config *config, size_t alternative)
{
    int64_t values[DSE_KNOB_MAX + 2] = {(int64_t)block, (int64_t)alternative};
    size_t count = 2;
    for (size_t i = judge->first[block]; i < judge->first[block + 1]; i++)
        values[count++] = config->value[judge->reads[i]];
    return XXH3_128bits(values, count * sizeof *values);
}

/* Position of a key, or the free position for it. */
static struct kept *place_of(struct dse_judge *judge, XXH128_hash_t key)
{
    size_t place = key.low64 % PLACES;
    while (judge->kept[place].at != 0 && !XXH128_isEqual(judge->kept[place].key, key))
        place = (place + 1) % PLACES;
    return &judge->kept[place];
}

static void keep(struct dse_judge *judge, XXH128_hash_t key, const struct dse_accumulators *part)
{
    const int64_t *values = (const int64_t *)part;
    if (judge->kept_count >= PLACES / 2 || judge->pool_used + 2 * COMPONENTS + 1 > POOL_MOST) {
        memset(judge->kept, 0, PLACES * sizeof *judge->kept);
        judge->kept_count = 0;
        judge->pool_used = 1;
    }
    if (judge->pool_used + 2 * COMPONENTS + 1 > judge->pool_capacity) {
        judge->pool_capacity = 2 * judge->pool_capacity + 4096;
        judge->pool = dse_realloc(judge->pool, judge->pool_capacity * sizeof *judge->pool);
    }
    *place_of(judge, key) = (struct kept){key, (uint32_t)judge->pool_used};
    judge->kept_count++;
    int64_t *count = &judge->pool[judge->pool_used++];
    *count = 0;
    for (size_t c = 0; c < COMPONENTS; c++)
        if (values[c] != 0) {
            judge->pool[judge->pool_used++] = (int64_t)c;
            judge->pool[judge->pool_used++] = values[c];
            ++*count;
        }
}

static void combine(const int64_t *packed, struct dse_accumulators *total)
{
    int64_t *sums = (int64_t *)total;
    for (const int64_t *pair = packed + 1, *end = pair + 2 * packed[0]; pair < end; pair += 2)
        sums[pair[0]] = (size_t)pair[0] >= BUSY ? sums[pair[0]] + pair[1] : pair[1] > sums[pair[0]] ? pair[1] : sums[pair[0]];
}

int64_t dse_judge_busy(struct dse_judge *judge, size_t block, const struct dse_config *config, size_t alternative)
{
    const struct kept *found = place_of(judge, key_of(judge, block, config, alternative));
    const int64_t *packed = found->at != 0 ? &judge->pool[found->at] : NULL;
    int64_t most = 0;
    for (int64_t i = 0; packed != NULL && i < packed[0] && packed[1 + 2 * i] < DSE_STAGE_MAX; i++) /* the mean's cycles come first, by stage */
        most = packed[2 + 2 * i] > most ? packed[2 + 2 * i] : most;
    return most;
}

/* Hashes the keys of all blocks and prefetches their entries, because a table of megabytes exceeds the caches. */
static void find_keys(struct dse_judge *judge, const struct dse_config *config, size_t alternative, XXH128_hash_t keys[DSE_BLOCK_MAX])
{
    size_t count = judge->question->family->block_count;
    for (size_t b = 0; b < count; b++) {
        keys[b] = key_of(judge, b, config, alternative);
        __builtin_prefetch(&judge->kept[keys[b].low64 % PLACES]);
    }
    for (size_t b = 0; b < count; b++)
        if (judge->pool != NULL)
            __builtin_prefetch(&judge->pool[place_of(judge, keys[b])->at]);
}

static enum dse_status add_block(struct dse_judge *judge, size_t block, XXH128_hash_t key, const struct dse_config *config, size_t alternative,
                                 struct dse_rejection *rejection, struct dse_accumulators *sums, struct dse_error *err)
{
    const struct dse_question *q = judge->question;
    const struct kept *found = place_of(judge, key);
    if (found->at != 0) {
        combine(&judge->pool[found->at], sums);
        return DSE_OK;
    }
    struct dse_context context = {.board = q->board, .costs = q->costs, .work = judge->work[alternative], .rejection = rejection};
    struct dse_accumulators part;
    DSE_TRY(dse_block_cost(q->family, block, &context, config, &part, err));
    if (rejection->rejected)
        return DSE_OK; /* not kept: the message of a rejection is more useful than the time saved */
    keep(judge, key, &part);
    dse_accumulators_combine(sums, &part);
    return DSE_OK;
}

static enum dse_status evaluate(struct dse_judge *judge, const struct dse_config *config, size_t alternative, struct dse_verdict *out,
                                struct dse_rejection *rejection, struct dse_error *err)
{
    const struct dse_question *q = judge->question;
    if (q->evaluator != NULL)
        return q->evaluator->evaluate(q->evaluator->user, config, alternative, &out->platform, &out->sums, out->metrics, rejection, err);
    XXH128_hash_t keys[DSE_BLOCK_MAX];
    find_keys(judge, config, alternative, keys);
    for (size_t b = 0; b < q->family->block_count && !rejection->rejected; b++)
        DSE_TRY(add_block(judge, b, keys[b], config, alternative, rejection, &out->sums, err));
    if (rejection->rejected)
        return DSE_OK;
    dse_question_platform(q, config, &out->platform);
    dse_derive(&out->platform, &out->sums, out->metrics);
    out->metrics[DSE_METRIC_QUALITY] = q->alternatives[alternative].quality;
    return DSE_OK;
}

/* ---- violations ---- */

static double over_cap(const struct dse_verdict *verdict, int resource)
{
    const struct dse_platform *platform = &verdict->platform;
    double over = (double)(verdict->sums.resources[resource] * platform->units - platform->capped[resource]);
    return over > 0.0 ? over / fmax((double)platform->capped[resource], 1.0) : 0.0;
}

static double over_limit(const struct dse_limit *limit, const double *metrics)
{
    double over = limit->at_least ? limit->bound - metrics[limit->metric] : metrics[limit->metric] - limit->bound;
    return over <= 0.0 ? 0.0 : isfinite(over) ? over / fmax(fabs(limit->bound), 1e-30) : 1.0;
}

static double violation_of(const struct dse_question *question, const struct dse_config *config, const struct dse_verdict *verdict)
{
    double total = verdict->platform.clock_allowed ? 0.0 : 1.0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        total += over_cap(verdict, r);
    for (size_t i = 0; i < question->limit_count; i++)
        total += over_limit(&question->limits[i], verdict->metrics);
    return total + !dse_filters_hold(question, config, verdict->metrics, false);
}

enum dse_status dse_judge_design(struct dse_judge *judge, struct dse_config *config, size_t alternative, struct dse_verdict *out,
                                 struct dse_error *err)
{
    const struct dse_question *q = judge->question;
    struct dse_rejection rejection = {0};
    dse_config_canonical(q->space, config);
    memset(&out->sums, 0, sizeof out->sums);
    DSE_TRY(evaluate(judge, config, alternative, out, &rejection, err));
    out->built = !rejection.rejected;
    out->fits = out->holds = false;
    out->rejection[0] = '\0';
    out->violation = INFINITY;
    if (!out->built) {
        memcpy(out->rejection, rejection.reason, sizeof out->rejection);
        return DSE_OK;
    }
    out->fits = dse_fits(&out->platform, &out->sums, NULL);
    out->holds = dse_limits_hold(q, out->metrics) && dse_filters_hold(q, config, out->metrics, out->fits);
    out->violation = out->fits && out->holds ? 0.0 : violation_of(q, config, out);
    return DSE_OK;
}

void dse_verdict_why(const struct dse_question *question, const struct dse_verdict *verdict, struct dse_strbuf *out)
{
    size_t begin = out->length;
    if (!verdict->built) {
        dse_strbuf_add(out, verdict->rejection);
        return;
    }
    if (!verdict->platform.clock_allowed)
        dse_strbuf_add(out, "the board does not allow this clock");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (over_cap(verdict, r) > 0.0)
            dse_strbuf_printf(out, "%s%s %lld of %lld", out->length > begin ? ", " : "", dse_metrics[dse_metric_of_resource(r)].name,
                              (long long)(verdict->sums.resources[r] * verdict->platform.units), (long long)verdict->platform.capped[r]);
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        char has[80], asked[80];
        if (over_limit(limit, verdict->metrics) <= 0.0)
            continue;
        if (limit->metric == DSE_METRIC_QUALITY && question->quality != NULL)
            dse_strbuf_printf(out, "%s%s, limit%s", out->length > begin ? ", " : "", dse_quality_amount(question->quality, verdict->metrics[limit->metric], has, sizeof has),
                              strchr(dse_quality_limit(question->quality, limit->at_least, limit->bound, asked, sizeof asked), ' '));
        else
            dse_strbuf_printf(out, "%s%s %.6g, limit %s %.6g", out->length > begin ? ", " : "", dse_metrics[limit->metric].key,
                              verdict->metrics[limit->metric], limit->at_least ? ">=" : "<=", limit->bound);
    }
    if (out->length == begin)
        dse_strbuf_add(out, "a condition does not hold");
}
