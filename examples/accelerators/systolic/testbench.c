/* The C simulation: the kernel's product beside a plain one, and the rounds of its loops. */
#include <stdio.h>

#include "systolic_config.h"

extern long systolic_trips[4];
void systolic(const systolic_element_t *a, const systolic_element_t *b, systolic_sum_t *out);

int main(void)
{
    static systolic_element_t a[SYSTOLIC_M * SYSTOLIC_K], b[SYSTOLIC_K * SYSTOLIC_N];
    static systolic_sum_t out[SYSTOLIC_M * SYSTOLIC_N];
    int wrong = 0;
    for (int i = 0; i < SYSTOLIC_M * SYSTOLIC_K; i++)
        a[i] = (systolic_element_t)(i * 7 % 23 - 11);
    for (int i = 0; i < SYSTOLIC_K * SYSTOLIC_N; i++)
        b[i] = (systolic_element_t)(i * 5 % 19 - 9);
    systolic(a, b, out);
    for (int i = 0; i < SYSTOLIC_M; i++)
        for (int j = 0; j < SYSTOLIC_N; j++) {
            systolic_sum_t sum = 0;
            for (int k = 0; k < SYSTOLIC_K; k++)
                sum += (systolic_sum_t)a[i * SYSTOLIC_K + k] * b[k * SYSTOLIC_N + j];
            wrong += out[i * SYSTOLIC_N + j] != sum;
        }
    printf("%d of %d sums are wrong; load_a %ld, load_b %ld, steps %ld, write %ld\n", wrong, SYSTOLIC_M * SYSTOLIC_N, systolic_trips[0], systolic_trips[1],
           systolic_trips[2], systolic_trips[3]);
    return wrong != 0;
}
