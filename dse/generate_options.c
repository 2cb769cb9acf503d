#include "dse/generate_options.h"

#include <string.h>

#include "core/strbuf.h"

void dse_generate_more_options(const char *family, struct dse_option_list *list)
{
    (void)family;
    for (const struct dse_kind *const *kind = dse_kinds; *kind != NULL; kind++)
        for (size_t i = 0; i < (*kind)->option_count; i++) {
            const struct dse_generate_option *option = &(*kind)->options[i];
            bool there = false;
            for (size_t k = 0; k < list->count; k++)
                there |= strcmp(list->items[k].name, option->name) == 0;
            if (!there)
                dse_option_list_add(list, (struct dse_option){.name = option->name, .argument = option->argument, .help = option->help});
        }
}

/* The bits of a list of words. */
static enum dse_status read_words(const struct dse_generate_option *option, const char *list, double *value,
                                  struct dse_error *err)
{
    unsigned bits = 0;
    while (*list != '\0') {
        size_t length = strcspn(list, ","), i = 0;
        while (option->words[i] != NULL && (strlen(option->words[i]) != length || strncmp(option->words[i], list, length) != 0))
            i++;
        if (option->words[i] == NULL) {
            struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
            for (size_t k = 0; option->words[k] != NULL; k++)
                dse_strbuf_printf(&words, "%s%s", k == 0 ? "" : option->words[k + 1] != NULL ? ", " : " or ", option->words[k]);
            return dse_fail(err, DSE_BAD_USAGE, "--%s %.*s: must be %s", option->name, (int)length, list, dse_strbuf_text(&words));
        }
        bits |= 1u << i;
        list += length + (list[length] == ',');
    }
    *value = bits;
    return DSE_OK;
}

static enum dse_status read_option(const struct dse_cli *cli, const struct dse_generate_option *option, double *value,
                                   struct dse_error *err)
{
    const char *text = dse_cli_value(cli, option->name);
    *value = option->initial;
    if (text == NULL)
        return DSE_OK;
    if (option->words != NULL)
        return read_words(option, text, value, err);
    if (!option->whole)
        return dse_cli_real(cli, option->name, option->minimum, option->maximum, option->initial, value, err);
    int64_t whole = 0;
    DSE_TRY(dse_cli_integer(cli, option->name, (int64_t)option->minimum, (int64_t)option->maximum, 0, &whole, err));
    *value = (double)whole;
    return DSE_OK;
}

static bool has_option(const struct dse_kind *kind, const char *name)
{
    for (size_t i = 0; i < kind->option_count; i++)
        if (strcmp(kind->options[i].name, name) == 0)
            return true;
    return false;
}

static enum dse_status choose_kind(const struct dse_cli *cli, const struct dse_kind **out, struct dse_error *err)
{
    const char *word = dse_cli_value(cli, "kind");
    struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
    *out = NULL;
    for (const struct dse_kind *const *kind = dse_kinds; *kind != NULL; kind++) {
        if ((*kind)->generate == NULL)
            continue;
        if (*out == NULL && (word == NULL || strcmp((*kind)->name, word) == 0))
            *out = *kind;
        dse_strbuf_printf(&words, "%s%s", words.length > 0 ? " or " : "", (*kind)->name);
    }
    return *out != NULL ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--kind %s: must be %s", word, dse_strbuf_text(&words));
}

enum dse_status dse_generate_options(const struct dse_cli *cli, const struct dse_kind **kind,
                                     double values[DSE_GENERATE_OPTIONS], struct dse_error *err)
{
    DSE_TRY(choose_kind(cli, kind, err));
    if ((*kind)->option_count > DSE_GENERATE_OPTIONS)
        return dse_fail(err, DSE_LIMIT, "the kind %s declares %zu options: at most %d", (*kind)->name, (*kind)->option_count,
                        DSE_GENERATE_OPTIONS);
    for (const struct dse_kind *const *other = dse_kinds; *other != NULL; other++)
        for (size_t i = 0; i < (*other)->option_count; i++)
            if (dse_cli_value(cli, (*other)->options[i].name) != NULL && !has_option(*kind, (*other)->options[i].name))
                return dse_fail(err, DSE_BAD_USAGE, "--%s: is an option of --kind %s, but this command generates %s",
                                (*other)->options[i].name, (*other)->name, (*kind)->title);
    for (size_t i = 0; i < (*kind)->option_count; i++)
        DSE_TRY(read_option(cli, &(*kind)->options[i], &values[i], err));
    return DSE_OK;
}
