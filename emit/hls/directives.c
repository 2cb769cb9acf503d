/* Directives as macros that expand to pragmas and as Tcl for older tools, and the kernel's ports as both. Spellings: AMD UG1399, "HLS Pragmas" and
 * "HLS Commands". A directive's options are the same in both, "factor=4" and "-factor 4". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "emit/fields.h"

static const char *const kind_words[DSE_HLS_DIRECTIVE_COUNT] = {
    [DSE_HLS_PIPELINE] = "PIPELINE",   [DSE_HLS_UNROLL] = "UNROLL",   [DSE_HLS_LOOP_TRIPCOUNT] = "LOOP_TRIPCOUNT",
    [DSE_HLS_DATAFLOW] = "DATAFLOW",   [DSE_HLS_ARRAY_PARTITION] = "ARRAY_PARTITION",
    [DSE_HLS_INLINE] = "INLINE",       [DSE_HLS_ALLOCATION] = "ALLOCATION",
    [DSE_HLS_ARRAY_RESHAPE] = "ARRAY_RESHAPE", [DSE_HLS_AGGREGATE] = "AGGREGATE", [DSE_HLS_DEPENDENCE] = "DEPENDENCE",
    [DSE_HLS_BIND_STORAGE] = "BIND_STORAGE", [DSE_HLS_STREAM] = "STREAM"};

/* The options of a kind, in both spellings. N is the number, in the source as a macro. D is the dimension, M the mean, W the memory, S the type
 * of memory, T the target. */
static const char *options_of(const struct dse_hls_directive *d)
{
    static const char *const options[DSE_HLS_DIRECTIVE_COUNT] = {
        [DSE_HLS_PIPELINE] = "II=N", [DSE_HLS_UNROLL] = "factor=N", [DSE_HLS_LOOP_TRIPCOUNT] = "min=1 max=N avg=M", [DSE_HLS_DATAFLOW] = "",
        [DSE_HLS_INLINE] = "off", [DSE_HLS_ARRAY_PARTITION] = "type=cyclic factor=N dim=D", [DSE_HLS_ARRAY_RESHAPE] = "type=complete dim=D",
        [DSE_HLS_AGGREGATE] = "", [DSE_HLS_DEPENDENCE] = "type=inter distance=N dependent=true", [DSE_HLS_BIND_STORAGE] = "type=S impl=W",
        [DSE_HLS_STREAM] = "depth=N"};
    bool none = d->number == 0;
    return none && d->kind == DSE_HLS_UNROLL ? "" : none && d->kind == DSE_HLS_DEPENDENCE ? "type=inter dependent=false" : none && d->kind == DSE_HLS_ARRAY_PARTITION ? "type=complete dim=D" : options[d->kind];
}

/* Memories other than FIFOs are read and written from two sides. Tables are read from two sides; if that is not enough there are copies. UltraRAM is
 * no ROM: it takes no contents from the bitstream (UG901) and is loaded. */
static const char *storage_of(const struct dse_hls_directive *directive)
{
    bool uram = strcmp(directive->word, "uram") == 0;
    if (directive->number == 0)
        return strcmp(directive->word, "lutram") == 0 ? "fifo" : "ram_t2p";
    return directive->number > 2 ? (uram ? "ram_1wnr" : "rom_np") : uram ? "ram_2p" : "rom_2p";
}

static void add_options(const struct dse_emission *design, const struct dse_hls_directive *d, bool tcl, struct dse_strbuf *out)
{
    char before = ' ';
    for (const char *c = options_of(d); *c != '\0'; before = *c++) {
        if (before == ' ')
            dse_strbuf_add(out, tcl ? " -" : " ");
        if (*c == 'N' && d->by != NULL && !tcl)
            dse_strbuf_add(out, dse_emit_macro(design, d->by).text);
        else if (*c == 'N' || *c == 'M')
            dse_strbuf_printf(out, "%" PRId64, *c == 'N' ? d->number : d->mean);
        else if (*c == 'D')
            dse_strbuf_printf(out, "%d", d->dimension);
        else if (*c == 'W' || *c == 'S')
            dse_strbuf_add(out, *c == 'W' ? d->word : storage_of(d));
        else if (*c != ' ')
            dse_strbuf_add_char(out, tcl && *c == '=' ? ' ' : *c, 1);
    }
}

