#include "devices/families.h"

#include <stddef.h>
#include <string.h>

const char *const dse_family_names[] = {
    "spartan-7",         "artix-7",         "kintex-7",
    "virtex-7",          "zynq-7000",       "kintex-ultrascale",
    "virtex-ultrascale", "artix-ultrascale-plus", "kintex-ultrascale-plus",
    "virtex-ultrascale-plus", "zynq-ultrascale-plus", "versal",
    NULL};

static const int clocks_mhz[] = {628, 628, 741, 741, 741, 850, 850, 891, 891, 891, 891, 1200}; /* in the order of the names */

const char *const dse_dsp_names[] = {"DSP48E1", "DSP48E2", "DSP58", NULL};

const char *const dse_evidence_names[] = {
    "tool-report", "vendor-document", "board-files", "repository", "paper", "derived", "assumed", NULL};

bool dse_is_board_name(const char *name)
{
    static const char *const alphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789";
    static const char *const allowed = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    return name[0] != '\0' && strchr(alphanumeric, name[0]) != NULL && name[strspn(name, allowed)] == '\0';
}

int dse_family_clock_mhz(const char *family)
{
    for (size_t i = 0; dse_family_names[i] != NULL; i++)
        if (strcmp(dse_family_names[i], family) == 0)
            return clocks_mhz[i];
    return 0;
}

bool dse_family_has_ps(const char *family)
{
    return strncmp(family, "zynq-", 5) == 0;
}
