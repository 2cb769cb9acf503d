/* A call of the kernel as macros of the header, for the shared test bench and the hosts: its ports, its registers, their names. */
#include <inttypes.h>
#include <stdio.h>

#include "emit/fields.h"

bool dse_emit_calls(const struct dse_emission *design)
{
    return design->hls != NULL && design->hls->bench == NULL && design->hls->sources != NULL && !design->hls->own_source;
}

/* A text for each pointer of each port: %A its name, %T its type with what it points to, %I its number among all, %W the 32-bit words behind
 * it, %R 1 where it is written. */
static void each_port(const struct dse_emission *design, const char *text, struct dse_strbuf *out)
{
    const struct dse_hls *hls = design->hls;
    char name[DSE_HLS_TEXT_MAX];
    size_t number = 0;
    for (size_t p = 0; p < hls->port_count; p++)
        for (int64_t i = 0; i < hls->ports[p].count; i++, number++)
            for (const char *c = text; *c != '\0'; c++) {
                char what = *c == '%' ? *++c : '\0';
                if (what == 'A')
                    dse_strbuf_add(out, dse_port_argument(&hls->ports[p], i, name, sizeof name));
                else if (what == 'T')
                    dse_strbuf_printf(out, "%s%s_%s", hls->ports[p].writes ? "" : "const ", design->setup->family->name, hls->ports[p].type);
                else if (what == '\0')
                    dse_strbuf_add_char(out, *c, 1);
                else
                    dse_strbuf_printf(out, "%" PRId64, what == 'I' ? (int64_t)number : what == 'W' ? dse_emit_port_words(design, &hls->ports[p])
                                                                                                    : hls->ports[p].writes);
            }
}

/* The same for each register, %A its name, %I its number, with `between` two of them. */
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

void dse_write_calls(const struct dse_emission *design, struct dse_strbuf *out)
{
    if (!dse_emit_calls(design))
        return;
    size_t ports = 0;
    for (size_t p = 0; p < design->hls->port_count; p++)
        ports += (size_t)design->hls->ports[p].count;
    dse_strbuf_add(out, "\n/* A call of the kernel: its registers, and their names for a host: PORT(number, argument, type, 32-bit words, written). */\n");
    for (size_t i = 0; i < design->hls->scalar_count; i++)
        dse_strbuf_printf(out, "/* %s: %s */\n", design->hls->scalars[i].name, design->hls->scalars[i].title);
    dse_strbuf_printf(out, "#define %s ", dse_emit_macro(design, "PARAMETERS_REGISTERS").text);
    each_scalar(design, ", ", "uint32_t %A", out);
    dse_strbuf_printf(out, "\n#define %s %zu\n#define %s %zu\n#define %s ", dse_emit_macro(design, "REGISTERS").text, design->hls->scalar_count,
                      dse_emit_macro(design, "PORTS").text, ports, dse_emit_macro(design, "REGISTER_NAMES").text);
    each_scalar(design, ", ", "\"%A\"", out);
    dse_strbuf_printf(out, "\n#define %s(PORT)", dse_emit_macro(design, "EACH_PORT").text);
    each_port(design, " PORT(%I, %A, %T, %W, %R)", out);
    dse_strbuf_printf(out, "\n#define %s(buffer, registers) %s(", dse_emit_macro(design, "CALL").text, design->hls->top);
    each_port(design, "(%T *)(buffer)[%I], ", out);
    each_scalar(design, ", ", "(registers)[%I]", out);
    dse_strbuf_printf(out, ")\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n/* The kernel. */\nvoid %s(", design->hls->top);
    each_port(design, "%T *%A, ", out);
    each_scalar(design, ", ", "uint32_t %A", out);
    dse_strbuf_add(out, ");\n#ifdef __cplusplus\n}\n#endif\n");
}

/* Tuples of Python: (argument, bytes, written), and names. */
void dse_write_python_ports(const struct dse_emission *design, struct dse_strbuf *out)
{
    each_port(design, "('%A', 4 * %W, %R == 1), ", out);
}

void dse_write_python_registers(const struct dse_emission *design, struct dse_strbuf *out)
{
    each_scalar(design, "", "'%A', ", out);
}
