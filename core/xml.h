/* Reading XML safely, with every problem of a file found in one pass.
 *
 * Only this file uses libxml2: no network, no entities, no document type declaration, bounded size. The typed accessors record a problem (file, line,
 * element, attribute, value, allowed values) and return a harmless value. A reader can therefore assume a correct file and check for problems once,
 * at its end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* A parsed document with the problems found in it so far. */
struct dse_xml;

struct dse_strbuf;

/* An element; NULL means "missing" and is accepted by every accessor without a further problem. */
typedef const struct _xmlNode *dse_xml_node;

/* Parses a file of at most `max_bytes`. DSE_BAD_INPUT if it is missing, too large or malformed, or holds a NUL byte or a document type declaration.
 * Likewise for an element of more than 512 attributes, and for more than two million elements and attributes. A rejected file takes some hundred
 * megabytes at most. The document is the caller's. */
enum dse_status dse_xml_read_file(const char *path, size_t max_bytes, struct dse_xml **out,
                                  struct dse_error *err);

/* As dse_xml_read_file, from memory; `name` stands for the file's name in messages. */
enum dse_status dse_xml_read_memory(const char *data, size_t size, const char *name,
                                    struct dse_xml **out, struct dse_error *err);

/* Takes a child element of the root. `child` and every text that accessors return from it are valid until the function returns. */
typedef enum dse_status dse_xml_take(void *user, struct dse_xml *doc, dse_xml_node child, struct dse_error *err);

/* As dse_xml_read_memory, for large files: each child of the root goes to `take` as soon as it is read, and is then released. The limit on elements and attributes
 * holds for each child alone. Ends at the first child that has a problem or whose `take` fails. The remaining document is the root without children. */
enum dse_status dse_xml_walk(const char *data, size_t size, const char *name, dse_xml_take *take, void *user, struct dse_xml **out,
                             struct dse_error *err);

/* As dse_xml_read_file, for a shipped file (dse_share_find). */
enum dse_status dse_xml_read_shared(const char *relative, size_t max_bytes, struct dse_xml **out, struct dse_error *err);
void dse_xml_free(struct dse_xml *doc);
void dse_xml_free_at(struct dse_xml **doc); /* for DSE_CLEANUP */

/* Checks against a W3C XML Schema; each violation becomes a problem. DSE_BAD_INPUT only if the schema itself cannot be read. */
enum dse_status dse_xml_validate(struct dse_xml *doc, const char *schema_path, struct dse_error *err);

/* The root element; a problem and NULL if it is not called `name` (any, for NULL). */
dse_xml_node dse_xml_root(struct dse_xml *doc, const char *name);

/* The first child element called `name` (any, for NULL), and the next sibling of that name. NULL at the end. */
dse_xml_node dse_xml_first(dse_xml_node parent, const char *name);
dse_xml_node dse_xml_next(dse_xml_node sibling, const char *name);

/* The only child called `name`; a problem if there is none (NULL then) or a second one. */
dse_xml_node dse_xml_one(struct dse_xml *doc, dse_xml_node parent, const char *name);

/* The element's name, and its line. */
const char *dse_xml_name(dse_xml_node node);
long dse_xml_line(dse_xml_node node);

/* A problem for each attribute and child element that is not in the NULL-ended lists. */
void dse_xml_allow(struct dse_xml *doc, dse_xml_node node, const char *const *attributes,
                   const char *const *children);

bool dse_xml_has(dse_xml_node node, const char *attribute);

/* The attribute's text, owned by the document. If it is absent, NULL (dse_xml_text), or NULL and a problem (dse_xml_need_text). */
const char *dse_xml_text(struct dse_xml *doc, dse_xml_node node, const char *attribute);
const char *dse_xml_need_text(struct dse_xml *doc, dse_xml_node node, const char *attribute);

/* Required numbers in [minimum, maximum]; a problem, and `minimum`, if absent, malformed or outside. */
int64_t dse_xml_int(struct dse_xml *doc, dse_xml_node node, const char *attribute, int64_t minimum,
                    int64_t maximum);
double dse_xml_real(struct dse_xml *doc, dse_xml_node node, const char *attribute, double minimum,
                    double maximum);

