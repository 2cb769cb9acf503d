/* Asks the default question about a data set: the front, as a table. */
#include <nysxdse.h>

/* Prints each answer as it comes. */
static void print(void *user, const struct dse_exploration *e)
{
    (void)user;
    struct dse_strbuf text = {0};
    struct dse_design best[5];
    size_t count = e->front.count < e->terms->best ? e->front.count : e->terms->best;
    if (e->front.count == 0) {
        fprintf(stderr, "%s\n", e->ended.message);
        return;
    }
    for (size_t i = 0; i < count; i++)
        best[i] = e->front.designs[e->front.order[i]];
    struct dse_sweep_report report = {.question = &e->question, .answer = &e->answer,
                                      .method = dse_method_names[e->terms->method], .front = e->front.designs,
                                      .best = best, .best_count = count, .remark = e->remark, .shown = e->terms->shown};
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
        terms.best = 5;
        terms.shown = 20;
        status = dse_explore(&request, &terms, "ask", print, NULL, &explored, &err);
    }
    if (status != DSE_OK)
        fprintf(stderr, "%s\n", err.message);
    bool answered = explored.answered > 0;
    dse_explored_free(&explored);
    dse_request_free(&request);
    return status == DSE_OK && answered ? 0 : 1;
}
