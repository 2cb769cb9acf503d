/* Invariants of every accepted report; shared by the targets of report text and XML. */
#pragma once

#include <math.h>

#include "resources/synthesis/report.h"
#include "tests/fuzz/input.h"

static inline void require_counts(const double values[DSE_RESOURCE_COUNT])
{
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        require(isnan(values[r]) || (isfinite(values[r]) && values[r] >= 0));
}

static inline void check_report_bytes(const char *data, size_t size)
{
    struct dse_report *report;
    struct dse_error err = {0};
    enum dse_status status = dse_report_read_memory(data, size, "fuzz", &report, &err);
    require(status == DSE_OK ? report != NULL : report == NULL && err.message[0] != '\0');
    if (report == NULL)
        return;
    require(report->kind < DSE_REPORT_KIND_COUNT && report->level < DSE_REPORT_LEVEL_COUNT);
    require_counts(report->used);
    require_counts(report->available);
    for (size_t i = 0; i < report->instance_count; i++) {
        require(report->instances[i].name != NULL);
        require_counts(report->instances[i].used);
    }
    dse_report_free(report);
}
