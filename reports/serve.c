#include "reports/serve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/number.h"
#include "reports/estimate.h"
#include "reports/json.h"

#define SCHEMA "nysx-dse.serve/1"
#define HEAD "{\"$schema\": \"urn:nysx-dse:schema:serve:1\", \"schema\": \"" SCHEMA "\", \"ok\": "
#define OPS "describe, evaluate, bounds or close"

/* A line being answered. */
struct served {
    struct dse_oracle *oracle;
    const struct dse_question *question;
    const json_t *line;
    struct dse_strbuf *out;
    struct dse_verdict verdict;
};

/* ---- describe ---- */

static json_t *setting_json(const struct dse_question *q, size_t alternative)
{
    const struct dse_config *config = &q->alternatives[alternative].config;
    dse_knob_set algorithmic = dse_space_of_kind(q->space, DSE_KNOB_ALGORITHMIC);
    json_t *object = json_object();
    for (size_t k = 0; k < q->space->count; k++)
        if (dse_bits_has(algorithmic, k) && dse_knob_active(q->space, config, k))
            json_object_set_new(object, q->space->knobs[k].name, dse_knob_json(&q->space->knobs[k], config->value[k]));
    return object;
}

static json_t *variable_json(const struct dse_question *q, const struct dse_variable *variable)
{
    json_t *values = json_array();
    for (uint32_t i = 0; i < variable->count; i++)
        json_array_append_new(values, variable->knob == DSE_KNOB_MAX
                                          ? setting_json(q, i)
                                          : dse_knob_json(&q->space->knobs[variable->knob], q->space->knobs[variable->knob].domain[i]));
    const struct dse_knob *knob = variable->knob == DSE_KNOB_MAX ? NULL : &q->space->knobs[variable->knob];
    json_t *object = json_pack("{s:s, s:s, s:o}", "name", variable->name, "kind",
                               knob == NULL ? "setting" : knob->type == DSE_KNOB_CHOICE ? "choice" : "number", "values", values);
    if (knob != NULL && knob->condition >= 0)
        json_object_set_new(object, "when", json_string(q->space->knobs[knob->condition].name));
    return object;
}

static void describe(const struct served *s, json_t *answer)
{
    const struct dse_question *q = s->question;
    json_t *knobs = json_array(), *objectives = json_array(), *limits = json_array(), *metrics = json_array();
    for (size_t v = 0; v < s->oracle->variable_count; v++)
        json_array_append_new(knobs, variable_json(q, &s->oracle->variables[v]));
    for (size_t o = 0; o < q->objective_count; o++)
        json_array_append_new(objectives, json_pack("{s:s, s:s}", "metric", dse_metrics[q->objectives[o]].key, "goal",
                                                    dse_metrics[q->objectives[o]].higher_is_better ? "max" : "min"));
    for (size_t i = 0; i < q->limit_count; i++)
        json_array_append_new(limits, json_pack("{s:s, s:s, s:f}", "metric", dse_metrics[q->limits[i].metric].key, "is",
                                                q->limits[i].at_least ? ">=" : "<=", "bound", q->limits[i].bound));
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (s->oracle->reported[m])
            json_array_append_new(metrics, json_string(dse_metrics[m].key));
    json_object_set_new(answer, "family", json_string(q->family->name));
    json_object_set_new(answer, "board", json_string(q->board->name));
    json_object_set_new(answer, "dataset", json_string(s->oracle->exploration.profile->dataset));
    json_object_set_new(answer, "knobs", knobs);
    json_object_set_new(answer, "objectives", objectives);
    json_object_set_new(answer, "limits", limits);
    json_object_set_new(answer, "metrics", metrics);
    json_object_set_new(answer, "size", dse_json_count(dse_question_size(q)));
}

/* ---- a configuration by names ---- */

static enum dse_status read_value(const struct dse_knob *knob, const json_t *json, int64_t *value, struct dse_error *err)
{
    char text[64];
    if (json_is_integer(json) && knob->type == DSE_KNOB_INTEGER) {
        *value = json_integer_value(json);
        return DSE_OK;
    }
    if (json_is_string(json))
        return dse_knob_parse(knob, json_string_value(json), value, err);
    if (json_is_boolean(json))
        return dse_knob_parse(knob, json_is_true(json) ? "yes" : "no", value, err);
    if (!json_is_number(json))
        return dse_fail(err, DSE_BAD_USAGE, "%s: must be a number or a word", knob->name);
    return dse_knob_parse(knob, dse_number_format(text, sizeof text, json_number_value(json)), value, err);
}

