/* Feeds the TUDataset parser: the input is the five files in the order of enum dse_tudataset_part, with a line `%%`
 * between them; a file that begins with `absent` is not there. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/tudataset.h"

#define SEPARATOR "\n%%\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

/* What every other part of the program relies on. */
static void check_set(const struct dse_graph_set *set)
{
    require(set->graph_count >= 1 && set->graph_begin[0] == 0);
    require(set->graph_begin[set->graph_count] == set->node_count);
    require(set->row_begin[0] == 0 && set->row_begin[set->node_count] == set->arc_count);
    for (size_t g = 0; g < set->graph_count; g++) {
        require(set->graph_begin[g] < set->graph_begin[g + 1]);
        require(set->graph_label[g] >= 0 && (size_t)set->graph_label[g] < set->class_count);
        for (size_t v = set->graph_begin[g]; v < set->graph_begin[g + 1]; v++)
            for (size_t i = set->row_begin[v]; i < set->row_begin[v + 1]; i++) {
                require(set->column[i] >= 0 && (size_t)set->column[i] < dse_graph_nodes(set, g));
                require(i == set->row_begin[v] || set->column[i - 1] < set->column[i]);
            }
    }
    for (size_t v = 0; set->node_label != NULL && v < set->node_count; v++)
        require(set->node_label[v] >= 0 && (size_t)set->node_label[v] < set->node_label_count);
    require(set->hash == dse_graph_set_hash(set));
}

/* Cuts the texts apart in place, with a NUL behind each. */
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
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
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
