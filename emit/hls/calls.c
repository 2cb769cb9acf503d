/* A call of the kernel as macros of the header, for the shared test bench and the hosts: its ports, its registers, their names. */
#include <inttypes.h>
#include <stdio.h>

#include "emit/fields.h"

bool dse_emit_calls(const struct dse_emission *design)
{
    return design->hls != NULL && design->hls->bench == NULL && design->hls->sources != NULL && !design->hls->own_source;
}

/* Pointers of a call: the kernel's, without the ring of its queue. */
static size_t call_pointers(const struct dse_emission *design)
{
    size_t pointers = 0;
    for (size_t p = 0; p < design->hls->port_count; p++)
        pointers += (size_t)design->hls->ports[p].count;
    return pointers - (design->hls->slots > 0);
}

/* 32-bit words per pointer; per slot if each slot has its own words. For the ring: the distance between its descriptors. */
static int64_t slot_words(const struct dse_emission *design, const struct dse_hls_port *port)
{
    return dse_emit_port_words(design, port) / (port->step > 0 ? design->hls->slots : 1);
}

/* Writes `text` for each of the first `most` pointers of the ports. %A is the pointer's name, %T the type with the type pointed to, %I the number
 * among all pointers. %W is the number of 32-bit words, %R is 1 if the words are written, %S is the elements from slot to slot. %, is a comma
 * before all pointers but the first. */
static void each_pointer(const struct dse_emission *design, const char *text, size_t most, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    char name[DSE_HLS_TEXT_MAX];
    size_t number = 0;
    for (size_t p = 0; p < hls->port_count; p++)
        for (int64_t i = 0; i < hls->ports[p].count && number < most; i++, number++)
            for (const char *c = text; *c != '\0'; c++) {
                char what = *c == '%' ? *++c : '\0';
                if (what == ',')
                    dse_strbuf_add(out, number > 0 ? "," : "");
                else if (what == 'A')
                    dse_strbuf_add(out, dse_port_argument(&hls->ports[p], i, name, sizeof name));
                else if (what == 'T')
                    dse_strbuf_printf(out, "%s%s_%s", hls->ports[p].writes ? "" : "const ", design->setup->family->name, hls->ports[p].type);
                else if (what == '\0')
                    dse_strbuf_add_char(out, *c, 1);
                else
                    dse_strbuf_printf(out, "%" PRId64, what == 'I'   ? (int64_t)number
                                                       : what == 'W' ? slot_words(design, &hls->ports[p])
                                                       : what == 'S' ? hls->ports[p].step
                                                                     : hls->ports[p].writes);
            }
}

static void each_port(const struct dse_emission *design, const char *text, struct dse_strbuf *out)
{
    each_pointer(design, text, SIZE_MAX, out);
}

/* As each_port, for each register of a call, %A its name, %I its number, with `between` in between. */
static void each_scalar(const struct dse_emission *design, const char *between, const char *text, struct dse_strbuf *out)
{
    for (size_t i = 0; i < design->hls->scalar_count; i++) {
        dse_strbuf_add(out, i > 0 ? between : "");
        for (const char *c = text; *c != '\0'; c++)
            if (*c != '%')
                dse_strbuf_add_char(out, *c, 1);
            else if (*++c == 'A')
                dse_strbuf_add(out, design->hls->scalars[i].name);
            else
                dse_strbuf_printf(out, "%zu", i);
    }
}

static void define(const struct dse_emission *design, const char *name, const char *behind, struct dse_strbuf *out)
{
    dse_strbuf_printf(out, "\n#define %s%s", dse_emit_macro(design, name).text, behind);
}

/* The kernel's pragmas are in the kernel's file: the family's source, or its queue. */
static void write_interfaces(const struct dse_emission *design, struct dse_strbuf *out)
{
    char name[DSE_HLS_TEXT_MAX];
    define(design, "INTERFACES", "", out);
    for (size_t p = 0; p < design->hls->port_count; p++) {
        snprintf(name, sizeof name, "INTERFACE_%s", design->hls->ports[p].name);
        dse_strbuf_printf(out, " %s", dse_emit_macro(design, name).text);
    }
    dse_strbuf_printf(out, " %s", dse_emit_macro(design, "INTERFACE_CONTROL").text);
}

