/* Inference: the ranks of the held-out triples, their metrics, and one line per triple. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/csv.h"
#include "core/number.h"
#include "models/hdreason/executor/rank.h"

/* Keeps the triples of another set whose names the model has. */
static void keep_known(const struct dse_triple_set *set, struct dse_inference *result)
{
    size_t kept = 0;
    for (size_t i = 0; i < result->count; i++)
        if (set->triple[result->item[i]].head >= 0)
            result->item[kept++] = result->item[i];
    result->count = kept;
}

/* The value of a rank: 1/rank (`within` 0), the rank (negative), or whether it is at most `within`. */
static double worth(double rank, double within)
{
    return within < 0.0 ? rank : within > 0.0 ? rank <= within : 1.0 / rank;
}

/* Its mean over all queries. The queries of a triple are one item. */
static struct dse_figure mean_of(const struct dse_inference *found, const char *name, double within)
{
    const size_t ways = found->ways, count = found->count * ways;
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += worth(found->rank[i], within);
    const double mean = count > 0 ? sum / (double)count : 0.0;
    for (size_t i = 0; i < found->count; i++) {
        double off = 0.0;
        for (size_t way = 0; way < ways; way++)
            off += worth(found->rank[i * ways + way], within) - mean;
        squares += off * off;
    }
    return (struct dse_figure){name, mean, count > 0 ? sqrt(squares) / (double)count : 0.0};
}

static enum dse_status put_figures(const struct hdr_model *model, struct dse_inference *result, struct dse_error *err)
{
    static const struct {
        const char *name, *random;
        double within;
    } hits[] = {{"hits1", "hits1_random", 1}, {"hits3", "hits3_random", 3}, {"hits10", "hits10_random", 10}};
    struct dse_figure mrr = mean_of(result, "mrr", 0.0);
    result->quality = mrr.value;
    result->error = mrr.error;
    for (size_t h = 0; h < sizeof hits / sizeof *hits; h++)
        DSE_TRY(dse_figure_put_error(result->figures, &result->figure_count, mean_of(result, hits[h].name, hits[h].within), err));
    DSE_TRY(dse_figure_put_error(result->figures, &result->figure_count, mean_of(result, "mean_rank", -1.0), err));
    const struct dse_chance chance = {.entities = (double)model->entities};
    for (size_t h = 0; h < sizeof hits / sizeof *hits; h++)
        DSE_TRY(dse_figure_put(result->figures, &result->figure_count, hits[h].random, dse_quality_constant(hits[h].name, &chance), err));
    DSE_TRY(dse_figure_put(result->figures, &result->figure_count, "mean_rank_random", dse_quality_constant("mean_rank", &chance), err));
    DSE_TRY(dse_figure_put(result->figures, &result->figure_count, "mrr_random", dse_quality_constant("mrr", &chance), err));
    return dse_figure_put(result->figures, &result->figure_count, "loss", model->loss, err);
}

enum dse_status hdreason_infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                               struct dse_inference *result, struct dse_error *err)
{
    const struct hdr_model *model = hdr_model_of(base);
    struct dse_triple_set set;
    DSE_TRY(dse_inference_begin(base, data, run, DSE_ANSWER_RANKS, result, err));
    DSE_TRY(hdr_model_map(model, data, &set, err));
    keep_known(&set, result);
    result->ways = hdr_both_ways(model) ? 2 : 1;
    double begin = dse_clock_s();
    enum dse_status status = hdr_rank(model, &set, result->item, result->count, run, result->rank, err);
    result->seconds = dse_clock_s() - begin;
    free(set.triple);
    return status == DSE_OK ? put_figures(model, result, err) : status;
}

void hdreason_predictions(const struct dse_inference *result, const struct dse_dataset *data, struct dse_strbuf *out)
{
    const struct dse_triple_set *set = dse_dataset_triples(data);
    char number[32];
    size_t first = set->begin[DSE_TEST_PART]; /* first of the numbers: test.txt's, where only such are answered */
    for (size_t i = 0; i < result->count; i++)
        first = result->item[i] < first ? 0 : first;
    dse_strbuf_add(out, "triple,direction,head,relation,tail,rank\n");
    for (size_t i = 0; i < result->count * result->ways; i++) {
        size_t item = result->item[i / result->ways];
        const struct dse_triple *t = &set->triple[item];
        const char *const names[] = {dse_triple_name(&set->entity, (size_t)t->head), dse_triple_name(&set->relation, (size_t)t->relation),
                                     dse_triple_name(&set->entity, (size_t)t->tail)};
        dse_strbuf_printf(out, "%zu,%s,", item - first, i % result->ways == 0 ? "tail" : "head");
        for (size_t n = 0; n < 3; n++) {
            dse_csv_field(out, names[n]);
            dse_strbuf_add(out, ",");
        }
        dse_strbuf_printf(out, "%s\n", dse_number_shortest(number, sizeof number, result->rank[i]));
    }
}
