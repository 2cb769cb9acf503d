/* Directives as macros that expand to pragmas, and the kernel's ports. Spellings: AMD UG1399, "HLS Pragmas". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit/hls/parts.h"
#include "emit/hls/words.h"

static const char *const kind_words[DSE_HLS_DIRECTIVE_COUNT] = {
    [DSE_HLS_PIPELINE] = "PIPELINE",   [DSE_HLS_UNROLL] = "UNROLL",   [DSE_HLS_LOOP_TRIPCOUNT] = "LOOP_TRIPCOUNT",
    [DSE_HLS_DATAFLOW] = "DATAFLOW",   [DSE_HLS_ARRAY_PARTITION] = "ARRAY_PARTITION",
    [DSE_HLS_INLINE] = "INLINE",       [DSE_HLS_ALLOCATION] = "ALLOCATION",
    [DSE_HLS_ARRAY_RESHAPE] = "ARRAY_RESHAPE", [DSE_HLS_AGGREGATE] = "AGGREGATE", [DSE_HLS_DEPENDENCE] = "DEPENDENCE",
    [DSE_HLS_BIND_STORAGE] = "BIND_STORAGE", [DSE_HLS_STREAM] = "STREAM"};

/* The macro of a directive: its kind and target, NYSX_UNROLL_KSE_PES; of a function, NYSX_DATAFLOW_ENCODE. The
 * family's name in front of either is left out. */
static void add_macro(const struct dse_hls_design *design, const struct dse_hls_directive *directive,
                      struct dse_strbuf *out)
{
    const char *family = design->setup->family->name, *target = directive->target;
    if (target == NULL)
        target = directive->function;
    if (strncmp(target, family, strlen(family)) == 0 && target[strlen(family)] == '_')
        target += strlen(family) + 1;
    dse_hls_macro(design, out, kind_words[directive->kind]);
    dse_strbuf_add_char(out, '_', 1);
    dse_words_macro(out, target);
}

static void add_number(const struct dse_hls_design *design, const struct dse_hls_directive *directive,
                       struct dse_strbuf *out)
{
    if (directive->by != NULL)
        dse_hls_macro(design, out, directive->by);
    else
        dse_strbuf_printf(out, "%" PRId64, directive->number);
}

/* Tables are read from two sides, and where that is not enough there are copies. UltraRAM is no ROM: it takes no contents
 * from the bitstream (UG901) and is loaded. */
const char *dse_hls_storage(const struct dse_hls_directive *directive)
{
    bool uram = strcmp(directive->word, "uram") == 0;
    return directive->number > 2 ? (uram ? "ram_1wnr" : "rom_np") : uram ? "ram_2p" : "rom_2p";
}

/* What stands behind the kind in the pragma. */
static void add_options(const struct dse_hls_design *design, const struct dse_hls_directive *directive,
                        struct dse_strbuf *out)
{
    if (directive->kind >= DSE_HLS_ARRAY_PARTITION)
        dse_strbuf_printf(out, " variable=%s", directive->target);
    if (directive->kind == DSE_HLS_ARRAY_RESHAPE || (directive->kind == DSE_HLS_ARRAY_PARTITION && directive->number == 0))
        dse_strbuf_printf(out, " type=complete dim=%d", directive->dimension);
    else if (directive->kind == DSE_HLS_LOOP_TRIPCOUNT)
        dse_strbuf_printf(out, " min=1 max=%" PRId64 " avg=%" PRId64, directive->number, directive->mean);
    else if (directive->kind == DSE_HLS_INLINE)
        dse_strbuf_add(out, " off");
    else if (directive->kind == DSE_HLS_ALLOCATION)
        dse_strbuf_printf(out, " function instances=%s limit=1", directive->target);
    else if (directive->kind == DSE_HLS_DEPENDENCE)
        dse_strbuf_add(out, " type=inter dependent=false");
    else if (directive->kind == DSE_HLS_AGGREGATE)
        return;
    else if (directive->kind == DSE_HLS_BIND_STORAGE)
        dse_strbuf_printf(out, " type=%s impl=%s", dse_hls_storage(directive), directive->word);
    else if (directive->kind != DSE_HLS_DATAFLOW && (directive->kind != DSE_HLS_UNROLL || directive->number > 0)) {
        static const char *const names[DSE_HLS_DIRECTIVE_COUNT] = {
            [DSE_HLS_PIPELINE] = " II=", [DSE_HLS_UNROLL] = " factor=", [DSE_HLS_STREAM] = " depth=",
            [DSE_HLS_ARRAY_PARTITION] = " type=cyclic factor="};
        dse_strbuf_add(out, names[directive->kind]);
        add_number(design, directive, out);
        if (directive->kind == DSE_HLS_ARRAY_PARTITION)
            dse_strbuf_printf(out, " dim=%d", directive->dimension);
    }
}

static void add_pragma(const struct dse_hls_design *design, const struct dse_hls_directive *directive,
                       struct dse_strbuf *out)
{
    dse_strbuf_add_char(out, ' ', 1);
    dse_hls_macro(design, out, "PRAGMA");
    dse_strbuf_printf(out, "(HLS %s", kind_words[directive->kind]);
    add_options(design, directive, out);
    dse_strbuf_add_char(out, ')', 1);
}

static bool same_macro(const struct dse_hls_directive *a, const struct dse_hls_directive *b)
{
    const char *x = a->target != NULL ? a->target : a->function, *y = b->target != NULL ? b->target : b->function;
    return a->kind == b->kind && strcmp(x, y) == 0;
}

