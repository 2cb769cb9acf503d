/* Kernel parts other than engines: control slave, stage sequencer, and the query's port.
 * The answer is a register of the slave; with a queue it goes to memory. */
#include "models/build.h"
#include "models/nysx/nysx.h"

#define ARGUMENT_REGISTERS 15 /* addresses of A, F and P in two words each, sizes, answer, control */
#define ANSWER_BITS 32
#define SIZES_BITS 64 /* scalars passed between processes: nodes and non-zeros, or nodes and the rejection flag */
#define QUERY_PORT_BITS 128   /* the width of a PS port; wider boards gain little on a few kilobytes */

enum dse_status nysx_cost_control(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, ARGUMENT_REGISTERS, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, NYSX_STAGE_COUNT - 1, 1.0); /* the processor works in one */
    dse_build_m_axi(&build, QUERY_PORT_BITS, 0, 0, 1.0);
    int64_t overlap = config->value[NYSX_OVERLAP];
    if (overlap != NYSX_OVERLAP_NONE) { /* separate processes read descriptors and write answers */
        dse_build_m_axi(&build, QUERY_PORT_BITS, 0, 0, 1.0);
        dse_build_m_axi(&build, ANSWER_BITS, 0, 0, 1.0);
        dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0 + (double)overlap, 1.0);
        dse_build_fifo(&build, 2, SIZES_BITS, 1.0 + (double)overlap);
    }
    if (nysx_rejected(config) != NULL)
        dse_build_reject(&build, "%s", nysx_rejected(config));
    return dse_build_finish(&build, 0.0, out);
}
