#include "devices/board_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void dse_board_rules_resources(struct dse_xml *doc, const struct dse_board *board, dse_xml_node chip,
                               dse_xml_node platform)
{
    if (chip == NULL || platform == NULL)
        return;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (board->chip[r] >= 0 && board->platform[r] > board->chip[r])
            dse_xml_problem(doc, platform, dse_resource_names[r], "must not be above the chip's %lld",
                            (long long)board->chip[r]);
    if (board->chip[DSE_LUT] >= 0 && board->chip[DSE_LUTRAM] > board->chip[DSE_LUT])
        dse_xml_problem(doc, chip, "lutram", "must not be above lut, which includes it");
}

/* Adds a problem for each `child` with the name of an earlier one, and if there are more than `most`. */
static void reject_names(struct dse_xml *doc, dse_xml_node parent, const char *child, size_t most)
{
    size_t count = 0;
    for (dse_xml_node n = dse_xml_first(parent, child); n != NULL; n = dse_xml_next(n, child)) {
        if (++count == most + 1)
            dse_xml_problem(doc, n, NULL, "a board has %zu at most", most);
        const char *name = dse_xml_text(doc, n, "name");
        for (dse_xml_node e = dse_xml_first(parent, child); name != NULL && e != n;
             e = dse_xml_next(e, child)) {
            const char *earlier = dse_xml_text(doc, e, "name");
            if (earlier != NULL && strcmp(earlier, name) == 0) {
                dse_xml_problem(doc, n, "name", "is the name of an earlier <%s>", child);
                break;
            }
        }
    }
}

void dse_board_rules_memories(struct dse_xml *doc, dse_xml_node memories)
{
    if (memories == NULL)
        return;
    size_t fitted = 0;
    for (dse_xml_node n = dse_xml_first(memories, "memory"); n != NULL; n = dse_xml_next(n, "memory")) {
        const char *answer = dse_xml_text(doc, n, "fitted");
        fitted += answer == NULL || strcmp(answer, "no") != 0;
    }
    if (fitted == 0)
        dse_xml_problem(doc, memories, NULL, "needs a child element <memory> that is fitted");
    reject_names(doc, memories, "memory", DSE_MEMORY_MAX);
}

/* The first `child` of `parent` whose attribute has this value. */
static dse_xml_node find_by(struct dse_xml *doc, dse_xml_node parent, const char *child,
                            const char *attribute, const char *value)
{
    for (dse_xml_node n = dse_xml_first(parent, child); n != NULL; n = dse_xml_next(n, child)) {
        const char *text = dse_xml_text(doc, n, attribute);
        if (text != NULL && strcmp(text, value) == 0)
            return n;
    }
    return NULL;
}

/* A whole number of a port, or 0 if the reader has reported a problem with it. */
static int64_t value_of(struct dse_xml *doc, dse_xml_node port, const char *attribute, int64_t minimum, int64_t maximum)
{
    const char *text = dse_xml_text(doc, port, attribute);
    char *end = NULL;
    const long long value = text != NULL ? strtoll(text, &end, 10) : 0;
    return end != text && *end == '\0' && value >= minimum && value <= maximum ? value : 0;
}

static void check_port(struct dse_xml *doc, dse_xml_node port, dse_xml_node memories)
{
    const char *memory = dse_xml_text(doc, port, "memory");
    if (memory != NULL && find_by(doc, memories, "memory", "name", memory) == NULL)
        dse_xml_problem(doc, port, "memory", "no <memory> has this name");
    const int64_t width = value_of(doc, port, "width_bits", 8, 4096);
    const int64_t beats = value_of(doc, port, "max_burst_beats", 1, 256);
    if (width > 0 && (width & (width - 1)) != 0)
        dse_xml_problem(doc, port, "width_bits", "must be a power of two");
    if (width / 8 * beats > 4096)
        dse_xml_problem(doc, port, "max_burst_beats", "a burst must not pass 4096 bytes (AXI4): at most %lld",
                        (long long)(4096 / (width / 8)));
}

void dse_board_rules_ports(struct dse_xml *doc, dse_xml_node ports, dse_xml_node memories)
{
    if (ports == NULL || memories == NULL)
        return;
    reject_names(doc, ports, "port", DSE_PORT_MAX);
    for (dse_xml_node n = dse_xml_first(ports, "port"); n != NULL; n = dse_xml_next(n, "port"))
        check_port(doc, n, memories);
    for (dse_xml_node m = dse_xml_first(memories, "memory"); m != NULL; m = dse_xml_next(m, "memory")) {
        const char *name = dse_xml_text(doc, m, "name");
        const char *fitted = dse_xml_text(doc, m, "fitted");
        if (fitted != NULL && strcmp(fitted, "no") == 0)
            continue;
        if (name != NULL && find_by(doc, ports, "port", "memory", name) == NULL)
            dse_xml_problem(doc, m, "name", "no <port> leads to this memory");
    }
}

static void check_cap(struct dse_xml *doc, dse_xml_node node, const struct dse_clock_cap *cap,
                      const struct dse_clock_cap *slower)
{
    if (cap->clock_hz < slower->clock_hz + 1e3) /* a kilohertz apart, so that no rounding joins them */
        dse_xml_problem(doc, node, "mhz", "must be above the %g of the cap before", slower->clock_hz / 1e6);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (cap->utilisation[r] > slower->utilisation[r])
            dse_xml_problem(doc, node, dse_resource_names[r],
                            "must not be above the %g of the cap before, which is for a slower clock",
                            slower->utilisation[r]);
}

void dse_board_rules_clocks(struct dse_xml *doc, const struct dse_board *board, dse_xml_node clocks)
{
    if (board->cap_count == 0) {
        dse_xml_problem(doc, clocks, NULL, "needs a child element <cap>");
        return;
    }
    dse_xml_node node = dse_xml_first(clocks, "cap");
    for (size_t i = 1; i < board->cap_count; i++) {
        node = dse_xml_next(node, "cap");
        check_cap(doc, node, &board->caps[i], &board->caps[i - 1]);
    }
    if (board->default_clock_hz > board->max_clock_hz)
        dse_xml_problem(doc, clocks, "default_mhz", "must not be above max_mhz");
    double last_hz = board->caps[board->cap_count - 1].clock_hz;
    if (board->max_clock_hz > last_hz)
        dse_xml_problem(doc, clocks, "max_mhz", "must not be above the last cap's %g", last_hz / 1e6);
}

/* The text without any white space, counted. */
static size_t ink(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += !isspace((unsigned char)*text);
    return count;
}

static void reject_stray_text(struct dse_xml *doc, dse_xml_node node, int depth)
{
    static const char *const textual[] = {"source", "note"};
    for (size_t i = 0; i < sizeof textual / sizeof *textual; i++)
        if (strcmp(dse_xml_name(node), textual[i]) == 0)
            return;
    size_t in_children = 0;
    for (dse_xml_node c = dse_xml_first(node, NULL); c != NULL; c = dse_xml_next(c, NULL)) {
        in_children += ink(dse_xml_content(doc, c));
        if (depth > 0)
            reject_stray_text(doc, c, depth - 1);
    }
    if (ink(dse_xml_content(doc, node)) > in_children)
        dse_xml_problem(doc, node, NULL, "must not hold text; put text into <source> and <note>");
}

void dse_board_rules_text(struct dse_xml *doc, dse_xml_node root)
{
    reject_stray_text(doc, root, 3); /* board, memories, memory, rate: values lie no deeper */
}
