/* What a chosen design hands to high-level synthesis: a header that the accelerator's source is written with, a
 * configuration for v++ (Vitis HLS from 2023.2), and a Tcl file of directives for older Vitis HLS.
 *
 * Nothing in the texts depends on when or where they were made: the same input gives the same bytes. */
#ifndef DSE_EMIT_HLS_HLS_H
#define DSE_EMIT_HLS_HLS_H

#include <stdint.h>

#include "core/status.h"
#include "core/strbuf.h"
#include "datasets/profile.h"
#include "executor/pack.h"
#include "models/estimate.h"
#include "models/hls.h"

/* What is written about. Nothing is owned. */
struct dse_hls_design {
    const struct dse_setup *setup;
    const struct dse_estimate *estimate; /* of the configuration that is written */
    const struct dse_hls *hls;           /* made from the same */
    const char *dataset;                 /* as in the profile: "MUTAG" */
    uint64_t dataset_hash;
    const struct dse_pack *pack; /* the model, packed for the same; NULL: the header without a model */
    const struct dse_strbuf *cases; /* for the test bench, with a model; NULL: none */
    bool overwrite; /* also what another design left in the folder */
    const char *command; /* that writes it, for those who read it later; NULL: not told */
    uint64_t seed;       /* of the model, or of the run without one */
    const struct dse_quality *quality; /* measured at its setting, or NULL */
    const char *prefix; /* of names in place of the family's; NULL: the family's own */
};

/* Whether the design may be written: DSE_ANSWER_NO names the resource that does not fit, what it needs and what a
 * kernel may use. */
enum dse_status dse_hls_check_fit(const struct dse_hls_design *design, struct dse_error *err);

/* FAMILY_config.h: compiles alone as C11 and as C++ without a warning. */
void dse_hls_header(const struct dse_hls_design *design, struct dse_strbuf *out);

/* FAMILY_origin.h, which the header includes: command, seed, hashes, quality and estimate as macros. */
void dse_hls_origin(const struct dse_hls_design *design, struct dse_strbuf *out);

/* hls_config.cfg, for `v++ -c --mode hls --config hls_config.cfg` (AMD UG1399, "HLS Config File Commands"). */
void dse_hls_configuration(const struct dse_hls_design *design, struct dse_strbuf *out);

/* ip_config.cfg: the same for an IP in place of a kernel. */
void dse_hls_ip_configuration(const struct dse_hls_design *design, struct dse_strbuf *out);

/* With a model: Makefile, the Tcl of Vivado's block design around the IP, and the folder's README.md. */
void dse_hls_makefile(const struct dse_hls_design *design, struct dse_strbuf *out);
void dse_hls_block_design(const struct dse_hls_design *design, struct dse_strbuf *out);
void dse_hls_readme(const struct dse_hls_design *design, struct dse_strbuf *out);

/* link_config.cfg, for `v++ -l`: as many units as the configuration has, their clock, and the memories of their ports (AMD
 * UG1393, "connectivity Options", "clock Options"). */
void dse_hls_linking(const struct dse_hls_design *design, struct dse_strbuf *out);

/* directives.tcl: the header's pragmas as set_directive_… commands (AMD UG1399), for a source that is compiled
 * without them (PREFIX_NO_PRAGMAS). */
void dse_hls_directives(const struct dse_hls_design *design, struct dse_strbuf *out);

/* expected.json: the models' cycles and resources of the design, and the operators' cycles that they stand on. */
void dse_hls_expected(const struct dse_hls_design *design, struct dse_strbuf *out);

/* FAMILY_model.h: what a packed model keeps on the chip as C initialisers, and where each of its arrays is in
 * FAMILY_model.bin. */
void dse_hls_model(const struct dse_hls_design *design, struct dse_strbuf *out);

/* FAMILY_NAME.h: the initialiser of an array that is too large for the others' header, or nothing where it is loaded. */
void dse_hls_table(const struct dse_hls_design *design, const struct dse_pack_array *array, struct dse_strbuf *out);

/* FAMILY_model.bin: all arrays, little-endian, behind a table that describes them; and where one of them begins, a
 * multiple of 64 bytes. O(arrays). */
void dse_hls_image(const struct dse_hls_design *design, struct dse_strbuf *out);
size_t dse_hls_image_offset(const struct dse_pack *pack, size_t index);

/* The header and the scripts into a folder, which is made when missing; with a model also FAMILY_model.h,
 * FAMILY_model.bin, the accelerator's source, host programs and what builds them, so that the folder is all that is needed;
 * with cases also FAMILY_cases.bin and the test bench. Either all are there afterwards, or, on DSE_LIMIT, what was there before: no file and no folder is left
 * behind. */
enum dse_status dse_hls_write(const struct dse_hls_design *design, const char *folder, struct dse_error *err);

#endif
