/* Every problem of a board file: those of the reader, and those that only the schema finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"
#include "devices/board_rules.h"
#include "devices/catalogue.h"
#include "devices/families.h"

/* "file:14: " of a problem line: two problems with the same place are assumed to be the same one. */
static size_t place_length(const char *problem, const char *path)
{
    size_t length = strlen(path);
    if (strncmp(problem, path, length) != 0 || problem[length] != ':')
        return 0;
    size_t digits = strspn(problem + length + 1, "0123456789");
    return length + 1 + digits;
}

/* A problem to print, and its line in the file; 0 if it has none. */
struct line {
    const char *text;
    long number;
    size_t order; /* place in the order of finding */
};

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Lists the problems in the file's order, each once. Omits a schema problem if the reader has reported one in the same line. */
static void add_problems(const struct dse_xml *doc, const char *path, size_t from_reader, struct dse_strbuf *problems, size_t *count)
{
    size_t all = dse_xml_problem_count(doc);
    struct line *lines DSE_CLEANUP(dse_free_at) = dse_malloc(all * sizeof *lines);
    for (size_t i = 0; i < all; i++) {
        const char *text = dse_xml_problem_at(doc, i);
        size_t place = place_length(text, path);
        bool known = false;
        for (size_t k = 0; i >= from_reader && !known && k < from_reader; k++)
            known = strncmp(dse_xml_problem_at(doc, k), text, place + 1) == 0;
        if (!known)
            lines[(*count)++] = (struct line){text, place > 0 ? strtol(text + strlen(path) + 1, NULL, 10) : 0, i};
    }
    qsort(lines, *count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < *count; i++)
        dse_strbuf_printf(problems, "%s\n", lines[i].text);
}

#define MARGIN 2 /* a part missing in the catalogue may exceed its largest part, or fall below its smallest, by this factor */

/* Whether the reader has already reported a problem of this resource. */
static bool is_told(const struct dse_xml *doc, const char *resource)
{
    char attribute[64];
    bool told = false;
    snprintf(attribute, sizeof attribute, "<chip %s=", resource);
    for (size_t i = 0; i < dse_xml_problem_count(doc) && !told; i++)
        told = strstr(dse_xml_problem_at(doc, i), attribute) != NULL;
    return told;
}

/* No cap is above what the family's clock network carries. */
static void check_clocks(struct dse_xml *doc, const struct dse_board *board)
{
    int most_mhz = dse_family_clock_mhz(board->family);
    dse_xml_node clocks = dse_xml_first(dse_xml_root(doc, "board"), "clocks"), node = clocks != NULL ? dse_xml_first(clocks, "cap") : NULL;
    for (size_t i = 0; i < board->cap_count && node != NULL; i++, node = dse_xml_next(node, "cap"))
        if (board->caps[i].clock_hz > most_mhz * 1e6)
            dse_xml_problem(doc, node, "mhz", "must be at most %d, which the clock network of %s carries in its fastest speed grade", most_mhz, board->family);
}

/* Highest data rate in MT/s of each memory technology. Source: JEDEC standards JESD79-3F, JESD79-4, JESD79-5C, JESD209-4, JESD209-5C (LPDDR5X) and
 * JESD235D. A longer name precedes one that is its prefix. */
static const struct {
    const char *technology;
    double mtps;
} fastest[] = {{"DDR3", 2133}, {"DDR4", 3200}, {"DDR5", 8800}, {"LPDDR4", 4267}, {"LPDDR5", 8533}, {"HBM2E", 3600}, {"HBM2", 2400}};

#define CHANNELS_MOST 64 /* twice the pseudo-channels of the largest HBM parts */

