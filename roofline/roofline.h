/* Rooflines: a board's maximum computation and data rates, and the place of a design's engines below them.
 *
 * Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore architectures", CACM 52(4), 2009. Operations and
 * bytes are those that the blocks' loops count (struct dse_accumulators). */
#pragma once

#include "models/estimate.h"

#define DSE_ROOF_MAX 64

enum dse_roof_kind {
    DSE_ROOF_COMPUTE, /* height in operations per second */
    DSE_ROOF_MEMORY,  /* slope in bytes per second, external */
    DSE_ROOF_ON_CHIP  /* slope in bytes per second, on chip */
};

struct dse_roof {
    enum dse_roof_kind kind;
    char name[48];   /* "fp32", "ps-ddr", "bram" */
    char level[16];  /* "limits", "chip"; "nominal", "preset", "sustained", "ports", "design" */
    double height;
    int64_t lanes;   /* lanes of a compute roof */
    int resource;    /* scarcest resource, a dse_resource; −1 if nothing is counted */
};

/* An engine, or the whole. */
struct dse_roofline_point {
    const char *name;
    double operations, bytes, on_chip_bytes; /* a mean graph */
    double seconds;
    double performance;       /* operations per second; NaN if the design does not fit, and so reaches nothing */
    double intensity;         /* operations per byte of external memory; infinity without such bytes */
    double on_chip_intensity; /* … a byte on chip */
    double attainable;        /* the lowest roof over it: the board's, sustained, or infinity without operations */
    const char *bound;        /* its main bound: "lanes", "port", a memory's name or "fill" */
};

struct dse_roofline {
    const struct dse_setup *setup;
    double clock_hz;
    bool fits; /* the design on its board */
    struct dse_roof roofs[DSE_ROOF_MAX];
    size_t roof_count;
    struct dse_roofline_point points[DSE_ENGINE_MAX + 1]; /* the engines, then the whole */
    size_t point_count;
    double ridge; /* operations per byte where the main precision's roof meets the first memory's sustained slope */
};

/* The roofs of the design's board at the design's clock, and its points. A peak is that of the multiply-accumulate lanes that fit (two operations per
 * cycle each). The library's forms are filled one after the other in the best order. For a precision in which the design has only additions, "int16
 * additions" is that of the adders that fit, one operation per cycle each. "limits" is the part that a kernel may use at this clock, "chip"
 * everything. O(blocks + precisions). */
enum dse_status dse_roofline_make(const struct dse_setup *setup, const struct dse_estimate *estimate,
                                  struct dse_roofline *out, struct dse_error *err);

/* The height of a roof; 0 if there is no such roof. */
double dse_roofline_height(const struct dse_roofline *roofline, const char *name, const char *level);

/* The lanes of a precision that fit an amount of each resource; 0 if the library has none. */
int64_t dse_roofline_lanes(const struct dse_costs *costs, enum dse_precision precision, double clock_hz,
                           const int64_t amounts[DSE_RESOURCE_COUNT], int *exhausted);
