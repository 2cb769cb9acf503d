#include "core/xml_words.h"

#include <libxml/xmlerror.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct words {
    int code;         /* error code of libxml2 */
    const char *what; /* ending with ": " if str1 of the error is the name that it is about */
};

static const struct words parse_words[] = {
    {XML_ERR_DOCUMENT_EMPTY, "the file does not begin with an element"},
    {XML_ERR_DOCUMENT_END, "something follows the end of the root element"},
    {XML_ERR_INVALID_CHARREF, "a character reference that is no character"},
    {XML_ERR_INVALID_HEX_CHARREF, "a character reference that is no character"},
    {XML_ERR_INVALID_DEC_CHARREF, "a character reference that is no character"},
    {XML_ERR_INVALID_CHAR, "a control character, or bytes that are not UTF-8"},
    {XML_ERR_INVALID_ENCODING, "bytes that are not in the encoding that the file declares"},
    {XML_ERR_UNKNOWN_ENCODING, "unknown encoding (use UTF-8)"},
    {XML_ERR_UNSUPPORTED_ENCODING, "unknown encoding (use UTF-8): "},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING, "an & without its ; (write &amp; for the sign)"},
    {XML_ERR_UNDECLARED_ENTITY, "unknown entity (write &amp; for the sign &): "},
    {XML_ERR_NAME_REQUIRED, "a name must follow & and < (write &amp; and &lt; for the signs)"},
    {XML_ERR_LT_IN_ATTRIBUTE, "a value with < (write &lt;), or without its closing quote"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED, "an attribute's value must be in quotes"},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED, "an attribute's value has no closing quote"},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "attribute without a value: "},
    {XML_ERR_ATTRIBUTE_REDEFINED, "attribute given twice: "},
    {XML_ERR_SPACE_REQUIRED, "a space is missing between attributes"},
    {XML_ERR_GT_REQUIRED, "a tag without its >"},
    {XML_ERR_LTSLASH_REQUIRED, "an end tag is missing"},
    {XML_ERR_TAG_NAME_MISMATCH, "an end tag of another name; the open element is: "},
    {XML_ERR_TAG_NOT_FINISHED, "the file ends inside of the element: "},
    {XML_ERR_COMMENT_NOT_FINISHED, "a comment without its -->"},
    {XML_ERR_HYPHEN_IN_COMMENT, "-- inside of a comment"},
    {XML_ERR_CDATA_NOT_FINISHED, "a CDATA section without its ]]>"},
    {XML_ERR_MISPLACED_CDATA_END, "]]> in a text (write ]]&gt;)"},
    {XML_ERR_PI_NOT_FINISHED, "a processing instruction without its ?>"},
    {XML_ERR_RESERVED_XML_NAME, "<?xml …?> must be the file's first characters"},
    {XML_ERR_XMLDECL_NOT_FINISHED, "<?xml …?> is not complete"},
};

const char *dse_xml_parse_words(const xmlError *why, char text[DSE_XML_WORDS])
{
    const char *what = NULL, *name = "";
    for (size_t i = 0; i < sizeof parse_words / sizeof *parse_words && what == NULL; i++)
        if (parse_words[i].code == why->code)
            what = parse_words[i].what;
    if (what != NULL && what[strlen(what) - 1] == ' ' && why->str1 != NULL)
        name = why->str1;
    if (what != NULL)
        snprintf(text, DSE_XML_WORDS, "%s%.60s", what, name);
    else
        snprintf(text, DSE_XML_WORDS, "a text that the parser cannot read (its error %d)", why->code);
    return text;
}

const char *dse_xml_schema_words(const xmlError *why, char text[DSE_XML_WORDS])
{
    /* The allowed names are only in the message: "… ( a, b )." */
    const char *names = why->code == XML_SCHEMAV_ELEMENT_CONTENT && why->message != NULL ? strstr(why->message, "( ") : NULL;
    if (names != NULL)
        snprintf(text, DSE_XML_WORDS, "is not allowed here, or an element is missing; allowed: %.*s", (int)strcspn(names + 2, ")") - 1, names + 2);
    else
        snprintf(text, DSE_XML_WORDS, "is not what the schema allows (the validator's error %d)", why->code);
    return text;
}
