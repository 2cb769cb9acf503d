/* The files of a chosen design for synthesis and simulation. For high-level synthesis they are a header for the accelerator's source, configurations
 * for v++ (Vitis HLS from 2023.2), and Tcl for older tools. With a model, its tables and the source are added. Or they are the same accelerator in
 * SystemVerilog with its parameters and memory images.
 *
 * The texts do not depend on the time or place of emission: the same input gives the same bytes. Texts that are equal for all designs are shipped as
 * templates (emit/templates/). */
#pragma once

#include <stdint.h>

#include "core/status.h"
#include "core/strbuf.h"
#include "datasets/profile.h"
#include "executor/executor.h"
#include "executor/pack.h"
#include "executor/rtl.h"
#include "models/estimate.h"
#include "models/hls.h"

/* The design that is written about. Nothing is owned. */
struct dse_emission {
    const struct dse_setup *setup;
    const struct dse_estimate *estimate; /* estimate of the configuration that is written */
    const struct dse_estimate *of_cases; /* estimate of the same configuration for the items of the test cases; NULL: `estimate` holds for them too */
    const struct dse_hls *hls;           /* made from the same; NULL with `rtl` */
    const struct dse_rtl *rtl;           /* the flow in SystemVerilog; NULL: high-level synthesis */
    const char *dataset;                 /* as in the profile: "MUTAG" */
    uint64_t dataset_hash;
    const char *assumed;                /* the part of its work that is not measured, or NULL */
    const struct dse_pack *pack;    /* the model, packed for the same; NULL: the header without a model */
    const struct dse_strbuf *cases; /* for the test bench, with a model; NULL: none */
    const struct dse_simulation *simulated; /* the test cases by `simulate --flow rtl`, one item per case; NULL: not simulated */
    bool overwrite;                 /* also files that another design left in the folder */
    const char *trained_on; /* the data of model and test cases; NULL: no model */
    bool made_up;           /* these are */
    const char *command;            /* command that writes it, for later readers; NULL: unknown */
    uint64_t seed;                  /* seed of the model, or of the run without one */
    const struct dse_quality *quality; /* measured at its setting, or NULL */
    const char *prefix;                /* prefix of names, instead of the family's; NULL: the family's own */
};

/* Whether the design may be written. DSE_ANSWER_NO names the resource that does not fit, its amount and the amount available to a kernel. */
enum dse_status dse_emission_check_fit(const struct dse_emission *design, struct dse_error *err);

/* Appends one of its files, by the name of its template: "hls/config.h.in", "hls/directives.tcl", "rtl/Makefile". */
enum dse_status dse_emission_text(const struct dse_emission *design, const char *name, struct dse_strbuf *out, struct dse_error *err);

/* Whether every macro of the header has one meaning (emit/hls/names.c): DSE_BAD_INPUT names the one that has two. */
enum dse_status dse_emission_check_names(const struct dse_emission *design, struct dse_error *err);

/* Writes all files into a folder, which is created if missing and needs nothing else. Afterwards all files are there; or, on DSE_LIMIT, the earlier
 * state: no file and no folder is left behind. */
enum dse_status dse_emission_write(const struct dse_emission *design, const char *folder, struct dse_error *err);

/* FAMILY_model.bin: a table that describes the arrays, then all arrays, little-endian; and the offset of one array, a multiple of 64 bytes.
 * O(arrays). */
void dse_emission_image(const struct dse_emission *design, struct dse_strbuf *out);
size_t dse_emission_image_offset(const struct dse_pack *pack, size_t index);
