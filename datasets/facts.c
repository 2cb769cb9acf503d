#include "datasets/facts.h"

#include <stdio.h>

enum dse_status dse_facts_count(struct dse_setting *facts, const char *name, size_t count, struct dse_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    return dse_setting_put(facts, name, text, err);
}

enum dse_status dse_facts_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of, struct dse_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)count / (double)of);
    return dse_setting_put(facts, name, text, err);
}

enum dse_status dse_facts_real(struct dse_setting *facts, const char *name, double value, struct dse_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return dse_setting_put(facts, name, text, err);
}
