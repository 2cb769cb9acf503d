/* Cost factors fitted from synthesis reports.
 *
 * A report is a data point: a tool's resource figures of an engine at a configuration. The models are linear in the amounts of the cost library. The
 * share of each class of costs (operators, adapters, control, logic, memories) in a prediction therefore follows from scaling that class alone. For
 * each resource, factors f of the classes minimise
 *
 *     sum over points ((measured − sum over classes f · share) / measured / e)² + sum over classes ((f − 1) / w)²
 *
 * This is least squares of relative errors with a prior. A factor is 1 with the deviation w, half the width of the library's own band of that class
 * (0.1 to 0.5). Few points thus move a factor little (shrinkage), and factors that they do not determine stay at the library's. A factor counts as
 * learned, and is written, if the points remove at least half of its prior variance. The others are held at 1 and named. Points of different levels
 * (HLS estimate, routed, open synthesis) are never mixed. Those of open synthesis are of SystemVerilog engines, whose amounts are in no library: a
 * factor per engine and resource. */
#pragma once

#include "core/strbuf.h"
#include "models/loops.h"
#include "resources/synthesis/report.h"

/* Classes of library entries. Calibration fits one factor per class. */
struct dse_cost_class {
    const char *name;            /* "operators" */
    const char *const *patterns; /* NULL-ended, over the names of a library's entries */
};
#define DSE_COST_CLASSES 5
extern const struct dse_cost_class dse_cost_classes[DSE_COST_CLASSES];

struct dse_calibration_point {
    const struct dse_report *report;
    const double *sums; /* [DSE_RESOURCE_COUNT] totals over the engine's modules, of which `report` is the first; NULL: the report's own figures */
    const char *instance; /* the row of the report that counts; NULL for its totals */
    size_t engine;        /* index of the family's engine; engine_count: the whole design */
    struct dse_config config;
};

/* One factor. */
struct dse_fitted_factor {
    double value;     /* NaN if no point has a share of this class, or if it was not learned */
    double low, high; /* its band: factors on the fitted amount */
    double prior;     /* w */
    double learned;   /* share of its prior variance that the points remove; NaN if none has a share */
};

/* Rejected without --force: factors outside of the range, residuals beyond this. */
#define DSE_CALIBRATION_LEARNED 0.5
#define DSE_CALIBRATION_MIN (1.0 / 3.0)
#define DSE_CALIBRATION_MAX 3.0
#define DSE_CALIBRATION_RESIDUAL 0.3

/* Result of a fit for one resource. */
struct dse_fit {
    size_t points; /* with a number in the reports; 0: nothing fitted */
    struct dse_fitted_factor factors[DSE_COST_CLASSES];
    double rms_before, rms_after; /* root mean square of the relative errors */
};

/* Fitted factors of an engine's loops: one on their depths, and one on the cycles between iterations. */
enum dse_cycles { DSE_CYCLES_DEPTH, DSE_CYCLES_INTERVAL, DSE_CYCLES_COUNT };
extern const char *const dse_cycle_names[DSE_CYCLES_COUNT]; /* "depth", … */

struct dse_cycle_fit {
    double value;    /* NaN if it was not learned, or no report has a loop of the engine */
    double learned;  /* share of its prior variance that the designs remove; NaN if none has a loop */
    double prior;    /* w, around 1 */
    double before, residual; /* root mean square of the relative errors without and with it */
    size_t points;   /* designs */
    bool strayed;    /* the residual of a design exceeds DSE_CALIBRATION_RESIDUAL and a few cycles per entry */
};

/* A design's loops as the models count them with the unchanged library, and the reports of its synthesis. */
struct dse_calibration_design {
    struct dse_loops loops;
    const struct dse_report *const *reports; /* report_count; those of the level HLS count */
    size_t report_count;
};

/* Open synthesis' count of one resource of an engine in SystemVerilog. */
struct dse_amount_fit {
    double value;            /* NaN if no design was counted */
    double low, high;        /* its band: factors on the fitted amount */
    double before, residual; /* root mean square of the relative errors without and with it */
    double held_out;         /* the same of each design, by a factor fitted to the other designs; NaN for a single design */
    size_t points;           /* designs */
};