/* A partition into one bank changes nothing. */
static bool is_nothing(const struct dse_hls_directive *d)
{
    return d->kind == DSE_HLS_ARRAY_PARTITION && d->number == 1;
}

static const char *target_of(const struct dse_hls_directive *d)
{
    return d->target != NULL ? d->target : d->function;
}

/* The macro of a directive: its kind and target, NYSX_UNROLL_KSE_PES; for a function, NYSX_DATAFLOW_ENCODE. The family's name before kind or target
 * is left out. */
static struct dse_macro macro_of(const struct dse_emission *design, const struct dse_hls_directive *d)
{
    const char *family = design->setup->family->name, *target = target_of(d);
    size_t length = strlen(family);
    char name[DSE_HLS_TEXT_MAX];
    if (strncmp(target, family, length) == 0 && target[length] == '_')
        target += length + 1;
    snprintf(name, sizeof name, "%s_%s", kind_words[d->kind], target);
    return dse_emit_macro(design, name);
}

static void add_pragma(const struct dse_emission *design, const struct dse_hls_directive *d, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, " %s(HLS %s", dse_emit_macro(design, "PRAGMA").text, kind_words[d->kind]);
    if (d->kind == DSE_HLS_ALLOCATION)
        dse_strbuf_printf(out, " function instances=%s limit=1", d->target);
    else if (d->kind >= DSE_HLS_ARRAY_PARTITION)
        dse_strbuf_printf(out, " variable=%s", d->target);
    if (d->kind != DSE_HLS_ALLOCATION)
        add_options(design, d, false, out);
    dse_strbuf_add_char(out, ')', 1);
}

/* A target with several directives of a kind (the dimensions of an array) has them in one macro. */
void dse_write_directives(const struct dse_emission *design, struct dse_strbuf *out)
{
    const struct dse_hls_directive *all = design->hls->directives;
    size_t count = design->hls->directive_count;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (all[first].kind != all[i].kind || strcmp(target_of(&all[first]), target_of(&all[i])) != 0)
            first++;
        if (first < i)
            continue;
        dse_strbuf_printf(out, "#define %s", macro_of(design, &all[i]).text);
        for (size_t j = i; j < count; j++)
            if (all[j].kind == all[i].kind && strcmp(target_of(&all[j]), target_of(&all[i])) == 0 && !is_nothing(&all[j]))
                add_pragma(design, &all[j], out);
        dse_strbuf_add_char(out, '\n', 1);
    }
}

/* For a loop "function/label", for an array the function and its name, for a function its name. */
static void add_tcl(const struct dse_emission *design, const struct dse_hls_directive *d, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "set_directive_");
    for (const char *c = kind_words[d->kind]; *c != '\0'; c++)
        dse_strbuf_add_char(out, (char)tolower((unsigned char)*c), 1);
    if (d->kind == DSE_HLS_ALLOCATION)
        dse_strbuf_add(out, " -limit 1 -type function");
    else
        add_options(design, d, true, out);
    bool array = d->kind >= DSE_HLS_ARRAY_PARTITION || d->kind == DSE_HLS_ALLOCATION;
    const char *target = d->target != NULL ? d->target : "";
    dse_strbuf_printf(out, " \"%s%s%s\"%s%s\n", d->function, *target != '\0' && !array ? "/" : "", array ? "" : target, array ? " " : "",
                      array ? target : "");
}

void dse_write_tcl_directives(const struct dse_emission *design, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->hls->directive_count; i++)
        if (!is_nothing(&design->hls->directives[i]))
            add_tcl(design, &design->hls->directives[i], out);
}

bool dse_port_is_register(const struct dse_hls_port *port)
{
    return port->writes && port->count == 1 && port->words == 1;
}

