/* A family's space: its knobs (space/knob.h) with the values that a sweep visits, and configurations.
 *
 * The family's table is the space. A user's XML file may narrow or widen the values that a sweep visits, bounds and defaults. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"
#include "core/setting.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "space/knob.h"

struct dse_space {
    const char *family;
    const char *file; /* file of one's own, or NULL: the family's declarations */
    struct dse_knob knobs[DSE_KNOB_MAX]; /* as declared; `condition` is −1 without a condition, and every knob has a domain */
    size_t count;
    struct dse_arena arena;
};

/* The space that a family declares; if `path` is not NULL, overridden by that file. For each knob that it names, the file may change bounds, default,
 * title, unit and the values that a sweep visits. It cannot change a knob's kind and words. Bounds may not go below the declared ones or beyond 16
 * times them: the models are formulas, and hold only some way beyond. DSE_BAD_INPUT names file, line, element. */
enum dse_status dse_space_make(const struct dse_knobs *knobs, const char *path, struct dse_space **out, struct dse_error *err);

/* Writes the whole space as such a file. */
void dse_space_format(const struct dse_space *space, struct dse_strbuf *out);

void dse_space_free(struct dse_space *space);
static inline void dse_space_free_at(struct dse_space **space) /* for DSE_CLEANUP */
{
    dse_space_free(*space);
}

/* The knob's index, or −1. */
int dse_space_find(const struct dse_space *space, const char *name);

/* As dse_space_find, and DSE_BAD_USAGE with the nearest name when there is none. */
enum dse_status dse_space_need(const struct dse_space *space, const char *name, int *index,
                               struct dse_error *err);

/* The knobs of a kind (bits of enum dse_knob_kind). */
dse_knob_set dse_space_of_kind(const struct dse_space *space, unsigned kind);

/* Every knob at its default. */
void dse_space_default(const struct dse_space *space, struct dse_config *config);

/* Sets "name=value". */
enum dse_status dse_config_assign(const struct dse_space *space, struct dse_config *config,
                                  const char *assignment, struct dse_error *err);

/* Sets a knob by name. */
enum dse_status dse_config_set(const struct dse_space *space, struct dse_config *config, const char *name,
                               const char *value, struct dse_error *err);

/* Sets a knob, and with it those that follow it. */
void dse_config_put(const struct dse_space *space, struct dse_config *config, size_t knob, int64_t value);

/* Whether a knob matters in this configuration. */
bool dse_knob_active(const struct dse_space *space, const struct dse_config *config, size_t knob);

/* Sets the knobs that do not matter to their defaults, so that equal designs are equal configurations. */
void dse_config_canonical(const struct dse_space *space, struct dse_config *config);

/* The knobs of `set` as names and values, including those that do not matter. */
void dse_config_setting(const struct dse_space *space, const struct dse_config *config,
                                   dse_knob_set set, struct dse_setting *out);

/* Sets the knobs that the setting names; DSE_BAD_USAGE for a name of no knob. */
enum dse_status dse_config_apply(const struct dse_space *space, struct dse_config *config,
                                 const struct dse_setting *setting, struct dse_error *err);

/* The number of different configurations of the knobs in `set` (those that do not matter count once); saturates at UINT64_MAX. O(knobs × choices). */
uint64_t dse_space_size(const struct dse_space *space, dse_knob_set set);

/* Whether a value is one of the knob's domain. O(domain). */
bool dse_knob_in_domain(const struct dse_knob *knob, int64_t value);

/* Steps `count` knobs through their domains like an odometer, the last fastest. `digits` are the indices in the domains. False after the last. */
bool dse_space_step(const struct dse_space *space, const size_t *knobs, size_t count, size_t *digits,
                    struct dse_config *config);

/* A random canonical configuration: the knobs of `set` uniformly from their domains, the others as given. */
void dse_space_draw(const struct dse_space *space, dse_knob_set set, struct dse_rng *rng,
                    struct dse_config *config);

/* Restricts the values of a knob that a sweep visits to these. */
void dse_space_restrict(struct dse_space *space, size_t knob, const int64_t *values,
                                   size_t count);
