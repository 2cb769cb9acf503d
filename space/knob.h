/* Knobs: the named choices of a family, each declared once.
 *
 * A family has one table of knobs (models/NAME/table.def) and an index for each (enum in models/NAME/knobs.h). The table drives the values that a
 * sweep visits, `--set`, the options of `train` with their help and checks, the simulation, presets and `--describe`. A block declares the knobs that
 * it reads (`reads`). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/bits.h"
#include "core/setting.h"
#include "core/status.h"

#define DSE_KNOB_MAX DSE_BITS_MAX /* largest number of knobs of a family; dse_knobs_check rejects more */

/* A set of knobs, by the family's index. */
typedef struct dse_bits dse_knob_set;

/* A family in C has at most 64 knobs, so that sets of them are constants: DSE_BITS(DSE_KNOB_BIT(A) | DSE_KNOB_BIT(B)). */
#define DSE_KNOB_BIT(index) ((uint64_t)1 << (index))

enum dse_knob_type {
    DSE_KNOB_INTEGER, /* its value */
    DSE_KNOB_DECIMAL, /* value in units of 1/DSE_DECIMAL_ONE, so that equal texts are equal numbers */
    DSE_KNOB_CHOICE   /* the index of a word */
};

#define DSE_DECIMAL_ONE 1000000000000
#define DSE_DECIMAL_DIGITS 12 /* after the decimal point */
#define DSE_DECIMAL(number) ((int64_t)((number) * (double)DSE_DECIMAL_ONE + 0.5))

/* An algorithmic knob changes the computed result, and is a parameter of training. A hardware knob changes how it is computed. Some knobs change
 * both. */
enum dse_knob_kind { DSE_KNOB_ALGORITHMIC = 1, DSE_KNOB_HARDWARE = 2, DSE_KNOB_BOTH = 3 };

/* The value of a knob in a preset other than the family's first, whose values are the defaults. */
struct dse_knob_preset {
    const char *name;
    int64_t value;
};

struct dse_knob {
    const char *name;           /* "kse.pe" */
    enum dse_knob_kind kind;
    const char *title;          /* one line: in `--describe`, and as the help of its option */
    const char *option;         /* option of `train`, without dashes, where that is not the name: "prototype-bits" */
    const char *unit;           /* NULL or "" for none */
    enum dse_knob_type type;
    const char *const *choices; /* choice_count words, NULL-ended, for DSE_KNOB_CHOICE */
    size_t choice_count;
    int64_t minimum, maximum;   /* values that may be set by hand */
    bool power_of_two;          /* and nothing between */
    const int64_t *listed;      /* listed_count: the only values that may be set by hand; NULL: all within the bounds */
    size_t listed_count;
    int64_t fallback;           /* the default: the published design */
    const int64_t *domain;      /* domain_count: values that a sweep visits, in this order; declared as NULL: every word, or the default */
    size_t domain_count;
    bool restricted;            /* to a part of the domain; no other value is allowed, whatever its source */
    int condition;              /* the knob that decides whether this one matters; declared before it */
    uint64_t condition_choices; /* bit c: it matters if the condition has choice c; 0: it always does */
    int follows;                /* another choice: this one takes its word if it has that word too; 0: none (knob 0 is never followed) */
    bool shapes_work;           /* the series of a workload depend on it: its value is part of a workload's key */
    bool later;                 /* declared after models had been stored without it: they have its default */
    const struct dse_knob_preset *presets; /* ended by one without a name; NULL: the default in all */
};

/* Optional fields after a knob's name, kind and title in a family's table. */
#define DSE_WHOLE(least, most, standard)                                                                     \
    .type = DSE_KNOB_INTEGER, .minimum = (least), .maximum = (most), .fallback = (standard)
#define DSE_REAL(least, most, standard)                                                                      \
    .type = DSE_KNOB_DECIMAL, .minimum = DSE_DECIMAL(least), .maximum = DSE_DECIMAL(most), .fallback = DSE_DECIMAL(standard)
#define DSE_POWERS_OF_TWO .power_of_two = true
#define DSE_WORDS(standard, ...)                                                                             \
    .type = DSE_KNOB_CHOICE, .choices = (const char *const[]){__VA_ARGS__, NULL},                            \
    .choice_count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                             \
    .maximum = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *) - 1, .fallback = (standard)
#define DSE_SWEEP(...)                                                                                       \
    .domain = (const int64_t[]){__VA_ARGS__}, .domain_count = sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)
