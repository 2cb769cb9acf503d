/* Fuzzes the readers of report text. A digit as the first byte prepends the opening lines of one kind of report, so that every reader is
 * reached quickly. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/report_checks.h"

static const char *const openings[] = {
    "== Vitis HLS Report for 'a'\n* Version: 2022.2\n* Target device: x\n== Performance Estimates\n+ Timing\n",
    "== Synthesis Summary Report of 'a'\n* Version: 2022.2\n* Target device: x\n",
    "| Tool Version : Vivado v.2022.1\nUtilization Design Information\nTable of Contents\n---\n",
    "| Tool Version : Vivado v.2022.1\nUtilization Design Information\nTable of Contents\n---\n1. CLB Logic\n\n"
    "1. CLB Logic\n------------\n",
    "| Tool Version : Vivado v.2022.1\nTiming Summary Report\n| Design Timing Summary\n| --\n---\n",
    "| Tool Version : Vivado v.2022.1\nPower Report\nTable of Contents\n---\n1. Summary\n\n1. Summary\n",
    "Simulation tool : xsim.\n",
    "Design Name: a\nTiming Information (MHz)\nCompute Unit  Kernel Name  Module Name  Target Frequency  "
    "Estimated Frequency\n------  -----  -----  -----  -----\na  b  b  1  1\n\n",
    "| Tool Version : Vivado v.2022.1\nAccelerator Utilization Design Information\nTable of Contents\n---\n"
    "1. System Utilization\n\n1. System Utilization\n",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *opening = "";
    size_t which = size > 0 ? (size_t)data[0] - '0' : SIZE_MAX;
    if (which < sizeof openings / sizeof *openings) {
        opening = openings[which];
        data++;
        size--;
    }
    size_t before = strlen(opening);
    char *text = malloc(before + size + 1);
    require(text != NULL);
    memcpy(text, opening, before);
    if (size > 0)
        memcpy(text + before, data, size);
    text[before + size] = '\0';
    check_report_bytes(text, before + size);
    free(text);
    return 0;
}