/* A target with several directives of a kind (the dimensions of an array) has them in one macro. */
void dse_hls_write_pragmas(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    for (size_t i = 0; i < hls->directive_count; i++) {
        bool written = false;
        for (size_t j = 0; j < i && !written; j++)
            written = same_macro(&hls->directives[i], &hls->directives[j]);
        if (written)
            continue;
        dse_strbuf_add(out, "#define ");
        add_macro(design, &hls->directives[i], out);
        for (size_t j = i; j < hls->directive_count; j++) {
            bool none = hls->directives[j].kind == DSE_HLS_ARRAY_PARTITION && hls->directives[j].number == 1;
            if (!none && same_macro(&hls->directives[i], &hls->directives[j]))
                add_pragma(design, &hls->directives[j], out);
        }
        dse_strbuf_add_char(out, '\n', 1);
    }
}

bool dse_hls_is_register(const struct dse_hls_port *port)
{
    return port->writes && port->count == 1 && port->words == 1;
}

int64_t dse_hls_port_words(const struct dse_hls_design *design, const struct dse_hls_port *port)
{
    int64_t bits = 0, loaded = 0;
    for (size_t i = 0; i < design->hls->type_count; i++)
        if (strcmp(design->hls->types[i].name, port->type) == 0)
            bits = design->hls->types[i].bits;
    if (port == design->hls->ports && design->pack != NULL && bits >= 8)
        loaded = (int64_t)(dse_hls_image_loaded(design->pack) / (size_t)(bits / 8));
    return loaded > port->words ? loaded : port->words;
}

const char *dse_hls_argument(const struct dse_hls_port *port, int64_t index, char *buffer, size_t size)
{
    if (port->numbered)
        snprintf(buffer, size, "%s%" PRId64, port->name, index);
    else
        snprintf(buffer, size, "%s", port->name);
    return buffer;
}

static void define_port(const struct dse_hls_design *design, const char *kind, const struct dse_hls_port *port,
                        const char *behind, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "#define ");
    dse_hls_macro(design, out, kind);
    dse_strbuf_add_char(out, '_', 1);
    dse_words_macro(out, port->name);
    dse_strbuf_add(out, behind);
}

static void add_interface(const struct dse_hls_design *design, const struct dse_hls_port *port, int64_t index,
                          struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    const char *way = port->writes ? "write" : "read";
    dse_hls_argument(port, index, name, sizeof name);
    dse_strbuf_add_char(out, ' ', 1);
    dse_hls_macro(design, out, "PRAGMA");
    if (dse_hls_is_register(port)) {
        dse_strbuf_printf(out, "(HLS INTERFACE mode=s_axilite port=%s)", name);
        return;
    }
    dse_strbuf_printf(out,
                      "(HLS INTERFACE mode=m_axi port=%s offset=slave bundle=gmem_%s depth=%" PRId64
                      " max_%s_burst_length=%" PRId64 " num_%s_outstanding=%" PRId64 ")",
                      name, name, dse_hls_port_words(design, port), way, port->burst_words, way, port->outstanding);
}

/* The parameters, the arguments, the elements of an array of pointers as arguments, the arguments' names, and for ports that
 * are read a statement that reads one element of each. */
static void write_port(const struct dse_hls_design *design, const struct dse_hls_port *port, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    dse_strbuf_printf(out, "/* %s */\n", port->title);
    define_port(design, "PARAMETERS", port, "", out);
    for (int64_t i = 0; i < port->count; i++)
        dse_strbuf_printf(out, "%s %s%s_%s *%s", i == 0 ? "" : ",", port->writes ? "" : "const ",
                          design->setup->family->name, port->type, dse_hls_argument(port, i, name, sizeof name));
    dse_strbuf_add_char(out, '\n', 1);
    define_port(design, "ARGUMENTS", port, "", out);
    for (int64_t i = 0; i < port->count; i++)
        dse_strbuf_printf(out, "%s %s", i == 0 ? "" : ",", dse_hls_argument(port, i, name, sizeof name));
    dse_strbuf_add_char(out, '\n', 1);
    define_port(design, "EACH", port, "(of)", out);
    for (int64_t i = 0; i < port->count; i++)
        dse_strbuf_printf(out, "%s (of)[%" PRId64 "]", i == 0 ? "" : ",", i);
    dse_strbuf_add_char(out, '\n', 1);
    define_port(design, "NAMES", port, "", out);
    for (int64_t i = 0; i < port->count; i++)
        dse_strbuf_printf(out, "%s \"%s\"", i == 0 ? "" : ",", dse_hls_argument(port, i, name, sizeof name));
    dse_strbuf_add_char(out, '\n', 1);
    if (!port->writes) {
        define_port(design, "READ", port, "(to, at) (", out);
        for (int64_t i = 0; i < port->count; i++)
            dse_strbuf_printf(out, "%s(to)[%" PRId64 "] = %s[at]", i == 0 ? "" : ", ", i,
                              dse_hls_argument(port, i, name, sizeof name));
        dse_strbuf_add(out, ")\n");
    }
    define_port(design, "INTERFACE", port, "", out);
    for (int64_t i = 0; i < port->count; i++)
        add_interface(design, port, i, out);
    dse_strbuf_add_char(out, '\n', 1);
}

void dse_hls_write_ports(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->hls->port_count; i++)
        write_port(design, &design->hls->ports[i], out);
    dse_strbuf_add(out, "/* arguments and start by registers */\n#define ");
    dse_hls_macro(design, out, "INTERFACE_CONTROL");
    dse_strbuf_add_char(out, ' ', 1);
    dse_hls_macro(design, out, "PRAGMA");
    dse_strbuf_add(out, "(HLS INTERFACE mode=s_axilite port=return)\n");
}
