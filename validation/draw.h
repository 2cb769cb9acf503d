/* Drawing configurations for the comparison with the simulation, so that every engine is the bottleneck of some. */
#pragma once

#include "core/rng.h"
#include "models/estimate.h"
#include "validation/published.h"

struct dse_drawing {
    struct dse_setup setup;
    dse_knob_set knobs; /* drawn knobs; the others stay as given */
    struct dse_rng rng;
    double most_cycles, most_lut; /* longer and larger designs are skipped: tools would take too long; 0: the simulation's maximum, any */
    bool anew; /* all knobs are drawn, not a few, until some design can be built; given up if the first climb finds none */
    double nearest; /* result of the last search: the best ratio of the engine's longest stage by itself to the longest stage */
};

/* Looks for a configuration whose bottleneck is `engine`. It begins at random configurations and climbs until the engine is the slowest of the
 * longest stage. `base` gives the knobs that are not drawn. DSE_OK, with `found` telling whether some hundreds of tries found one. */
enum dse_status dse_draw_bottleneck(struct dse_drawing *drawing, const struct dse_config *base, size_t engine,
                                    struct dse_estimate *out, bool *found, struct dse_error *err);

/* The knobs that a family's file of published figures has drawn (models/FAMILY/published.xml). */
struct dse_drawn_knobs {
    dse_knob_set simulated, trained, algorithmic, emitted;
};

/* DSE_BAD_INPUT if a name is not in the space, or if a trained knob shapes the work: designs would be estimated on another's workload. */
enum dse_status dse_draw_read(const struct dse_space *space, const struct dse_knobs *knobs, const struct dse_published_file *file,
                              struct dse_drawn_knobs *out, struct dse_error *err);

/* Redraws algorithmic knobs from the values that a sweep visits. If it visits only one: any word, or a number around it. */
void dse_draw_algorithm(const struct dse_space *space, dse_knob_set set, struct dse_rng *rng, struct dse_config *config);

/* The knobs of `set` that matter in a configuration, as --set takes them; cut off at the text's size. */
void dse_draw_describe(const struct dse_space *space, const struct dse_config *config, dse_knob_set set, char *text, size_t size);

/* A row of a drawn design with everything but its figures, and the texts that it refers to. */
struct dse_drawn_row {
    struct dse_validation_row row;
    char where[128], what[96], config[2048]; /* the knobs that were drawn and matter, as --set takes them */
};
void dse_draw_row(const struct dse_validation_ground *ground, const struct dse_model_family *family, const struct dse_estimate *estimate,
                  dse_knob_set drawn, size_t index, const char *source, struct dse_drawn_row *out);

/* Adds the row with these figures. With `name` (such as an engine's) it is the row of `NAME.cycles`, which is omitted without a reference. */
void dse_drawn_add(struct dse_validation *validation, struct dse_drawn_row *drawn, const char *name, double predicted, double reference);

/* `base` with the knobs of `set` as the configuration has them. */
void dse_draw_setting(const struct dse_space *space, const struct dse_setting *base, const struct dse_config *config,
                      dse_knob_set set, struct dse_setting *out);
