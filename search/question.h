/* Builds a question from names, expressions and a profile. */
#pragma once

#include "search/profiled.h"
#include "search/search.h"
#include "space/where.h"

/* Choices of a sweep. The quality rule selects measured settings within `quality_drop` of the data set's preset and above the accuracy of a constant
 * prediction. A question may have its own rule instead (dse_question_replaces_rule). */
struct dse_choice {
    const char *const *fix; /* fix_count: "KNOB" (at its base value) or "KNOB=VALUE" */
    size_t fix_count;
    double quality_drop;    /* in units of dse_drop_unit(); infinity: any measured setting */
    bool measures;          /* settings missing in the profile may be measured */
};

/* Counts of the profile's settings, by reason of exclusion. */
struct dse_choice_count {
    size_t measured;       /* settings with a quality */
    size_t without_work;   /* those without a workload */
    size_t fixed_out;      /* excluded by --fix or --where */
    size_t below_quality;  /* excluded by the quality rule */
    struct dse_standard standard; /* reference of the rule */
};

/* Restricts the space's domains to values that meet all comparisons on knobs and all fixes, and turns comparisons on metrics into the question's
 * limits. `base` gives the values of knobs fixed without a value. A value of --fix need not be in the domain; a limit adds none to it. The space is
 * changed: pass a copy. DSE_BAD_USAGE for unknown names, values out of bounds and wrong units. If no visited value of a knob meets its limits, the
 * designs to which the knob applies are excluded. DSE_ANSWER_NO if these are all designs, or if no possible value of the knob meets the limits; it
 * names the limits and sets their `contradicts`. */
enum dse_status dse_question_constrain(struct dse_question *question, struct dse_space *space,
                                       const struct dse_expression *where, const struct dse_choice *choice,
                                       struct dse_error *err);

/* Writes a limit in its original form: "units<=1", "--fix units=4". */
void dse_knob_limit_write(const struct dse_question *question, const struct dse_knob_limit *limit, struct dse_strbuf *out);

/* Adds a line per knob whose limits leave it no value while designs to which it does not apply remain; otherwise nothing. */
void dse_question_note(const struct dse_question *question, struct dse_strbuf *out);

/* Names each value of an algorithmic knob that a limit asks for by = but that no measured setting has, and says how to use it. A profile without
 * measured settings has only its own setting. Omits values that may be measured now (`measures`). */
void dse_question_note_unmeasured(const struct dse_question *question, const struct dse_profile *profile, bool measures, struct dse_strbuf *out);

/* Restricts `space` to the fewest compute units, unless an objective is a throughput or the energy per item, or a block reads them. Call before
 * dse_question_constrain, and with objectives. More units would share the board's static power and lower the energy per graph, but only at full load. A
 * search for latency does not assume full load. Other numbers of units are possible by --fix, or by a limit on throughput, energy per item or units that some design with
 * the fewest units misses. */
void dse_question_few_units(const struct dse_question *question, struct dse_space *space);

/* Lets `space` have every overlap of successive items; otherwise a sweep has none. Call before dse_question_constrain, if throughput is an objective
 * or a limit that counts. False if items of the family never overlap, or the request has restricted the knob. */
bool dse_question_every_overlap(const struct dse_model_family *family, struct dse_space *space);

/* Whether a term names the units or limits the energy per item; whether it limits a throughput from below, or is a condition on one. Either may need more than the fewest units. */
bool dse_question_term_on_units(const struct dse_question *question, const struct dse_space *space, const struct dse_term *term);
bool dse_question_term_on_flow(const struct dse_space *space, const struct dse_term *term);

/* Whether the question itself says which qualities suffice, in place of --quality-drop: by a limit from below, or a condition, that some measured
 * setting fails. `all_measured`: no other setting takes part. If others do, any limit from below replaces it. */
bool dse_question_replaces_rule(const struct dse_question *question, const struct dse_profile *profile, bool all_measured);