static enum dse_status reject_value(const struct dse_knob *knob, int64_t value, struct dse_error *err)
{
    struct dse_strbuf allowed DSE_CLEANUP(dse_strbuf_free) = {0};
    char text[64];
    for (size_t i = 0; i < knob->domain_count; i++)
        dse_strbuf_printf(&allowed, "%s%s", i > 0 ? ", " : "", dse_knob_format(knob, knob->domain[i], text, sizeof text));
    return dse_fail(err, DSE_BAD_USAGE, "%s: %s: must be one of %s", knob->name, dse_knob_format(knob, value, text, sizeof text),
                    dse_strbuf_text(&allowed));
}

/* The measured setting with the best quality among those with these algorithmic knobs. */
static enum dse_status find_alternative(const struct dse_question *q, dse_knob_set named, const struct dse_config *config, size_t *alternative,
                                        struct dse_error *err)
{
    for (size_t a = 0; a < q->alternative_count; a++) {
        bool same = true;
        for (size_t k = 0; k < q->space->count && same; k++)
            same = !dse_bits_has(named, k) || q->alternatives[a].config.value[k] == config->value[k];
        if (same) {
            *alternative = a;
            return DSE_OK;
        }
    }
    return dse_fail(err, DSE_BAD_USAGE, "none of the %zu settings of the search space has these algorithmic knobs; see \"setting\" of describe",
                    q->alternative_count);
}

/* Finds the knob named by `length` letters, trying first the one that usually follows `last`; −1 if unknown. */
static int find_knob(struct served *s, int last, const char *name, size_t length)
{
    const struct dse_space *space = s->question->space;
    int *next = &s->oracle->next[last + 1];
    for (size_t i = 0; i <= space->count; i++) {
        int knob = i == 0 ? *next : (int)i - 1;
        const char *own = space->knobs[knob].name;
        if (strncmp(own, name, length) == 0 && own[length] == '\0')
            return *next = knob;
    }
    return -1;
}

/* A configuration being read: the base with the named knobs. */
struct naming {
    struct dse_config config;
    size_t alternative;
    dse_knob_set named, measured;
    int last; /* last knob named, or −1 */
};

static void begin(const struct served *s, struct naming *naming)
{
    *naming = (struct naming){.config = s->question->base, .last = -1};
}

static enum dse_status name_knob(const struct served *s, struct naming *naming, int knob, int64_t value, struct dse_error *err)
{
    const struct dse_knob *k = &s->question->space->knobs[knob];
    naming->config.value[knob] = value;
    dse_bits_add(&naming->named, knob);
    naming->last = knob;
    if (((unsigned)k->kind & DSE_KNOB_ALGORITHMIC) != 0)
        dse_bits_add(&naming->measured, knob);
    else if (!dse_knob_in_domain(k, value))
        return reject_value(k, value, err);
    return DSE_OK;
}

static enum dse_status end(const struct served *s, struct naming *naming, struct dse_error *err)
{
    const struct dse_question *q = s->question;
    dse_knob_set algorithmic = dse_space_of_kind(q->space, DSE_KNOB_ALGORITHMIC);
    if (dse_bits_any(naming->measured))
        DSE_TRY(find_alternative(q, naming->measured, &naming->config, &naming->alternative, err));
    for (size_t k = 0; k < q->space->count; k++)
        if (dse_bits_has(algorithmic, k))
            naming->config.value[k] = q->alternatives[naming->alternative].config.value[k];
    return DSE_OK;
}

static enum dse_status read_config(struct served *s, const json_t *json, struct naming *naming, struct dse_error *err)
{
    const struct dse_space *space = s->question->space;
    const char *name;
    json_t *value;
    begin(s, naming);
    if (!json_is_object(json))
        return dse_fail(err, DSE_BAD_USAGE, "a design is an object of knobs");
    json_object_foreach((json_t *)json, name, value) {
        int knob = find_knob(s, naming->last, name, strlen(name));
        int64_t own;
        if (knob < 0)
            return dse_space_need(space, name, &knob, err);
        DSE_TRY(read_value(&space->knobs[knob], value, &own, err));
        DSE_TRY(name_knob(s, naming, knob, own, err));
    }
    return end(s, naming, err);
}

/* ---- configurations in the usual form ---- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

/* Position after a letter and blanks, or NULL. */
static const char *behind(const char *at, char letter)
{
    at = skip_blanks(at);
    return *at == letter ? skip_blanks(at + 1) : NULL;
}

