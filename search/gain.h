/* What a measurement of quality is expected to bring a front: the gain of hypervolume, over what is believed of the quality.
 *
 * The other costs of a setting's designs are known. With quality q they add, over all qualities t below q, what they dominate of the other
 * costs beside the designs of the front whose quality is t at least: so the expected gain is the integral of that over t, each t weighed
 * with the probability that q is above it, a sum over the front's different qualities of areas by differences of E[max(q − t, 0)]
 * (M. Emmerich, K. Giannakoglou, B. Naujoks, "Single- and multiobjective evolutionary optimization assisted by Gaussian random field
 * metamodels", IEEE Trans. Evolutionary Computation 10, 2006, for one uncertain objective). */
#ifndef DSE_SEARCH_GAIN_H
#define DSE_SEARCH_GAIN_H

#include "search/search.h"

#define DSE_GAIN_OTHERS_MAX 2 /* objectives besides the quality */

struct dse_belief;

/* A front, seen so. Nothing is owned but `levels` and `costs`. */
struct dse_gain {
    size_t others;
    enum dse_metric objectives[DSE_GAIN_OTHERS_MAX];
    bool by_quality; /* the quality is an objective too */
    double reference[DSE_GAIN_OTHERS_MAX];
    double floor; /* the quality below which nothing counts */
    double *costs; /* count × others, the best quality first */
    size_t count;
    struct dse_gain_level {
        double quality; /* of the points from the last level's end to this one's */
        size_t end;     /* points with this quality or a better one */
        double volume;  /* that they dominate */
    } *levels; /* level_count */
    size_t level_count;
};

/* Whether questions with these objectives are taken. */
bool dse_gain_takes(const struct dse_question *question);

/* `reference`: of each objective but the quality, in their order, a cost that no design is above; `floor`: a quality below which nothing
 * counts, or −infinity: the least of the front then. */
enum dse_status dse_gain_open(const struct dse_question *question, const struct dse_point *front, size_t count, const double *reference,
                              double floor, struct dse_gain *out, struct dse_error *err);
void dse_gain_close(struct dse_gain *gain);

/* The expected gain of a setting's designs, whatever quality stands in them. O(levels × points × log points). */
enum dse_status dse_gain_expect(const struct dse_gain *gain, const struct dse_point *points, size_t count, const struct dse_belief *belief,
                                double *out, struct dse_error *err);

/* E[max(q − least, 0)]. */
double dse_expected_above(const struct dse_belief *belief, double least);

#endif
