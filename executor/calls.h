/* Test cases as calls of an accelerator's kernel. Before each call the host puts contents into memory and registers; after it memory contents are
 * expected. One format serves every family whose kernel takes ports and registers (struct dse_hls without a bench of its own). The shared test bench
 * and hosts (emit/templates/hls/) replay it.
 *
 * The file has 32-bit words, little-endian: the number of items, the number of calls, then each call. A call has its items and its registers in the
 * order of the kernel's parameters. Then come the number of writes, each write, the number of expectations and each expectation. Items: 0 if the call
 * prepares others and is not counted; bit 31 if it is counted together with the next counted one. A write: port, first 32-bit word, number of words,
 * their place (0: they follow; n: array n of the model's image, from 1 on, has them). An expectation: port, first word, number of words, the words.
 * Memory keeps the contents of earlier calls. Ports are numbered by their pointers, in the order of the kernel's parameters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/strbuf.h"

#define DSE_CALLS_GOES_ON UINT32_C(0x80000000)

/* A file of calls being written; begin with dse_calls_begin. */
struct dse_calls {
    struct dse_strbuf *out;
    size_t head, part; /* positions of the counts of the file and of the open list */
    size_t last;       /* position of the items of the last counted part; 0: none */
    uint32_t items, calls;
};

/* Appends an empty file to `out`. */
void dse_calls_begin(struct dse_calls *calls, struct dse_strbuf *out);

/* One more call. Then dse_calls_write for each part of memory that it needs, dse_calls_expect once, and dse_calls_words for each part that is
 * compared. */
void dse_calls_call(struct dse_calls *calls, uint32_t items, const uint32_t *registers, size_t register_count);
void dse_calls_write(struct dse_calls *calls, uint32_t port, uint32_t first, const uint32_t *words, size_t count);
/* As dse_calls_write, for the first words of array `number`, from 1 on, of the packed model. */
void dse_calls_write_array(struct dse_calls *calls, uint32_t port, uint32_t first, uint32_t number, size_t count);
void dse_calls_expect(struct dse_calls *calls);
void dse_calls_words(struct dse_calls *calls, uint32_t port, uint32_t first, const uint32_t *words, size_t count);

/* One more call of several that answer the same items; `counted`: its loops and its time count. After the last of them, dse_calls_end gives the
 * number of items that they answer. */
void dse_calls_part(struct dse_calls *calls, bool counted, const uint32_t *registers, size_t register_count);
void dse_calls_end(struct dse_calls *calls, uint32_t items);