/* As dse_xml_real, for an optional attribute: `fallback` if it is absent, without a problem. */
double dse_xml_real_or(struct dse_xml *doc, dse_xml_node node, const char *attribute, double minimum,
                       double maximum, double fallback);

/* The index of the attribute's value in a NULL-ended list of names; a problem, and 0, if it is absent or not in the list. */
int dse_xml_choice(struct dse_xml *doc, dse_xml_node node, const char *attribute,
                   const char *const *names);

/* The element's own text without white space at both ends; "" if there is none. */
const char *dse_xml_content(struct dse_xml *doc, dse_xml_node node);

/* Values that outlive the document, in the arena that was named last: texts ("" for NULL), required attributes (as dse_xml_need_text), optional
 * attributes (if absent, `otherwise` unchanged). Also zeroed room for all children of `parent` called `name` and `more`. */
struct dse_arena;
void dse_xml_keep_in(struct dse_xml *doc, struct dse_arena *arena);
const char *dse_xml_keep(struct dse_xml *doc, const char *text);
const char *dse_xml_keep_need(struct dse_xml *doc, dse_xml_node node, const char *attribute);
const char *dse_xml_keep_or(struct dse_xml *doc, dse_xml_node node, const char *attribute, const char *otherwise);
void *dse_xml_room(struct dse_xml *doc, dse_xml_node parent, const char *name, size_t more, size_t size);

/* Records `file:line: <element attribute="value">: …`; `attribute` may be NULL. */
void dse_xml_problem(struct dse_xml *doc, dse_xml_node node, const char *attribute, const char *format,
                     ...) DSE_PRINTF(4, 5);

/* The problems so far, in the order found, each one line. At most 1000 are kept. */
size_t dse_xml_problem_count(const struct dse_xml *doc);
const char *dse_xml_problem_at(const struct dse_xml *doc, size_t index);

/* DSE_OK without a problem, else DSE_BAD_INPUT with the first (and how many more there are). */
enum dse_status dse_xml_verdict(const struct dse_xml *doc, struct dse_error *err);

/* ---- attributes by a table ---- */

enum dse_xml_kind {
    DSE_XML_OTHER,  /* allowed, and read apart; not written */
    DSE_XML_TEXT,   /* const char *, kept */
    DSE_XML_WORDS,  /* the same, and not empty */
    DSE_XML_WHOLE,  /* int64_t; INT64_MIN if it has a problem, */
    DSE_XML_NUMBER, /* double; and NaN, so that no rule compares it */
    DSE_XML_CHOICE, /* int or an enum: the place among `names` */
    DSE_XML_WORD    /* const char *: one of `names` */
};

/* One attribute of an element, and the member of a structure that receives it. The written number lies in [minimum, maximum]. The member is that
 * number times `unit` (0: times 1). */
struct dse_xml_field {
    const char *attribute;
    enum dse_xml_kind kind;
    size_t offset;
    double minimum, maximum, unit;
    const char *const *names; /* NULL-ended */
    bool optional;            /* if it is absent, the member is unchanged */
};

/* Reads the attributes of a table that ends with an empty row. Notes errors in them, attributes that are not in the table, and children that are not
 * in the list. True if there are none. For NULL nothing is read, and the result is false. */
bool dse_xml_read_fields(struct dse_xml *doc, dse_xml_node node, const struct dse_xml_field *fields, const char *const *children, void *into);

/* The attributes of dse_xml_read_fields, written in the table's order. */
void dse_xml_write_fields(struct dse_strbuf *out, const struct dse_xml_field *fields, const void *from);

/* ---- writing ---- */

/* Appends `text` with the five special characters escaped, and others that a terminal would act on (core/utf8.h). */
void dse_xml_escape(struct dse_strbuf *buf, const char *text);

/* As dse_xml_escape, for any bytes, such as a path of the command line. Bytes that XML cannot hold become U+FFFD. White space that a reader would turn into
 * blanks becomes a character reference. */
void dse_xml_write_text(struct dse_strbuf *buf, const char *text);

/* ` NAME="VALUE"` with such a text. */
void dse_xml_write_attribute(struct dse_strbuf *buf, const char *name, const char *value);
