/* One run of the accelerator, stepped cycle by cycle: a row to answer, or a batch to learn from (models/hydraf/microarchitecture.md,
 * "Simulation"). The arrays' sums are added by the simulated processing elements, in the hardware's cycles. */
#pragma once

#include "models/hydraf/executor/hardware.h"

enum hydraf_unit {
    HYDRAF_UNIT_PORT,
    HYDRAF_UNIT_ENCODER,
    HYDRAF_UNIT_CLUSTERS,
    HYDRAF_UNIT_REGRESSION,
    HYDRAF_UNIT_CONFIDENCE,
    HYDRAF_UNIT_REGRESSION_UPDATE,
    HYDRAF_UNIT_CLUSTER_UPDATE,
    HYDRAF_UNIT_COUNT
};

enum hydraf_stage { HYDRAF_STAGE_COMPARE, HYDRAF_STAGE_PREDICT, HYDRAF_STAGE_UPDATE, HYDRAF_STAGE_COUNT };

/* Counts of a run. Stalls are cycles in which a unit has work but lacks its inputs. */
struct hydraf_record {
    uint64_t busy[HYDRAF_UNIT_COUNT];    /* cycles of work, with pipeline fill */
    uint64_t stage[HYDRAF_STAGE_COUNT];
    uint64_t bytes;                 /* that the port read */
    uint64_t port_latency;          /* cycles before its first byte */
    uint64_t port_credit;           /* cycles in which the memory had no whole word for the port */
    uint64_t encoder_memory;        /* the encoder waits for features */
    uint64_t array_memory;          /* the arrays wait for hypervectors from memory */
    uint64_t array_encoder;         /* … or from the encoder */
    uint64_t array_skew;            /* cycles × elements before operands reach a processing element, or after they have passed */
    uint64_t products;              /* multiply-accumulates of both arrays */
    uint64_t rescales;              /* passes that halve all elements of a kind to avoid overflow */
    uint64_t select_products;       /* cycles of the dense select matrix's product */
};

/* Steps the confidences, weighted predictions and, when learning, losses and gains of `count` rows. */
void hydraf_machine_predict(const struct hydraf_hardware *hardware, size_t clusters, size_t count,
                            struct hydraf_record *record);

/* Steps one run over `count` encoded rows of `rows`. Writes `similarity` and `prediction`, [count × lanes] sums in the
 * blocks' own units. hydraf_machine_update() adds the update's cycles. */
void hydraf_machine_compare(const struct hydraf_hardware *hardware, const struct hydraf_regressor *regressor,
                            const struct hydraf_rows *rows, size_t count, double *similarity, double *prediction,
                            struct hydraf_record *record);

/* Both updates from a batch of `count` rows; each halving is a pass over all chunks. */
void hydraf_machine_update(const struct hydraf_hardware *hardware, const struct hydraf_regressor *regressor, size_t count,
                           size_t model_halvings, size_t cluster_halvings, struct hydraf_record *record);