const char *dse_port_argument(const struct dse_hls_port *port, int64_t index, char *buffer, size_t size)
{
    if (port->numbered)
        snprintf(buffer, size, "%s%" PRId64, port->name, index);
    else
        snprintf(buffer, size, "%s", port->name);
    return buffer;
}

/* Elements behind one pointer of the port. The first port also brings the loaded tables. */
static int64_t words_of(const struct dse_emission *design, const struct dse_hls_port *port)
{
    int64_t bits = dse_hls_bits(design->hls, port), loaded = 0;
    if (port == design->hls->ports && design->pack != NULL && bits >= 8)
        loaded = (int64_t)(dse_emit_loaded_bytes(design->pack) / (size_t)(bits / 8));
    return loaded > port->words ? loaded : port->words;
}

int64_t dse_emit_port_words(const struct dse_emission *design, const struct dse_hls_port *port)
{
    return (words_of(design, port) * dse_hls_bits(design->hls, port) + 31) / 32;
}

static void add_interface(const struct dse_emission *design, const struct dse_hls_port *port, int64_t index, bool tcl, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    const char *before = tcl ? "-" : "", *is = tcl ? " " : "=";
    dse_port_argument(port, index, name, sizeof name);
    dse_strbuf_printf(out, "%smode%s%s", before, is, dse_port_is_register(port) ? "s_axilite" : "m_axi");
    if (!tcl)
        dse_strbuf_printf(out, " port=%s", name);
    if (dse_port_is_register(port))
        return;
    dse_strbuf_printf(out, " %soffset%sslave %sbundle%sgmem_%s %sdepth%s%" PRId64, before, is, before, is, name, before, is, words_of(design, port));
    for (int writes = 0; writes < 2; writes++)
        if (writes ? port->writes : !port->writes || port->reads_too)
            dse_strbuf_printf(out, " %smax_%s_burst_length%s%" PRId64 " %snum_%s_outstanding%s%" PRId64, before, writes ? "write" : "read", is, port->burst_words,
                              before, writes ? "write" : "read", is, port->outstanding);
}

const char *dse_emit_register(const struct dse_emission *design, size_t i)
{
    static const char *const queued[] = {"first", "count", NULL};
    const struct dse_hls *hls = design->hls;
    return hls->slots > 0 ? queued[i] : i < hls->scalar_count ? hls->scalars[i].name : NULL;
}

static void add_address(const struct dse_emission *design, const char *name, struct dse_strbuf *out)
{
    char top[DSE_HLS_TEXT_MAX], upper[DSE_HLS_TEXT_MAX];
    snprintf(top, sizeof top, "%s", design->hls->top);
    snprintf(upper, sizeof upper, "%s", name);
    dse_strbuf_printf(out, "    {X%s_CONTROL_ADDR_%s_DATA, X%s_CONTROL_BITS_%s_DATA},\n", dse_upper(top), dse_upper(upper), top, upper);
}

void dse_write_register_addresses(const struct dse_emission *design, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    for (size_t p = 0; p < design->hls->port_count; p++)
        for (int64_t i = 0; i < design->hls->ports[p].count; i++)
            add_address(design, dse_port_argument(&design->hls->ports[p], i, name, sizeof name), out);
    for (size_t i = 0; dse_emit_register(design, i) != NULL; i++)
        add_address(design, dse_emit_register(design, i), out);
}

/* Start and end of the kernel: by registers, and chained if starts queue up. */
static const char *const control_modes[] = {"s_axilite", "ap_ctrl_chain", NULL};

static bool has_mode(const struct dse_emission *design, const char *mode)
{
    return design->hls->chained || strcmp(mode, "s_axilite") == 0;
}

