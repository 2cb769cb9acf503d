/* "from" STUDY:POINT: a stored point as a configuration, with its board and data sets. A point is named
 * by its ID (3), by a corner (best or balanced, fastest, least-energy, smallest, most-accurate), or by its rank
 * (#3: the third best). */
#pragma once

#include "core/setting.h"
#include "datasets/profile.h"
#include "devices/board.h"
#include "explore/corners.h"
#include "explore/request.h"

struct dse_stored {
    int64_t id;
    char family[64];
    struct dse_setting config; /* active knobs, by name */
    struct dse_board *board;   /* as stored in the study */
    struct dse_profile **profiles; /* profile_count; several if data sets were combined */
    size_t profile_count;
    /* Options of the study's request, or "": they reproduce the point's figures. */
    char space[1024], calibration[1024], headroom[64], host[16];
    int64_t batch; /* 0 if none */
};

/* Opens a study. An error if "family" names another family, or a file whose content is not that of the study. */
struct dse_study;
enum dse_status dse_request_study(const struct dse_request *request, const char *path, struct dse_study **out, struct dse_error *err);

/* Reads the point of --from, which must be present. DSE_BAD_USAGE for a word that is not STUDY:POINT, and for a point that is not in the study.
 * Likewise for a name that matches several explorations, unless "board" and "dataset" select one. Must be freed in any case. */
enum dse_status dse_stored_open(const struct dse_request *request, struct dse_stored *out, struct dse_error *err);
void dse_stored_free(struct dse_stored *from);

/* IDs of the corners of a study's exploration, by enum dse_corner, as STUDY:best etc. name them; 0 if there is no such
 * design. Only DSE_LIMIT: memory. */
void dse_stored_corners(const char *study, const char *board, const char *dataset, int64_t ids[DSE_CORNER_COUNT]);

/* Family name in the study of `from`, FILE or FILE:POINT; NULL if it is not a study; opening it reports that. */
const char *dse_point_family(const char *from);
