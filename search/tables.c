#include "search/tables.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"

#define COMPONENTS (sizeof(struct dse_accumulators) / sizeof(int64_t))
#define BUCKETS 4096

struct entry {
    struct entry *next;
    struct dse_block_table table;      /* table of one block; otherwise empty */
    struct dse_group_bounds *bounds; /* bounds of several blocks; otherwise NULL */
    size_t key_length;
    int64_t key[]; /* key_length */
};

struct dse_tables {
    pthread_mutex_t lock; /* guards the buckets */
    struct entry *buckets[BUCKETS];
};

/* ---- keys ---- */

struct key {
    int64_t *numbers;
    size_t length;
};

static void put(struct key *key, int64_t number)
{
    key->numbers[key->length++] = number;
}

dse_knob_set dse_block_reads(const struct dse_question *question, size_t block)
{
    dse_knob_set reads = question->family->blocks[block].reads, all = reads;
    do {
        reads = all;
        for (size_t k = 0; k < question->space->count; k++)
            if (dse_bits_has(reads, k) && question->space->knobs[k].condition >= 0)
                dse_bits_add(&all, question->space->knobs[k].condition);
    } while (!dse_bits_equal(all, reads));
    return reads;
}

/* Everything that rows of blocks over these knobs depend on, except family, board and costs; release with free(numbers). */
static struct key make_key(const struct dse_question *question, const struct dse_rows_of *of)
{
    size_t most = 4 + of->block_count + 2 * DSE_KNOB_MAX;
    dse_knob_set reads = {{0}};
    for (size_t b = 0; b < of->block_count; b++)
        reads = dse_bits_or(reads, dse_block_reads(question, of->blocks[b]));
    for (size_t i = 0; i < of->knob_count; i++)
        most += question->space->knobs[of->knobs[i]].domain_count;
    struct key made = {.numbers = dse_malloc(most * sizeof *made.numbers)}, *key = &made;
    put(key, of->bounds);
    put(key, (int64_t)of->block_count);
    for (size_t b = 0; b < of->block_count; b++)
        put(key, (int64_t)of->blocks[b]);
    put(key, (int64_t)(intptr_t)question->alternatives[of->alternative].workload);
    size_t free = 0;
    for (size_t k = 0; k < question->space->count; k++) {
        const struct dse_knob *knob = &question->space->knobs[k];
        if (free < of->knob_count && of->knobs[free] == k) {
            free++;
            put(key, (int64_t)knob->domain_count);
            for (size_t i = 0; i < knob->domain_count; i++)
                put(key, knob->domain[i]);
        } else if (dse_bits_has(reads, k)) {
            put(key, -1);
            put(key, of->config->value[k]);
        }
    }
    return made;
}

static size_t bucket_of(const struct key *key)
{
    return (size_t)(XXH3_64bits(key->numbers, key->length * sizeof *key->numbers) % BUCKETS);
}

static const struct entry *find(const struct dse_tables *tables, const struct key *key)
{
    for (const struct entry *e = tables->buckets[bucket_of(key)]; e != NULL; e = e->next)
        if (e->key_length == key->length && memcmp(e->key, key->numbers, key->length * sizeof *e->key) == 0)
            return e;
    return NULL;
}

/* ---- one table ---- */

static void set_digits(const struct dse_space *space, const struct dse_block_table *table, size_t row,
                       struct dse_config *config)
{
    for (size_t i = 0; i < table->knob_count; i++) {
        const struct dse_knob *knob = &space->knobs[table->knobs[i]];
        config->value[table->knobs[i]] = knob->domain[row / table->strides[i] % knob->domain_count];
    }
}

/* Lists the knobs that a block reads; returns their number. */
static size_t find_read(const struct dse_question *question, size_t block, const uint16_t *knobs, size_t knob_count, uint16_t read[DSE_KNOB_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < knob_count; i++)
        if (dse_bits_has(question->family->blocks[block].reads, knobs[i]))
            read[count++] = knobs[i];
    return count;
}

