#include "datasets/facts.h"

#include <stdio.h>

#include "core/memory.h"
#include "core/status.h"

void dse_facts_count(struct dse_setting *facts, const char *name, size_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    dse_setting_put(facts, name, text);
}

void dse_facts_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)count / (double)of);
    dse_setting_put(facts, name, text);
}

void dse_facts_majority(struct dse_setting *facts, const int32_t *label, size_t count, size_t classes)
{
    size_t *counts DSE_CLEANUP(dse_free_at) = dse_calloc(classes, sizeof *counts), largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = ++counts[label[i]] > largest ? counts[label[i]] : largest;
    dse_facts_ratio(facts, "majority", largest, count);
}

void dse_facts_real(struct dse_setting *facts, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    dse_setting_put(facts, name, text);
}