struct dse_calibration {
    struct dse_amount_fit amounts[DSE_ENGINE_MAX][DSE_RESOURCE_COUNT]; /* fits at the level open synthesis, which has no classes */
    const struct dse_model_family *family; /* whose engines `cycles` are of; NULL before dse_calibrate_cycles */
    struct dse_cycle_fit cycles[DSE_ENGINE_MAX][DSE_CYCLES_COUNT];
    bool has_loops[DSE_ENGINE_MAX]; /* by the models */
    enum dse_report_level level;
    struct dse_fit fits[DSE_RESOURCE_COUNT];
    size_t point_count;
    double (*measured)[DSE_RESOURCE_COUNT]; /* point_count; NaN if the report does not say */
    double (*before)[DSE_RESOURCE_COUNT];   /* the models' answer with the unchanged library */
    double (*after)[DSE_RESOURCE_COUNT];    /* and with the factors */
    double (*ends)[3][DSE_RESOURCE_COUNT];  /* the unchanged library at each enum dse_band */
};

/* Fits factors to the points, each of an engine or of the whole design. DSE_BAD_USAGE if there is no point, if levels are mixed or are neither HLS
 * nor routed, if a report has no such instance, or if no resource can be compared. */
enum dse_status dse_calibrate(const struct dse_setup *setup, const struct dse_calibration_point *points, size_t count,
                              struct dse_calibration *out, struct dse_error *err);

/* DSE_ANSWER_NO for an unusable fit: no factor learned, one outside its range, or a point still off by more than DSE_CALIBRATION_RESIDUAL and a few
 * units. */
enum dse_status dse_calibration_check(const struct dse_calibration *calibration, const struct dse_calibration_point *points,
                                      struct dse_error *err);

/* As dse_calibration_check, for a forced fit: DSE_ANSWER_NO for a factor that no calibration file may have, such as a negative one. */
enum dse_status dse_calibration_check_forced(const struct dse_calibration *calibration, struct dse_error *err);

/* Fits the cycles of a calibration's engines to `count` designs. Each engine gets two factors, for the cycles of a mean graph in the loops of the
 * reports: entries × depth, and iterations × interval. The error of a point is 5 % (for depths one cycle per entry more). The prior is 1 ± 0.3. */
void dse_calibrate_cycles(const struct dse_model_family *family, const struct dse_calibration_design *designs, size_t count,
                          struct dse_calibration *out);

/* Fits the resources of SystemVerilog engines to the counts of open synthesis: a factor per engine and resource, by least squares of relative errors.
 * The error of a point is 5 %, the prior 1 ± 0.2. For dse_calibrate. */
void dse_calibrate_amounts(const struct dse_model_family *family, const struct dse_calibration_point *points, struct dse_calibration *out);

/* Half the width of the band, from this number of points with this scatter. */
double dse_calibration_half_band(double scatter, size_t points);

/* Rejects fits as dse_calibration_check does, for cycles and for counted amounts. Adds the number of fitted factors to `learned`. */
enum dse_status dse_calibration_check_cycles(const struct dse_calibration *calibration, size_t *learned, struct dse_error *err);
enum dse_status dse_calibration_check_amounts(const struct dse_calibration *calibration, size_t *learned, struct dse_error *err);

/* A loop of the reports by label, with the largest interval and depth if several have it. False if none has an interval. */
bool dse_report_loop_find(const char *name, const struct dse_report *const *reports, size_t count, struct dse_report_loop *out);

/* Its depth as the models count one: a tool's loop takes depth + II·(N − 1) − 1 cycles, and two more if it is a module. */
double dse_report_depth(const struct dse_report_loop *loop);

void dse_calibration_free(struct dse_calibration *calibration);

/* The calibration as XML (schema costs.xsd) for --calibration. `source` names the data of the fit. */
void dse_calibration_write(const struct dse_calibration *calibration, const struct dse_costs *costs,
                           const char *source, struct dse_strbuf *out);
