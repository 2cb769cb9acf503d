#include "explore/explore.h"

#include <stdlib.h>

#include "core/memory.h"
#include "explore/record.h"
#include "models/hls.h"

/* Whether the monitor ended it: an interrupted explanation also ends everything; an exhausted budget does not, as the answer is complete. */
static bool is_interrupted(const struct dse_exploration *e)
{
    return e->answer.outcome == DSE_OUTCOME_INTERRUPTED || (e->why != NULL && e->why->end == DSE_WHY_INTERRUPTED);
}

/* Rejects a launch whose items have no room in the ring of a corner's design. */
static enum dse_status check_rings(const struct dse_exploration *e, struct dse_error *err)
{
    const struct dse_front *front = &e->front;
    for (size_t c = 0; c < DSE_CORNER_COUNT && front->count > 0 && e->question.board->host.batch > 1; c++) {
        const struct dse_design *design = front->corners.at[c] != DSE_CORNER_NONE ? &front->designs[front->corners.at[c]] : NULL;
        if (design != NULL && design->estimate != NULL)
            DSE_TRY(dse_ring_check(design->setup, &design->estimate->config, err));
    }
    return DSE_OK;
}

/* Says why `emit` writes no source of the balanced design. */
static void note_source(const struct dse_exploration *e)
{
    const size_t at = e->front.count > 0 ? e->front.corners.at[DSE_CORNER_BALANCED] : DSE_CORNER_NONE;
    const struct dse_design *design = at != DSE_CORNER_NONE ? &e->front.designs[at] : NULL;
    struct dse_hls hls DSE_CLEANUP(dse_hls_free) = {0};
    struct dse_error none;
    if (design != NULL && design->estimate != NULL && design->setup->family->hardware != NULL &&
        dse_hls_make(design->setup, &design->estimate->config, &hls, &none) == DSE_OK && hls.unwritten != NULL)
        dse_request_note(e->request, "the balanced design has no HLS source: %s", hls.unwritten);
}

static enum dse_status answer_one(struct dse_explored *out, struct dse_exploration *e, const struct dse_request *request,
                                  const struct dse_terms *terms, size_t index, struct dse_error *err)
{
    DSE_TRY(dse_exploration_open(request, terms, &out->bench, index, out->study, e, err));
    if (e->ended.message[0] == '\0')
        dse_exploration_tell_size(e);
    DSE_TRY(dse_exploration_answer(e, err));
    if (terms->resolution > 0.0)
        dse_front_cover(&e->question, terms->resolution, &e->answer);
    if (*e->remark != '\0')
        dse_request_note(request, "%s", e->remark);
    DSE_TRY(e->answer.front_count > 0 ? dse_exploration_evaluate(e, err) : DSE_OK);
    note_source(e);
    return check_rings(e, err);
}

enum dse_status dse_explore(const struct dse_request *request, const struct dse_terms *terms, const char *command,
                            dse_explored_visitor *visit, void *user, struct dse_explored *out, struct dse_error *err)
{
    *out = (struct dse_explored){0};
    DSE_TRY(dse_record_check(request, command, terms, err));
    DSE_TRY(dse_workbench_open_bare(request, &out->bench, err));
    size_t count = out->bench.board_count * out->bench.profile_count;
    if (count > 1 && dse_request_flag(request, "write-lp"))
        return dse_fail(err, DSE_BAD_USAGE, "--write-lp: takes one board and one data set");
    DSE_TRY(dse_record_begin(request, &out->bench, command, terms, &out->study, err));
    out->each = dse_calloc(count + 1, sizeof *out->each);
    for (size_t i = 0; i < count && out->ended.message[0] == '\0'; i++) {
        struct dse_exploration *e = &out->each[out->count++];
        struct dse_error stopped = {0};
        enum dse_status status = answer_one(out, e, request, terms, i, &stopped);
        if (status == DSE_CANCELLED) { /* interrupted before there was an answer */
            e->answer.outcome = DSE_OUTCOME_INTERRUPTED;
            dse_fail_cancelled(&e->ended);
        } else if (status != DSE_OK) {
            if (status == DSE_BAD_USAGE || status == DSE_ANSWER_NO) { /* wrong words, or no possible answer: a study of them would reject the corrected ones */
                dse_study_abandon(out->study, status == DSE_BAD_USAGE || i > 0);
                out->study = NULL;
            }
            if (err != NULL)
                *err = stopped; /* with the lines of the error */
            return status;
        }
        out->answered += e->front.count > 0;
        if (e->answer.outcome == DSE_OUTCOME_INTERRUPTED)
            out->ended = e->ended;
        out->cut |= e->answer.outcome == DSE_OUTCOME_BUDGET;
        out->interrupted = is_interrupted(e);
        if (out->interrupted && out->ended.message[0] == '\0')
            dse_fail(&out->ended, DSE_CANCELLED, "interrupted: nothing is feasible, which is proven; the explanation is partial");
        if (visit != NULL)
            visit(user, e);
    }
    return DSE_OK;
}

void dse_explored_free(struct dse_explored *explored)
{
    for (size_t i = 0; i < explored->count; i++)
        dse_exploration_free(&explored->each[i]);
    free(explored->each);
    dse_study_close(explored->study);
    dse_workbench_close(&explored->bench);
    *explored = (struct dse_explored){0};
}
