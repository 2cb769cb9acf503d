/* Numbers as the facts of a profile hold them. */
#pragma once

#include <stddef.h>

#include "core/setting.h"

void dse_facts_count(struct dse_setting *facts, const char *name, size_t count);

/* To six digits. */
void dse_facts_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of);

/* To nine digits. */
void dse_facts_real(struct dse_setting *facts, const char *name, double value);
