#include "reports/junit.h"

#include <math.h>

#include "core/xml.h"

static void write_case(const struct dse_junit_case *one, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "    <testcase");
    dse_xml_write_attribute(out, "classname", one->group);
    dse_xml_write_attribute(out, "name", one->name);
    if (isfinite(one->seconds))
        dse_strbuf_printf(out, " time=\"%.3f\"", one->seconds);
    dse_strbuf_add(out, ">");
    if (one->failure != NULL) {
        dse_strbuf_add(out, "<failure");
        dse_xml_write_attribute(out, "message", one->failure);
        dse_strbuf_add(out, "/>");
    }
    if (one->skipped != NULL) {
        dse_strbuf_add(out, "<skipped");
        dse_xml_write_attribute(out, "message", one->skipped);
        dse_strbuf_add(out, "/>");
    }
    if (one->output != NULL && *one->output != '\0') {
        dse_strbuf_add(out, "<system-out>");
        dse_xml_write_text(out, one->output);
        dse_strbuf_add(out, "</system-out>");
    }
    dse_strbuf_add(out, "</testcase>\n");
}

void dse_junit_write(const char *suite, const struct dse_junit_case *cases, size_t count, struct dse_strbuf *out)
{
    size_t failed = 0, skipped = 0;
    for (size_t i = 0; i < count; i++) {
        failed += cases[i].failure != NULL;
        skipped += cases[i].skipped != NULL;
    }
    dse_strbuf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\"",
                      count, failed, skipped);
    dse_xml_write_attribute(out, "name", suite);
    dse_strbuf_add(out, ">\n");
    for (size_t i = 0; i < count; i++)
        write_case(&cases[i], out);
    dse_strbuf_add(out, "  </testsuite>\n</testsuites>\n");
}