/* No memory exceeds the data rate of its technology or CHANNELS_MOST. */
static void check_memories(struct dse_xml *doc, const struct dse_board *board)
{
    dse_xml_node memories = dse_xml_first(dse_xml_root(doc, "board"), "memories"), node = memories != NULL ? dse_xml_first(memories, "memory") : NULL;
    for (size_t i = 0; i < board->memory_count && node != NULL; i++, node = dse_xml_next(node, "memory")) {
        const struct dse_memory *memory = &board->memories[i];
        dse_xml_node rate = dse_xml_first(node, "rate");
        if (memory->channels > CHANNELS_MOST)
            dse_xml_problem(doc, node, "channels", "must be at most %d", CHANNELS_MOST);
        for (size_t t = 0; t < sizeof fastest / sizeof *fastest; t++) {
            if (memory->technology == NULL || rate == NULL || strncmp(memory->technology, fastest[t].technology, strlen(fastest[t].technology)) != 0)
                continue;
            if (memory->nominal_transfers_hz > fastest[t].mtps * 1e6)
                dse_xml_problem(doc, rate, "nominal_mtps", "must be at most %g, the fastest of %s", fastest[t].mtps, fastest[t].technology);
            break;
        }
    }
}

/* A chip has at most twice and at least half of each resource of its part. If the catalogue lacks the part, the largest and the smallest part of its
 * family count. For a family without parts nothing is known. */
static enum dse_status check_plausible(struct dse_xml *doc, const struct dse_board *board, struct dse_error *err)
{
    struct dse_catalogue *catalogue DSE_CLEANUP(dse_catalogue_free_at) = NULL;
    int64_t most[DSE_RESOURCE_COUNT] = {0}, least[DSE_RESOURCE_COUNT] = {0};
    bool known = false;
    if (board->family == NULL) /* the reader has reported the reason */
        return DSE_OK;
    check_clocks(doc, board);
    check_memories(doc, board);
    dse_xml_node resources = dse_xml_first(dse_xml_root(doc, "board"), "resources");
    dse_xml_node chip = resources != NULL ? dse_xml_first(resources, "chip") : NULL;
    DSE_TRY(dse_catalogue_open(&catalogue, err));
    const struct dse_device *own = board->part != NULL ? dse_catalogue_device(catalogue, board->part) : NULL;
    for (size_t i = 0; i < catalogue->device_count; i++) {
        const struct dse_device *device = &catalogue->devices[i];
        if (own != NULL ? device != own : strcmp(device->family, board->family) != 0)
            continue;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            most[r] = device->chip[r] > most[r] ? device->chip[r] : most[r];
            least[r] = !known || device->chip[r] < least[r] ? device->chip[r] : least[r];
        }
        known = true;
    }
    const char *large = own != NULL ? "" : "the largest part of ", *small = own != NULL ? "" : "the smallest part of ", *of = own != NULL ? own->name : board->family;
    for (int r = 0; r < DSE_RESOURCE_COUNT && known && chip != NULL; r++) {
        if (is_told(doc, dse_resource_names[r]))
            continue;
        if (board->chip[r] > MARGIN * most[r])
            dse_xml_problem(doc, chip, dse_resource_names[r], "must be at most %lld, %d times the value of %s%s", (long long)(MARGIN * most[r]), MARGIN, large, of);
        else if (board->chip[r] < least[r] / MARGIN)
            dse_xml_problem(doc, chip, dse_resource_names[r], "must be at least %lld, half of the value of %s%s", (long long)(least[r] / MARGIN), small, of);
    }
    return DSE_OK;
}

enum dse_status dse_board_check(const char *path, struct dse_strbuf *problems, size_t *count,
                                struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    char *schema DSE_CLEANUP(dse_free_at) = NULL;
    *count = 0;
    enum dse_status status = dse_xml_read_file(path, DSE_BOARD_BYTES_MAX, &doc, err);
    if (status == DSE_BAD_INPUT) {
        dse_strbuf_printf(problems, "%s\n", err->message);
        *count = 1;
        return DSE_OK;
    }
    DSE_TRY(status);
    struct dse_board *board DSE_CLEANUP(dse_board_free_at) = dse_board_of_document(doc, path);
    DSE_TRY(check_plausible(doc, board, err));
    size_t from_reader = dse_xml_problem_count(doc);
    DSE_TRY(dse_share_find("schema/board.xsd", &schema, err));
    DSE_TRY(dse_xml_validate(doc, schema, err));
    add_problems(doc, path, from_reader, problems, count);
    return DSE_OK;
}
