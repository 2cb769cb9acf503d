/* Models of the RTL against the RTL. Verilator runs drawn designs (rtl_design.h) over the held-out graphs, once as fast as the ports allow and once
 * with waits. The bench checks that each answer, vector and probe equals the executor's. The cycles of the design's counters must equal those of
 * `simulate --flow rtl`, graph by graph and stage by stage. They are the reference of the estimates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "validation/rtl_design.h"

#define STREAM_RTL 0x7274
#define STAGES_MOST 16
#define TEXT_BYTES 512
#define CYCLES_BYTES_MAX (1u << 26) /* size of the bench's list */
#define GRAPHS_MOST 100000
#define LUT_MOST 20000.0 /* maximum of a design: a larger one takes the compiler minutes */
#define CYCLES_MOST 100000.0 /* maximum per graph, so about ten million per design in all */

/* Counts of the bench: mean cycles per graph, for each stage and for all; and graphs that were equal in all three runs. */
struct counted {
    struct {
        char name[32];
        double cycles;
    } stage[STAGES_MOST];
    size_t stages;
    double total;
    unsigned long graphs;
    int runs;               /* runs in which all graphs were equal */
    char wrong[TEXT_BYTES]; /* the first line that contradicts */
};

static void read_line(const char *line, void *to)
{
    struct counted *out = to;
    char name[32], word[32];
    double cycles, predicted;
    unsigned long graphs;
    if (sscanf(line, "%lu graphs: %31s", &graphs, word) == 2) {
        out->graphs = graphs;
        out->runs += strcmp(word, "equal") == 0 && graphs > 0;
    } else if (sscanf(line, "%31s %lf %lf", name, &cycles, &predicted) == 3 && out->runs == 0) {
        if (strcmp(name, "graph") == 0)
            out->total = cycles;
        else if (out->stages < STAGES_MOST) {
            snprintf(out->stage[out->stages].name, sizeof out->stage[0].name, "%s", name);
            out->stage[out->stages++].cycles = cycles;
        }
    } else if (out->wrong[0] == '\0' && (strstr(line, "must be") != NULL || strstr(line, "rror") != NULL || strstr(line, "arning") != NULL)) {
        snprintf(out->wrong, sizeof out->wrong, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

/* A graph's line of the bench's list: each stage's cycles, and those of the whole query with its registers. */
static enum dse_status compare_graph(const struct dse_rtl_drawn *d, const struct dse_simulation *s, size_t graph, const char **at,
                                     struct dse_error *err)
{
    for (size_t k = 0; k <= s->stage_count; k++) {
        char *end;
        unsigned long long counted = strtoull(*at, &end, 10);
        if (end == *at)
            return dse_fail(err, DSE_ANSWER_NO, "%s/cycles.txt: ends before graph %zu does", d->folder, graph);
        if (k < s->stage_count && counted != s->stages[k].cycles[graph])
            return dse_fail(err, DSE_ANSWER_NO, "%s: graph %zu: %s takes %llu cycles, but simulate counts %llu", d->folder, graph, s->stages[k].name,
                            counted, (unsigned long long)s->stages[k].cycles[graph]);
        *at = end;
    }
    return DSE_OK;
}

static enum dse_status simulate(const struct dse_rtl_drawn *d, struct dse_simulation *out, struct dse_error *err)
{
    const struct dse_validation_ground *g = d->g;
    struct dse_run run = {.seed = g->seed, .jobs = g->jobs, .monitor = g->monitor, .costs = g->costs, .in_rtl = true};
    return dse_simulate_config(d->model, g->data, &d->estimate->config, g->board, &run, out, err);
}

/* Cycles of `simulate --flow rtl` for the same graphs, which must equal the counts. */
static enum dse_status compare_simulated(const struct dse_rtl_drawn *d, struct dse_error *err)
{
    struct dse_simulation simulation DSE_CLEANUP(dse_simulation_free) = {0};
    char path[128], *text DSE_CLEANUP(dse_free_at) = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/cycles.txt", d->folder);
    DSE_TRY(simulate(d, &simulation, err));
    DSE_TRY(dse_file_read(path, CYCLES_BYTES_MAX, &text, &size, err));
    const char *at = text;
    for (size_t i = 0; i < simulation.items; i++)
        DSE_TRY(compare_graph(d, &simulation, i, &at, err));
    return DSE_OK;
}

static void add_rows(const struct dse_rtl_drawn *d, size_t index, const struct counted *counted, const char *source,
                     struct dse_validation *out)
{
    const struct dse_accumulators *sums = &d->held_out->sums;
    struct dse_drawn_row drawn;
    char note[sizeof drawn.config + 64];
    dse_rtl_drawn_row(d, index, source, &drawn);
    snprintf(note, sizeof note, "%lu graphs equal%s: %s", counted->graphs, counted->runs == 3 ? ", three times" : "", drawn.config);
    drawn.row.note = note;
    dse_drawn_add(out, &drawn, NULL, d->held_out->metrics[DSE_METRIC_CYCLES], counted->total);
    drawn.row.note = NULL;
    drawn.row.what = "cycles.by_training"; /* other graphs of the same kind: the figures of `estimate` */
    drawn.row.predicted = d->estimate->metrics[DSE_METRIC_CYCLES];
    dse_validation_add(out, &drawn.row);
    for (size_t s = 0; s < counted->stages && s < d->family->stage_count; s++) {
        double predicted = (double)(sums->busy_cycles[DSE_CASE_MEAN][s] + sums->fill_cycles[DSE_CASE_MEAN][s]);
        snprintf(drawn.what, sizeof drawn.what, "%s.cycles", counted->stage[s].name);
        drawn.row.what = drawn.what;
        drawn.row.predicted = predicted;
        drawn.row.reference = counted->stage[s].cycles;
        if (predicted != 0.0 || counted->stage[s].cycles != 0.0)
            dse_validation_add(out, &drawn.row);
    }
}

/* Cycles counted by Verilator, then compared with the simulation's. */
static enum dse_status one(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    struct counted counted = {0};
    if (dse_rtl_make(d->folder, "sim", read_line, &counted) != 0 || counted.runs != 3)
        return dse_fail(err, DSE_ANSWER_NO, "%s: the RTL differs from the executor: %s", d->folder,
                        counted.wrong[0] != '\0' ? counted.wrong : "make sim failed");
    DSE_TRY(compare_simulated(d, err));
    add_rows(d, index, &counted, "Verilator", out);
    return DSE_OK;
}

/* By the simulation alone: its cycles are those that the RTL counts, without a minute's compilation. */
static enum dse_status one_simulated(struct dse_rtl_drawn *d, size_t index, struct dse_validation *out, struct dse_error *err)
{
    struct counted counted = {0};
    struct dse_simulation s DSE_CLEANUP(dse_simulation_free) = {0};
    dse_rtl_drawn_clear(d, false);
    DSE_TRY(simulate(d, &s, err));
    if (s.equal != s.items)
        return dse_fail(err, DSE_ANSWER_NO, "%s: %zu of %zu simulated hypervectors differ from infer's", d->g->data->name, s.items - s.equal, s.items);
    for (size_t k = 0; k < s.stage_count && k < STAGES_MOST; k++) {
        for (size_t i = 0; i < s.items; i++)
            counted.stage[k].cycles += (double)s.stages[k].cycles[i] / (double)s.items;
        snprintf(counted.stage[k].name, sizeof counted.stage[0].name, "%s", s.stages[k].name);
        counted.total += counted.stage[k].cycles;
        counted.stages++;
    }
    counted.graphs = s.items;
    add_rows(d, index, &counted, "simulation", out);
    return DSE_OK;
}

static struct dse_rtl_plan plan_of(const char *level, const char *tools)
{
    return (struct dse_rtl_plan){.level = level, .tools = tools, .most_cycles = CYCLES_MOST, .most_lut = LUT_MOST, .most_cases = GRAPHS_MOST,
                                 .stream = STREAM_RTL, .anew = true};
}

enum dse_status dse_validate_rtl_simulation(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                            struct dse_error *err)
{
    const struct dse_rtl_plan plan = plan_of("rtl-simulation", "");
    return dse_rtl_drawn_all(g, &plan, count, one_simulated, out, err);
}

enum dse_status dse_validate_rtl(const struct dse_validation_ground *g, size_t count, struct dse_validation *out,
                                 struct dse_error *err)
{
    struct dse_rtl_plan plan = plan_of("rtl", "verilator make");
    plan.whole = true;
    return dse_rtl_drawn_all(g, &plan, count, one, out, err);
}
