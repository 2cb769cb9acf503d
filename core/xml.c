#include "core/xml.h"

#include <ctype.h>
#include <errno.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlschemas.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "core/xml_words.h"

#define PROBLEMS_KEPT 1000
#define SCHEMA_MAX ((size_t)1 << 20)
#define VALUE_SHOWN 60 /* characters of a wrong value that a message quotes */
#define ATTRIBUTES_MAX 512 /* attributes of one element: libxml2 compares each with all before it */
#define MARKS_MAX 2000000  /* maximum of tags and attributes held at once: each takes some hundred bytes once it is read */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define TOO_MANY_MARKS "has more than " TEXT(MARKS_MAX) " elements and attributes"

struct dse_xml {
    xmlDoc *tree;
    struct dse_arena arena;
    struct dse_arena *kept; /* data that outlive the document */
    char *name;
    const char **problems;
    size_t problem_count;
};

/* Runs before main and before any use of libxml2: no call of it fails for lack of memory. */
__attribute__((constructor)) static void allocate(void)
{
    xmlMemSetup(free, dse_malloc, dse_realloc, dse_strdup);
}

/* A document type declaration can define entities. None of the project's files has one, so it ends the parse. */
static void reject_doctype(void *context, const xmlChar *name, const xmlChar *external_id,
                           const xmlChar *system_id)
{
    (void)name, (void)external_id, (void)system_id;
    xmlParserCtxt *parser = context;
    parser->_private = parser; /* a flag for the caller */
    xmlStopParser(parser);
}

/* Some encodings make libxml2 print on its own, past the parser's options. This silences it during a parse (xmlSetGenericErrorFunc is this thread's
 * alone). */
