#include "dse/generate_options.h"

#include <string.h>

static const struct {
    const char *word;
    enum dse_awkward flag;
} awkward_words[] = {
    {"crlf", DSE_AWKWARD_CRLF},
    {"no-space", DSE_AWKWARD_NO_SPACE},
    {"indent", DSE_AWKWARD_INDENT},
    {"no-final-newline", DSE_AWKWARD_NO_FINAL_NEWLINE},
    {"blank-tail", DSE_AWKWARD_BLANK_TAIL},
    {"shuffled", DSE_AWKWARD_SHUFFLED},
    {"repeated", DSE_AWKWARD_REPEATED},
    {"label-gaps", DSE_AWKWARD_LABEL_GAPS},
    {"isolated", DSE_AWKWARD_ISOLATED},
};
#define AWKWARD_COUNT (sizeof awkward_words / sizeof *awkward_words)

static enum dse_status read_awkward(const char *list, unsigned *flags, struct dse_error *err)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ","), i = 0;
        while (i < AWKWARD_COUNT && (strlen(awkward_words[i].word) != length ||
                                     strncmp(awkward_words[i].word, list, length) != 0))
            i++;
        if (i == AWKWARD_COUNT)
            return dse_fail(err, DSE_BAD_USAGE, "--awkward %.*s: must be crlf, no-space, indent, no-final-newline, "
                            "blank-tail, shuffled, repeated, label-gaps or isolated", (int)length, list);
        *flags |= awkward_words[i].flag;
        list += length + (list[length] == ',');
    }
    return DSE_OK;
}

enum dse_status dse_generate_options(const struct dse_cli *cli, struct dse_generate *what, struct dse_error *err)
{
    const struct {
        const char *option;
        int64_t minimum, maximum, *value;
    } wholes[] = {
        {"graphs", 1, 1000000, &what->graphs},
        {"classes", 1, 1000000, &what->classes},
        {"labels", 0, 100000, &what->labels},
        {"attributes", 0, 10000, &what->attributes},
    };
    const struct {
        const char *option;
        double minimum, maximum, *value;
    } reals[] = {
        {"nodes", 1, 100000, &what->mean_nodes},
        {"spread", 0, 100000, &what->node_spread},
        {"degree", 0, 1000, &what->mean_degree},
        {"feature-signal", 0, 1, &what->feature_signal},
        {"structure-signal", 0, 1, &what->structure_signal},
    };
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes && status == DSE_OK; i++)
        status = dse_cli_integer(cli, wholes[i].option, wholes[i].minimum, wholes[i].maximum, *wholes[i].value,
                                 wholes[i].value, err);
    for (size_t i = 0; i < sizeof reals / sizeof *reals && status == DSE_OK; i++)
        status = dse_cli_real(cli, reals[i].option, reals[i].minimum, reals[i].maximum, *reals[i].value,
                              reals[i].value, err);
    const char *awkward = dse_cli_value(cli, "awkward");
    return status == DSE_OK && awkward != NULL ? read_awkward(awkward, &what->awkward, err) : status;
}
