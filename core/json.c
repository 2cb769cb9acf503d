#include "core/json.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

/* In front of each of Jansson's blocks. */
struct block {
    struct block *next, **link; /* among those of the text that is read; `link` NULL outside of that */
};

/* The text that this thread reads: where to go when memory runs out, and what was taken for it. */
static _Thread_local struct {
    jmp_buf *out;
    struct block *first;
} reading;

static void *take(size_t size)
{
    struct block *block = size <= SIZE_MAX - sizeof *block ? dse_memory_alloc(sizeof *block + size) : NULL;
    if (block == NULL) {
        if (reading.out != NULL)
            longjmp(*reading.out, 1);
        return NULL;
    }
    *block = (struct block){NULL, NULL};
    if (reading.out != NULL) {
        *block = (struct block){reading.first, &reading.first};
        if (block->next != NULL)
            block->next->link = &block->next;
        reading.first = block;
    }
    return block + 1;
}

static void give(void *memory)
{
    if (memory == NULL)
        return;
    struct block *block = (struct block *)memory - 1;
    if (block->link != NULL) {
        *block->link = block->next;
        if (block->next != NULL)
            block->next->link = block->link;
    }
    free(block);
}

/* Before main, so that no tree is older. */
__attribute__((constructor)) static void watch(void)
{
    json_set_alloc_funcs(take, give);
}

/* What is read stays, or goes. */
static void end_reading(bool stays)
{
    reading.out = NULL;
    for (struct block *block = reading.first, *next; block != NULL; block = next) {
        next = block->next;
        *block = (struct block){NULL, NULL};
        if (!stays)
            free(block);
    }
    reading.first = NULL;
}

json_t *dse_json_read(const char *text, size_t length, size_t flags, json_error_t *why)
{
    jmp_buf out;
    if (setjmp(out) != 0) {
        end_reading(false);
        if (why != NULL) {
            memset(why, 0, sizeof *why);
            memcpy(why->text, "out of memory", sizeof "out of memory");
        }
        return NULL;
    }
    reading.out = &out;
    json_t *read = json_loadb(text, length, flags, why);
    end_reading(true);
    return read;
}

char *dse_json_text(const json_t *json, size_t flags)
{
    char *text = json != NULL ? json_dumps(json, flags) : NULL;
    struct dse_strbuf shown = {0};
    if (text != NULL)
        dse_utf8_show(&shown, text, true);
    give(text);
    if (!dse_memory_lost(false) && !shown.failed)
        return shown.text;
    dse_strbuf_free(&shown);
    return NULL;
}
