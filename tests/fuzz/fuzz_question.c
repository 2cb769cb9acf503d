/* Fuzzes `--where` and `--set` texts, or, if the input begins with '<', a file of knobs. Accepted texts read back equal: a term from its
 * text, a knob's value as written; quantities are finite. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/units.h"
#include "models/model.h"
#include "space/where.h"
#include "space/expression.h"
#include "space/space.h"
#include "tests/fuzz/input.h"

static void check_space(const struct dse_space *space)
{
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        require(knob->minimum <= knob->fallback && knob->fallback <= knob->maximum && knob->domain_count > 0);
        for (size_t v = 0; v < knob->domain_count; v++) {
            char text[128];
            int64_t again = 0;
            dse_knob_format(knob, knob->domain[v], text, sizeof text);
            require(dse_knob_parse(knob, text, &again, NULL) == DSE_OK && again == knob->domain[v]);
        }
    }
    require(dse_space_size(space, dse_bits_all()) > 0);
}

static void read_space(const uint8_t *data, size_t size)
{
    const struct dse_model_family *family = dse_model_find("nysx");
    int file = memfd_create("space", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    struct dse_space *space = NULL;
    struct dse_error err = {0};
    enum dse_status status = dse_model_space(family, path, &space, &err);
    require(status == DSE_OK ? space != NULL : space == NULL && err.message[0] != '\0');
    if (status == DSE_OK)
        check_space(space);
    dse_space_free(space);
    close(file);
}

static void read_quantity(const char *text)
{
    for (int d = DSE_DIMENSION_NONE; d <= DSE_DIMENSION_BANDWIDTH; d++) {
        double value = 0;
        bool percent = false;
        const char *end = NULL;
        if (dse_quantity_parse(text, (enum dse_dimension)d, &value, &percent, &end))
            require(isfinite(value) && end > text && end <= text + strlen(text));
    }
}

static void set_knob(const struct dse_space *space, const char *assignment)
{
    struct dse_config config, again;
    dse_space_default(space, &config);
    again = config;
    if (dse_config_assign(space, &config, assignment, NULL) != DSE_OK)
        return;
    struct dse_setting setting = {0};
    dse_config_setting(space, &config, dse_bits_all(), &setting);
    require(dse_config_apply(space, &again, &setting, NULL) == DSE_OK);
    require(memcmp(config.value, again.value, space->count * sizeof *config.value) == 0);
    dse_setting_free(&setting);
}

/* Conditions over knobs: compiled, written back, read again and evaluated to the same value. */
static void compute(const struct dse_space *space, const char *text)
{
    struct dse_arena arena DSE_CLEANUP(dse_arena_free) = {0};
    struct dse_strbuf written DSE_CLEANUP(dse_strbuf_free) = {0};
    const struct dse_place place = {.file = "words", .line = 1, .column = 1};
    struct dse_symbol symbols[DSE_KNOB_MAX];
    double slots[DSE_KNOB_MAX], value = 0.0, other = 0.0;
    const struct dse_scope scope = {.symbols = symbols, .count = space->count};
    struct dse_formula formula, again;
    const struct dse_code *code, *same;
    struct dse_error err = {0};
    for (size_t k = 0; k < space->count; k++) {
        symbols[k] = dse_symbol_of_knob(&space->knobs[k]);
        slots[k] = dse_slot_of_knob(&space->knobs[k], space->knobs[k].fallback);
    }
    if (dse_formula_parse(&arena, text, &place, &formula, &err) != DSE_OK || dse_formula_compile(&arena, &formula, &scope, &code, &err) != DSE_OK) {
        require(err.message[0] != '\0');
        return;
    }
    dse_formula_format(&formula, &scope, NULL, &written);
    enum dse_status status = dse_code_evaluate(code, slots, &value, &err);
    require(dse_formula_parse(&arena, dse_strbuf_text(&written), &place, &again, &err) == DSE_OK);
    require(dse_formula_compile(&arena, &again, &scope, &same, &err) == DSE_OK);
    require(dse_code_evaluate(same, slots, &other, &err) == status && (status != DSE_OK || (isfinite(value) && value == other)));
}

static void read_words(const struct dse_space *space, const char *text)
{
    struct dse_expression expression, again;
    struct dse_error err = {0};
    enum dse_status status = dse_expression_parse(text, &expression, &err);
    require(status == DSE_OK || err.message[0] != '\0');
    for (size_t i = 0; status == DSE_OK && i < expression.count; i++) {
        const struct dse_term *term = &expression.terms[i];
        char line[1024];
        if (term->length >= sizeof line)
            continue;
        snprintf(line, sizeof line, "%.*s", (int)term->length, term->text);
        require(dse_expression_parse(line, &again, NULL) == DSE_OK && again.count == 1 && again.terms[0].length == term->length &&
                strcmp(again.terms[0].name, term->name) == 0 && strcmp(again.terms[0].value, term->value) == 0);
        compute(space, line);
        read_quantity(term->value);
        snprintf(line, sizeof line, "%s=%s", term->name, term->value);
        set_knob(space, line);
    }
    read_quantity(text);
    set_knob(space, text);
    compute(space, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct dse_space *space; /* the shipped one, read once and kept */
    if (space == NULL)
        require(dse_model_space(dse_model_find("nysx"), NULL, &space, NULL) == DSE_OK);
    if (size > 0 && data[0] == '<') {
        read_space(data, size);
        return 0;
    }
    char *text = copy_input(data, size);
    read_words(space, text);
    free(text);
    return 0;
}