static void lay_out(const struct dse_question *question, const uint16_t *knobs, size_t knob_count, struct dse_block_table *table)
{
    table->rows = 1;
    table->knob_count = knob_count;
    table->knobs = dse_malloc((knob_count + 1) * sizeof *table->knobs);
    table->strides = dse_malloc((knob_count + 1) * sizeof *table->strides);
    memcpy(table->knobs, knobs, knob_count * sizeof *knobs);
    for (size_t i = knob_count; i > 0; i--) {
        table->strides[i - 1] = table->rows;
        table->rows *= question->space->knobs[table->knobs[i - 1]].domain_count;
    }
}

static void release(struct dse_block_table *table)
{
    free(table->knobs);
    free(table->strides);
    free(table->places);
    free(table->components);
    free(table->store);
}

#define ROWS_AT_ONCE 32 /* costs computed before packing: they stay in the cache */

/* A table under construction: the values of its rows so far, each once. */
struct making {
    struct dse_block_table *table;
    bool there[COMPONENTS];
    size_t filled;
    uint32_t *slots; /* slot_count, a power of two: 1 + index of values, by their hash; 0: free */
    size_t slot_count;
    struct dse_accumulators sums[ROWS_AT_ONCE];
    bool built[ROWS_AT_ONCE];
};

/* The slot of the values, or the free one for them. */
static uint32_t *slot_of(const struct making *making, const int64_t *values)
{
    const struct dse_block_table *table = making->table;
    const size_t bytes = table->component_count * sizeof *values;
    for (size_t at = (size_t)XXH3_64bits(values, bytes);; at++) {
        uint32_t *slot = &making->slots[at & (making->slot_count - 1)];
        if (*slot == 0 || memcmp(&table->store[(*slot - 1) * table->component_count], values, bytes) == 0)
            return slot;
    }
}

/* Enters all values into `count` slots. */
static void make_slots(struct making *making, size_t count)
{
    free(making->slots);
    making->slots = dse_calloc(count, sizeof *making->slots);
    making->slot_count = count;
    for (size_t i = 0; i < making->filled; i++)
        *slot_of(making, &making->table->store[i * making->table->component_count]) = (uint32_t)i + 1;
}

/* Computes the costs of rows from `first` on; `built` marks those that the block accepts. */
static enum dse_status cost(const struct dse_question *question, size_t block, const struct dse_context *context,
                               struct dse_config *config, size_t first, size_t count, struct making *making, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        set_digits(question->space, making->table, first + i, config);
        context->rejection->rejected = false;
        DSE_TRY(dse_block_cost(question->family, block, context, config, &making->sums[i], err));
        making->built[i] = !context->rejection->rejected;
        making->table->rejected += context->rejection->rejected;
    }
    return DSE_OK;
}

/* Extends the store to the current components; new components of existing rows are 0. */
static void widen(struct making *making)
{
    struct dse_block_table *table = making->table;
    size_t count = 0, places[COMPONENTS];
    for (size_t c = 0; c < COMPONENTS; c++) {
        places[c] = count;
        count += making->there[c];
    }
    int64_t *store = dse_calloc(table->rows * count + 1, sizeof *store);
    size_t *components = dse_malloc((count + 1) * sizeof *components);
    for (size_t row = 0; row < making->filled; row++)
        for (size_t i = 0; i < table->component_count; i++)
            store[row * count + places[table->components[i]]] = table->store[row * table->component_count + i];
    for (size_t c = 0; c < COMPONENTS; c++)
        if (making->there[c])
            components[places[c]] = c;
    free(table->store);
    free(table->components);
    table->store = store;
    table->components = components;
    table->component_count = count;
    make_slots(making, making->slot_count > 0 ? making->slot_count : 64);
}

