/* The files of a chosen design for synthesis and simulation: for high-level synthesis a header that the accelerator's source is
 * written with, configurations for v++ (Vitis HLS from 2023.2), Tcl for older tools, and with a model its tables and the source;
 * or the same accelerator in SystemVerilog with its parameters and memory images.
 *
 * Nothing in the texts depends on when or where they were made: the same input gives the same bytes. What stays the same from
 * design to design is shipped as templates (emit/templates/). */
#pragma once

#include <stdint.h>

#include "core/status.h"
#include "core/strbuf.h"
#include "datasets/profile.h"
#include "executor/pack.h"
#include "executor/rtl.h"
#include "models/estimate.h"
#include "models/hls.h"

/* The design that is written about. Nothing is owned. */
struct dse_emission {
    const struct dse_setup *setup;
    const struct dse_estimate *estimate; /* of the configuration that is written */
    const struct dse_estimate *of_cases; /* of the same configuration for the items of the test cases; NULL: `estimate` holds for them too */
    const struct dse_hls *hls;           /* made from the same; NULL with `rtl` */
    const struct dse_rtl *rtl;           /* the flow in SystemVerilog; NULL: that of high-level synthesis */
    const char *dataset;                 /* as in the profile: "MUTAG" */
    uint64_t dataset_hash;
    const char *assumed;                /* what of its work is not measured, or NULL */
    const struct dse_pack *pack;    /* the model, packed for the same; NULL: the header without a model */
    const struct dse_strbuf *cases; /* for the test bench, with a model; NULL: none */
    bool overwrite;                 /* also what another design left in the folder */
    const char *trained_on; /* the data of model and test cases; NULL: there is no model */
    bool made_up;           /* these are */
    const char *command;            /* that writes it, for those who read it later; NULL: not told */
    uint64_t seed;                  /* of the model, or of the run without one */
    const struct dse_quality *quality; /* measured at its setting, or NULL */
    const char *prefix;                /* of names in place of the family's; NULL: the family's own */
};

/* Whether the design may be written: DSE_ANSWER_NO names the resource that does not fit, what it needs and what a
 * kernel may use. */
enum dse_status dse_emission_check_fit(const struct dse_emission *design, struct dse_error *err);

/* Appends one of its files, by the name of its template: "hls/config.h.in", "hls/directives.tcl", "rtl/Makefile". */
enum dse_status dse_emission_text(const struct dse_emission *design, const char *name, struct dse_strbuf *out, struct dse_error *err);

/* Whether every macro of the header has one meaning (emit/hls/names.c): DSE_BAD_INPUT names the one that has two. */
enum dse_status dse_emission_check_names(const struct dse_emission *design, struct dse_error *err);

/* All files into a folder, which is made when missing, so that the folder is all that is needed. Either all are there afterwards,
 * or, on DSE_LIMIT, what was there before: no file and no folder is left behind. */
enum dse_status dse_emission_write(const struct dse_emission *design, const char *folder, struct dse_error *err);

/* FAMILY_model.bin: all arrays, little-endian, behind a table that describes them; and where one of them begins, a
 * multiple of 64 bytes. O(arrays). */
void dse_emission_image(const struct dse_emission *design, struct dse_strbuf *out);
size_t dse_emission_image_offset(const struct dse_pack *pack, size_t index);
