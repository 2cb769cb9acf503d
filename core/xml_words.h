/* Errors of libxml2 in the program's own words. */
#pragma once

#include <libxml/tree.h>
#include <stddef.h>

#define DSE_XML_WORDS 400 /* bytes that hold any of the texts */

/* Why a text is not well-formed, from the parser's error. */
const char *dse_xml_parse_words(const xmlError *why, char text[DSE_XML_WORDS]);

/* An error of the schema, which names why->node; details come from the file's own reader, which rejects the same files. */
const char *dse_xml_schema_words(const xmlError *why, char text[DSE_XML_WORDS]);