/* Length of a JSON number (RFC 8259); 0 if there is none. */
static size_t number_length(const char *at)
{
    static const char *const digits = "0123456789";
    size_t sign = *at == '-', whole = strspn(at + sign, digits), length = sign + whole, part;
    if (whole == 0 || (whole > 1 && at[sign] == '0'))
        return 0;
    if (at[length] == '.') {
        if ((part = strspn(at + length + 1, digits)) == 0)
            return 0;
        length += part + 1;
    }
    if (at[length] == 'e' || at[length] == 'E') {
        size_t plus = at[length + 1] == '-' || at[length + 1] == '+';
        if ((part = strspn(at + length + 1 + plus, digits)) == 0)
            return 0;
        length += part + 1 + plus;
    }
    return length;
}

/* Reads a number or a quoted word; NULL if it is not a value of the knob. */
static const char *scan_value(const struct dse_knob *knob, const char *at, int64_t *value)
{
    char text[64];
    struct dse_error none;
    bool word = *at == '"';
    at += word;
    size_t length = word ? strcspn(at, "\"\n") : number_length(at);
    if (length == 0 || length >= sizeof text || (word && at[length] != '"'))
        return NULL;
    memcpy(text, at, length);
    text[length] = '\0';
    return dse_knob_parse(knob, text, value, &none) == DSE_OK ? at + length + word : NULL;
}

/* Reads {"KNOB": VALUE, …} from its brace on; returns the position after it. */
static const char *scan_config(struct served *s, const char *at, struct naming *naming)
{
    struct dse_error none;
    begin(s, naming);
    if ((at = behind(at, '{')) == NULL)
        return NULL;
    while (*at == '"') {
        size_t length = strcspn(++at, "\"\n");
        int knob = find_knob(s, naming->last, at, length);
        int64_t value;
        if (knob < 0 || dse_bits_has(naming->named, knob) || (at = behind(at + length + (at[length] == '"'), ':')) == NULL ||
            (at = scan_value(&s->question->space->knobs[knob], at, &value)) == NULL || name_knob(s, naming, knob, value, &none) != DSE_OK)
            return NULL;
        at = skip_blanks(at);
        if (*at == '}')
            return end(s, naming, &none) == DSE_OK ? at + 1 : NULL;
        if ((at = behind(at, ',')) == NULL)
            return NULL;
    }
    return NULL;
}

static enum dse_status read_choices(const struct served *s, const json_t *json, struct dse_config *config, size_t *alternative,
                                    struct dse_error *err)
{
    uint32_t choices[DSE_KNOB_MAX + 1];
    size_t count = s->oracle->variable_count;
    if (!json_is_array(json) || json_array_size(json) != count)
        return dse_fail(err, DSE_BAD_USAGE, "choices of a design: must be %zu numbers, one of each variable of describe", count);
    for (size_t v = 0; v < count; v++) {
        const json_t *choice = json_array_get(json, v);
        json_int_t place = json_is_integer(choice) ? json_integer_value(choice) : -1;
        if (place < 0 || place >= (json_int_t)s->oracle->variables[v].count)
            return dse_fail(err, DSE_BAD_USAGE, "%s: must be a choice from 0 to %lu", s->oracle->variables[v].name,
                            (unsigned long)s->oracle->variables[v].count - 1);
        choices[v] = (uint32_t)place;
    }
    return dse_oracle_config(s->oracle, choices, config, alternative, err);
}

/* ---- evaluate ---- */

static void put_number(struct dse_strbuf *out, double value)
{
    char text[32];
    dse_strbuf_add(out, isfinite(value) ? dse_number_shortest(text, sizeof text, value) : "null");
}

static void put_verdict(struct served *s)
{
    const struct dse_verdict *verdict = &s->verdict;
    struct dse_strbuf *out = s->out, why DSE_CLEANUP(dse_strbuf_free) = {0};
    bool feasible = verdict->violation == 0.0, first = true;
    dse_strbuf_add(out, feasible ? "{\"feasible\": true" : "{\"feasible\": false, \"why\": ");
    if (!feasible) {
        dse_verdict_why(s->question, verdict, &why);
        json_t *text = json_string(dse_strbuf_text(&why));
        char *quoted = json_dumps(text, JSON_ENCODE_ANY);
        dse_strbuf_add(out, quoted);
        free(quoted);
        json_decref(text);
        dse_strbuf_add(out, ", \"violation\": ");
        put_number(out, verdict->violation);
    }
    if (!verdict->built) {
        dse_strbuf_add(out, "}");
        return;
    }
    dse_strbuf_add(out, ", \"metrics\": {");
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        if (!s->oracle->reported[m])
            continue;
        dse_strbuf_add(out, first ? "\"" : ", \"");
        dse_strbuf_add(out, dse_metrics[m].key);
        dse_strbuf_add(out, "\": ");
        put_number(out, verdict->metrics[m]);
        first = false;
    }
    dse_strbuf_add(out, "}}");
}

