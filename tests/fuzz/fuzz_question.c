/* Feeds what people ask for: `--where` and `--set` texts, or, where the input begins with '<', a file of knobs. What is
 * accepted comes back the same: a term from its own text, a value of a knob as it is written, a quantity finite. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/units.h"
#include "models/model.h"
#include "space/where.h"
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
    require(dse_space_size(space, ~(dse_knob_set)0) > 0);
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
    dse_config_setting(space, &config, ~(dse_knob_set)0, &setting);
    require(dse_config_apply(space, &again, &setting, NULL) == DSE_OK);
    require(memcmp(config.value, again.value, space->count * sizeof *config.value) == 0);
    dse_setting_free(&setting);
}

static void read_words(const struct dse_space *space, const char *text)
{
    struct dse_expression expression, again;
    struct dse_error err = {0};
    enum dse_status status = dse_expression_parse(text, &expression, &err);
    require(status == DSE_OK || err.message[0] != '\0');
    for (size_t i = 0; status == DSE_OK && i < expression.count; i++) {
        const struct dse_term *term = &expression.terms[i];
        char line[256];
        snprintf(line, sizeof line, "%s %s %s", term->name, dse_comparison_sign(term->comparison), term->value);
        require(dse_expression_parse(line, &again, NULL) == DSE_OK && again.count == 1 &&
                strcmp(again.terms[0].value, term->value) == 0 && again.terms[0].comparison == term->comparison);
        read_quantity(term->value);
        snprintf(line, sizeof line, "%s=%s", term->name, term->value);
        set_knob(space, line);
    }
    read_quantity(text);
    set_knob(space, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct dse_space *space; /* the shipped one, read once: it stays reachable to the end */
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
