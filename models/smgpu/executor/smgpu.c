#include <stdio.h>

#include "core/number.h"
#include "datasets/graphs.h"
#include "models/smgpu/executor/model.h"
#include "models/smgpu/executor/rtl.h"

#define NODES_MOST 65536 /* largest value of the knob; ids have 16 bits */

/* Settings to try on a new set besides the preset's. */
static const char *const surveyed_dims[] = {"2000", NULL}, *const surveyed_recall[] = {"prototypes", NULL};
static const struct dse_survey_axis survey[] = {{"dim", surveyed_dims}, {"recall", surveyed_recall}};

/* The knobs' defaults. If the data have a larger graph, `nodes` is the next power of two. Data too large for any machine keep the
 * defaults, and are rejected by name when their graph is read. */
static enum dse_status preset(const char *name, const struct dse_dataset *data, size_t trained, struct dse_setting *out, struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    size_t need = 0, holds = 1;
    char text[24];
    int64_t value = 0;
    (void)trained;
    DSE_TRY(dse_knobs_preset(&smgpu_knobs, name, out, err));
    for (size_t g = 0; g < set->graph_count; g++) {
        size_t arcs = (dse_graph_arcs(set, g) + SMGPU_ARCS_A_NODE - 1) / SMGPU_ARCS_A_NODE, nodes = dse_graph_nodes(set, g);
        need = nodes > need ? nodes : need;
        need = arcs > need ? arcs : need;
    }
    while (holds < need)
        holds *= 2;
    const struct dse_knob *knob = &smgpu_knobs.knobs[SMGPU_KNOB_NODES];
    (void)dse_number_whole(dse_setting_get(out, knob->name), &value); /* cannot fail: the value is from the knobs' table */
    if (need <= (size_t)value || holds > NODES_MOST)
        return DSE_OK;
    snprintf(text, sizeof text, "%zu", holds);
    dse_setting_put(out, knob->name, text);
    return DSE_OK;
}

const struct dse_executor smgpu_executor = {
    .family = "smgpu",
    .kind = &dse_kind_graphs,
    .quality_name = "accuracy",
    .metrics = dse_class_metrics,
    .higher_is_better = true,
    .compared = "hypervectors",
    .board = "u280",
    .split_stream = SMGPU_STREAM_SPLIT,
    .knobs = &smgpu_knobs,
    .survey = survey,
    .survey_count = sizeof survey / sizeof *survey,
    .race = &smgpu_race,
    .preset = preset,
    .model = &smgpu_model_form,
    .fit = smgpu_train,
    .infer = smgpu_infer,
    .profile = smgpu_profile,
    .simulate = smgpu_simulate,
    .program = smgpu_program_simulate,
    .translate = smgpu_program_translate,
    .rtl = smgpu_rtl,
    .cases = smgpu_cases,
    .timed_cases = true,
};
