/* Fuzzes experiment files (YAML) of `run`. An accepted file has known commands and options, can be written as command lines, and passes or
 * fails the checks of `run --dry-run`. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dse/experiment.h"
#include "tests/fuzz/input.h"

static void use(const struct dse_experiment *experiment)
{
    require(experiment->step_count > 0);
    for (size_t i = 0; i < experiment->step_count; i++) {
        const struct dse_experiment_step *step = &experiment->steps[i];
        struct dse_strbuf line = {0};
        struct dse_error err = {0};
        dse_experiment_line(step, &line);
        require(strstr(dse_strbuf_text(&line), step->command->name) != NULL && step->line > 0);
        for (size_t w = 0; w < step->word_count; w++)
            require(strstr(dse_strbuf_text(&line), step->words[w].key) != NULL && step->words[w].line > 0);
        dse_strbuf_free(&line);
        if (i > 7) /* checking a thousand steps takes long, reading them does not */
            continue;
        enum dse_status status = dse_cli_run(step, true, &err);
        require(status == DSE_OK || err.message[0] != '\0');
        dse_experiment_explain(experiment, step, status, &err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1; /* kept for the process's lifetime */
    if (file < 0) {
        file = memfd_create("experiment", 0);
        require(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    struct dse_experiment experiment;
    struct dse_error err = {0};
    if (dse_experiment_read(path, &experiment, &err) == DSE_OK) {
        use(&experiment);
        dse_experiment_free(&experiment);
    } else {
        require(err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
    }
    return 0;
}
