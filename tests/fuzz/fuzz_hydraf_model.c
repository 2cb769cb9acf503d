/* Fuzzes HyDRAF's model file: any input gives a model or one line of error; an accepted model can be written again and answers a row. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/hydraf/executor/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void answer(const struct hydraf_regressor *regressor)
{
    struct hydraf_scratch scratch;
    size_t inputs = regressor->encoder.inputs;
    double *row = dse_calloc(inputs + 1, sizeof *row);
    size_t *columns = dse_calloc(inputs + 1, sizeof *columns);
    for (size_t i = 0; i < inputs; i++)
        columns[i] = i;
    hydraf_scratch_make(regressor, 1, &scratch);
    hydraf_encode_row(regressor, row, columns, &scratch, 0);
    hydraf_predict(regressor, &scratch, 1);
    hydraf_scratch_free(&scratch);
    free(row);
    free(columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    enum dse_status status = dse_model_load_memory(&hydraf_executor, data, size, "fuzz.npz", &model, &err);
    if (status == DSE_OK) {
        answer(&hydraf_model_of(model)->regressor);
        dse_model_save(model, "/dev/null", &err);
    } else if (model != NULL || err.message[0] == '\0' || strchr(err.message, '\n') != NULL) {
        abort();
    }
    dse_model_free(model);
    return 0;
}
