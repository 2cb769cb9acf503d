/* Numbers as the facts of a profile hold them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"

void dse_facts_count(struct dse_setting *facts, const char *name, size_t count);

/* To six digits. */
void dse_facts_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of);

/* The share of the commonest class; `label` [count] below `classes`. */
void dse_facts_majority(struct dse_setting *facts, const int32_t *label, size_t count, size_t classes);

/* To nine digits. */
void dse_facts_real(struct dse_setting *facts, const char *name, double value);
