/* "from" STUDY:POINT: a stored point as a configuration, with the board and the data sets that it was found for. A point is
 * called by its ID (3), by a corner's name (best and balanced, fastest, least-energy, smallest, most-accurate), or by its rank
 * (#3: the third of the best). */
#pragma once

#include "core/setting.h"
#include "datasets/profile.h"
#include "devices/board.h"
#include "explore/corners.h"
#include "explore/request.h"

struct dse_stored {
    int64_t id;
    char family[64];
    struct dse_setting config; /* the knobs that matter, by name */
    struct dse_board *board;   /* as the study holds it */
    struct dse_profile **profiles; /* profile_count; several where data sets were combined */
    size_t profile_count;
    /* Options of the study's request, "" where there are none: what evaluates the point to its numbers again. */
    char space[1024], calibration[1024], headroom[64], host[16];
    int64_t batch; /* 0 where none was named */
};

/* Reads the point of --from, which must be there. DSE_BAD_USAGE for a word that is not STUDY:POINT, for a point that
 * is not in the study, and for a name that fits several explorations unless "board" and "dataset" select one. Free it in any case. */
enum dse_status dse_stored_open(const struct dse_request *request, struct dse_stored *out, struct dse_error *err);
void dse_stored_free(struct dse_stored *from);

/* The IDs of the corners of a study's exploration, by enum dse_corner, as STUDY:best and the others name them; 0 where there is no such
 * design. DSE_LIMIT alone: memory. */
void dse_stored_corners(const char *study, const char *board, const char *dataset, int64_t ids[DSE_CORNER_COUNT]);

/* The family of the study of `from`, FILE or FILE:POINT, as its own name; NULL where it is no study, which opening it will tell. */
const char *dse_point_family(const char *from);
