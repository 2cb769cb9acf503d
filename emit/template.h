/* Texts that are shipped as templates: @NAME@ stands for what differs from design to design. */
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

/* Appends the shipped text `templates/NAME` with the fields filled in. The lines from @IF NAME@ to @ELSE@ or @END@, which stand
 * alone in their lines, are left out where the field is empty, those from @ELSE@ to @END@ where it is not; blocks do not nest. A
 * field alone in its line takes the line's end with it where it is empty or ends a line itself. Other words between @ stay.
 * DSE_BAD_INPUT where the text is not there. O(text × fields). */
enum dse_status dse_template_fill(const char *name, const struct dse_template_field *fields, size_t count,
                                  const struct dse_emission *design, struct dse_strbuf *out, struct dse_error *err);
