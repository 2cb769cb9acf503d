#include "executor/rtl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/memory.h"

/* A parameter; its value's text is to be printed. */
static struct dse_rtl_parameter *add(struct dse_rtl *rtl, const char *name, const char *type, const char *title)
{
    struct dse_rtl_parameter *parameter = dse_list_more(&rtl->parameters, &rtl->parameter_count, sizeof *parameter);
    *parameter = (struct dse_rtl_parameter){.type = type, .title = title};
    snprintf(parameter->name, sizeof parameter->name, "%s", name);
    return parameter;
}

#define VALUE(rtl, name, type, title, ...) \
    do { \
        struct dse_rtl_parameter *added = add(rtl, name, type, title); \
        snprintf(added->value, sizeof added->value, __VA_ARGS__); \
    } while (0)

void dse_rtl_whole(struct dse_rtl *rtl, const char *name, size_t value, const char *title)
{
    VALUE(rtl, name, DSE_RTL_WHOLE, title, "%zu", value);
}

void dse_rtl_flag(struct dse_rtl *rtl, const char *name, bool value, const char *title)
{
    VALUE(rtl, name, DSE_RTL_BIT, title, "1'b%d", value);
}

void dse_rtl_word(struct dse_rtl *rtl, const char *name, size_t bits, uint64_t value, const char *title)
{
    VALUE(rtl, name, bits == 64 ? "logic [63:0]" : "logic [31:0]", title, "%zu'h%0*" PRIx64, bits, (int)bits / 4, value);
}

void dse_rtl_text(struct dse_rtl *rtl, const char *name, const char *value, const char *title)
{
    VALUE(rtl, name, "", title, "\"%s\"", value);
}

static size_t word_bytes(const struct dse_rtl_table *table)
{
    return (table->bits + 7) / 8;
}

size_t dse_rtl_table(struct dse_rtl *rtl, const char *name, size_t bits, size_t words)
{
    struct dse_rtl_table *table = dse_list_more(&rtl->tables, &rtl->table_count, sizeof *table);
    *table = (struct dse_rtl_table){.bits = bits > 0 ? bits : 1, .words = words > 0 ? words : 1};
    snprintf(table->name, sizeof table->name, "%s", name);
    table->bytes = dse_calloc(table->words, word_bytes(table));
    return rtl->table_count - 1;
}

void dse_rtl_put(struct dse_rtl *rtl, size_t index, size_t word, size_t first, size_t count, uint64_t value)
{
    struct dse_rtl_table *table = &rtl->tables[index];
    uint8_t *bytes = table->bytes + word * word_bytes(table);
    for (size_t b = 0; b < count; b++)
        bytes[(first + b) / 8] |= (uint8_t)((value >> b & 1) << ((first + b) % 8));
}

void dse_rtl_free(struct dse_rtl *rtl)
{
    for (size_t t = 0; t < rtl->table_count; t++)
        free(rtl->tables[t].bytes);
    free(rtl->tables);
    free(rtl->parameters);
    dse_strbuf_free(&rtl->macros);
    *rtl = (struct dse_rtl){0};
}
