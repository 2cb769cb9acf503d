#include "devices/prices.h"

#include <string.h>

#include "core/xml.h"

#define FILE_BYTES_MAX (1 << 16)

#define AT(member) offsetof(struct dse_price, member)
static const struct dse_xml_field fields[] = {
    {.attribute = "board", DSE_XML_TEXT, AT(board)},
    {.attribute = "usd", DSE_XML_NUMBER, AT(usd), 1, 1e6},
    {.attribute = "date", DSE_XML_TEXT, AT(date)},
    {.attribute = "source", DSE_XML_TEXT, AT(source)}, {0}};

enum dse_status dse_prices_open(struct dse_prices *out, struct dse_error *err)
{
    struct dse_xml *doc DSE_CLEANUP(dse_xml_free_at) = NULL;
    *out = (struct dse_prices){0};
    DSE_TRY(dse_xml_read_shared("machines/prices.xml", FILE_BYTES_MAX, &doc, err));
    dse_xml_node root = dse_xml_root(doc, "prices");
    dse_xml_keep_in(doc, &out->arena);
    out->items = dse_xml_room(doc, root, "price", 0, sizeof *out->items);
    for (dse_xml_node n = dse_xml_first(root, "price"); n != NULL; n = dse_xml_next(n, "price"))
        dse_xml_read_fields(doc, n, fields, NULL, &out->items[out->count++]);
    enum dse_status status = dse_xml_verdict(doc, err);
    if (status != DSE_OK)
        dse_prices_free(out);
    return status;
}

void dse_prices_free(struct dse_prices *prices)
{
    dse_arena_free(&prices->arena);
    *prices = (struct dse_prices){0};
}

const struct dse_price *dse_prices_find(const struct dse_prices *prices, const char *board)
{
    for (size_t i = 0; i < prices->count; i++)
        if (strcmp(prices->items[i].board, board) == 0)
            return &prices->items[i];
    return NULL;
}
