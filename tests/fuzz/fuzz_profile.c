/* Fuzzes the profile reader; an accepted profile must read back equal from its own XML. */
#include "datasets/profile.h"
#include "tests/fuzz/input.h"

static void check_round_trip(const struct dse_profile *profile)
{
    struct dse_strbuf first = {0}, second = {0};
    struct dse_profile *again;
    require(dse_profile_format(profile, &first, NULL) == DSE_OK);
    require(dse_profile_parse(first.text, first.length, "again", &again, NULL) == DSE_OK);
    require(dse_profile_format(again, &second, NULL) == DSE_OK);
    require(first.length == second.length && memcmp(first.text, second.text, first.length) == 0);
    dse_profile_free(again);
    dse_strbuf_free(&first);
    dse_strbuf_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_profile *profile;
    struct dse_error err = {0};
    enum dse_status status = dse_profile_parse((const char *)data, size, "fuzz.xml", &profile, &err);
    require(status == DSE_OK ? profile != NULL : profile == NULL && err.message[0] != '\0');
    if (status == DSE_OK)
        check_round_trip(profile);
    dse_profile_free(profile);
    return 0;
}