/* Whether a term is more than a name beside a value. It is if it was parsed as a condition or if the value is a knob or a metric. It also is if the
 * value is no whole number beside a knob of whole numbers. */
bool dse_question_is_condition(const struct dse_space *space, const struct dse_term *term);

/* Adds a comparison of a metric with a value to the limits; `term` names a metric. DSE_BAD_USAGE for wrong units and too many. */
enum dse_status dse_question_limit(struct dse_question *question, const struct dse_term *term, struct dse_error *err);

/* The published design under a question: on its board at the data set's preset, with each knob that the (restricted) space leaves one value;
 * canonical. A space leaves algorithmic knobs to the profile unless the question restricts them. `fixed` (or NULL): the knobs in which the design
 * differs from the published one. Possibly no profile has a workload of it. */
enum dse_status dse_question_baseline(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board, const struct dse_setting *preset, struct dse_config *out,
                                      dse_knob_set *fixed, struct dse_error *err);

/* The alternatives that profile and rule allow, best quality first, perhaps none. Release with free(). `question` has its space, base, objectives and
 * limits. */
enum dse_status dse_question_alternatives(const struct dse_question *question,
                                          const struct dse_profile *profile, const struct dse_choice *choice,
                                          struct dse_alternative **out, size_t *count,
                                          struct dse_choice_count *why, struct dse_error *err);

/* DSE_BAD_USAGE if a limit or objective names a figure that is neither the question's quality nor its negative. */
enum dse_status dse_question_judged(const struct dse_question *question, const char *dataset, struct dse_error *err);

/* As dse_question_alternatives() for a profile without any quality, if the question asks for none: the base setting, with the values that --fix
 * names, unless limits exclude it. The quality is NaN. DSE_LIMIT for too many. */
enum dse_status dse_question_unmeasured(const struct dse_question *question, const struct dse_profile *profile,
                                        struct dse_alternative **out, size_t *count, struct dse_error *err);

/* Writes that no setting is left, with the counts by reason. */
void dse_choice_nothing(const struct dse_question *question, const struct dse_profile *profile, const struct dse_choice_count *why, struct dse_error *words);

/* Number of configurations that the question allows (at most UINT64_MAX): for each alternative, with its values of the
 * algorithmic knobs. Evaluates nothing. */
uint64_t dse_question_size(const struct dse_question *question);

/* Whether some allowed design overlaps stages of successive items. */
bool dse_question_overlaps(const struct dse_question *question);

/* Whether the question asks for this metric, and the metric of such a design follows its slowest stage: rates, energies, powers, and a launch of a batch. */
bool dse_question_flows(const struct dse_question *question, enum dse_metric metric);

/* DSE_BAD_USAGE if dse_question_flows() holds for a metric, but the method called `method` does not bound
 * its slowest stage. Integer programs bound only a stage of one block, from below, for throughput. NULL: a method that evaluates every design that it
 * offers. */
enum dse_status dse_question_bounds(const struct dse_question *question, const char *method, struct dse_error *err);

/* DSE_BAD_USAGE for a name that is neither a metric nor a knob, with the nearest one; `option` stands in front of the name ("--x"). */
enum dse_status dse_question_unknown(const struct dse_space *space, const char *option, const char *name, struct dse_error *err);

/* Whether a measured setting satisfies --set, --fix and --where; whether one knob's value does. Independent of what a sweep
 * visits. */
bool dse_question_allows_value(const struct dse_question *question, size_t knob, int64_t value);
bool dse_question_allows(const struct dse_question *question, const struct dse_config *config);

/* Sets the algorithmic knobs of `config` to those of an alternative. */
void dse_question_take(const struct dse_question *question, size_t alternative, struct dse_config *config);

/* DSE_BAD_USAGE that lists the metrics: `name` of the option's value `whole` is none. */
enum dse_status dse_objective_unknown(const char *option, const char *whole, const char *name, struct dse_error *err);

/* Parses "latency,energy,bram18" as the question's objectives. */
enum dse_status dse_question_objectives(struct dse_question *question, const char *text, struct dse_error *err);
