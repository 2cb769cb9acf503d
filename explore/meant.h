/* The design that a request means where no search is asked for: one default for every command that takes a design. */
#pragma once

#include "explore/corners.h"
#include "explore/workbench.h"

#define DSE_ORIGIN_MAX 160

struct dse_meant {
    struct dse_config config;
    bool answered;               /* the balanced design of the default question */
    struct dse_config corners[DSE_CORNER_COUNT]; /* of an answer: all its corners that `has` names */
    bool has[DSE_CORNER_COUNT];
    char origin[DSE_ORIGIN_MAX]; /* "balanced, the answer of `sweep`", "as published, with --set" */
};

/* Whether the request leaves the design to the default: no "from", no "preset", and none of the words `assigns` ("set", "base"). */
bool dse_meant_default(const struct dse_request *request, const char *assigns);

/* The words for "preset": DSE_BAD_USAGE for another than "paper". */
enum dse_status dse_meant_preset(const struct dse_request *request, struct dse_error *err);

/* The words for the design that a family itself states: "as published", or the defaults of a file. */
const char *dse_meant_base(const struct dse_model_family *family);

/* The design of a board (place `index` among the workbench's boards, outermost, and profiles): that of "from", or the published one at the
 * profile's preset where "preset" or an assignment is given, with every `assigns` on top. Without any of these the balanced design of the
 * default question where the profile has a survey; the published one where it has none, or the question has no answer. Complexity: the
 * default question's. */
enum dse_status dse_meant_find(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                               struct dse_meant *out, struct dse_error *err);

/* The same of designs that have a knob's value ("task=infer"; NULL: any), which an assignment may still replace. */
enum dse_status dse_meant_find_fixed(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                                     const char *fix, struct dse_meant *out, struct dse_error *err);
