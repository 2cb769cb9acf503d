/* Asks the default question about a data set: its corners, as a table. */
#include <nysxdse.h>

/* Prints each answer as it comes. */
static void print(void *user, const struct dse_exploration *e)
{
    (void)user;
    struct dse_strbuf text = {0};
    if (e->front.count == 0) {
        fprintf(stderr, "%s\n", e->ended.message);
        return;
    }
    struct dse_sweep_report report = {.exploration = e, .command = "sweep"};
    dse_sweep_write(&report, 0, &text);
    fputs(dse_strbuf_text(&text), stdout);
    dse_strbuf_free(&text);
}

int main(int argc, char **argv)
{
    struct dse_request request;
    struct dse_terms terms;
    struct dse_explored explored = {0};
    struct dse_error err = {0};
    dse_request_init(&request);
    enum dse_status status = dse_request_add(&request, "dataset", argc > 1 ? argv[1] : "MUTAG", &err);
    if (status == DSE_OK)
        status = dse_terms_read(&request, false, DSE_DEFAULT_OBJECTIVES, &terms, &err);
    if (status == DSE_OK) {
        status = dse_explore(&request, &terms, "ask", print, NULL, &explored, &err);
    }
    if (status != DSE_OK)
        fprintf(stderr, "%s\n", err.message);
    bool answered = explored.answered > 0;
    dse_explored_free(&explored);
    dse_request_free(&request);
    return status == DSE_OK && answered ? 0 : 1;
}
