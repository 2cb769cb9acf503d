/* Safe XML: rejections; one pass finds every problem with its place. */

#include <math.h>
#include <string.h>

#include "core/strbuf.h"
#include "core/xml.h"
#include "tests/test.h"

static struct dse_xml *parse(const char *text)
{
    struct dse_xml *doc = NULL;
    struct dse_error err = {0};
    if (dse_xml_read_memory(text, strlen(text), "t.xml", &doc, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return doc;
}

static void check_rejected(const char *text, size_t size, const char *expected)
{
    struct dse_xml *doc = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_xml_read_memory(text, size, "t.xml", &doc, &err), DSE_BAD_INPUT);
    assert_null(doc);
    if (strstr(err.message, expected) == NULL)
        fail_msg("%s: expected %s", err.message, expected);
}

TEST(test_rejected)
{
    static const char bomb[] = "<!DOCTYPE a [<!ENTITY b \"xxxxxxxx\"><!ENTITY c \"&b;&b;&b;&b;\">]><a v='&c;'>&c;</a>";
    check_rejected(bomb, sizeof bomb - 1, "document type declarations");
    static const char external[] = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>";
    check_rejected(external, sizeof external - 1, "document type declarations");
    check_rejected("<a>\0</a>", 8, "NUL byte");
    check_rejected("<a><b></a>", 10, "t.xml:1: not well-formed XML: an end tag of another name; the open element is: b");
    check_rejected("", 0, "not well-formed XML: the file does not begin with an element");
    check_rejected("<a v='1' v='2'/>", 16, "not well-formed XML: attribute given twice: v");
    check_rejected("<a>&undefined;</a>", 18, "not well-formed XML: unknown entity (write &amp; for the sign &): undefined");
    check_rejected("<a>\nx & y</a>", 13, "t.xml:2: not well-formed XML: a name must follow & and <");
    check_rejected("<a v='1", 7, "t.xml:1: not well-formed XML: an attribute's value has no closing quote");
    check_rejected("<a v=1/>", 8, "not well-formed XML: an attribute's value must be in quotes");
    check_rejected("<a>\xff</a>", 8, "not well-formed XML: a control character, or bytes that are not UTF-8");
    check_rejected("<?xml version='1.0' encoding='foo'?><a/>", 40, "not well-formed XML: unknown encoding (use UTF-8): foo");
    check_rejected("<a><b>\n<c/", 10, "t.xml:2: not well-formed XML: the file ends inside of the element: b");
}

/* Input that would take the parser minutes or gigabytes is rejected beforehand; marks in comments and quotes do not count. */
TEST(test_overgrown)
{
    struct dse_strbuf text = {0};
    dse_strbuf_printf(&text, "<a>\n<b");
    for (int i = 0; i < 200000; i++)
        dse_strbuf_printf(&text, " a%d='='", i);
    dse_strbuf_printf(&text, "/></a>");
    check_rejected(text.text, text.length, "t.xml:2: an element has more than 512 attributes");
    dse_strbuf_free(&text);
    dse_strbuf_printf(&text, "<a>");
    for (int i = 0; i < 2000001; i++)
        dse_strbuf_printf(&text, "<b/>");
    dse_strbuf_printf(&text, "</a>");
    check_rejected(text.text, text.length, "t.xml:1: the file has more than 2000000 elements and attributes");
    dse_strbuf_free(&text);
    dse_strbuf_printf(&text, "<a v='");
    for (int i = 0; i < 1000; i++)
        dse_strbuf_printf(&text, "=>");
    dse_strbuf_printf(&text, "'><!-- <b");
    for (int i = 0; i < 1000; i++)
        dse_strbuf_printf(&text, " c='>'");
    dse_strbuf_printf(&text, "--><![CDATA[<b");
    for (int i = 0; i < 1000; i++)
        dse_strbuf_printf(&text, " c='>");
    dse_strbuf_printf(&text, "]]></a>");
    dse_xml_free(parse(text.text));
    dse_strbuf_free(&text);
    static const char *const cut[] = {"<", "<!", "<!-", "<!--", "<![CDATA[", "<?x", "<a", "<a b='", "<a><!-- "};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        check_rejected(cut[i], strlen(cut[i]), "not well-formed");
}

TEST(test_every_problem_is_found)
{
    static const char *const attributes[] = {"n", "x", "c", NULL}, *const children[] = {"b", NULL};
    static const char *const words[] = {"one", "two", "three", NULL};
    struct dse_xml *doc = parse("<a n='-3' x='0x10'\n c='four' d='1'>\n<z/>\n</a>");
    dse_xml_node root = dse_xml_root(doc, "a");
    assert_int_equal(dse_xml_int(doc, root, "n", 0, INT64_MAX), 0);
    assert_true(dse_xml_real(doc, root, "x", 1.0, INFINITY) == 1.0);
    assert_int_equal(dse_xml_choice(doc, root, "c", words), 0);
    dse_xml_allow(doc, root, attributes, children);
    assert_null(dse_xml_one(doc, root, "b"));
    static const char *const expected[] = {
        "t.xml:2: <a n=\"-3\">: must be 0 or more",
        "t.xml:2: <a x=\"0x10\">: must be a number",
        "t.xml:2: <a c=\"four\">: must be one, two or three",
        "t.xml:2: <a>: unknown attribute \"d\"; allowed: n, x or c",
        "t.xml:3: <z>: unknown element \"z\"; allowed: b",
        "t.xml:2: <a>: needs a child element <b>",
    };
    assert_int_equal(dse_xml_problem_count(doc), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(dse_xml_problem_at(doc, i), expected[i]);
    struct dse_error err;
    assert_int_equal(dse_xml_verdict(doc, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "t.xml:2: <a n=\"-3\">: must be 0 or more (and 5 more)");
    dse_xml_free(doc);
}

TEST(test_good_values)
{
    struct dse_xml *doc = parse("<a n=' 42 ' x='2.5e3'> text &amp; more <b/><b/></a>");
    dse_xml_node root = dse_xml_root(doc, "a");
    assert_int_equal(dse_xml_int(doc, root, "n", 0, 100), 42);
    assert_true(dse_xml_real(doc, root, "x", 0.0, INFINITY) == 2500.0);
    assert_true(dse_xml_real_or(doc, root, "missing", 0.0, 9.0, 7.0) == 7.0);
    assert_string_equal(dse_xml_content(doc, root), "text & more");
    assert_non_null(dse_xml_next(dse_xml_first(root, "b"), "b"));
    struct dse_error err;
    assert_int_equal(dse_xml_verdict(doc, &err), DSE_OK);
    /* Empty input: no crash, no further problem. */
    assert_int_equal(dse_xml_int(doc, NULL, "n", 3, 9), 3);
    assert_null(dse_xml_first(NULL, "b"));
    assert_int_equal(dse_xml_problem_count(doc), 0);
    dse_xml_free(doc);
}

TEST(test_escape)
{
    struct dse_strbuf buf = {0};
    dse_xml_escape(&buf, "a<b>&\"c'");
    assert_string_equal(buf.text, "a&lt;b&gt;&amp;&quot;c&apos;");
    dse_strbuf_free(&buf);
    buf = (struct dse_strbuf){0};
    dse_xml_write_attribute(&buf, "a", "\xC3\xA9<\t\x01\xFF\xED\xA0\x80");
    assert_string_equal(buf.text, " a=\"\xC3\xA9&lt;&#9;\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    dse_strbuf_free(&buf);
}

TESTS(NULL, NULL)
