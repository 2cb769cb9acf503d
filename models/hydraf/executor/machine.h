/* One run of the accelerator, stepped cycle by cycle: a row to answer, or a batch to learn from (models/hydraf/microarchitecture.md,
 * "Simulation"). The sums of the arrays are what its processing elements added, in the cycles in which they did. */
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

/* Counts of a run. Stalls are cycles in which a unit had work but not what it needs for it. */
struct hydraf_record {
    uint64_t busy[HYDRAF_UNIT_COUNT];    /* cycles of work, fills included */
    uint64_t stage[HYDRAF_STAGE_COUNT];
    uint64_t bytes;                 /* that the port brought */
    uint64_t port_latency;          /* cycles before its first byte */
    uint64_t port_credit;           /* cycles in which the memory had no whole word for the port */
    uint64_t encoder_memory;        /* the encoder waits for features */
    uint64_t array_memory;          /* the arrays wait for hypervectors from memory */
    uint64_t array_encoder;         /* … or from the encoder */
    uint64_t array_skew;            /* element cycles in which operands had not reached a processing element, or had passed */
    uint64_t products;              /* multiply-accumulates of both arrays */
    uint64_t rescales;              /* passes that halve all elements of a kind, to make room */
    uint64_t select_products;       /* cycles of the dense select matrix's product */
};

/* Confidences, weighted predictions and, where it learns, losses and gains of `count` rows. */
void hydraf_machine_predict(const struct hydraf_hardware *hardware, size_t clusters, size_t count,
                            struct hydraf_record *record);

/* Steps one run over `count` encoded rows of `rows`. Fills in `similarity` and `prediction` ([count × lanes] sums in the
 * blocks' own units). The update's cycles are added by hydraf_machine_update. */
void hydraf_machine_compare(const struct hydraf_hardware *hardware, const struct hydraf_regressor *regressor,
                            const struct hydraf_rows *rows, size_t count, double *similarity, double *prediction,
                            struct hydraf_record *record);

/* Both updates from a batch of `count` rows; each halving is a pass over all chunks. */
void hydraf_machine_update(const struct hydraf_hardware *hardware, const struct hydraf_regressor *regressor, size_t count,
                           size_t model_halvings, size_t cluster_halvings, struct hydraf_record *record);
