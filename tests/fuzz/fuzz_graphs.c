/* Fuzzes the other graph formats. The first byte selects the format: `<` GraphML; `e` edge lists, the three texts in the order of enum
 * dse_edgelist_part with a line `%%` between them (a text that begins with `absent` is missing); `n` a .npz of arrays with correct
 * checksums, each given by four bytes and its elements: name, type, rank and length, as add_array() takes them. */
#include <stdio.h>
#include <unistd.h>

#include "datasets/csr.h"
#include "datasets/edgelist.h"
#include "datasets/graphml.h"
#include "datasets/npz.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/fuzz/input.h"

#define SEPARATOR "\n%%\n"

static char name[] = "F";

static void check(enum dse_status status, struct dse_graph_set *set, const struct dse_error *err)
{
    require(status == DSE_OK ? set != NULL : err->message[0] != '\0');
    if (status == DSE_OK)
        check_set(set);
    dse_graph_set_free(set);
}

static void graphml(char *text, size_t size)
{
    struct dse_text part = {.name = name, .data = text, .size = size};
    struct dse_assembly assembly = {0};
    struct dse_graph_set *set = NULL;
    struct dse_error err = {0};
    enum dse_status status = dse_graphml_add(&part, &assembly, &err);
    if (status == DSE_OK)
        status = dse_assembly_finish(&assembly, name, name, &set, &err);
    dse_assembly_free(&assembly);
    check(status, set, &err);
}

static void edge_lists(char *text)
{
    struct dse_text parts[DSE_EDGELIST_PARTS];
    struct dse_graph_set *set = NULL;
    struct dse_error err = {0};
    for (int i = 0; i < DSE_EDGELIST_PARTS; i++) {
        char *next = text != NULL ? strstr(text, SEPARATOR) : NULL;
        parts[i] = (struct dse_text){.name = name};
        if (text == NULL)
            break;
        if (next != NULL)
            *next = '\0';
        if (strncmp(text, "absent", 6) != 0) {
            parts[i].data = text;
            parts[i].size = strlen(text);
        }
        text = next != NULL ? next + strlen(SEPARATOR) : NULL;
    }
    for (int i = 0; i < DSE_EDGELIST_PARTS; i++)
        if (parts[i].data == NULL)
            return; /* the containing pack provides all three */
    enum dse_status status = dse_edgelist_parse(name, parts, &set, &err);
    check(status, set, &err);
}

/* An element from a byte: the byte's value; the last values give the limits of the type. */
static void put_element(uint8_t *at, const char *type, size_t bytes, uint8_t from)
{
    if (type[1] == 'f') {
        double number = from > 250 ? (from == 255 ? (double)NAN : from == 254 ? 1e300 : -0.5) : from > 200 ? -(double)(from - 200) : from;
        float narrow = (float)number;
        memcpy(at, bytes == 8 ? (void *)&number : (void *)&narrow, bytes);
        return;
    }
    uint64_t number = from == 255 ? UINT64_MAX : from == 254 ? (uint64_t)1 << (8 * bytes - 1) : from;
    memcpy(at, &number, bytes);
}

/* Returns the number of consumed bytes. */
static size_t add_array(struct dse_npz_writer *writer, const uint8_t *data, size_t size)
{
    static const char *const names[] = {"indptr", "indices", "edge_index", "ptr", "graph_ptr", "batch", "y", "node_labels", "z", "x", "shape"};
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"<i8", 8}, {"<i4", 4}, {"|i1", 1}, {"|u1", 1}, {"<i2", 2}, {"<u4", 4}, {"<u8", 8}, {"<f4", 4}, {"<f8", 8}, {"|b1", 1}};
    size_t n = data[0] % (sizeof names / sizeof *names), t = data[1] % (sizeof types / sizeof *types), rank = data[2] % 3, first = data[3];
    size_t second = data[2] >= 6 ? data[2] / 6u : 2; /* rank 2: 2 × arcs, or attributes */
    bool lies_flat = rank == 2 && n == 2;
    size_t count = rank == 0 ? 1 : rank == 1 ? first : first * second;
    const size_t shape[2] = {lies_flat ? second : first, rank == 2 ? (lies_flat ? first : second) : 0};
    uint8_t *at = dse_npz_add(writer, names[n], types[t].name, types[t].bytes, rank, shape);
    for (size_t i = 0; at != NULL && i < count; i++)
        put_element(at + i * types[t].bytes, types[t].name, types[t].bytes, 4 + i < size ? data[4 + i] : 0);
    return 4 + count;
}

static void arrays(const uint8_t *data, size_t size)
{
    static char path[64];
    struct dse_npz_writer *writer = NULL;
    struct dse_graph_set *set = NULL;
    struct dse_error err = {0};
    if (path[0] == '\0')
        snprintf(path, sizeof path, "%s/nysx-fuzz-%ld.npz", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    writer = dse_npz_begin();
    for (size_t used = 0; size >= 4; data += used, size -= used < size ? used : size)
        used = add_array(writer, data, size);
    if (dse_npz_finish(writer, path, &err) == DSE_OK) { /* a repeated name is rejected */
        enum dse_status status = dse_csr_read(path, name, &set, &err);
        check(status, set, &err);
    }
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_input(data, size);
    if (size > 0 && data[0] == 'n')
        arrays(data + 1, size - 1);
    else if (size > 0 && data[0] == 'e')
        edge_lists(text + 1);
    else
        graphml(text, size);
    free(text);
    return 0;
}
