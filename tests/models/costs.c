/* Prints the costs of a family's blocks for the workloads and designs on standard input: the program's side of tests/costs.csv, which
 * costs.py compares with the arithmetic there.
 *
 *     workload FAMILY                 starts a workload
 *     series NAME ROWS COLUMNS V …    of the workload
 *     design NAME BOARD KNOB=VALUE …  costs of all blocks, of the workload so far
 *
 * Each output line has design, block, quantity and numbers, separated by tabs. Quantities of time and traffic have two numbers: mean graph
 * and tail. Zeros are not printed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

#define LINE 65536

struct bench {
    const struct dse_model_family *family;
    struct dse_workload workload;
};

static void check(enum dse_status status, const struct dse_error *err)
{
    if (status == DSE_OK)
        return;
    fprintf(stderr, "costs: %s\n", err->message);
    exit(1);
}

static void read_series(struct bench *bench, char *rest)
{
    struct dse_error err;
    char *name = strtok(rest, " ");
    size_t rows = strtoul(strtok(NULL, " "), NULL, 10), columns = strtoul(strtok(NULL, " "), NULL, 10);
    double *values = calloc(rows * columns + 1, sizeof *values);
    for (size_t i = 0; values != NULL && i < rows * columns; i++) {
        const char *word = strtok(NULL, " ");
        values[i] = word != NULL ? strtod(word, NULL) : 0.0;
    }
    check(dse_workload_add_series(&bench->workload, name, rows, columns, values, &err), &err);
    free(values);
}

static void print_pair(const char *design, const char *block, const char *what, const char *stage, int64_t mean, int64_t tail)
{
    if (mean != 0 || tail != 0)
        printf("%s\t%s\t%s %s\t%" PRId64 " %" PRId64 "\n", design, block, what, stage, mean, tail);
}

static void print_one(const char *design, const char *block, const char *what, int64_t value)
{
    if (value != 0)
        printf("%s\t%s\t%s\t%" PRId64 "\n", design, block, what, value);
}

static void print_cost(const char *design, const struct dse_model_family *family, const struct dse_block *block,
                          const struct dse_board *board, const struct dse_accumulators *sums)
{
    char name[160];
    for (size_t s = 0; s < family->stage_count; s++) {
        print_pair(design, block->name, "busy", family->stages[s], sums->busy_cycles[0][s], sums->busy_cycles[1][s]);
        print_pair(design, block->name, "fill", family->stages[s], sums->fill_cycles[0][s], sums->fill_cycles[1][s]);
        for (size_t m = 0; m < board->memory_count; m++) {
            snprintf(name, sizeof name, "%s %s", family->stages[s], board->memories[m].name);
            print_pair(design, block->name, "bytes", name, sums->bytes[0][s][m], sums->bytes[1][s][m]);
        }
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        print_one(design, block->name, dse_resource_names[r], sums->resources[r]);
    print_one(design, block->name, "energy_fj", sums->energy_fj);
    print_one(design, block->name, "idle_nw", sums->idle_nw);
    for (int p = 0; p < DSE_PRECISION_COUNT; p++) {
        snprintf(name, sizeof name, "operations %s", dse_precision_names[p]);
        print_one(design, block->name, name, sums->operations[p]);
    }
    print_one(design, block->name, "on_chip_bytes", sums->on_chip_bytes);
}

static void cost(const struct bench *bench, char *rest)
{
    struct dse_error err;
    struct dse_space *space = NULL;
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    struct dse_config config;
    void *work = NULL;
    const char *design = strtok(rest, " "), *name = strtok(NULL, " ");
    check(dse_model_space(bench->family, NULL, &space, &err), &err);
    check(dse_board_open(name, &board, &err), &err);
    check(dse_costs_for_board(board, NULL, &costs, &err), &err);
    check(bench->family->prepare(bench->family, &bench->workload, &work, &err), &err);
    dse_space_default(space, &config);
    for (const char *word = strtok(NULL, " "); word != NULL; word = strtok(NULL, " "))
        check(dse_config_assign(space, &config, word, &err), &err);
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = board, .costs = costs, .work = work, .rejection = &rejection};
    for (size_t b = 0; b < bench->family->block_count; b++) {
        struct dse_accumulators sums;
        check(dse_block_cost(bench->family, b, &context, &config, &sums, &err), &err);
        check(dse_rejection_verdict(&rejection, &err), &err);
        printf("%s\t%s\tthere\t1\n", design, bench->family->blocks[b].name);
        print_cost(design, bench->family, &bench->family->blocks[b], board, &sums);
    }
    bench->family->release(work);
    dse_costs_free(costs);
    dse_board_free(board);
    dse_space_free(space);
}

int main(void)
{
    static char line[LINE];
    struct bench bench = {0};
    size_t count = 0;
    const struct dse_model_family *const *families = dse_model_families(&count);
    for (size_t f = 0; f < count; f++)
        for (size_t b = 0; b < families[f]->block_count; b++)
            printf("\t%s\tfamily\t%s\n", families[f]->blocks[b].name, families[f]->name);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *rest = strchr(line, ' ');
        if (rest == NULL)
            continue;
        *rest++ = '\0';
        if (strcmp(line, "workload") == 0) {
            dse_workload_clear(&bench.workload);
            bench.workload = (struct dse_workload){0};
            bench.family = dse_model_find(rest);
        } else if (bench.family == NULL) {
            fprintf(stderr, "costs: no such family\n");
            return 1;
        } else if (strcmp(line, "series") == 0) {
            read_series(&bench, rest);
        } else if (strcmp(line, "design") == 0) {
            cost(&bench, rest);
        }
    }
    dse_workload_clear(&bench.workload);
    return 0;
}