#define DSE_WHEN(knob, choice_bits) .condition = (knob), .condition_choices = (choice_bits)
#define DSE_CONSUMES(backend_name, knob_bits) {DSE_BACKEND_##backend_name, DSE_KNOB_CONSUMED, DSE_BITS(knob_bits), NULL}
#define DSE_REJECTS(backend_name, knob_bits) {DSE_BACKEND_##backend_name, DSE_KNOB_REJECTED, DSE_BITS(knob_bits), NULL}
#define DSE_UNAFFECTED(backend_name, knob_bits, reason) {DSE_BACKEND_##backend_name, DSE_KNOB_UNAFFECTED, DSE_BITS(knob_bits), reason}
#define DSE_PRESETS(...) .presets = (const struct dse_knob_preset[]){__VA_ARGS__, {0}}

/* An entry of the table: KNOB(ID, NAME, KIND, TITLE, …) with the macros above. */
#define DSE_KNOB_ROW(id, knob_name, knob_kind, knob_title, ...)                                              \
    [id] = {.name = knob_name, .kind = DSE_KNOB_##knob_kind, .title = knob_title, __VA_ARGS__}

/* The programs that use a family's hardware knobs. The last three belong to an accelerator in SystemVerilog. */
enum dse_backend {
    DSE_BACKEND_MODEL,
    DSE_BACKEND_SIMULATION,
    DSE_BACKEND_HLS,
    DSE_BACKEND_RTL_MODEL,
    DSE_BACKEND_RTL_SIMULATION,
    DSE_BACKEND_RTL,
    DSE_BACKEND_COUNT
};

enum dse_knob_use {
    DSE_KNOB_UNDECLARED,
    DSE_KNOB_CONSUMED,  /* the knob changes the backend's result; the backend may reject some of its values */
    DSE_KNOB_REJECTED,   /* the backend rejects some values, and gives the same for all others */
    DSE_KNOB_UNAFFECTED /* the backend accepts every value and gives the same for all */
};

/* A row of a family's declaration. Every backend declares each hardware-only knob exactly once. A cost model consumes the knobs that its blocks read,
 * and declares only the others. The emitter handles the clock and compute units of emitted source. */
struct dse_knob_uses {
    enum dse_backend backend;
    enum dse_knob_use use;
    dse_knob_set knobs;
    const char *why; /* for DSE_KNOB_UNAFFECTED: why the knob has no effect there; else NULL */
};

/* The knobs of a family. */
struct dse_knobs {
    const char *family;         /* "nysx" */
    const struct dse_knob *knobs;
    size_t count;
    const char *const *presets; /* NULL-ended; the first ("paper") has every knob at its default, before any adjustment to the data */
    const struct dse_knob_uses *uses; /* use_count */
    size_t use_count;
    const char *source;         /* the knob of which only one value has HLS source, with that value: "KNOB=VALUE", or "KNOB" for the published; or NULL */
};

/* One value for every knob, by the family's index. */
struct dse_config {
    int64_t value[DSE_KNOB_MAX];
};

/* Checks the assumptions on a table: at most DSE_KNOB_MAX knobs; no name and no option twice; bounds in order, with defaults, domains and presets'
 * values within them; different words; conditions on words of earlier knobs. DSE_LIMIT names the family, the knob and the fault: it is the program's,
 * not its input's. O(knobs²). */
enum dse_status dse_knobs_check(const struct dse_knobs *knobs, struct dse_error *err);

/* The knob called `name`; the knob with this option; the latter only if it is a parameter of training. NULL for none. */
const struct dse_knob *dse_knobs_find(const struct dse_knobs *knobs, const char *name);
const struct dse_knob *dse_knobs_trained(const struct dse_knobs *knobs, const char *name);
const struct dse_knob *dse_knobs_option(const struct dse_knobs *knobs, const char *option);
bool dse_knob_trains(const struct dse_knob *knob);

/* The name of its option, and the name of the option's value in help: "N", "X", "uniform|dpp". The latter fills `buffer`. */
const char *dse_knob_option(const struct dse_knob *knob);
char *dse_knob_argument(const struct dse_knob *knob, char *buffer, size_t size);

/* Reads a value as people write it ("150", "0.01", "1e-6", "int8"). DSE_BAD_USAGE names knob, value and the allowed values. The value must be within
 * the bounds, but need not be in the sweep's domain. */
enum dse_status dse_knob_parse(const struct dse_knob *knob, const char *text, int64_t *value, struct dse_error *err);

/* Writes a value in the form that dse_knob_parse reads. Returns `buffer`; 64 characters suffice for any number. */
char *dse_knob_format(const struct dse_knob *knob, int64_t value, char *buffer, size_t size);

/* As dse_knob_format, in words: "a whole number from 16 to 4096", "fp32, fp16 or int8". Returns `buffer`. */
char *dse_knob_allowed(const struct dse_knob *knob, char *buffer, size_t size);

/* Whether it may be set by hand. */
bool dse_knob_within(const struct dse_knob *knob, int64_t value);

/* A value as a number: the number that a word reads as ("1.5"), or 0 if it is none ("fp32"). */
double dse_knob_number(const struct dse_knob *knob, int64_t value);

/* ---- settings: the knobs that training reads, as names and values (core/setting.h) ---- */

/* Checks one value and puts it into the setting. Numbers get the single form in which settings are compared. Training takes a number to the last
 * digit of a double; a space holds DSE_DECIMAL_DIGITS of them. DSE_BAD_USAGE as dse_knob_parse. */
enum dse_status dse_knob_put(const struct dse_knob *knob, const char *value, struct dse_setting *setting, struct dse_error *err);

/* As dse_knob_put, by name, for parameters of training. DSE_BAD_USAGE for an unknown name, with the nearest known one. */
enum dse_status dse_knobs_put(const struct dse_knobs *knobs, const char *name, const char *value, struct dse_setting *setting,
                              struct dse_error *err);

/* The names of the presets, the last after `last` (" or "), in `texts`. */
const char *dse_knobs_presets(const struct dse_knobs *knobs, const char *last, struct dse_arena *texts);

/* A value for every parameter of training, by a preset. The setting must be empty, and is empty after a failure. DSE_BAD_USAGE for an unknown preset,
 * with the existing ones. */
enum dse_status dse_knobs_preset(const struct dse_knobs *knobs, const char *preset, struct dse_setting *out,
                                 struct dse_error *err);

/* Puts the default of every parameter declared `later` that a stored setting lacks. */
void dse_knobs_complete(const struct dse_knobs *knobs, struct dse_setting *setting);

/* Checks a full setting and reads it into `values` (DSE_KNOB_MAX long, by the family's index; may be NULL): a number, or the index of a word. Every
 * parameter must have a value in its bounds, and no other name may be present. DSE_BAD_USAGE. */
enum dse_status dse_knobs_trained_values(const struct dse_knobs *knobs, const struct dse_setting *setting, double *values,
                                         struct dse_error *err);

/* Every knob at its default. */
void dse_knobs_default(const struct dse_knobs *knobs, struct dse_config *config);

/* Puts the hardware knobs named in `given` into a configuration. A knob that `trained` (a model's full setting) decides must have the model's value.
 * DSE_BAD_USAGE. */
enum dse_status dse_knobs_hardware(const struct dse_knobs *knobs, const struct dse_setting *given, const struct dse_setting *trained,
                                   struct dse_config *config, struct dse_error *err);

/* Sets the hardware knobs that training decides to the values of a model's full setting. */
void dse_knobs_of_model(const struct dse_knobs *knobs, const struct dse_setting *trained, struct dse_config *config);

/* The part of a full setting that matters: without the knobs whose condition it does not meet. `out` must be empty. */
void dse_knobs_mattering(const struct dse_knobs *knobs, const struct dse_setting *setting, struct dse_setting *out);

/* Completes the stored setting of a quality: a parameter that it does not name was at its default. Drops the knobs that do not matter; keeps names of
 * no knob. */
void dse_knobs_quality_key(const struct dse_knobs *knobs, struct dse_setting *setting);

/* The part of a full setting that shapes a workload, without knobs that do not matter: the workload's key. */
void dse_knobs_work_key(const struct dse_knobs *knobs, const struct dse_setting *setting, struct dse_setting *key);

/* Puts the values of a preset that differ from those of another (NULL: the family's first). A preset that the family does not have has the defaults. */
void dse_knobs_over(const struct dse_knobs *knobs, const char *preset, const char *other, struct dse_setting *setting);

bool dse_knobs_has_preset(const struct dse_knobs *knobs, const char *preset);

/* The knobs that shape a workload. */
dse_knob_set dse_knobs_shaping(const struct dse_knobs *knobs);
