/* A trained model as the parameters and memory images of an accelerator in SystemVerilog. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/strbuf.h"

#define DSE_RTL_RATE_CYCLES 65536 /* the rate of the second port's memory is a number of words per so many cycles */

/* The contents of one memory: `words` words of `bits` bits. */
struct dse_rtl_table {
    char name[32]; /* name of its file, without ".hex" */
    size_t bits, words;
    bool external; /* in the memory of the second port: its file is binary, FAMILY_NAME.bin */
    uint8_t *bytes; /* word after word, each of ⌈bits / 8⌉ bytes, the lowest first */
};

/* A localparam of the design, with `type` and `value` in SystemVerilog. The test bench gets whole numbers too. */
struct dse_rtl_parameter {
    char name[32], value[32];
    const char *type, *title; /* constant texts */
};

/* A module whose resources are counted separately, and the engine of the models that it belongs to. */
struct dse_rtl_module {
    const char *name, *engine;
};

/* Registers of 32 bits of the accelerator's slave port. */
struct dse_rtl_register {
    const char *name;  /* "NODES" */
    unsigned address;  /* in bytes */
    const char *title; /* meaning when written, when read */
};

/* Empty when zeroed. */
struct dse_rtl {
    struct dse_rtl_parameter *parameters;
    struct dse_rtl_table *tables;
    size_t parameter_count, table_count;
    const char *top;                          /* the module that becomes the accelerator */
    const struct dse_rtl_module *modules;     /* ended by a name of NULL; `top` among them: the remainder without the others */
    const char *const *stages;                /* NULL-ended: names of its cycle counters, in their order */
    const char *ip;                           /* a Verilog module around it, for packaging: its file is NAME.v */
    const struct dse_rtl_register *registers; /* ended by a name of NULL */
    const char *const *hosts;                 /* NULL-ended: host programs, of the family's rtl/ */
    const char *port;                         /* interface of a second port, which reads tables of its memory: "m_axi_p"; NULL for none */
    size_t port_bits, port_memory;            /* its width; index of the board's memory */
    const char *bench;                        /* the C++ source of the test bench */
    const char *once;                         /* a module that begins and ends in registers: synthesised once for all uses; "" for none */
    const char *within;                       /* a module of `modules` that has others of them inside, which count as its own; NULL for none */
    struct dse_strbuf macros;                 /* more of the header of the hosts and the test bench */
    const char *notes;                        /* facts of its registers and memory that hosts need */
};

#define DSE_RTL_WHOLE "int unsigned"
#define DSE_RTL_BIT "bit"

/* Additions. Amortised O(1). */
void dse_rtl_whole(struct dse_rtl *rtl, const char *name, size_t value, const char *title);
void dse_rtl_flag(struct dse_rtl *rtl, const char *name, bool value, const char *title);
/* `bits` 32 or 64, as hexadecimal. */
void dse_rtl_word(struct dse_rtl *rtl, const char *name, size_t bits, uint64_t value, const char *title);
void dse_rtl_text(struct dse_rtl *rtl, const char *name, const char *value, const char *title);

/* A table of zeros; its index. Tables have at least one word. */
size_t dse_rtl_table(struct dse_rtl *rtl, const char *name, size_t bits, size_t words);

/* Puts the low `count` bits of `value` at bit `first` of a word; those bits are zero before. */
void dse_rtl_put(struct dse_rtl *rtl, size_t table, size_t word, size_t first, size_t count, uint64_t value);

void dse_rtl_free(struct dse_rtl *rtl);
