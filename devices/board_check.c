/* Every problem of a board file: those of the reader, and what only the schema finds. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/strbuf.h"
#include "core/xml.h"
#include "devices/board.h"
#include "devices/board_rules.h"

/* "file:14: " of a problem line: two problems with the same are taken to be the same one. */
static size_t place_length(const char *problem, const char *path)
{
    size_t length = strlen(path);
    if (strncmp(problem, path, length) != 0 || problem[length] != ':')
        return 0;
    size_t digits = strspn(problem + length + 1, "0123456789");
    return length + 1 + digits;
}

static void add_problems(const struct dse_xml *doc, const char *path, size_t from_reader,
                         struct dse_strbuf *problems, size_t *count)
{
    for (size_t i = 0; i < dse_xml_problem_count(doc); i++) {
        const char *line = dse_xml_problem_at(doc, i);
        size_t place = place_length(line, path);
        bool known = false;
        for (size_t k = 0; i >= from_reader && !known && k < from_reader; k++)
            known = strncmp(dse_xml_problem_at(doc, k), line, place + 1) == 0;
        if (known)
            continue;
        dse_strbuf_printf(problems, "%s\n", line);
        (*count)++;
    }
}

static enum dse_status check_document(struct dse_xml *doc, const char *path, struct dse_strbuf *problems,
                                      size_t *count, struct dse_error *err)
{
    struct dse_board *board = dse_board_of_document(doc, path);
    if (board == NULL)
        return dse_fail_memory(err);
    dse_board_free(board);
    size_t from_reader = dse_xml_problem_count(doc);
    char *schema = NULL;
    enum dse_status status = dse_share_find("schema/board.xsd", &schema, err);
    if (status == DSE_OK)
        status = dse_xml_validate(doc, schema, err);
    free(schema);
    if (status == DSE_OK)
        add_problems(doc, path, from_reader, problems, count);
    return status == DSE_OK && problems->failed ? dse_fail_memory(err) : status;
}

enum dse_status dse_board_check(const char *path, struct dse_strbuf *problems, size_t *count,
                                struct dse_error *err)
{
    struct dse_xml *doc = NULL;
    *count = 0;
    enum dse_status status = dse_xml_read_file(path, DSE_BOARD_BYTES_MAX, &doc, err);
    if (status == DSE_BAD_INPUT) {
        dse_strbuf_printf(problems, "%s\n", err->message);
        *count = 1;
        return problems->failed ? dse_fail_memory(err) : DSE_OK;
    }
    if (status != DSE_OK)
        return status;
    status = check_document(doc, path, problems, count, err);
    dse_xml_free(doc);
    return status;
}
