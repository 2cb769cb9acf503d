/* Fuzzes the TUDataset parser: the input is the five files in the order of enum dse_tudataset_part, with a line `%%` between them; a file
 * that begins with `absent` is missing. */
#include "datasets/tudataset.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/fuzz/input.h"

#define SEPARATOR "\n%%\n"

/* Splits the texts in place, with a NUL after each. */
static void split(char *text, size_t size, struct dse_text parts[DSE_TUDATASET_PARTS])
{
    static char name[] = "F";
    char *end = text + size;
    for (int i = 0; i < DSE_TUDATASET_PARTS; i++) {
        parts[i] = (struct dse_text){.name = name};
        if (text == NULL)
            continue;
        char *next = NULL;
        for (char *at = text; next == NULL && at + strlen(SEPARATOR) <= end; at++)
            if (memcmp(at, SEPARATOR, strlen(SEPARATOR)) == 0)
                next = at;
        size_t length = (size_t)((next != NULL ? next : end) - text);
        text[length] = '\0';
        if (strncmp(text, "absent", 6) != 0) {
            parts[i].data = text;
            parts[i].size = length;
        }
        text = next != NULL ? next + strlen(SEPARATOR) : NULL;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_input(data, size);
    struct dse_text parts[DSE_TUDATASET_PARTS];
    split(text, size, parts);
    struct dse_graph_set *set;
    struct dse_error err = {0};
    enum dse_status status = dse_tudataset_parse("F", parts, &set, &err);
    require(status == DSE_OK ? set != NULL : set == NULL && err.message[0] != '\0');
    if (status == DSE_OK)
        check_set(set);
    dse_graph_set_free(set);
    free(text);
    return 0;
}
