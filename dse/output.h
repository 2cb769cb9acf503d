/* Output of commands that answer several questions: a single result as it is, several as a list. */
#pragma once

#include <jansson.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/sink.h"
#include "datasets/profile.h"
#include "devices/board.h"
#include "dse/cli.h"
#include "explore/explore.h"
#include "reports/chart.h"
#include "reports/table.h"
#include "reports/why.h"
#include "search/study.h"

/* A text that is freed where its scope ends. */
#define DSE_TEXT(name) struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0}

/* Prints a text that is no report (a script, an initial file): as it is, or with --format json as {"name", "text"}; there is no CSV form. Frees it. */
enum dse_status dse_output_script(const struct dse_cli *cli, const char *name, struct dse_strbuf *text, struct dse_error *err);

/* Prints the text as dse_cli_print does, and frees it. */
enum dse_status dse_output_text(const struct dse_cli *cli, struct dse_strbuf *text, struct dse_error *err);

/* A long result on its way to -o or standard output, for JSON and CSV. */
struct dse_output_stream {
    struct dse_sink sink; /* write here */
    struct dse_file_writer writer; /* with stream NULL: standard output */
    struct dse_strbuf held;        /* the beginning of an answer on standard output, until it is complete or longer than 1 MiB */
    bool flows;                    /* the answer exceeded 1 MiB */
    bool closed;                   /* the reader has gone: nothing more is taken */
};

enum dse_status dse_output_open(const struct dse_cli *cli, struct dse_output_stream *stream, struct dse_error *err);

/* Puts the held text on standard output, although the answer is incomplete. */
enum dse_status dse_output_flush(struct dse_output_stream *stream, struct dse_error *err);

/* Ends an output with `status`, which it returns unless the end fails. A file, and up to 1 MiB on standard output, is complete or absent. */
enum dse_status dse_output_close(struct dse_output_stream *stream, enum dse_status status, struct dse_error *err);

/* Prints the text on standard output, whatever -o names. */
enum dse_status dse_output_standard(const struct dse_cli *cli, const struct dse_strbuf *text, struct dse_error *err);

/* Prints each line as a note. */
void dse_output_notes(const struct dse_cli *cli, const char *lines);

/* Prints the only element of `results` if `alone`, else an object of that schema with all of them as "results". Takes the reference. */
enum dse_status dse_output_json(const struct dse_cli *cli, const char *schema, json_t *results, bool alone,
                                struct dse_error *err);

/* Adds one result's text to the earlier ones: tables separated, CSV with its headings once. Frees the part. */
void dse_output_join(const struct dse_cli *cli, struct dse_strbuf *part, struct dse_strbuf *text);

/* The style by --size, --dpi, --font and --text, else `plain`. */
enum dse_status dse_output_style(const struct dse_cli *cli, struct dse_chart_style plain, struct dse_chart_style *style, struct dse_error *err);

/* Prints a table as CSV, and frees it. */
enum dse_status dse_output_csv(const struct dse_cli *cli, struct dse_table *table, struct dse_error *err);

/* Answers a request by the terms, and prints the results: with --combine one design for all data sets (dse/joint.h). Otherwise `print` prints the
 * result of each board and data set. DSE_LIMIT if it was ended, DSE_ANSWER_NO if there was no design. */
typedef enum dse_status dse_output_printing(const struct dse_cli *cli, const struct dse_explored *explored, struct dse_error *err);
enum dse_status dse_output_explored(const struct dse_cli *cli, const struct dse_terms *terms, const char *command, dse_output_printing *print,
                                    struct dse_error *err);

/* Reports on standard error why there is no design. */
void dse_output_why_tell(const struct dse_why_report *report);

/* A dse_explored_visitor, with the command line as `user`: reports on standard error why an exploration has no design. */
void dse_output_tell(void *user, const struct dse_exploration *exploration);

/* Why nothing is feasible, as a result among others; NULL if unknown. The caller's reference. */
json_t *dse_output_why(const struct dse_exploration *exploration);
