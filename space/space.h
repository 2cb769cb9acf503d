/* A family's space: its knobs with their domains, and configurations of them.
 *
 * A family declares its knobs in C (name, type, words); what values a knob may take, what a sweep visits,
 * its default and its meaning are data: an XML file a family. */
#ifndef DSE_SPACE_SPACE_H
#define DSE_SPACE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/rng.h"
#include "core/setting.h"
#include "core/status.h"

#define DSE_KNOB_MAX 64

/* A set of knobs: bit i stands for the family's knob i. */
typedef uint64_t dse_knob_set;

#define DSE_KNOB_BIT(index) ((dse_knob_set)1 << (index))

enum dse_knob_type {
    DSE_KNOB_INTEGER, /* its value */
    DSE_KNOB_DECIMAL, /* its value in millionths, so that equal texts are equal numbers */
    DSE_KNOB_CHOICE   /* the index of a word */
};

#define DSE_DECIMAL_ONE 1000000

/* An algorithmic knob changes what is computed, a hardware knob how; some change both. */
enum dse_knob_kind { DSE_KNOB_ALGORITHMIC = 1, DSE_KNOB_HARDWARE = 2, DSE_KNOB_BOTH = 3 };

/* What a family's code knows of a knob: the order of declarations is that of the family's enum. */
struct dse_knob_declaration {
    const char *name; /* "kse.pe" */
    enum dse_knob_type type;
    const char *const *choices; /* NULL-ended, for DSE_KNOB_CHOICE */
};

struct dse_knob {
    const char *name, *title, *unit;
    enum dse_knob_type type;
    enum dse_knob_kind kind;
    const char *const *choices;
    size_t choice_count;
    int64_t minimum, maximum;   /* what may be set by hand */
    bool power_of_two;          /* and nothing between */
    const int64_t *domain;      /* domain_count: what a sweep visits, in the file's order */
    size_t domain_count;
    bool restricted;            /* the domain was narrowed since the file was read */
    int64_t fallback;           /* the default: the paper's design */
    int condition;              /* the knob that decides whether this one matters, or −1 */
    uint64_t condition_choices; /* bit c: this knob matters where the condition has choice c */
};

struct dse_space {
    const char *family, *file;
    struct dse_knob knobs[DSE_KNOB_MAX];
    size_t count;
    struct dse_arena arena;
};

/* One value for every knob. */
struct dse_config {
    int64_t value[DSE_KNOB_MAX];
};

/* Reads a space file and holds it against the family's declarations: every declared knob must be there,
 * no other, words must be known, defaults lie within bounds. DSE_BAD_INPUT names file, line, element. */
enum dse_status dse_space_read(const char *path, const char *family,
                               const struct dse_knob_declaration *declarations, size_t count,
                               struct dse_space **out, struct dse_error *err);
void dse_space_free(struct dse_space *space);

/* The knob's index, or −1. */
int dse_space_find(const struct dse_space *space, const char *name);

/* As dse_space_find, and DSE_BAD_USAGE with the nearest name when there is none. */
enum dse_status dse_space_need(const struct dse_space *space, const char *name, int *index,
                               struct dse_error *err);

/* The knobs of a kind (bits of enum dse_knob_kind). */
dse_knob_set dse_space_of_kind(const struct dse_space *space, unsigned kind);

/* Every knob at its default. */
void dse_space_default(const struct dse_space *space, struct dse_config *config);

/* Reads a value as people write it ("150", "0.01", "int8"); DSE_BAD_USAGE names knob, value and what is
 * allowed. The value need not be in the sweep's domain, but within the bounds. */
enum dse_status dse_knob_parse(const struct dse_knob *knob, const char *text, int64_t *value,
                               struct dse_error *err);

/* Writes a value as dse_knob_parse reads it. Returns `buffer`. */
char *dse_knob_format(const struct dse_knob *knob, int64_t value, char *buffer, size_t size);

/* The same in words: "16 to 4096", "fp32, fp16 or int8". Returns `buffer`. */
char *dse_knob_allowed(const struct dse_knob *knob, char *buffer, size_t size);

/* Sets "name=value". */
enum dse_status dse_config_assign(const struct dse_space *space, struct dse_config *config,
                                  const char *assignment, struct dse_error *err);

/* Sets a knob by name. */
enum dse_status dse_config_set(const struct dse_space *space, struct dse_config *config, const char *name,
                               const char *value, struct dse_error *err);

/* Whether a knob matters in this configuration. */
bool dse_knob_active(const struct dse_space *space, const struct dse_config *config, size_t knob);

/* Sets the knobs that do not matter to their defaults, so that equal designs are equal configurations. */
void dse_config_canonical(const struct dse_space *space, struct dse_config *config);

/* The knobs of `set` as names and values, those that do not matter included. */
enum dse_status dse_config_setting(const struct dse_space *space, const struct dse_config *config,
                                   dse_knob_set set, struct dse_setting *out, struct dse_error *err);

/* Sets the knobs that the setting names; DSE_BAD_USAGE for a name that is no knob. */
enum dse_status dse_config_apply(const struct dse_space *space, struct dse_config *config,
                                 const struct dse_setting *setting, struct dse_error *err);

/* The number of different configurations of the knobs in `set` (those that do not matter counted once);
 * saturates at UINT64_MAX. O(knobs × choices). */
uint64_t dse_space_size(const struct dse_space *space, dse_knob_set set);

/* Whether a value is one of the knob's domain. O(domain). */
bool dse_knob_in_domain(const struct dse_knob *knob, int64_t value);

/* Steps `count` knobs through their domains like an odometer, the last fastest; `digits` are the places in the
 * domains. False once around. */
bool dse_space_step(const struct dse_space *space, const size_t *knobs, size_t count, size_t *digits,
                    struct dse_config *config);

/* A random canonical configuration: the knobs of `set` uniformly from their domains, the others as given. */
void dse_space_draw(const struct dse_space *space, dse_knob_set set, struct dse_rng *rng,
                    struct dse_config *config);

/* Restricts what a sweep visits of a knob to these values. */
enum dse_status dse_space_restrict(struct dse_space *space, size_t knob, const int64_t *values,
                                   size_t count, struct dse_error *err);

#endif
