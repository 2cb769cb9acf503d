#include "core/percentile.h"

#include <math.h>

/* Hoare's selection: puts the value of the rank where a sort would. */
double dse_select(double *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i >= j)
                break;
            double swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

double dse_percentile(double *values, size_t count, size_t percent)
{
    size_t below = (percent * count + 99) / 100;
    return dse_select(values, count, below > 0 ? below - 1 : 0);
}

#define Z99 2.3263478740408408 /* standard deviations of a normal variable above its mean */

double dse_log_normal_sigma(double mean, double p99)
{
    double reach = mean > 0.0 && p99 > mean ? 2.0 * log(p99 / mean) : 0.0;
    return Z99 - sqrt(fmax(Z99 * Z99 - reach, 0.0));
}
