/* Rules between the values of a board file that a schema cannot express. Only for use in this room. */
#pragma once

#include "core/xml.h"
#include "devices/board.h"

/* No chip has more of any resource. Sums and products of such counts stay far from overflow. */
#define DSE_BOARD_COUNT_MAX 100000000

/* No board file is larger: the largest shipped one has 12 KB. */
#define DSE_BOARD_BYTES_MAX ((size_t)1 << 20)

/* Makes the board of a document and collects its problems there. The board is the caller's, and is complete only if there are none. */
struct dse_board *dse_board_of_document(struct dse_xml *doc, const char *name);

/* A platform takes only resources that the chip has; LUTRAM is part of the LUTs. Both elements may be NULL; their values must have been read without
 * a problem. */
void dse_board_rules_resources(struct dse_xml *doc, const struct dse_board *board, dse_xml_node chip,
                               dse_xml_node platform);

/* Names differ; at least one memory is fitted. */
void dse_board_rules_memories(struct dse_xml *doc, dse_xml_node memories);

/* Names differ; each port leads to a memory of the file and each memory has a port; widths are powers of two; a burst stays inside 4 KB, as AXI4
 * requires. */
void dse_board_rules_ports(struct dse_xml *doc, dse_xml_node ports, dse_xml_node memories);

/* Caps ascend in clock and never loosen; default ≤ max ≤ the last cap. The values must have been read without a problem. */
void dse_board_rules_clocks(struct dse_xml *doc, const struct dse_board *board, dse_xml_node clocks);

/* Only <source> and <note> have text. */
void dse_board_rules_text(struct dse_xml *doc, dse_xml_node root);
