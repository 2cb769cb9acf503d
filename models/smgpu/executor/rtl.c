/* The `rtl` verb: the sizes of the modules in models/smgpu/rtl/. */
#include "models/smgpu/executor/rtl.h"

#include "models/smgpu/executor/vectors.h"
#include "models/smgpu/smgpu.h"

#define VALUE(id) ((size_t)config->value[SMGPU_KNOB_##id])

static size_t rows_of(const struct dse_config *config)
{
    return (smgpu_words(VALUE(DIM)) + VALUE(BANKS) - 1) / VALUE(BANKS);
}

enum dse_status smgpu_rtl(const struct dse_model *model, const struct dse_config *config, const void *layout, struct dse_rtl *out, struct dse_error *err)
{
    static const char *const stages[] = {"find", "encode", NULL}, *const none[] = {NULL};
    static const struct dse_rtl_register registers[] = {{NULL, 0, NULL}};
    static const struct dse_rtl_module modules[] = {
        {"smgpu_top", "decoder"}, {"smgpu_spectral", "spectral"}, {"smgpu_hd", "hd"}, {"smgpu_cache", "cache"}, {NULL, NULL}};
    (void)model, (void)layout;
    if (config->value[SMGPU_KNOB_LATENCIES] != 1)
        return dse_fail(err, DSE_ANSWER_NO, "latencies=stated: not possible in RTL; must be built");
    *out = (struct dse_rtl){.top = "smgpu_top", .modules = modules, .stages = stages, .registers = registers, .hosts = none, .bench = "bench.cpp", .once = "smgpu_scan smgpu_newton",
                            .notes = "The engines have one port (`smgpu_top.sv`): a host loads their buffers, starts an instruction and reads its results."};
    dse_rtl_whole(out, "ARRAY_ROWS", VALUE(ROWS), "entries of a matrix per cycle");
    dse_rtl_whole(out, "MAX_NODES", VALUE(NODES), "nodes of a graph");
    dse_rtl_whole(out, "HD_BANKS", VALUE(BANKS), "banks of the hyperdimensional engine, 32 bits each");
    dse_rtl_whole(out, "VECTOR_ROWS", rows_of(config), "rows of the banks per hypervector");
    dse_rtl_whole(out, "HD_ROWS", SMGPU_HD_VECTORS * rows_of(config), "rows of the banks");
    dse_rtl_whole(out, "NUM_ENTRIES", VALUE(ENTRIES), "entries of the cache");
    dse_rtl_whole(out, "HD_DIM_REDUCED", VALUE(REDUCED), "bits of a key");
    return DSE_OK;
}
