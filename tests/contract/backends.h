/* Which knobs a family's backends consume: observed on drawn designs, and held against the family's declaration. */
#pragma once

#include "executor/executor.h"
#include "models/model.h"

/* Observed effect of each hardware knob on each backend of a family, including knobs that are also algorithmic. */
struct backends_seen {
    bool there[DSE_BACKEND_COUNT];
    enum dse_knob_use use[DSE_BACKEND_COUNT][DSE_KNOB_MAX]; /* DSE_KNOB_UNDECLARED: not looked at */
};

/* Draws designs for models of every form that decides hardware knobs, and varies each knob in each design. */
void backends_observe(const struct dse_model_family *family, const struct dse_executor *executor, struct backends_seen *out);

/* Whether the family's blocks and `knobs` declare what was seen; else `complaint` names backend, knob, declared and seen use. */
bool backends_hold(const struct dse_model_family *family, const struct dse_knobs *knobs, const struct backends_seen *seen,
                   char *complaint, size_t size);

extern const char *const backends_names[DSE_BACKEND_COUNT];
