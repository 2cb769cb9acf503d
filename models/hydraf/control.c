/* Kernel parts other than engines: control slave and stage sequencer. */
#include "models/hydraf/hydraf.h"

#define ARGUMENT_REGISTERS 12 /* addresses of samples, targets and answers in two words each; sizes, rate, control */
#define CALL_REGISTERS 5

enum dse_status hydraf_cost_control(const struct dse_context *context, const struct dse_config *config,
                                       struct dse_accumulators *out, struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, ARGUMENT_REGISTERS, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, HYDRAF_STAGE_COUNT, 1.0);
    dse_build_queue(&build, true, CALL_REGISTERS); /* for every timed task */
    return dse_build_finish(&build, 0.0, out);
}
