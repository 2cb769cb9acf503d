/* A single workload as text. */
#include "core/strbuf.h"
#include "datasets/profile.h"

enum dse_status dse_workload_format(const struct dse_workload *workload, const char *family, uint64_t dataset_hash,
                                    const char *tool_version, const char *command, struct dse_strbuf *xml, struct dse_error *err)
{
    struct dse_profile *profile = dse_profile_create(family, "workload", dataset_hash, tool_version, command);
    struct dse_workload *copy = NULL;
    dse_setting_copy(&workload->setting, &profile->preset);
    enum dse_status status = dse_profile_add_workload(profile, &workload->setting, &copy, err);
    if (status == DSE_OK)
        status = dse_workload_put_all(copy, workload, err);
    if (status == DSE_OK)
        status = dse_profile_format(profile, xml, err);
    dse_profile_free(profile);
    return status;
}

enum dse_status dse_workload_parse(const char *xml, size_t size, const char *name, struct dse_workload *out, struct dse_error *err)
{
    struct dse_profile *profile = NULL;
    DSE_TRY(dse_profile_parse(xml, size, name, &profile, err));
    enum dse_status status = DSE_OK;
    if (profile->workload_count == 1) { /* moved out */
        *out = profile->workloads[0];
        profile->workload_count = 0;
    } else {
        status = dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: a workload cannot be read", name);
    }
    dse_profile_free(profile);
    return status;
}
