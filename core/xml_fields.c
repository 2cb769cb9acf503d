/* Attributes by a table, read and written. */
#include <math.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/xml.h"

#define FIELDS_MAX 32 /* fields of one element */

static void read_field(struct dse_xml *doc, dse_xml_node node, const struct dse_xml_field *field, void *place)
{
    const size_t before = dse_xml_problem_count(doc);
    const double unit = field->unit != 0.0 ? field->unit : 1.0;
    const char *text = NULL;
    int64_t whole;
    int choice;
    switch (field->kind) {
    case DSE_XML_OTHER: break;
    case DSE_XML_WHOLE:
        whole = dse_xml_int(doc, node, field->attribute, (int64_t)field->minimum, field->maximum < 0x1p62 ? (int64_t)field->maximum : INT64_MAX);
        whole = dse_xml_problem_count(doc) > before ? INT64_MIN : whole * (int64_t)unit;
        memcpy(place, &whole, sizeof whole);
        break;
    case DSE_XML_NUMBER:
        *(double *)place = dse_xml_real(doc, node, field->attribute, field->minimum, field->maximum) * unit;
        if (dse_xml_problem_count(doc) > before)
            *(double *)place = NAN;
        break;
    case DSE_XML_CHOICE:
        choice = dse_xml_choice(doc, node, field->attribute, field->names);
        memcpy(place, &choice, sizeof choice);
        break;
    case DSE_XML_WORD: *(const char **)place = field->names[dse_xml_choice(doc, node, field->attribute, field->names)]; break;
    case DSE_XML_TEXT:
    case DSE_XML_WORDS:
        text = dse_xml_need_text(doc, node, field->attribute);
        if (field->kind == DSE_XML_WORDS && text != NULL && text[strspn(text, " \t\r\n")] == '\0')
            dse_xml_problem(doc, node, field->attribute, "must not be empty");
        *(const char **)place = dse_xml_keep(doc, text);
        break;
    }
}

bool dse_xml_read_fields(struct dse_xml *doc, dse_xml_node node, const struct dse_xml_field *fields, const char *const *children, void *into)
{
    const char *names[FIELDS_MAX + 1] = {NULL};
    const size_t before = dse_xml_problem_count(doc);
    if (node == NULL)
        return false;
    for (size_t i = 0; fields[i].attribute != NULL; i++)
        names[i] = fields[i].attribute;
    dse_xml_allow(doc, node, names, children);
    for (const struct dse_xml_field *field = fields; field->attribute != NULL; field++)
        if (!field->optional || dse_xml_has(node, field->attribute))
            read_field(doc, node, field, (char *)into + field->offset);
    return dse_xml_problem_count(doc) == before;
}

void dse_xml_write_fields(struct dse_strbuf *out, const struct dse_xml_field *fields, const void *from)
{
    for (const struct dse_xml_field *field = fields; field->attribute != NULL; field++) {
        const void *place = (const char *)from + field->offset;
        const double unit = field->unit != 0.0 ? field->unit : 1.0;
        int64_t whole;
        switch (field->kind) {
        case DSE_XML_OTHER: break;
        case DSE_XML_WHOLE:
            memcpy(&whole, place, sizeof whole);
            dse_strbuf_printf(out, " %s=\"%lld\"", field->attribute, (long long)(whole / (int64_t)unit));
            break;
        case DSE_XML_NUMBER: dse_strbuf_printf(out, " %s=\"%.10g\"", field->attribute, *(const double *)place / unit); break;
        case DSE_XML_CHOICE: dse_xml_write_attribute(out, field->attribute, field->names[*(const int *)place]); break;
        case DSE_XML_WORD:
        case DSE_XML_TEXT:
        case DSE_XML_WORDS: dse_xml_write_attribute(out, field->attribute, *(const char *const *)place); break;
        }
    }
}
