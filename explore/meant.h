/* The design that a request means without a search: one default for all commands that take a design. */
#pragma once

#include "explore/corners.h"
#include "explore/workbench.h"

#define DSE_ORIGIN_MAX 160

struct dse_meant {
    struct dse_config config;
    bool answered;               /* the balanced design of the default question, without assignments */
    struct dse_config corners[DSE_CORNER_COUNT]; /* corners of an answer: those named in `has` */
    bool has[DSE_CORNER_COUNT];
    char origin[DSE_ORIGIN_MAX]; /* "balanced, `sweep`'s choice by quality, latency and energy", "as published, with --set", "every knob by --set" */
};

/* Whether the request leaves the design to the default: no "from" and no "preset". */
bool dse_meant_default(const struct dse_request *request);

/* Name of the family's own design: "as published", or the defaults of a file. */
const char *dse_meant_base(const struct dse_model_family *family);

/* Origin of a design that runs a model without a question: the published design, or the point of "from", at the model's setting. */
void dse_meant_of_model(const struct dse_request *request, const struct dse_model_family *family, char origin[DSE_ORIGIN_MAX]);

/* The design for a board (place `index` among the workbench's boards, outermost, and profiles). With "from": that point. With "preset": the
 * published design with the training of this preset. Otherwise the balanced design of the default question if the profile has a survey; without a survey
 * or an answer, the published design. The words `assigns` ("set", "base") apply on top; those without effect are noted. Complexity: the default
 * question's; none if the words assign every knob. */
enum dse_status dse_meant_find(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                               struct dse_meant *out, struct dse_error *err);

/* As dse_meant_find, among designs with knobs fixed as by "fix" ("task=infer"; "form", at its published value), which an assignment may still replace, and with these
 * objectives of the question. */
enum dse_status dse_meant_find_fixed(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                                     const char *const *fixes, size_t fix_count, const char *objectives, struct dse_meant *out, struct dse_error *err);

/* Why an inactive knob has no effect in the design: the value that makes it inactive, "nee.form=direct". */
void dse_meant_idle(const struct dse_space *space, const struct dse_config *config, size_t knob, char *why, size_t size);

/* Notes, in one line, the assignments without effect in the design, each with the value that makes its knob inactive. */
void dse_meant_note_idle(const struct dse_request *request, const struct dse_workbench *bench, size_t index, const char *assigns,
                         const struct dse_config *config);
