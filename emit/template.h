/* Texts that are shipped as templates: @NAME@ is replaced by the text of a design. */
#pragma once

#include <stddef.h>

#include "core/status.h"
#include "core/strbuf.h"

struct dse_emission;
typedef void dse_field_writer(const struct dse_emission *design, struct dse_strbuf *out);

/* The text that replaces @NAME@. */
struct dse_template_field {
    const char *name;
    dse_field_writer *write;
};

/* Appends the shipped text `templates/NAME` with the fields filled in. @IF NAME@, @ELSE@ and @END@ have lines of their own. Lines from
 * @IF NAME@ to @ELSE@ or @END@ are omitted if the field is empty, lines from @ELSE@ to @END@ otherwise; blocks do not nest. If a
 * field stands alone in its line and is empty, the line is omitted. The line gets no second line end if the field has one. Other words
 * between @ stay.
 * DSE_BAD_INPUT if the text does not exist. O(text × fields). */
enum dse_status dse_template_fill(const char *name, const struct dse_template_field *fields, size_t count,
                                  const struct dse_emission *design, struct dse_strbuf *out, struct dse_error *err);