static enum dse_status put_design(struct served *s, size_t place, struct dse_config *config, size_t alternative, struct dse_error *err)
{
    DSE_TRY(dse_judge_design(s->oracle->judge, config, alternative, &s->verdict, err));
    dse_strbuf_add(s->out, place > 0 ? ", " : "");
    put_verdict(s);
    return place % 256 == 255 && dse_monitor_cancelled(s->question->monitor) ? dse_fail_cancelled(err) : DSE_OK;
}

/* Reads [PLACE, …] from its bracket on, a choice of each variable; returns the position after it, or NULL. */
static const char *scan_choices(struct served *s, const char *at, struct naming *naming)
{
    uint32_t choices[DSE_KNOB_MAX + 1];
    struct dse_error none;
    at = behind(at, '[');
    for (size_t v = 0; at != NULL && v < s->oracle->variable_count; v++) {
        size_t length = strspn(at, "0123456789");
        if (length == 0 || length > 9 || (length > 1 && *at == '0'))
            return NULL;
        for (choices[v] = 0; length > 0; length--)
            choices[v] = 10 * choices[v] + (uint32_t)(*at++ - '0');
        if (choices[v] >= s->oracle->variables[v].count)
            return NULL;
        at = behind(at, v + 1 < s->oracle->variable_count ? ',' : ']');
    }
    return at != NULL && dse_oracle_config(s->oracle, choices, &naming->config, &naming->alternative, &none) == DSE_OK ? at : NULL;
}

/* Position after these tokens and the blanks between them, or NULL. */
static const char *behind_all(const char *at, const char *const *tokens)
{
    for (size_t i = 0; at != NULL && tokens[i] != NULL; i++)
        at = strncmp(at, tokens[i], strlen(tokens[i])) == 0 ? skip_blanks(at + strlen(tokens[i])) : NULL;
    return at;
}

/* Answers {"op": "evaluate", "configs": [ … ]}, or "choices", in the usual form without building a tree: plain names, numbers, words. Any other line,
 * including erroneous ones, is parsed in full (`known` stays false). A line that does not end with the list is rejected before anything is judged. */
static enum dse_status evaluate_known(struct served *s, const char *line, size_t length, bool *known, struct dse_error *err)
{
    static const char *const evaluate[] = {"{", "\"op\"", ":", "\"evaluate\"", ",", NULL}, *const configs[] = {"\"configs\"", ":", "[", NULL},
                             *const choices[] = {"\"choices\"", ":", "[", NULL};
    const char *end = line + length, *list = length > 2 && memcmp(end - 2, "]}", 2) == 0 ? behind_all(line, evaluate) : NULL;
    const char *by_name = behind_all(list, configs), *at = by_name != NULL ? by_name : behind_all(list, choices);
    struct naming naming;
    dse_strbuf_add(s->out, "\"results\": [");
    for (size_t i = 0; at != NULL && (at = (by_name != NULL ? scan_config : scan_choices)(s, at, &naming)) != NULL; i++) {
        DSE_TRY(put_design(s, i, &naming.config, naming.alternative, err));
        at = skip_blanks(at);
        if (*at == ']') {
            dse_strbuf_add(s->out, "]");
            *known = at + 2 == end;
            return DSE_OK;
        }
        at = behind(at, ',');
    }
    return DSE_OK;
}

/* "configs", a list of objects, or "choices", a list of lists. An answer is complete, or the first bad design's error. */
static enum dse_status evaluate(struct served *s, struct dse_error *err)
{
    const json_t *configs = json_object_get(s->line, "configs"), *choices = json_object_get(s->line, "choices");
    const json_t *list = configs != NULL ? configs : choices;
    if ((configs == NULL) == (choices == NULL) || !json_is_array(list))
        return dse_fail(err, DSE_BAD_USAGE, "evaluate: needs \"configs\", a list of objects, or \"choices\", a list of lists");
    dse_strbuf_add(s->out, "\"results\": [");
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct naming naming = {0};
        const json_t *design = json_array_get(list, i);
        enum dse_status status = configs != NULL ? read_config(s, design, &naming, err) : read_choices(s, design, &naming.config, &naming.alternative, err);
        if (status != DSE_OK) {
            struct dse_error why = *err;
            return dse_fail(err, status, "%s[%zu]: %s", configs != NULL ? "configs" : "choices", i, why.message);
        }
        DSE_TRY(put_design(s, i, &naming.config, naming.alternative, err));
    }
    dse_strbuf_add(s->out, "]");
    return DSE_OK;
}

