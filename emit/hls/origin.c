/* FAMILY_origin.h: where a design comes from and what was said of it, as macros for programs that use it. */
#include <inttypes.h>
#include <math.h>

#include <xxhash.h>

#include "core/version.h"
#include "emit/hls/parts.h"
#include "emit/hls/words.h"

static void define(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name, const char *more)
{
    dse_strbuf_add(out, "#define ");
    dse_hls_macro(design, out, name);
    dse_words_macro(out, more);
    dse_strbuf_add_char(out, ' ', 1);
}

static void define_text(const struct dse_hls_design *design, struct dse_strbuf *out, const char *name, const char *text)
{
    define(design, out, name, "");
    dse_words_literal(out, text);
    dse_strbuf_add_char(out, '\n', 1);
}

uint64_t dse_hls_model_hash(const struct dse_hls_design *design)
{
    struct dse_strbuf image = {0};
    dse_hls_image(design, &image);
    uint64_t hash = XXH3_64bits(dse_strbuf_text(&image), image.length);
    dse_strbuf_free(&image);
    return hash;
}

static void add_training(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_quality *quality = design->quality;
    define(design, out, "SEED", "");
    dse_strbuf_printf(out, "UINT64_C(%" PRIu64 ")\n", design->seed);
    if (design->pack != NULL) {
        define(design, out, "MODEL_HASH", "");
        dse_strbuf_printf(out, "UINT64_C(0x%016" PRIx64 ") /* XXH3 of %s_model.bin */\n", dse_hls_model_hash(design),
                          design->setup->family->name);
    }
    if (quality == NULL)
        return;
    define(design, out, quality->name, "");
    dse_strbuf_printf(out, "%.17g\n", quality->mean);
    define(design, out, quality->name, "_DEVIATION");
    dse_strbuf_printf(out, "%.17g\n", quality->std);
    define(design, out, quality->name, "_RUNS");
    dse_strbuf_printf(out, "%" PRId64 "\n", quality->n);
}

static void add_estimate(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_estimate *estimate = design->estimate;
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        if (!isfinite(estimate->metrics[m]))
            continue;
        define(design, out, "ESTIMATE_", dse_metrics[m].key);
        dse_strbuf_printf(out, "%.17g\n", estimate->metrics[m]);
    }
    define(design, out, "ESTIMATE_FITS", "");
    dse_strbuf_printf(out, "%d\n", estimate->fits);
    define_text(design, out, "ESTIMATE_BOTTLENECK", design->setup->family->engines[estimate->bottleneck].name);
}

void dse_hls_origin(const struct dse_hls_design *design, struct dse_strbuf *out)
{
    const struct dse_setup *setup = design->setup;
    dse_strbuf_printf(out, "/* Where this design comes from: %s, seed, data, and what the models say of it, in SI units. */\n#ifndef ",
                      design->pack != NULL ? "command, model" : "command");
    dse_hls_macro(design, out, "ORIGIN_H");
    dse_strbuf_add(out, "\n#define ");
    dse_hls_macro(design, out, "ORIGIN_H");
    dse_strbuf_add(out, "\n\n#include <stdint.h>\n\n");
    define_text(design, out, "PROGRAM", "nysx-dse " DSE_VERSION);
    define_text(design, out, "COMMAND_LINE", design->command != NULL ? design->command : "");
    define_text(design, out, "BOARD", setup->board->name);
    define_text(design, out, "PART", setup->board->part);
    if (dse_costs_calibration(setup->costs) != NULL)
        define_text(design, out, "CALIBRATION", dse_costs_calibration(setup->costs));
    define_text(design, out, "DATASET", design->dataset);
    define(design, out, "DATASET_HASH", "");
    dse_strbuf_printf(out, "UINT64_C(0x%016" PRIx64 ")\n", design->dataset_hash);
    add_training(design, out);
    add_estimate(design, out);
    dse_strbuf_add(out, "\n#endif\n");
}
