/* The knowledge graph accelerator HDReason on an Alveo U50: its stages and engines. models/hdreason/microarchitecture.md has every formula with its
 * source.
 *
 * A batch encodes and memorises the whole graph, scores its queries against every entity, and computes every entity's gradient;
 * engines of one of these stages overlap. */
#pragma once

#include "models/build.h"
#include "models/hdreason/knobs.h"

extern const struct dse_model_family hdreason_model_family;

/* The publication's machine has the stages memorise, which also encodes, score and train; the emitted source has a stage for each call of a training step. */
enum hdreason_stage { HDREASON_ENCODE, HDREASON_MEMORISE, HDREASON_SCORE, HDREASON_SIGNS, HDREASON_BIND, HDREASON_SUMS, HDREASON_TRAIN, HDREASON_STAGES };

/* Constants that the paper does not state (fitted.c). */
enum hdreason_fitted { HDREASON_CARD, HDREASON_FITTED_COUNT };
extern const struct dse_fitted hdreason_fitted[HDREASON_FITTED_COUNT];

#define HDREASON_POWERS 9
#define HDREASON_PARTS 20

/* A workload as the blocks read it; series as in models/hdreason/executor/profile.c. */
struct hdreason_work {
    int64_t entities, relations, triples, edges, encoded, subjects, queries;
    struct dse_workload own;       /* a copy that owns the values below */
    size_t degree_count;           /* rows of `neighbours` */
    const double *neighbours;      /* [degree_count × 2], whole, neighbours ascending from 1 */
    double vertices;               /* with a neighbour */
    _Atomic(struct hdreason_steps *) *steps; /* [HDR_IPS_MAX + 1] by memorisation IPs, each counted when it is first asked for */
    size_t capacity_count;
    const double *capacity, *misses[2]; /* [capacity_count], [capacity_count × 3] by schedule */
    const double *arrival_steps;   /* [HDREASON_POWERS] of 1, 2, 4 … 256 memorisation IPs */
    const double *appeared[2];     /* [HDREASON_PARTS + 1] by schedule: vertices requested after each twentieth of the requests */
};

/* Sums over the steps of density lists that are not full, by the remaining vertices of a step. */
struct hdreason_tail {
    double steps, requests; /* steps, and requests, of lists of at most that many vertices */
};

/* Full lists of the density scheduler whose vertices have equally many neighbours; or one list of the vertices that are left (`mixed`). */
struct hdreason_list {
    double lists, steps, requests, vertices; /* number of lists; of one list: steps, requests and vertices */
    bool mixed;
};

/* Steps of a number of memorisation IPs. Any thread may ask. */
struct hdreason_steps {
    double full, expected;       /* steps of full density lists; expected steps of lists in arrival order, drawn at random */
    size_t list_count;
    struct hdreason_list *list;  /* [list_count], behind `tail` */
    struct hdreason_tail tail[]; /* [ips + 1] */
};
const struct hdreason_steps *hdreason_steps_of(const struct hdreason_work *work, int64_t ips);

enum dse_status hdreason_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);
void hdreason_work_release(void *work);

/* Lists of the density scheduler: full lists of vertices with equal neighbour counts, then the remaining vertices in ascending order, N_c per list. Per step
 * the slower of its requests (`each` cycles) and of the IPs (`step`) counts. */
struct hdreason_lists {
    double requests[2], cycles[2];
};
struct hdreason_lists hdreason_density_lists(const struct hdreason_work *work, int64_t ips, double each, double step);

/* Probability that one of the list's vertices, which have a neighbour with probability `share` each, has one: 1 - (1 - share)^ips. */
static inline double hdreason_goes_on(double share, int64_t ips)
{
    double none = 1.0, base = 1.0 - share; /* by squaring: pow() took half of a search's time */
    for (; ips > 0; ips /= 2, base *= base)
        none *= ips % 2 != 0 ? base : 1.0;
    return 1.0 - none;
}

/* Steps of the memorisation IPs (density lists, or arrival order); misses of a cache of that many vectors,
 * interpolated linearly in both logarithms between the measured capacities. */
double hdreason_steps(const struct hdreason_work *work, enum hdr_schedule schedule, int64_t ips);
double hdreason_misses(const struct hdreason_work *work, enum hdr_schedule schedule, enum hdr_policy policy, double vectors);

/* Counts that the paper states: "memory_bytes", and those that determine times: "steps", "misses", "cache_vectors", "edges". */
double hdreason_quantity(const char *name, const struct dse_config *config, const void *work);

/* Sizes of a configuration. */
struct hdreason_shape {
    const struct hdreason_work *work;
    int64_t dim, kept, embedding, batch, bits, relation_rows;
    enum dse_precision precision; /* precision of an element */
    double vectors;            /* capacity of the cache */
    double times;              /* batches in a part of the task */
    bool trains, stepped, once; /* `trains`: encodes, memorises and computes gradients besides scoring; `stepped`: by the calls of the emitted source */
    double vector_cycles, kept_cycles; /* cycles of a hypervector, and of its kept dimensions, over half of the channels: whole beats, or the memory's sustained rate */
    int64_t score_steps, score_beats, score_trips; /* cycles of a vector's kept dimensions: chunks of a score engine, beats of the memory, and the larger of both */
    int64_t answer_words;              /* words of an entity's distances */
    double row_bytes, pcie_bytes_a_cycle; /* row: one embedding */
};
int64_t hdreason_parts(const struct dse_model_family *family, const struct dse_config *config);
struct hdreason_shape hdreason_shape_of(const struct dse_context *context, const struct dse_config *config);

