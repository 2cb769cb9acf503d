/* Fuzzes the model file's reader: any input gives a model or one line of error; an accepted model can be written again. */
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/nysx.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    enum dse_status status = dse_model_load_memory(&nysx_executor, data, size, "fuzz.npz", &model, &err);
    if (status == DSE_OK)
        dse_model_save(model, "/dev/null", &err);
    else if (model != NULL || err.message[0] == '\0' || strchr(err.message, '\n') != NULL)
        abort();
    dse_model_free(model);
    return 0;
}