static enum dse_status bounds(struct served *s, json_t *answer, struct dse_error *err)
{
    const struct dse_question *q = s->question;
    const json_t *fixed = json_object_get(s->line, "config");
    struct naming naming;
    double best[DSE_OBJECTIVE_MAX];
    bool none = false;
    begin(s, &naming);
    if (fixed != NULL)
        DSE_TRY(read_config(s, fixed, &naming, err));
    DSE_TRY(dse_oracle_bounds(s->oracle, &naming.config, naming.named, best, &none, err));
    json_t *object = json_object();
    for (size_t o = 0; o < q->objective_count && !none; o++)
        dse_json_put_number(object, dse_metrics[q->objectives[o]].key, best[o]);
    json_object_set_new(answer, "feasible", json_boolean(!none));
    json_object_set_new(answer, "bounds", object);
    return DSE_OK;
}

/* ---- a line ---- */

static void put_object(struct dse_strbuf *out, json_t *members)
{
    char *plain = json_dumps(members, JSON_REAL_PRECISION(17));
    dse_strbuf_add_n(out, plain + 1, strlen(plain) - 2); /* without its braces */
    free(plain);
    json_decref(members);
}

static enum dse_status act(struct served *s, const char *op, bool *closed, struct dse_error *err)
{
    static const char *const members[] = {"op", "id", "config", "configs", "choices"};
    const char *name;
    json_t *value, *answer = NULL;
    enum dse_status status = DSE_OK;
    json_object_foreach((json_t *)s->line, name, value) {
        bool known = false;
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            known |= strcmp(members[i], name) == 0;
        if (!known)
            return dse_fail(err, DSE_BAD_USAGE, "%s: no such member; a line has op, id, config, configs and choices", name);
    }
    if (strcmp(op, "evaluate") == 0)
        return evaluate(s, err);
    answer = json_object();
    if (strcmp(op, "describe") == 0)
        describe(s, answer);
    else if (strcmp(op, "bounds") == 0)
        status = bounds(s, answer, err);
    else if (strcmp(op, "close") == 0)
        *closed = true;
    else
        status = dse_fail(err, DSE_BAD_USAGE, "op \"%s\": must be " OPS, op);
    put_object(s->out, answer);
    return status;
}

static void put_error(struct dse_strbuf *out, const struct dse_error *err)
{
    dse_strbuf_add(out, HEAD "false, ");
    put_object(out, json_pack("{s:o}", "error", json_stringn_nocheck(err->message, strlen(err->message))));
}

enum dse_status dse_serve_line(struct dse_oracle *oracle, const char *line, size_t length, struct dse_strbuf *out, bool *closed,
                               struct dse_error *err)
{
    json_error_t at;
    size_t begin = out->length, head = begin + strlen(HEAD "true, ");
    struct served *s DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *s);
    *s = (struct served){.oracle = oracle, .question = &oracle->exploration.question, .out = out};
    bool known = false;
    dse_strbuf_add(out, HEAD "true, ");
    enum dse_status status = evaluate_known(s, line, length, &known, err);
    if (status == DSE_OK && known) {
        dse_strbuf_add(out, "}\n");
        return DSE_OK;
    }
    out->length = head;
    json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, &at);
    const json_t *id = json_object_get(json, "id");
    const char *op = json_string_value(json_object_get(json, "op"));
    s->line = json;
    if (status != DSE_OK)
        ;
    else if (json == NULL)
        status = dse_fail(err, DSE_BAD_INPUT, "column %d: %s", at.column, at.text);
    else if (op == NULL)
        status = dse_fail(err, DSE_BAD_USAGE, "a line is an object with \"op\": " OPS);
    else
        status = act(s, op, closed, err);
    if (status != DSE_OK) {
        out->length = begin;
        put_error(out, err);
    }
    if (out->length > begin + 2 && out->text[out->length - 2] == ',') /* nothing after "ok" */
        out->length -= 2;
    if (id != NULL) {
        dse_strbuf_add(out, ", ");
        put_object(out, json_pack("{s:O}", "id", id));
    }
    dse_strbuf_add(out, "}\n");
    json_decref(json);
    return status == DSE_CANCELLED ? status : DSE_OK;
}