/* Start of every cost: sizes and a build, rejected on a board without memory. */
struct hdreason_cost {
    struct hdreason_shape shape;
    struct dse_build build;
    double cycles; /* cycles per batch in which its parts work */
};
struct hdreason_cost hdreason_cost_start(const struct dse_context *context, const struct dse_config *config, struct dse_error *err);

/* Hypervectors encoded per batch; hypervectors read from memory: those evicted from the cache and requested again,
 * since first requests are served by the encoder. */
double hdreason_encodings(const struct hdreason_shape *shape);
double hdreason_rereads(const struct hdreason_shape *shape, const struct dse_config *config);

#define HDREASON_WORD_BYTES 2  /* size of δ in PCIe transfers */
#define HDREASON_HOST_BITS 512 /* width of the host's port: the vendor's DMA over PCIe; an entity's distances take whole words of it */

/* Bits of a distance: 16 if the largest fits. */
static inline int64_t hdreason_distance_bits(int64_t kept, int64_t bits)
{
    return kept * ((INT64_C(2) << (bits - 1)) - 2) < 65536 && bits < 32 ? 16 : 32;
}

/* Memory ports of one half of the channels, at least 1. */
int64_t hdreason_ports(const struct dse_context *context, const struct dse_config *config);

/* PCIe cycles while gradients are computed: δ in, and the entities' and relations' gradients out. */
double hdreason_pcie_training(const struct hdreason_shape *shape);

/* Adds busy and fill cycles of a stage, in both cases and over all batches. */
void hdreason_put(struct dse_accumulators *out, const struct hdreason_shape *shape, int stage, double cycles);
void hdreason_put_fill(struct dse_accumulators *out, const struct hdreason_shape *shape, int stage, double cycles);

/* Adds busy cycles to a stage, where the longest counts, and fill cycles. */
void hdreason_put_more(struct dse_accumulators *out, const struct hdreason_shape *shape, int stage, double cycles, double fill);

/* Bytes of a stage from and to the board's first memory. */
void hdreason_put_bytes(struct dse_accumulators *out, const struct hdreason_shape *shape, int stage, double bytes);

/* Operations (products with their sums, then additions alone) and on-chip bits of one batch. */
void hdreason_put_work(const struct hdreason_cost *cost, double products, double additions, double bits, struct dse_accumulators *out);

/* Depth of a loop's first memory read, until the word arrives. */
int64_t hdreason_read_depth(const struct dse_build *build);

/* Records a loop of the source that a batch enters `entries` times, at `places` of the source; and one that it enters once at each of `passes` places. */
void hdreason_note_trips(const struct dse_build *build, const struct hdreason_shape *shape, const char *name, double places, double entries, double trips, double interval, double depth);
void hdreason_note(const struct dse_build *build, const struct hdreason_shape *shape, int passes, const char *name, int64_t iterations, int64_t depth);

/* Interval of the memorisation IPs' loop: each request depends on the one before. */
int64_t hdreason_trip_interval(int64_t ips, double clock_hz);

/* Lists and iterations in which the IPs of the emitted source take all requests, one per iteration; no request waits in a queue for its IP. */
struct hdreason_lists hdreason_request_lists(const struct hdreason_shape *shape, const struct dse_config *config);

/* A training step of the emitted source: each block's loops. */
typedef void hdreason_step_cost(struct hdreason_cost *cost, const struct dse_config *config, struct dse_accumulators *out);
hdreason_step_cost hdreason_step_pcie, hdreason_step_pcie_out, hdreason_step_hypervectors, hdreason_step_gradients, hdreason_step_encoder, hdreason_step_tanh,
    hdreason_step_memorisation, hdreason_step_score, hdreason_step_training, hdreason_step_path;

/* Knobs that the memoised cycles of a configuration depend on. */
#define HDREASON_CACHE_KNOBS                                                                                 \
    (DSE_KNOB_BIT(HDR_CACHE) | DSE_KNOB_BIT(HDR_POLICY) | DSE_KNOB_BIT(HDR_SCHEDULE) | DSE_KNOB_BIT(HDR_REUSE))

enum dse_status hdreason_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                  struct dse_error *err);

/* The blocks. */
dse_cost_model hdreason_cost_pcie, hdreason_cost_pcie_out, hdreason_cost_hypervectors, hdreason_cost_gradients, hdreason_cost_encoder,
    hdreason_cost_tanh, hdreason_cost_dispatcher, hdreason_cost_memorisation, hdreason_cost_score, hdreason_cost_norm,
    hdreason_cost_training, hdreason_cost_chunks, hdreason_cost_control;
