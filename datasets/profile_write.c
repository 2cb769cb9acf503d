#include <string.h>

#include "core/file.h"
#include "core/number.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "datasets/profile.h"

#define LINE_WIDTH 110 /* characters per line of the numbers of a series */

static void add_number_attribute(struct dse_strbuf *xml, const char *name, double value)
{
    char text[32];
    dse_xml_write_attribute(xml, name, dse_number_shortest(text, sizeof text, value));
}

static void add_setting(struct dse_strbuf *xml, const char *element, const struct dse_setting *setting)
{
    dse_strbuf_printf(xml, "<%s>", element);
    for (size_t i = 0; i < setting->count; i++) {
        dse_strbuf_add(xml, i > 0 ? " " : "");
        dse_xml_write_text(xml, setting->pairs[i].name);
        dse_strbuf_add(xml, "=");
        dse_xml_write_text(xml, setting->pairs[i].value);
    }
    dse_strbuf_printf(xml, "</%s>", element);
}

static void add_series(struct dse_strbuf *xml, const struct dse_series *series)
{
    dse_strbuf_add(xml, "    <series");
    dse_xml_write_attribute(xml, "name", series->name);
    dse_strbuf_printf(xml, " rows=\"%zu\" columns=\"%zu\">", series->rows, series->columns);
    size_t count = series->rows * series->columns, width = 0;
    for (size_t i = 0; i < count; i++) {
        char text[32];
        size_t length = strlen(dse_number_shortest(text, sizeof text, series->values[i]));
        bool fresh_line = i > 0 && width + length + 1 > LINE_WIDTH;
        if (i > 0)
            dse_strbuf_add(xml, fresh_line ? "\n" : " ");
        dse_strbuf_add_n(xml, text, length);
        width = fresh_line ? length : width + length + 1;
    }
    dse_strbuf_add(xml, "</series>\n");
}

static void add_workload(struct dse_strbuf *xml, const struct dse_workload *workload)
{
    dse_strbuf_add(xml, "  <workload>\n    ");
    add_setting(xml, "setting", &workload->setting);
    dse_strbuf_add(xml, "\n");
    for (size_t i = 0; i < workload->series_count; i++)
        add_series(xml, &workload->series[i]);
    dse_strbuf_add(xml, "  </workload>\n");
}

static void add_quality(struct dse_strbuf *xml, const struct dse_quality *quality)
{
    dse_strbuf_add(xml, "  <quality");
    dse_xml_write_attribute(xml, "name", quality->name);
    dse_xml_write_attribute(xml, "better", quality->higher_is_better ? "higher" : "lower");
    add_number_attribute(xml, "mean", quality->mean);
    add_number_attribute(xml, "std", quality->std);
    dse_strbuf_printf(xml, " n=\"%lld\"", (long long)quality->n);
    dse_xml_write_attribute(xml, "protocol", quality->protocol);
    if (quality->reported_n > 0) {
        add_number_attribute(xml, "reported_mean", quality->reported_mean);
        add_number_attribute(xml, "reported_std", quality->reported_std);
        dse_strbuf_printf(xml, " reported_n=\"%lld\"", (long long)quality->reported_n);
    }
    for (size_t i = 0; i < quality->validation_count; i++) {
        char number[32];
        dse_strbuf_printf(xml, "%s%s", i == 0 ? " validation=\"" : " ", dse_number_shortest(number, sizeof number, quality->validation[i]));
    }
    dse_strbuf_add(xml, quality->validation_count > 0 ? "\"" : "");
    dse_strbuf_add(xml, ">\n    ");
    add_setting(xml, "setting", &quality->setting);
    dse_strbuf_add(xml, "\n  </quality>\n");
}

static void add_facts(struct dse_strbuf *xml, const struct dse_setting *facts)
{
    dse_strbuf_add(xml, "  <facts>\n");
    for (size_t i = 0; i < facts->count; i++) {
        dse_strbuf_add(xml, "    <fact");
        dse_xml_write_attribute(xml, "name", facts->pairs[i].name);
        dse_xml_write_attribute(xml, "value", facts->pairs[i].value);
        dse_strbuf_add(xml, "/>\n");
    }
    dse_strbuf_add(xml, "  </facts>\n");
}

static void add_document(struct dse_strbuf *xml, const struct dse_profile *profile)
{
    dse_strbuf_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<!-- Measured, not written by hand: <command> reproduces it. -->\n"
                        "<profile schema=\"nysx-dse.profile/1\"");
    dse_xml_write_attribute(xml, "family", profile->family);
    dse_xml_write_attribute(xml, "dataset", profile->dataset);
    dse_strbuf_printf(xml, " hash=\"%016llx\"", (unsigned long long)profile->dataset_hash);
    dse_xml_write_attribute(xml, "tool-version", profile->tool_version);
    dse_strbuf_add(xml, ">\n  <command>");
    dse_xml_write_text(xml, profile->command);
    dse_strbuf_add(xml, "</command>\n");
    add_facts(xml, &profile->facts);
    dse_strbuf_add(xml, "  ");
    add_setting(xml, "preset", &profile->preset);
    dse_strbuf_add(xml, "\n");
    for (size_t i = 0; i < profile->workload_count; i++)
        add_workload(xml, &profile->workloads[i]);
    for (size_t i = 0; i < profile->quality_count; i++)
        add_quality(xml, &profile->qualities[i]);
    dse_strbuf_add(xml, "</profile>\n");
}

enum dse_status dse_profile_format(const struct dse_profile *profile, struct dse_strbuf *xml, struct dse_error *err)
{
    DSE_TRY(dse_profile_check(profile, err));
    add_document(xml, profile);
    return DSE_OK;
}

enum dse_status dse_profile_write(const struct dse_profile *profile, const char *path, struct dse_error *err)
{
    struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(dse_profile_format(profile, &xml, err));
    return dse_file_write(path, xml.text, xml.length, err);
}
