/* The kernel besides its engines: the control slave, the sequencer of the stages, and the port that the
 * query comes in by; the answer is a register of the slave. */
#include "models/build.h"
#include "models/nysx/nysx.h"

#define ARGUMENT_REGISTERS 15 /* addresses of A, F and P in two words each, sizes, the answer, control */
#define QUERY_PORT_BITS 128   /* the width of a PS port; wider boards gain little on a few kilobytes */

enum dse_status nysx_cost_control(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, ARGUMENT_REGISTERS, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, NYSX_STAGE_COUNT, 1.0);
    dse_build_m_axi(&build, QUERY_PORT_BITS, 0, 0, 1.0);
    if (config->value[NYSX_OVERLAP] != NYSX_OVERLAP_NONE)
        dse_build_refuse(&build, "overlap: the HLS source takes a graph a start; must be none, or --flow rtl");
    return dse_build_finish(&build, 0.0, out);
}