void dse_write_tcl_ports(const struct dse_emission *design, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    for (size_t p = 0; p < design->hls->port_count; p++)
        for (int64_t i = 0; i < design->hls->ports[p].count; i++) {
            dse_strbuf_add(out, "set_directive_interface ");
            add_interface(design, &design->hls->ports[p], i, true, out);
            dse_strbuf_printf(out, " \"%s\" %s\n", design->hls->top, dse_port_argument(&design->hls->ports[p], i, name, sizeof name));
        }
    for (size_t i = 0; dse_emit_register(design, i) != NULL; i++)
        dse_strbuf_printf(out, "set_directive_interface -mode s_axilite \"%s\" %s\n", design->hls->top, dse_emit_register(design, i));
    for (const char *const *mode = control_modes; *mode != NULL; mode++)
        if (has_mode(design, *mode))
            dse_strbuf_printf(out, "set_directive_interface -mode %s \"%s\" return\n", *mode, design->hls->top);
}

/* "#define NYSX_KIND_PORT" with a text for each argument, separated by commas: A its name, I its number, T its type. */
static void define_each(const struct dse_emission *design, const char *kind, const struct dse_hls_port *port, const char *behind,
                        const char *each, const char *end, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    snprintf(name, sizeof name, "%s_%s", kind, port->name);
    dse_strbuf_printf(out, "#define %s%s", dse_emit_macro(design, name).text, behind);
    for (int64_t i = 0; i < port->count; i++) {
        dse_strbuf_add(out, i == 0 ? "" : ",");
        dse_port_argument(port, i, name, sizeof name);
        for (const char *c = i == 0 && *behind == '(' && *end != '\0' ? each + 1 : each; *c != '\0'; c++) {
            if (*c == 'A')
                dse_strbuf_add(out, name);
            else if (*c == 'I')
                dse_strbuf_printf(out, "%" PRId64, i);
            else if (*c == 'T')
                dse_strbuf_printf(out, "%s%s_%s *", port->writes ? "" : "const ", design->setup->family->name, port->type);
            else
                dse_strbuf_add_char(out, *c, 1);
        }
    }
    dse_strbuf_printf(out, "%s\n", end);
}

/* The parameters, the arguments, the elements of an array of pointers as arguments, and the arguments' names. For read ports also a statement that
 * reads one element of each; for written ports one that writes them. */
void dse_write_ports(const struct dse_emission *design, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    struct dse_macro pragma = dse_emit_macro(design, "PRAGMA");
    for (size_t p = 0; p < design->hls->port_count; p++) {
        const struct dse_hls_port *port = &design->hls->ports[p];
        dse_strbuf_printf(out, "/* %s */\n", port->title);
        define_each(design, "PARAMETERS", port, "", " TA", "", out);
        define_each(design, "ARGUMENTS", port, "", " A", "", out);
        define_each(design, "EACH", port, "(of)", " (of)[I]", "", out);
        define_each(design, "NAMES", port, "", " \"A\"", "", out);
        if (!port->writes || port->reads_too)
            define_each(design, "READ", port, "(to, at) (", " (to)[I] = A[at]", ")", out);
        if (port->reads_too)
            define_each(design, "WRITE", port, "(from, at) (", " A[at] = (from)[I]", ")", out);
        snprintf(name, sizeof name, "INTERFACE_%s", port->name);
        dse_strbuf_printf(out, "#define %s", dse_emit_macro(design, name).text);
        for (int64_t i = 0; i < port->count; i++) {
            dse_strbuf_printf(out, " %s(HLS INTERFACE ", pragma.text);
            add_interface(design, port, i, false, out);
            dse_strbuf_add_char(out, ')', 1);
        }
        dse_strbuf_add_char(out, '\n', 1);
    }
    dse_strbuf_printf(out, "/* arguments and start by registers */\n#define %s", dse_emit_macro(design, "INTERFACE_CONTROL").text);
    for (size_t i = 0; dse_emit_register(design, i) != NULL; i++) /* in an IP, unlike in a kernel for XRT, a number is a wire by default */
        dse_strbuf_printf(out, " %s(HLS INTERFACE mode=s_axilite port=%s)", pragma.text, dse_emit_register(design, i));
    for (const char *const *mode = control_modes; *mode != NULL; mode++)
        if (has_mode(design, *mode))
            dse_strbuf_printf(out, " %s(HLS INTERFACE mode=%s port=return)", pragma.text, *mode);
    dse_strbuf_add_char(out, '\n', 1);
}
