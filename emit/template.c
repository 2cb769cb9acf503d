#include "emit/template.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"

#define TEMPLATE_MAX (1 << 20) /* bytes */

/* The field whose name is the `length` bytes at `name`, or NULL. */
static const struct dse_template_field *find(const struct dse_template_field *fields, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(fields[i].name) == length && memcmp(fields[i].name, name, length) == 0)
            return &fields[i];
    return NULL;
}

/* A line without its end: fields filled in. */
static void fill_line(const char *line, size_t length, const struct dse_template_field *fields, size_t count,
                      const struct dse_emission *design, struct dse_strbuf *out)
{
    size_t before = out->length;
    for (size_t i = 0; i < length;) {
        const char *end = line[i] == '@' ? memchr(line + i + 1, '@', length - i - 1) : NULL;
        size_t name = end != NULL ? (size_t)(end - line) - i - 1 : 0;
        const struct dse_template_field *field = name > 0 ? find(fields, count, line + i + 1, name) : NULL;
        if (field == NULL) {
            dse_strbuf_add_n(out, line + i++, 1);
            continue;
        }
        field->write(design, out);
        i += name + 2;
        if (name + 2 == length && (out->length == before || out->text[out->length - 1] == '\n'))
            return;
    }
    dse_strbuf_add_char(out, '\n', 1);
}

static bool is_empty(const struct dse_template_field *field, const struct dse_emission *design)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (field != NULL)
        field->write(design, &text);
    return text.length == 0;
}

enum dse_status dse_template_fill(const char *name, const struct dse_template_field *fields, size_t count,
                                  const struct dse_emission *design, struct dse_strbuf *out, struct dse_error *err)
{
    struct dse_strbuf relative DSE_CLEANUP(dse_strbuf_free) = {0};
    char *path DSE_CLEANUP(dse_free_at) = NULL, *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    dse_strbuf_printf(&relative, "templates/%s", name);
    DSE_TRY(dse_share_find(relative.text, &path, err));
    DSE_TRY(dse_file_read(path, TEMPLATE_MAX, &text, &size, err));
    bool left_out = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 5 && strncmp(line, "@IF ", 4) == 0)
            left_out = is_empty(find(fields, count, line + 4, length - 5), design);
        else if (strncmp(line, "@ELSE@\n", 7) == 0)
            left_out = !left_out;
        else if (strncmp(line, "@END@\n", 6) == 0)
            left_out = false;
        else if (!left_out)
            fill_line(line, length, fields, count, design, out);
        line += length + (line[length] == '\n');
    }
    return DSE_OK;
}