/* A descriptor calls the former kernel; the queue's registers call the kernel. */
static void write_queue(const struct dse_emission *design, struct dse_strbuf *out)
{
    const char *family = design->setup->family->name;
    const size_t pointers = call_pointers(design);
    define(design, "TOP", "", out);
    dse_strbuf_printf(out, " %s_run", family);
    define(design, "TOP_INTERFACES", "", out);
    define(design, "PARAMETERS_CALLED", "", out);
    each_pointer(design, "%, %T *%A", pointers, out);
    define(design, "ARGUMENTS_CALLED", "", out);
    each_pointer(design, "%, %A", pointers, out);
    define(design, "RUN", "(slot, of)", out);
    dse_strbuf_printf(out, " %s_run(", family);
    each_pointer(design, "%A + (slot) * %Su, ", pointers, out);
    each_scalar(design, ", ", "(of)[%I]", out);
    dse_strbuf_add(out, ")");
    define(design, "REGISTERS", " 2", out);
    define(design, "REGISTER_NAMES", " \"first\", \"count\"", out);
    define(design, "CALL", "(buffer, registers)", out);
    dse_strbuf_printf(out, " %s(", design->hls->top);
    each_port(design, "(%T *)(buffer)[%I], ", out);
    dse_strbuf_add(out, "(registers)[0], (registers)[1])");
}

static void write_call(const struct dse_emission *design, struct dse_strbuf *out)
{
    define(design, "TOP", "", out);
    dse_strbuf_printf(out, " %s", design->hls->top);
    define(design, "TOP_INTERFACES", "", out);
    dse_strbuf_printf(out, " %s", dse_emit_macro(design, "INTERFACES").text);
    define(design, "REGISTERS", "", out);
    dse_strbuf_printf(out, " %zu", design->hls->scalar_count);
    define(design, "REGISTER_NAMES", " ", out);
    each_scalar(design, ", ", "\"%A\"", out);
    define(design, "CALL", "(buffer, registers)", out);
    dse_strbuf_printf(out, " %s(", design->hls->top);
    each_port(design, "(%T *)(buffer)[%I], ", out);
    each_scalar(design, ", ", "(registers)[%I]", out);
    dse_strbuf_add(out, ")");
}

void dse_write_calls(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (!dse_emit_calls(design))
        return;
    const bool queue = design->hls->slots > 0;
    const size_t pointers = call_pointers(design);
    dse_strbuf_add(out, "\n/* A call of the kernel: its registers, and what a host knows of its ports: PORT(number, argument, type, 32-bit words of a call, written, elements from\n"
                        " * slot to slot of the ring, 0 where all calls share them). */\n");
    for (size_t i = 0; i < design->hls->scalar_count; i++)
        dse_strbuf_printf(out, "/* %s: %s */\n", design->hls->scalars[i].name, design->hls->scalars[i].title);
    dse_strbuf_printf(out, "#define %s ", dse_emit_macro(design, "PARAMETERS_REGISTERS").text);
    each_scalar(design, ", ", "uint32_t %A", out);
    define(design, "CALL_REGISTERS", "", out);
    dse_strbuf_printf(out, " %zu", design->hls->scalar_count);
    define(design, "CALL_PORTS", "", out);
    dse_strbuf_printf(out, " %zu", pointers);
    define(design, "PORTS", "", out);
    dse_strbuf_printf(out, " %zu", pointers + queue);
    define(design, "EACH_PORT", "(PORT)", out);
    each_port(design, " PORT(%I, %A, %T, %W, %R, %S)", out);
    write_interfaces(design, out);
    if (queue)
        write_queue(design, out);
    else
        write_call(design, out);
    dse_strbuf_printf(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n/* The kernel%s. */\nvoid %s(", queue ? ", and what its queue calls" : "", design->hls->top);
    each_port(design, "%T *%A, ", out);
    if (queue) {
        dse_strbuf_printf(out, "uint32_t first, uint32_t count);\nvoid %s_run(", design->setup->family->name);
        each_pointer(design, "%T *%A, ", pointers, out);
    }
    each_scalar(design, ", ", "uint32_t %A", out);
    dse_strbuf_add(out, ");\n#ifdef __cplusplus\n}\n#endif\n");
}

/* Tuples of Python: (argument, bytes per call, elements from slot to slot), and names. */
void dse_write_python_ports(const struct dse_emission *design, struct dse_strbuf *out)
{
    each_port(design, "('%A', 4 * %W, %S), ", out);
}

void dse_write_python_registers(const struct dse_emission *design, struct dse_strbuf *out)
{
    each_scalar(design, "", "'%A', ", out);
}