/* Adds a row's values to the store, unless they are there; returns their place. */
static uint32_t place(struct making *making, const int64_t *sums)
{
    struct dse_block_table *table = making->table;
    int64_t *values = &table->store[making->filled * table->component_count];
    for (size_t k = 0; k < table->component_count; k++)
        values[k] = sums[table->components[k]];
    uint32_t *slot = slot_of(making, values);
    if (*slot != 0)
        return *slot;
    const uint32_t placed = *slot = (uint32_t)++making->filled;
    if (2 * making->filled > making->slot_count)
        make_slots(making, 2 * making->slot_count);
    return placed;
}

/* Adds rows, without components that are zero everywhere. */
static void take_rows(struct making *making, size_t first, size_t count)
{
    struct dse_block_table *table = making->table;
    struct dse_accumulators any = {0};
    bool more = table->store == NULL;
    for (size_t i = 0; i < count; i++)
        if (making->built[i])
            dse_accumulators_or(&any, &making->sums[i]);
    for (size_t c = 0; c < COMPONENTS; c++) {
        const bool there = ((const int64_t *)&any)[c] != 0;
        more |= there && !making->there[c];
        making->there[c] |= there;
    }
    if (more)
        widen(making);
    for (size_t i = 0; i < count; i++)
        if (making->built[i])
            table->places[first + i] = place(making, (const int64_t *)&making->sums[i]);
}

static enum dse_status make_rows(const struct dse_question *question, size_t block, const struct dse_config *config, const void *work,
                                 struct making *making, struct dse_error *err)
{
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = question->board, .costs = question->costs, .work = work, .rejection = &rejection,
                                  .times = question->sets != NULL ? question->sets->times_all : 1};
    struct dse_config row_config = *config;
    struct dse_block_table *table = making->table;
    for (size_t first = 0; first < table->rows; first += ROWS_AT_ONCE) {
        size_t count = table->rows - first < ROWS_AT_ONCE ? table->rows - first : ROWS_AT_ONCE;
        if (dse_monitor_cancelled(question->monitor))
            return dse_fail_cancelled(err);
        DSE_TRY(cost(question, block, &context, &row_config, first, count, making, err));
        take_rows(making, first, count);
    }
    memcpy(table->rejection, rejection.reason, sizeof table->rejection);
    return DSE_OK;
}

static enum dse_status tabulate(const struct dse_question *question, size_t block, const struct dse_config *config,
                                const void *work, struct dse_block_table *table, struct dse_error *err)
{
    struct making *making DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *making);
    if (table->rows >= UINT32_MAX)
        return dse_fail(err, DSE_LIMIT, "%s: a table of %zu rows", question->family->blocks[block].name, table->rows);
    table->places = dse_calloc(table->rows + 1, sizeof *table->places);
    making->table = table;
    enum dse_status status = make_rows(question, block, config, work, making, err);
    free(making->slots);
    table->store = dse_realloc(table->store, (making->filled * table->component_count + 1) * sizeof *table->store);
    return status;
}

const int64_t *dse_block_table_row(const struct dse_block_table *table, size_t row)
{
    return table->places[row] != 0 ? &table->store[(table->places[row] - 1) * table->component_count] : NULL;
}

void dse_block_table_combine(const struct dse_block_table *table, size_t row, struct dse_accumulators *total)
{
    const size_t busy_end = sizeof total->busy_cycles / sizeof(int64_t); /* busy cycles come first in the accumulators */
    _Static_assert(offsetof(struct dse_accumulators, busy_cycles) == 0, "busy cycles are the first components");
    int64_t *sums = (int64_t *)total;
    const int64_t *values = dse_block_table_row(table, row);
    size_t i = 0;
    for (; i < table->component_count && table->components[i] < busy_end; i++)
        if (values[i] > sums[table->components[i]])
            sums[table->components[i]] = values[i];
    for (; i < table->component_count; i++)
        sums[table->components[i]] += values[i];
}

/* ---- all tables ---- */

struct dse_tables *dse_tables_create(void)
{
    struct dse_tables *tables = dse_calloc(1, sizeof *tables);
    pthread_mutex_init(&tables->lock, NULL);
    return tables;
}

