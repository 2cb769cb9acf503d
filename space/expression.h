/* The language of formulas, for described accelerators and --where.
 *
 *   a ? b : c      a || b      a && b      = == != < <= > >=      + -      * / %      - !      ^      ( )
 *   min(a, …) max(a, …) abs(a) ceil(a) floor(a) round(a) ceildiv(a, b) log2(a) bits(n) pow2(n)
 *   sum(i in a..b, f(i))      select(knob, word: value, …, else: value)
 *   14 cycles   3 bytes   8 bits   0.5 ms   2 µJ   300 mW   250 MHz   64 KiB   50%   int8   "ap_fixed<16,10>"
 *
 * Operators are listed from the weakest to the strongest. ^ groups to the right, and comparisons do not chain. `/` divides real numbers, and `%`
 * gives the remainder of whole ones. bits(n) counts the bits that address 0 … n − 1, at least 1. `a..b` includes both ends. A formula has no
 * recursion, and no loop but sum(), whose iterations are counted: every formula ends.
 *
 * Numbers are doubles; whole ones are exact to 2^53. Results beyond that, division by zero, pow2 of a negative number, and results that are no number
 * are errors. An error names its place: file, line, column, and a caret under the text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "core/units.h"
#include "space/knob.h"

#define DSE_FORMULA_DEPTH 64       /* nesting depth of parentheses, operators and calls */
#define DSE_FORMULA_ITERATIONS 1000000 /* iterations of all sums of one evaluation together */

/* Dimension of a number, as exponents: a watt is a joule per second, a count has none. A count can be added to and compared with any number, and
 * takes its dimension. Every other mix is an error. */
struct dse_unit {
    int8_t cycles, bytes, bits, seconds, joules;
};
#define DSE_UNIT_COUNT ((struct dse_unit){0})
#define DSE_UNIT_CYCLES ((struct dse_unit){.cycles = 1})
#define DSE_UNIT_BYTES ((struct dse_unit){.bytes = 1})
#define DSE_UNIT_BITS ((struct dse_unit){.bits = 1})
#define DSE_UNIT_SECONDS ((struct dse_unit){.seconds = 1})
#define DSE_UNIT_JOULES ((struct dse_unit){.joules = 1})
#define DSE_UNIT_WATTS ((struct dse_unit){.joules = 1, .seconds = -1})

bool dse_unit_equal(struct dse_unit a, struct dse_unit b);

/* "cycles", "bytes/cycle", "count". Returns `buffer`; 64 characters hold any. */
char *dse_unit_format(struct dse_unit unit, char *buffer, size_t size);

struct dse_unit dse_unit_of(enum dse_dimension dimension);

/* The unit of a name as people write it ("cycles", "ms", "KiB/s"), and its factor in cycles, bytes, bits, seconds and joules; false if there is none. */
bool dse_unit_find(const char *name, size_t length, struct dse_unit *unit, double *factor);

/* The place where a text begins, for errors. Words of the command line have no file. Their errors are DSE_BAD_USAGE, those of a file DSE_BAD_INPUT. */
struct dse_place {
    const char *file;    /* or NULL */
    const char *what;    /* "--where", "blocks.port.parts[1].bytes" */
    long line, column;   /* place of the text's first character, from 1; 0: unknown */
};

struct dse_node;

/* A formula as written: immutable, in the arena that it was parsed into. */
struct dse_formula {
    const char *text;         /* a copy of its own */
    struct dse_place place;
    const struct dse_node *root;
    const char *const *names; /* name_count: the names that it reads, each once, in order of appearance; not words, functions and sum's variables. In
                               * `type = int8` the name int8 is included: compiling distinguishes words from names */
    size_t name_count;
};

/* Reads the whole text. The error has the unreadable text, the allowed ones at its place, and the nearest word. O(length). */
enum dse_status dse_formula_parse(struct dse_arena *arena, const char *text, const struct dse_place *place, struct dse_formula *out,
                                  struct dse_error *err);

enum dse_sort { DSE_SORT_NUMBER, DSE_SORT_CONDITION, DSE_SORT_WORD };

/* A name that formulas may read. Its value is a number, 0 or 1 of a condition, or the index of a word. */
struct dse_symbol {
    const char *name;
    enum dse_sort sort;
    struct dse_unit unit;
    const char *const *words; /* word_count, for a word */
    size_t word_count;
    double whole;             /* whole that a percentage compared with it refers to; 0: 1 */
};

/* The symbol at index i has slot i. */
struct dse_scope {
    const struct dse_symbol *symbols;
    size_t count;
    bool strict; /* a number without a unit, except 0, mixes only with such numbers: "latency<=20" lacks a unit */
    const char *(*absent)(void *user, const char *name); /* why a name is not among the symbols, or NULL: there is no such name; may be NULL */
    void *user;
};

/* A knob as a symbol, and the value that its slot holds. */
struct dse_symbol dse_symbol_of_knob(const struct dse_knob *knob);
double dse_slot_of_knob(const struct dse_knob *knob, int64_t value);

struct dse_step;

/* A compiled formula: a flat postfix program over slots; immutable, in an arena. */
struct dse_code {
    bool constant;          /* it reads no slot, and its value is `value` */
    long slot;              /* its value is that of this slot; −1: it is not */
    double value;
    const struct dse_step *steps;
    size_t step_count;
    const struct dse_formula *formula; /* for errors: has to live as long */
    enum dse_sort sort;     /* sort of its result */
    struct dse_unit unit;
    const size_t *reads;    /* read_count: the slots that it reads, ascending */
    size_t read_count;
};

/* Binds names to slots and checks sorts and dimensions. Parts without names are computed, so 1/0 is an error here. O(nodes × names). */
enum dse_status dse_formula_compile(struct dse_arena *arena, const struct dse_formula *formula, const struct dse_scope *scope,
                                    const struct dse_code **out, struct dse_error *err);

/* As dse_formula_compile; the result must be of this sort and, if it is a number, a count or of this unit. */
enum dse_status dse_formula_compile_as(struct dse_arena *arena, const struct dse_formula *formula, const struct dse_scope *scope,
                                       enum dse_sort sort, struct dse_unit unit, const struct dse_code **out, struct dse_error *err);

/* The value over `slots` (as many as the scope has). Thread-safe. O(steps), including sum's iterations. */
enum dse_status dse_code_evaluate(const struct dse_code *code, const double *slots, double *value, struct dse_error *err);

/* Appends the formula in its standard form (blanks around operators, parentheses where needed). With `slots`, numbers and words replace the scope's
 * names: "12 * ceildiv(128, 4)". */
void dse_formula_format(const struct dse_formula *formula, const struct dse_scope *scope, const double *slots, struct dse_strbuf *out);

/* An error at a place of a formula's text (byte `offset`), with the caret. */
enum dse_status dse_formula_fail(const struct dse_formula *formula, size_t offset, struct dse_error *err, const char *format, ...)
    DSE_PRINTF(4, 5);
