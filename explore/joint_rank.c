#include "explore/joint_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "explore/front.h"

static bool combine_quality(const struct dse_joint_ranking *r, size_t point, double mean, struct dse_quality *out)
{
    double squares = 0.0, sum = 0.0;
    for (size_t d = 0; d < r->sets; d++) {
        const struct dse_quality *own = r->each[point * r->sets + d];
        double error = dse_corner_standard_error(own), weight = r->how == DSE_JOIN_WEIGHTED ? r->weights[d] : 1.0;
        if (own == NULL) {
            *out = (struct dse_quality){0};
            return false;
        }
        if (r->how == DSE_JOIN_WORST)
            weight = own->mean == mean ? 1.0 : 0.0;
        squares += weight * weight * error * error;
        sum += weight;
        *out = (struct dse_quality){.name = own->name, .higher_is_better = true, .mean = mean, .n = own->n};
    }
    out->std = sum > 0.0 ? sqrt(squares) / sum * sqrt((double)out->n) : 0.0;
    return true;
}

enum dse_status dse_joint_rank(const struct dse_question *question, const struct dse_joint_ranking *ranking, const struct dse_answer *answer,
                               bool balanced_first, struct dse_quality *qualities, struct dse_corners *corners, size_t *order,
                               struct dse_error *err)
{
    size_t points = answer->front_count;
    int64_t limits[DSE_RESOURCE_COUNT];
    const struct dse_standard none = {NAN, NAN, INFINITY, -INFINITY}; /* every data set's own rule held already */
    const struct dse_quality **each = dse_calloc(points + 1, sizeof *each);
    dse_board_limits(question->board, question->headroom, limits);
    for (size_t i = 0; i < points; i++)
        each[i] = combine_quality(ranking, i, answer->front[i].metrics[DSE_METRIC_QUALITY], &qualities[i]) ? &qualities[i] : NULL;
    dse_corners_among(limits, &none, answer->front, each, points, corners);
    free(each);
    size_t balanced = corners->at[DSE_CORNER_BALANCED];
    DSE_TRY(dse_front_balance(question, answer, order, err));
    for (size_t i = 0; i < points && balanced != DSE_CORNER_NONE && balanced_first; i++)
        if (order[i] == balanced) {
            memmove(&order[1], order, i * sizeof *order);
            order[0] = balanced;
        }
    return DSE_OK;
}
