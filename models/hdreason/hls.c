/* The accelerator's header: what the blocks cost, in the words of a source to be written with it. */
#include "models/hdreason/hdreason.h"
#include "models/hls.h"

enum dse_status hdreason_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                  struct dse_error *err)
{
    struct hdreason_shape s = hdreason_shape_of(context, config);
    const struct hdreason_work *work = context->work;
    static const char *const types[] = {NULL, "int8_t", "int16_t", NULL, "float"};
    (void)err;
    dse_hls_add_size(hls, work->entities, 1, "entities", "ENTITIES");
    dse_hls_add_size(hls, s.relation_rows, 1, "relations, with the inverse ones", "RELATIONS");
    dse_hls_add_size(hls, work->edges, 1, "triples that the memory holds", "EDGES");
    dse_hls_add_size(hls, s.kept, 1, "dimensions that the score reads", "SCORE_DIM");
    dse_hls_add_size(hls, (int64_t)s.vectors, 1, "hypervectors in the cache", "CACHE_VECTORS");
    dse_hls_add_type(hls, "element_t", types[s.bits / 8], s.bits, "element of a hypervector");
    dse_hls_add_type(hls, "distance_t", "int32_t", 32, "distance before it is cut for PCIe");
    dse_hls_add_memory(hls, "embeddings", "rows of e, entities then relations", "element_t", false, (work->entities + s.relation_rows) * s.embedding, 16);
    dse_hls_add_memory(hls, "hypervectors", "H of the entities", "element_t", true, work->entities * s.dim, 16);
    dse_hls_add_memory(hls, "memory", "M of the entities", "element_t", true, work->entities * s.dim, 16);
    dse_hls_add_memory(hls, "gradients", "sums of signs and of relations", "element_t", true, 2 * work->entities * s.dim, 16);
    dse_hls_add_memory(hls, "distances", "of every query to every entity", "int16_t", true, work->entities * s.batch, 16);
    return DSE_OK;
}
