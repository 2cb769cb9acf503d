/* Numbers as the facts of a profile hold them. */
#ifndef DSE_DATASETS_FACTS_H
#define DSE_DATASETS_FACTS_H

#include <stddef.h>

#include "core/setting.h"
#include "core/status.h"

enum dse_status dse_facts_count(struct dse_setting *facts, const char *name, size_t count, struct dse_error *err);

/* To six digits. */
enum dse_status dse_facts_ratio(struct dse_setting *facts, const char *name, size_t count, size_t of, struct dse_error *err);

/* To nine digits. */
enum dse_status dse_facts_real(struct dse_setting *facts, const char *name, double value, struct dse_error *err);

#endif
