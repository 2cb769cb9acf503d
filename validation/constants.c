/* Level 2: the cost libraries' constants against synthesis reports (validation/constants.xml). */
#include <string.h>

#include "core/xml.h"
#include "resources/packing.h"
#include "validation/validation.h"

#define FILE_BYTES_MAX (1 << 20)
#define TIMES_MAX 1e6

/* One design being put together; the first error sticks. */
struct parts {
    struct dse_xml *doc;
    struct dse_costs *costs;
    double clock_hz;
    struct dse_tally tally;
    double operator_lut, operator_ff;
    enum dse_status status;
    struct dse_error *err;
};

static double times_of(struct parts *p, dse_xml_node node)
{
    return dse_xml_real(p->doc, node, "times", 0.0, TIMES_MAX);
}

static void add_operator(struct parts *p, dse_xml_node node)
{
    struct dse_cost cost;
    int op = dse_costs_name_index(dse_operator_names, DSE_OP_COUNT, dse_xml_need_text(p->doc, node, "name"));
    int precision =
        dse_costs_name_index(dse_precision_names, DSE_PRECISION_COUNT, dse_xml_need_text(p->doc, node, "precision"));
    int form = dse_costs_name_index(dse_form_names, DSE_FORM_COUNT, dse_xml_need_text(p->doc, node, "form"));
    if (op < 0 || precision < 0 || form < 0) {
        dse_xml_problem(p->doc, node, NULL, "no such operator, precision or form");
        return;
    }
    double times = times_of(p, node);
    p->status = dse_costs_operator(p->costs, (enum dse_operator)op, (enum dse_precision)precision, (enum dse_form)form,
                                   p->clock_hz, &cost, p->err);
    if (p->status != DSE_OK)
        return;
    dse_tally_add(&p->tally, p->costs, &cost, times);
    p->operator_lut += times * cost.amount[DSE_LUT];
    p->operator_ff += times * cost.amount[DSE_FF];
}

static void add_structure(struct parts *p, enum dse_structure structure, double size, double times)
{
    struct dse_cost cost;
    if (p->status == DSE_OK)
        p->status = dse_costs_structure(p->costs, structure, size, &cost, p->err);
    if (p->status == DSE_OK)
        dse_tally_add(&p->tally, p->costs, &cost, times);
}

static void add_part(struct parts *p, dse_xml_node node)
{
    const char *name = dse_xml_name(node);
    if (strcmp(name, "operator") == 0) {
        add_operator(p, node);
    } else if (strcmp(name, "structure") == 0) {
        int structure =
            dse_costs_name_index(dse_structure_names, DSE_STRUCTURE_COUNT, dse_xml_need_text(p->doc, node, "name"));
        if (structure < 0)
            dse_xml_problem(p->doc, node, "name", "no such structure");
        else
            add_structure(p, (enum dse_structure)structure, dse_xml_real(p->doc, node, "size", 0.0, 1e9), times_of(p, node));
    } else if (strcmp(name, "m_axi") == 0) {
        p->status = dse_pack_m_axi(p->costs, dse_xml_int(p->doc, node, "bits", 1, 4096), 0, 0, times_of(p, node), &p->tally,
                                   p->err);
    } else if (strcmp(name, "fifo") == 0) {
        p->status = dse_pack_fifo(p->costs, dse_xml_int(p->doc, node, "depth", 1, 1 << 20),
                                  dse_xml_int(p->doc, node, "bits", 1, 4096), times_of(p, node), &p->tally, p->err);
    }
}

static void add_rows(struct parts *p, dse_xml_node design, struct dse_validation *out)
{
    dse_xml_node used = dse_xml_one(p->doc, design, "used");
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        if (used == NULL || !dse_xml_has(used, dse_resource_names[r]))
            continue;
        struct dse_validation_row row = dse_validation_row_empty;
        row.what = dse_resource_names[r];
        row.where = dse_xml_need_text(p->doc, design, "case");
        row.source = dse_xml_need_text(p->doc, design, "source");
        row.predicted = p->tally.nominal[r];
        row.low = p->tally.low[r];
        row.high = p->tally.high[r];
        row.reference = dse_xml_real(p->doc, used, dse_resource_names[r], 1.0, 1e9);
        row.unexplained = dse_xml_has(design, "fitted") && r != DSE_DSP;
        row.note = row.unexplained ? "the datapath entries were fitted to this design: predicted without them" : NULL;
        if (row.where != NULL && row.source != NULL)
            dse_validation_add(out, &row);
    }
}

static enum dse_status read_design(struct dse_xml *doc, dse_xml_node node, struct dse_validation *out, struct dse_error *err)
{
    static const char *const attributes[] = {"case", "library", "clock_mhz", "datapath", "fitted", "source", NULL};
    static const char *const children[] = {"operator", "structure", "m_axi", "fifo", "used", NULL};
    struct parts parts = {.doc = doc, .err = err, .clock_hz = dse_xml_real(doc, node, "clock_mhz", 1.0, 2000.0) * 1e6};
    const char *library = dse_xml_need_text(doc, node, "library");
    dse_xml_allow(doc, node, attributes, children);
    if (library == NULL)
        return DSE_OK; /* a problem of the document, reported with all others */
    parts.status = dse_costs_open(library, NULL, NULL, &parts.costs, err);
    for (dse_xml_node part = dse_xml_first(node, NULL); part != NULL && parts.status == DSE_OK; part = dse_xml_next(part, NULL))
        add_part(&parts, part);
    if (parts.status == DSE_OK && dse_xml_has(node, "datapath") && !dse_xml_has(node, "fitted")) {
        add_structure(&parts, DSE_STRUCTURE_DATAPATH_LUT, parts.operator_lut, 1.0);
        add_structure(&parts, DSE_STRUCTURE_DATAPATH_FF, parts.operator_ff, 1.0);
    }
    if (parts.status == DSE_OK)
        add_rows(&parts, node, out);
    dse_costs_free(parts.costs);
    return parts.status;
}

enum dse_status dse_validate_constants(const struct dse_validation_ground *ground, size_t count, struct dse_validation *out,
                                       struct dse_error *err)
{
    (void)ground; /* reports of others' designs: of no family and board */
    (void)count;
    static const char *const none[] = {NULL};
    static const char *const children[] = {"design", NULL};
    struct dse_xml *doc = NULL;
    DSE_TRY(dse_xml_read_shared("published/constants.xml", FILE_BYTES_MAX, &doc, err));
    enum dse_status status = DSE_OK;
    dse_xml_node root = dse_xml_root(doc, "constants");
    dse_xml_allow(doc, root, none, children);
    for (dse_xml_node node = dse_xml_first(root, "design"); node != NULL && status == DSE_OK; node = dse_xml_next(node, "design"))
        status = read_design(doc, node, out, err);
    if (status == DSE_OK)
        status = dse_xml_verdict(doc, err);
    dse_xml_free(doc);
    return status;
}
