/* The catalogue of chips (devices/catalogue/parts.xml): properties of a part that a Vivado file lacks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "devices/board.h"

/* A die in its orderable name, without package and grade: "xczu7ev". */
struct dse_device {
    const char *name, *family;
    int64_t slrs;
    int64_t chip[DSE_RESOURCE_COUNT];
    int64_t hbm_bytes;                     /* 0 if there is none */
    const char *like;                      /* the shipped board with this chip, or NULL */
    const struct dse_board_source *source; /* source of the counts */
};

/* Facts of a device family. */
struct dse_family {
    const char *name, *dsp_type;
    int64_t process_nm;
    double static_w_per_lut, static_low_w_per_lut, static_high_w_per_lut;
    const char *like_slow, *like_fast; /* shipped boards for missing values: for speed grade 1, and for faster grades */
    const struct dse_board_source *source; /* source of the static power */
};

/* The shipped memory whose efficiency, latency and energy an imported one uses. */
struct dse_memory_like {
    enum dse_memory_kind kind;
    const char *technology; /* "*" for any */
    const char *board, *memory;
    double transfers_hz; /* the rate to assume if none is given */
};

struct dse_catalogue {
    const struct dse_board_source *sources;
    size_t source_count;
    const struct dse_device *devices;
    size_t device_count;
    const struct dse_family *families;
    size_t family_count;
    const struct dse_memory_like *memories;
    size_t memory_count;
    struct dse_arena arena; /* owns every text and array above */
};

/* Reads the shipped catalogue. DSE_BAD_INPUT if it is missing or malformed. */
enum dse_status dse_catalogue_open(struct dse_catalogue **out, struct dse_error *err);
void dse_catalogue_free(struct dse_catalogue *catalogue);
static inline void dse_catalogue_free_at(struct dse_catalogue **catalogue) /* for DSE_CLEANUP */
{
    dse_catalogue_free(*catalogue);
}

/* The device of a part as tools write it ("xczu7ev-ffvc1156-2-e", "XC7Z020CLG400-1", "xa7a35ticsg324-1L"); NULL if the catalogue has none. Automotive
 * (xa) and defence (xq) parts are those of the commercial die. */
const struct dse_device *dse_catalogue_device(const struct dse_catalogue *catalogue, const char *part);
const struct dse_family *dse_catalogue_family(const struct dse_catalogue *catalogue, const char *name);
const struct dse_memory_like *dse_catalogue_memory(const struct dse_catalogue *catalogue,
                                                   enum dse_memory_kind kind, const char *technology);

/* The speed grade of a part (1, 2, 3), or 0 if its name has none. */
int dse_part_speed_grade(const char *part);