struct dse_question dse_question_sharing(const struct dse_question *question)
{
    struct dse_question shared = *question;
    if (shared.tables == NULL)
        shared.tables = dse_tables_create();
    return shared;
}

void dse_question_end_sharing(const struct dse_question *question, struct dse_question *shared)
{
    if (question->tables == NULL)
        dse_tables_free(shared->tables);
}

static void free_entry(struct entry *entry)
{
    release(&entry->table);
    free(entry->bounds);
    free(entry);
}

void dse_tables_free(struct dse_tables *tables)
{
    if (tables == NULL)
        return;
    for (size_t b = 0; b < BUCKETS; b++)
        while (tables->buckets[b] != NULL) {
            struct entry *entry = tables->buckets[b];
            tables->buckets[b] = entry->next;
            free_entry(entry);
        }
    pthread_mutex_destroy(&tables->lock);
    free(tables);
}

/* Inserts an entry, unless another thread inserted an equal one first; returns the stored one. */
static const struct entry *take_in(struct dse_tables *tables, const struct key *key, struct entry *entry)
{
    pthread_mutex_lock(&tables->lock);
    const struct entry *there = find(tables, key);
    if (there == NULL) {
        size_t bucket = bucket_of(key);
        entry->next = tables->buckets[bucket];
        tables->buckets[bucket] = entry;
    }
    pthread_mutex_unlock(&tables->lock);
    if (there == NULL)
        return entry;
    free_entry(entry);
    return there;
}

/* The entry of a key, or NULL. */
static const struct entry *look_up(struct dse_tables *tables, const struct key *key)
{
    pthread_mutex_lock(&tables->lock);
    const struct entry *entry = find(tables, key);
    pthread_mutex_unlock(&tables->lock);
    return entry;
}

static struct entry *new_entry(const struct key *key)
{
    struct entry *entry = dse_calloc(1, sizeof *entry + key->length * sizeof *entry->key);
    entry->key_length = key->length;
    memcpy(entry->key, key->numbers, key->length * sizeof *entry->key);
    return entry;
}

/* Ends the construction of an entry. */
static enum dse_status settle(struct dse_tables *tables, struct key *key, struct entry *made, enum dse_status status, const struct entry **out)
{
    if (status == DSE_OK)
        *out = take_in(tables, key, made);
    else
        free_entry(made);
    return status;
}

enum dse_status dse_tables_get(struct dse_tables *tables, const struct dse_question *question, size_t block,
                               const uint16_t *knobs, size_t knob_count, const struct dse_config *config,
                               size_t alternative, const void *work, const struct dse_block_table **out,
                               struct dse_error *err)
{
    uint16_t read[DSE_KNOB_MAX], one = (uint16_t)block;
    size_t read_count = find_read(question, block, knobs, knob_count, read);
    struct key key = make_key(question, &(struct dse_rows_of){false, &one, 1, read, read_count, config, alternative});
    int64_t *numbers DSE_CLEANUP(dse_free_at) = key.numbers;
    const struct entry *entry = look_up(tables, &key);
    if (entry == NULL) {
        struct entry *made = new_entry(&key);
        lay_out(question, read, read_count, &made->table);
        DSE_TRY(settle(tables, &key, made, tabulate(question, block, config, work, &made->table, err), &entry));
    }
    *out = &entry->table;
    return DSE_OK;
}

enum dse_status dse_tables_bounds(struct dse_tables *tables, const struct dse_question *question, const struct dse_rows_of *of,
                                  dse_bounds_maker *make, void *user, const struct dse_group_bounds **out, struct dse_error *err)
{
    struct key key = make_key(question, of);
    int64_t *numbers DSE_CLEANUP(dse_free_at) = key.numbers;
    const struct entry *entry = look_up(tables, &key);
    if (entry == NULL) {
        struct entry *made = new_entry(&key);
        made->bounds = dse_calloc(1, sizeof *made->bounds);
        DSE_TRY(settle(tables, &key, made, make(user, made->bounds, err), &entry));
    }
    *out = entry->bounds;
    return DSE_OK;
}