static void say_nothing(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

/* After the next `mark` at or after `p`, or `end`. */
static const char *skip_past(const char *p, const char *end, const char *mark)
{
    size_t length = strlen(mark);
    for (; p + length <= end; p++)
        if (memcmp(p, mark, length) == 0)
            return p + length;
    return end;
}

/* The number of attributes of the tag that starts after `p`, by = signs outside quotes; `*rest` receives its end. */
static size_t count_attributes(const char *p, const char *end, const char **rest)
{
    size_t count = 0;
    char quote = '\0';
    for (; p < end && (quote != '\0' || *p != '>'); p++) {
        if (quote != '\0')
            quote = *p == quote ? '\0' : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        else
            count += *p == '=';
    }
    *rest = p;
    return count;
}

/* The place at which the file exceeds the limit on attributes of one element, or on all marks; NULL if it does not. It is searched before the parser
 * runs, whose time grows with the square of the former and whose memory with the latter. */
static const char *find_overgrown(const char *data, const char *end, size_t marks_max, const char **why)
{
    static const struct {
        const char *begin, *end;
    } opaque[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    size_t marks = 0;
    for (const char *p = data; p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL;) {
        const char *tag = p;
        for (size_t i = 0; i < sizeof opaque / sizeof *opaque && p == tag; i++)
            if ((size_t)(end - p) >= strlen(opaque[i].begin) &&
                memcmp(p, opaque[i].begin, strlen(opaque[i].begin)) == 0)
                p = skip_past(p + strlen(opaque[i].begin), end, opaque[i].end);
        size_t attributes = p == tag ? count_attributes(p + 1, end, &p) : 0;
        marks += 1 + attributes;
        *why = attributes > ATTRIBUTES_MAX ? "an element has more than " TEXT(ATTRIBUTES_MAX) " attributes" : "the file " TOO_MANY_MARKS;
        if (attributes > ATTRIBUTES_MAX || marks > marks_max)
            return tag;
    }
    return NULL;
}

static long line_of(const char *data, const char *place)
{
    long line = 1;
    for (const char *p = data; p < place; p++)
        line += *p == '\n';
    return line;
}

/* A file that is read child by child of its root. */
struct walk {
    struct dse_xml *doc;
    dse_xml_take *take; /* NULL: the whole tree is kept */
    void *user;
    size_t marks; /* number of marks of the child that is being read */
    char why[DSE_XML_WORDS]; /* the first fatal error, or that the file is cut off: errors follow from one another */
    long line;
    int code;
    enum dse_status status;
    struct dse_error *err;
};

static void parse_problem(void *user, const xmlError *why)
{
    const xmlParserCtxt *parser = user;
    struct walk *walk = parser->_private;
    bool cut = why->code == XML_ERR_TAG_NOT_FINISHED;
    if (parser->_private == parser || why->level != XML_ERR_FATAL || (walk->line > 0 && (!cut || walk->code == XML_ERR_TAG_NAME_MISMATCH)))
        return;
    walk->code = why->code;
    walk->line = why->line > 0 ? why->line : 1;
    dse_xml_parse_words(why, walk->why);
}

static enum dse_status parse_failed(const xmlParserCtxt *parser, const struct walk *walk, const char *name, struct dse_error *err)
{
    if (parser->_private == parser)
        return dse_fail(err, DSE_BAD_INPUT, "%s: document type declarations (<!DOCTYPE …>) are not allowed",
                        name);
    return dse_fail_at(err, DSE_BAD_INPUT, name, walk->line, "not well-formed XML: %s", walk->why);
}

static void fail_walk(xmlParserCtxt *parser, enum dse_status status)
{
    ((struct walk *)parser->_private)->status = status;
    xmlStopParser(parser);
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                          const xmlChar **namespaces, int count, int defaulted, const xmlChar **attributes)
{
    xmlParserCtxt *parser = context;
    struct walk *walk = parser->_private;
    if ((walk->marks += 1 + (size_t)count) > MARKS_MAX)
        fail_walk(parser, dse_fail_at(walk->err, DSE_BAD_INPUT, walk->doc->name, parser->input->line, "one child of the root " TOO_MANY_MARKS));
    else
        xmlSAX2StartElementNs(context, name, prefix, uri, namespace_count, namespaces, count, defaulted, attributes);
}

static void release(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

/* Passes a child of the root on, then releases it with the space before it and every text taken from it. */
static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    xmlParserCtxt *parser = context;
    struct walk *walk = parser->_private;
    struct dse_xml *doc = walk->doc;
    xmlNode *ended = parser->node;
    xmlSAX2EndElementNs(context, name, prefix, uri);
    if (parser->node == NULL || parser->node->parent != (xmlNode *)parser->myDoc)
        return;
    struct dse_arena outer = doc->arena;
    doc->arena = (struct dse_arena){0};
    doc->tree = parser->myDoc;
    enum dse_status status = walk->take(walk->user, doc, ended, walk->err);
    if (status == DSE_OK)
        status = dse_xml_verdict(doc, walk->err);
    dse_arena_free(&doc->arena);
    doc->arena = outer;
    doc->problem_count = 0; /* reported, and their texts are gone */
    while (ended->prev != NULL)
        release(ended->prev);
    release(ended);
    walk->marks = 0;
    xmlSetGenericErrorFunc(NULL, say_nothing);
    if (status != DSE_OK)
        fail_walk(parser, status);
}

enum dse_status dse_xml_walk(const char *data, size_t size, const char *name, dse_xml_take *take, void *user, struct dse_xml **out,
                             struct dse_error *err)
{
    *out = NULL;
    if (size > INT32_MAX / 2)
        return dse_fail(err, DSE_BAD_INPUT, "%s: larger than the %d bytes that an XML file may have", name, INT32_MAX / 2);
    if (memchr(data, '\0', size) != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds a NUL byte, so it is not XML", name);
    const char *why = "", *overgrown = find_overgrown(data, data + size, take != NULL ? SIZE_MAX : MARKS_MAX, &why);
    if (overgrown != NULL)
        return dse_fail_at(err, DSE_BAD_INPUT, name, line_of(data, overgrown), "%s", why);
    struct dse_xml *doc = dse_calloc(1, sizeof *doc);
    struct walk walk = {.doc = doc, .take = take, .user = user, .err = err};
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlParserCtxt *parser = xmlNewParserCtxt();
    doc->name = dse_arena_strdup(&doc->arena, name);
    parser->_private = &walk;
    parser->sax->internalSubset = reject_doctype;
    parser->sax->serror = (xmlStructuredErrorFunc)parse_problem;
    if (take != NULL) {
        parser->sax->startElementNs = start_element;
        parser->sax->endElementNs = end_element;
    }
    doc->tree = xmlCtxtReadMemory(parser, data, (int)size, name, NULL,
                                  XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES |
                                      XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlSetGenericErrorFunc(NULL, NULL);
    enum dse_status status = walk.status;
    if (status == DSE_OK && (doc->tree == NULL || parser->_private == parser))
        status = parse_failed(parser, &walk, name, err);
    xmlFreeParserCtxt(parser);
    if (status == DSE_OK)
        *out = doc;
    else
        dse_xml_free(doc);
    return status;
}

enum dse_status dse_xml_read_memory(const char *data, size_t size, const char *name,
                                    struct dse_xml **out, struct dse_error *err)
{
    return dse_xml_walk(data, size, name, NULL, NULL, out, err);
}

enum dse_status dse_xml_read_file(const char *path, size_t max_bytes, struct dse_xml **out,
                                  struct dse_error *err)
{
    char *data DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    *out = NULL;
    DSE_TRY(dse_file_read(path, max_bytes, &data, &size, err));
    return dse_xml_read_memory(data, size, path, out, err);
}

enum dse_status dse_xml_read_shared(const char *relative, size_t max_bytes, struct dse_xml **out, struct dse_error *err)
{
    char *path DSE_CLEANUP(dse_free_at) = NULL;
    *out = NULL;
    DSE_TRY(dse_share_find(relative, &path, err));
    return dse_xml_read_file(path, max_bytes, out, err);
}

void dse_xml_free(struct dse_xml *doc)
{
    if (doc == NULL)
        return;
    xmlFreeDoc(doc->tree);
    free(doc->problems);
    dse_arena_free(&doc->arena);
    free(doc);
}

void dse_xml_free_at(struct dse_xml **doc)
{
    dse_xml_free(*doc);
}

/* The text is copied. */
static void keep_problem(struct dse_xml *doc, const char *text)
{
    if (doc->problem_count >= PROBLEMS_KEPT)
        return;
    const char **room = dse_list_more(&doc->problems, &doc->problem_count, sizeof *room);
    *room = dse_arena_strdup(&doc->arena, text);
}

static void schema_problem(void *user, const xmlError *why)
{
    struct dse_xml *doc = user;
    char words[DSE_XML_WORDS];
    struct dse_error text;
    const char *name = why->node != NULL ? dse_xml_name(why->node) : why->str1 != NULL ? why->str1 : "";
    dse_fail_at(&text, DSE_BAD_INPUT, doc->name, why->line, "<%.60s>: %s", name, dse_xml_schema_words(why, words));
    keep_problem(doc, text.message);
}

enum dse_status dse_xml_validate(struct dse_xml *doc, const char *schema_path, struct dse_error *err)
{
    char *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    DSE_TRY(dse_file_read(schema_path, SCHEMA_MAX, &text, &size, err)); /* libxml2 would not report that a file was not opened for lack of memory */
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlSchemaParserCtxt *parser = xmlSchemaNewMemParserCtxt(text, (int)size);
    xmlSchema *schema = parser != NULL ? xmlSchemaParse(parser) : NULL;
    xmlSchemaValidCtxt *validator = schema != NULL ? xmlSchemaNewValidCtxt(schema) : NULL;
    enum dse_status status = DSE_OK;
    if (validator == NULL) {
        status = dse_fail(err, DSE_BAD_INPUT, "%s: cannot be used as an XML schema", schema_path);
    } else {
        xmlSchemaSetValidStructuredErrors(validator, (xmlStructuredErrorFunc)schema_problem, doc);
        xmlSchemaValidateDoc(validator, doc->tree);
    }
    xmlSetGenericErrorFunc(NULL, NULL);
    xmlSchemaFreeValidCtxt(validator);
    xmlSchemaFree(schema);
    if (parser != NULL)
        xmlSchemaFreeParserCtxt(parser);
    return status;
}

static bool is_called(dse_xml_node node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && (name == NULL || strcmp((const char *)node->name, name) == 0);
}

dse_xml_node dse_xml_root(struct dse_xml *doc, const char *name)
{
    dse_xml_node root = xmlDocGetRootElement(doc->tree);
    if (root != NULL && is_called(root, name))
        return root;
    dse_xml_problem(doc, root, NULL, "the root element must be <%s>", name);
    return NULL;
}

static dse_xml_node first_of(dse_xml_node node, const char *name)
{
    while (node != NULL && !is_called(node, name))
        node = node->next;
    return node;
}

dse_xml_node dse_xml_first(dse_xml_node parent, const char *name)
{
    return parent != NULL ? first_of(parent->children, name) : NULL;
}

dse_xml_node dse_xml_next(dse_xml_node sibling, const char *name)
{
    return sibling != NULL ? first_of(sibling->next, name) : NULL;
}

dse_xml_node dse_xml_one(struct dse_xml *doc, dse_xml_node parent, const char *name)
{
    if (parent == NULL)
        return NULL;
    dse_xml_node child = dse_xml_first(parent, name);
    if (child == NULL)
        dse_xml_problem(doc, parent, NULL, "needs a child element <%s>", name);
    dse_xml_node second = dse_xml_next(child, name);
    if (second != NULL)
        dse_xml_problem(doc, second, NULL, "occurs twice in <%s>", dse_xml_name(parent));
    return child;
}

const char *dse_xml_name(dse_xml_node node)
{
    return node != NULL ? (const char *)node->name : "";
}

long dse_xml_line(dse_xml_node node)
{
    return node != NULL ? xmlGetLineNo(node) : 0;
}

static bool listed(const char *name, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* "a, b or c" */
static void list_names(struct dse_strbuf *buf, const char *const *names)
{
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        const char *between = i == 0 ? "" : names[i + 1] == NULL ? " or " : ", ";
        dse_strbuf_printf(buf, "%s%s", between, names[i]);
    }
}

static void reject_unlisted(struct dse_xml *doc, dse_xml_node node, const char *kind, const char *name,
                            const char *const *allowed)
{
    struct dse_strbuf names = {0};
    list_names(&names, allowed);
    dse_xml_problem(doc, node, NULL, "unknown %s \"%.60s\"; allowed: %s", kind, name,
                    names.length > 0 ? names.text : "none");
    dse_strbuf_free(&names);
}

void dse_xml_allow(struct dse_xml *doc, dse_xml_node node, const char *const *attributes,
                   const char *const *children)
{
    if (node == NULL)
        return;
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
        if (!listed((const char *)a->name, attributes))
            reject_unlisted(doc, node, "attribute", (const char *)a->name, attributes);
    for (dse_xml_node c = dse_xml_first(node, NULL); c != NULL; c = dse_xml_next(c, NULL))
        if (!listed(dse_xml_name(c), children))
            reject_unlisted(doc, c, "element", dse_xml_name(c), children);
}

bool dse_xml_has(dse_xml_node node, const char *attribute)
{
    return node != NULL && xmlHasProp((xmlNode *)(uintptr_t)node, (const xmlChar *)attribute) != NULL;
}

const char *dse_xml_text(struct dse_xml *doc, dse_xml_node node, const char *attribute)
{
    if (!dse_xml_has(node, attribute))
        return NULL;
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlChar *value = xmlGetProp(node, (const xmlChar *)attribute);
    xmlSetGenericErrorFunc(NULL, NULL);
    char *copy = dse_arena_strdup(&doc->arena, (const char *)value);
    xmlFree(value);
    return copy;
}

const char *dse_xml_need_text(struct dse_xml *doc, dse_xml_node node, const char *attribute)
{
    const char *text = dse_xml_text(doc, node, attribute);
    if (node != NULL && text == NULL)
        dse_xml_problem(doc, node, NULL, "needs the attribute \"%s\"", attribute);
    return text;
}

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

int64_t dse_xml_int(struct dse_xml *doc, dse_xml_node node, const char *attribute, int64_t minimum,
                    int64_t maximum)
{
    const char *text = dse_xml_need_text(doc, node, attribute);
    if (text == NULL)
        return minimum;
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *skip_space(end) != '\0' || errno == ERANGE) {
        dse_xml_problem(doc, node, attribute, "must be a whole number");
        return minimum;
    }
    if (value >= minimum && value <= maximum)
        return value;
    if (maximum == INT64_MAX)
        dse_xml_problem(doc, node, attribute, "must be %lld or more", (long long)minimum);
    else
        dse_xml_problem(doc, node, attribute, "must be from %lld to %lld", (long long)minimum,
                        (long long)maximum);
    return minimum;
}

double dse_xml_real(struct dse_xml *doc, dse_xml_node node, const char *attribute, double minimum,
                    double maximum)
{
    const char *text = dse_xml_need_text(doc, node, attribute);
    if (text == NULL)
        return minimum;
    char *end = NULL;
    double value = strtod(text, &end);
    bool decimal = strpbrk(text, "xXpP") == NULL; /* strtod would take hexadecimal too */
    if (end == text || *skip_space(end) != '\0' || !isfinite(value) || !decimal) {
        dse_xml_problem(doc, node, attribute, "must be a number");
        return minimum;
    }
    if (value >= minimum && value <= maximum)
        return value;
    if (isinf(maximum))
        dse_xml_problem(doc, node, attribute, "must be %g or more", minimum);
    else
        dse_xml_problem(doc, node, attribute, "must be from %g to %g", minimum, maximum);
    return minimum;
}

double dse_xml_real_or(struct dse_xml *doc, dse_xml_node node, const char *attribute, double minimum,
                       double maximum, double fallback)
{
    return dse_xml_has(node, attribute) ? dse_xml_real(doc, node, attribute, minimum, maximum) : fallback;
}

int dse_xml_choice(struct dse_xml *doc, dse_xml_node node, const char *attribute,
                   const char *const *names)
{
    const char *text = dse_xml_need_text(doc, node, attribute);
    if (text == NULL)
        return 0;
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    struct dse_strbuf allowed = {0};
    list_names(&allowed, names);
    dse_xml_problem(doc, node, attribute, "must be %s", dse_strbuf_text(&allowed));
    dse_strbuf_free(&allowed);
    return 0;
}

const char *dse_xml_content(struct dse_xml *doc, dse_xml_node node)
{
    if (node == NULL)
        return "";
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlChar *content = xmlNodeGetContent(node);
    xmlSetGenericErrorFunc(NULL, NULL);
    if (content == NULL)
        return "";
    const char *start = skip_space((const char *)content);
    size_t length = strlen(start);
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    char *copy = dse_arena_strndup(&doc->arena, start, length);
    xmlFree(content);
    return copy;
}

void dse_xml_keep_in(struct dse_xml *doc, struct dse_arena *arena)
{
    doc->kept = arena;
}

const char *dse_xml_keep(struct dse_xml *doc, const char *text)
{
    return dse_arena_strdup(doc->kept, text != NULL ? text : "");
}

const char *dse_xml_keep_need(struct dse_xml *doc, dse_xml_node node, const char *attribute)
{
    return dse_xml_keep(doc, dse_xml_need_text(doc, node, attribute));
}

const char *dse_xml_keep_or(struct dse_xml *doc, dse_xml_node node, const char *attribute, const char *otherwise)
{
    const char *text = dse_xml_text(doc, node, attribute);
    return text != NULL ? dse_xml_keep(doc, text) : otherwise;
}

void *dse_xml_room(struct dse_xml *doc, dse_xml_node parent, const char *name, size_t more, size_t size)
{
    for (dse_xml_node node = dse_xml_first(parent, name); node != NULL; node = dse_xml_next(node, name))
        more++;
    return dse_arena_alloc(doc->kept, more + 1, size);
}

void dse_xml_problem(struct dse_xml *doc, dse_xml_node node, const char *attribute, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *value = attribute != NULL ? dse_xml_text(doc, node, attribute) : NULL;
    struct dse_error text;
    if (node == NULL)
        dse_fail_at(&text, DSE_BAD_INPUT, doc->name, 0, "%s", what);
    else if (value == NULL)
        dse_fail_at(&text, DSE_BAD_INPUT, doc->name, dse_xml_line(node), "<%.60s>: %s", dse_xml_name(node), what);
    else
        dse_fail_at(&text, DSE_BAD_INPUT, doc->name, dse_xml_line(node), "<%.60s %s=\"%.*s%s\">: %s",
                    dse_xml_name(node), attribute, VALUE_SHOWN, value,
                    strlen(value) > VALUE_SHOWN ? "…" : "", what);
    keep_problem(doc, text.message);
}

size_t dse_xml_problem_count(const struct dse_xml *doc)
{
    return doc->problem_count;
}

const char *dse_xml_problem_at(const struct dse_xml *doc, size_t index)
{
    return doc->problems[index];
}

enum dse_status dse_xml_verdict(const struct dse_xml *doc, struct dse_error *err)
{
    if (doc->problem_count == 0)
        return DSE_OK;
    if (doc->problem_count == 1)
        return dse_fail(err, DSE_BAD_INPUT, "%s", doc->problems[0]);
    return dse_fail(err, DSE_BAD_INPUT, "%s (and %zu more)", doc->problems[0], doc->problem_count - 1);
}
