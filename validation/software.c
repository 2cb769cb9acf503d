/* Time of software on a machine: a + b · quantity, by least squares of relative errors over the publication's other cases. */
#include <math.h>

#include "validation/published.h"

void dse_software_add(struct dse_software *s, double quantity, double published)
{
    double weight = 1.0 / (published * published);
    if (!(published > 0.0) || !isfinite(quantity))
        return;
    s->count++;
    s->w += weight;
    s->wq += weight * quantity;
    s->wqq += weight * quantity * quantity;
    s->wy += weight * published;
    s->wqy += weight * quantity * published;
}

double dse_software_seconds(const struct dse_software *s, double quantity)
{
    double spread = s->w * s->wqq - s->wq * s->wq;
    double slope = spread > 1e-9 * s->w * s->wqq ? fmax((s->w * s->wqy - s->wq * s->wy) / spread, 0.0) : 0.0;
    double offset = s->w > 0.0 ? (s->wy - slope * s->wq) / s->w : 0.0;
    return fmax(offset + slope * quantity, 0.0);
}
