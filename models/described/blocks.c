/* Stages, engines, blocks and constraints of a described family, and the knobs that each block reads. */
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/saturate.h"
#include "models/described/reading.h"

/* Flags per symbol: named in one block's formulas. */
struct reading {
    struct dse_describing *d;
    bool *named;
    dse_knob_set knobs; /* knobs that choose types */
};

static void note(struct reading *r, const struct dse_code *code)
{
    for (size_t i = 0; code != NULL && i < code->read_count; i++)
        r->named[code->reads[i]] = true;
}

static void note_part(struct reading *r, const struct dse_part *part)
{
    note(r, part->when);
    note(r, part->first);
    note(r, part->last);
    for (size_t i = 0; i < DSE_DESCRIBED_ARGUMENTS; i++) {
        note(r, part->arguments[i].code);
        if (part->kind->arguments[i].name == NULL)
            break;
        if (part->arguments[i].by_word != NULL)
            dse_bits_add(&r->knobs, (size_t)part->arguments[i].knob);
    }
}

/* Lists the lets that a block needs, in order, including the lets that those read. */
static void close_lets(struct reading *r, struct dse_described_block *block)
{
    const struct dse_described *out = r->d->out;
    size_t *lets = dse_arena_alloc(r->d->arena, out->let_count + 1, sizeof *lets);
    for (size_t l = out->let_count; l > 0; l--)
        if (r->named[out->first_let + l - 1])
            note(r, out->lets[l - 1].code);
    for (size_t l = 0; l < out->let_count; l++)
        if (r->named[out->first_let + l])
            lets[block->let_count++] = l;
    block->lets = lets;
}

/* Memories of the board named by formulas. */
static unsigned memories_of(const struct reading *r)
{
    const struct dse_described *out = r->d->out;
    unsigned memories = 0;
    for (size_t b = out->first_board + 2; b < out->first_let; b++)
        if (r->named[b])
            memories |= 1u << (b - out->first_board - 2) / DSE_DESCRIBED_OF_MEMORY;
    return memories;
}

/* Indices of the things that formulas name, among `count` with `each` symbols each, from `first` on. */
static const size_t *list_named(const struct reading *r, size_t first, size_t count, size_t each, size_t *listed)
{
    size_t *list = dse_arena_alloc(r->d->arena, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (r->named[first + i * each] || r->named[first + i * each + each - 1])
            list[(*listed)++] = i;
    return list;
}

/* Lists the knobs, quantities, constants and memories named by a block's formulas. */
static void list_inputs(const struct reading *r, struct dse_described_block *block)
{
    const struct dse_described *out = r->d->out;
    block->knobs = list_named(r, 0, out->knobs.count, 1, &block->knob_count);
    block->quantities = list_named(r, out->first_quantity, out->quantity_count, 2, &block->quantity_count);
    block->constants = list_named(r, out->first_constant, out->constant_count, 1, &block->constant_count);
    block->memories = memories_of(r);
}

void dse_describing_needs(struct dse_describing *d, const struct dse_code *const *codes, size_t count, struct dse_described_block *out)
{
    struct reading r = {.d = d, .named = dse_calloc(d->symbol_count + 1, sizeof *r.named)};
    for (size_t i = 0; i < count; i++)
        note(&r, codes[i]);
    close_lets(&r, out);
    list_inputs(&r, out);
    free(r.named);
}

/* Knobs that a block reads. Every cost depends on the clock; a block that reads the workload depends on all knobs that shape it. */
static dse_knob_set reads_of(struct dse_describing *d, struct dse_described_block *block)
{
    struct reading r = {.d = d, .named = dse_calloc(d->symbol_count + 1, sizeof *r.named)};
    const struct dse_described *out = d->out;
    dse_knob_set reads = dse_bits_one(out->family.clock_knob), shaping = dse_knobs_shaping(&out->knobs);
    bool works = false;
    note(&r, block->when);
    note(&r, block->working);
    for (size_t i = 0; i < block->part_count; i++)
        note_part(&r, &block->parts[i]);
    close_lets(&r, block);
    for (size_t k = 0; k < out->knobs.count; k++)
        if (r.named[k])
            dse_bits_add(&reads, k);
    for (size_t q = out->first_quantity; q < out->first_constant; q++)
        works |= r.named[q];
    list_inputs(&r, block);
    free(r.named);
    reads = dse_bits_or(reads, r.knobs);
    if (works || dse_bits_meet(reads, shaping))
        reads = dse_bits_or(reads, shaping);
    return reads;
}

/* Number of combinations of some knobs. Saturates. */
static uint64_t rows_over(const struct dse_knobs *knobs, dse_knob_set set)
{
    uint64_t rows = 1;
    for DSE_BITS_EACH(k, set) {
        const struct dse_knob *knob = &knobs->knobs[k];
        rows = dse_saturating_multiply(rows, knob->domain_count > 0 ? knob->domain_count : knob->type == DSE_KNOB_CHOICE ? knob->choice_count : 1);
    }
    return rows;
}

/* ---- stages and engines ---- */

static enum dse_status read_stages(struct dse_describing *d)
{
    static const char *const keys[] = {"compose", "names", "item_in", NULL}, *const ways[] = {"serial", "pipeline", NULL};
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "stages"), *list = section;
    int way = 0;
    if (section == NULL)
        return dse_describing_reject_key(d, &d->out->root, "needs `stages`, such as `stages: [load, compute]`");
    if (section->kind == DSE_YAML_MAP) {
        DSE_TRY(dse_describing_map(d, section, "stages", keys));
        DSE_TRY(dse_describing_word(d, section, "compose", true, ways, &way));
        list = dse_yaml_member(section, "names");
    }
    if (list == NULL || list->kind != DSE_YAML_LIST || list->count == 0)
        return dse_describing_reject_key(d, section, "must be a list of names, or {compose: pipeline, names: [NAME, …]}");
    if (list->count > DSE_DESCRIBED_STAGES)
        return dse_describing_reject_key(d, section, "has %zu stages: at most %d; parts of one block in a stage add up, so that layers on one engine may share a stage", list->count,
                                         DSE_DESCRIBED_STAGES);
    d->stages.names = dse_arena_alloc(d->arena, list->count + 1, sizeof *d->stages.names);
    for (size_t i = 0; i < list->count; i++) {
        const struct dse_yaml *name = &list->children[i];
        if (name->kind != DSE_YAML_SCALAR || *name->text == '\0')
            return dse_describing_reject(d, name, "must be a stage's name");
        for (size_t k = 0; k < i; k++)
            if (strcmp(d->stages.names[k], name->text) == 0)
                return dse_describing_reject(d, name, "this stage occurs twice");
        d->stages.names[i] = name->text;
    }
    d->stages.count = list->count;
    d->out->stages = d->stages.names;
    d->out->stage_count = list->count;
    d->out->family.pipelined = way == 1;
    return DSE_OK;
}

/* Reads the stages whose bytes the host writes for each item. */
static enum dse_status read_item_stages(struct dse_describing *d)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "stages"), *list = section->kind == DSE_YAML_MAP ? dse_yaml_member(section, "item_in") : NULL;
    if (list != NULL && (list->kind != DSE_YAML_LIST || list->count == 0))
        return dse_describing_reject(d, list, "must be a list of stages");
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        size_t s = 0;
        while (s < d->out->stage_count && (list->children[i].kind != DSE_YAML_SCALAR || strcmp(d->out->stages[s], list->children[i].text) != 0))
            s++;
        if (s == d->out->stage_count)
            return dse_describing_reject(d, &list->children[i], "is no stage of this file");
        if (d->out->places[s] == DSE_STAGE_APART)
            return dse_describing_reject(d, &list->children[i], "is one of more than %d stages, which are summed: name it among the first", DSE_STAGE_APART);
        d->out->family.host_stages |= 1u << d->out->places[s];
    }
    return DSE_OK;
}

/* Records the stages in which a block has cycles or bytes. */
static void note_stages(struct dse_describing *d, struct dse_described_block *block)
{
    size_t *stages = dse_arena_alloc(d->arena, block->part_count, sizeof *stages);
    for (size_t i = 0; i < block->part_count; i++) {
        const struct dse_part_argument *first = &block->parts[i].kind->arguments[0];
        size_t stage = (size_t)block->parts[i].arguments[0].value, k = 0;
        if (first->name == NULL || first->kind != DSE_ARGUMENT_STAGE)
            continue;
        while (k < block->stage_count && stages[k] != stage)
            k++;
        if (k == block->stage_count)
            stages[block->stage_count++] = stage;
    }
    block->stages = stages;
}

/* The file's blocks; each has a leader, the first file block of its family block. */
struct joining {
    struct dse_describing *d;
    struct dse_block *blocks;         /* count; a leader's `reads` covers all its members */
    struct dse_described_block *own;
    size_t *leader;
    size_t count;
};

static void join(struct joining *j, size_t a, size_t b)
{
    const size_t kept = a < b ? a : b, gone = a < b ? b : a;
    j->blocks[kept].reads = dse_bits_or(j->blocks[kept].reads, j->blocks[gone].reads);
    j->blocks[kept].memory_port &= j->blocks[gone].memory_port;
    for (size_t i = 0; i < j->count; i++)
        j->leader[i] = j->leader[i] == gone ? kept : j->leader[i];
}

static bool makes(const struct dse_described_block *block, size_t stage)
{
    bool found = false;
    for (size_t i = 0; i < block->stage_count; i++)
        found |= block->stages[i] == stage;
    return found;
}

/* Number of leaders that use a stage, and the knobs that they read. */
static size_t makers_of(const struct joining *j, size_t stage, dse_knob_set *reads)
{
    size_t count = 0, last = SIZE_MAX; /* a leader precedes its members */
    struct dse_bits seen = {{0}};
    *reads = seen;
    for (size_t i = 0; i < j->count; i++) {
        size_t leader = j->leader[i];
        if (!makes(&j->own[i], stage) || leader == last)
            continue;
        last = leader;
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = j->leader[k] == leader && makes(&j->own[k], stage);
        count += !known;
        *reads = dse_bits_or(*reads, j->blocks[leader].reads);
    }
    return count;
}

/* Number of stages used by several blocks. */
static size_t count_shared(const struct joining *j)
{
    size_t shared = 0;
    dse_knob_set reads;
    for (size_t s = 0; s < j->d->out->stage_count; s++)
        shared += makers_of(j, s, &reads) > 1;
    return shared;
}

/* Whether reports show the blocks of a stage as one. */
static bool are_shown_as_one(const struct joining *j, size_t stage)
{
    const struct dse_block *first = NULL;
    for (size_t i = 0; i < j->count; i++) {
        const struct dse_block *block = &j->blocks[j->leader[i]];
        if (!makes(&j->own[i], stage))
            continue;
        first = first != NULL ? first : block;
        if (block->engine != first->engine || block->memory_port != first->memory_port)
            return false;
    }
    return true;
}

static void join_makers_of(struct joining *j, size_t stage)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < j->count; i++) {
        if (!makes(&j->own[i], stage))
            continue;
        first = first != SIZE_MAX ? j->leader[first] : i;
        if (j->leader[i] != j->leader[first])
            join(j, j->leader[first], j->leader[i]);
    }
}

/* Merges the blocks of a stage if the joint table is small; the table then has the stage's time. In a pipeline, it merges blocks that reports show as
 * one, so that searches can use the slowest stage. It merges all if there are more shared stages than a search can hold. */
static enum dse_status join_makers(struct joining *j)
{
    struct dse_described *out = j->d->out;
    size_t shared = count_shared(j), worst = 0, left = 0;
    uint64_t most = 0;
    bool all = shared > DSE_STAGE_APART;
    for (size_t s = 0; s < out->stage_count; s++) {
        dse_knob_set reads;
        if (makers_of(j, s, &reads) < 2 || (!all && (!out->family.pipelined || !are_shown_as_one(j, s))))
            continue;
        uint64_t rows = rows_over(&out->knobs, reads);
        if (rows <= DSE_DESCRIBED_JOINED)
            join_makers_of(j, s);
        else if (left++, rows > most) {
            most = rows;
            worst = s;
        }
    }
    return !all || left <= DSE_STAGE_APART
               ? DSE_OK
               : dse_describing_reject_key(j->d, dse_yaml_member(&out->root, "stages"), "has %zu stages whose several blocks read knobs of more than %d combinations together: at most %d; "
                                           "%s is one of %llu", left, DSE_DESCRIBED_JOINED, DSE_STAGE_APART, out->stages[worst], (unsigned long long)most);
}

static enum dse_status reject_empty(const struct dse_describing *d, size_t stage)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "stages"), *list = section->kind == DSE_YAML_MAP ? dse_yaml_member(section, "names") : section;
    return dse_describing_reject(d, &list->children[stage], "no part is in this stage: name it in a loop, cycles or traffic, or leave it out");
}

/* The family's stages are those of the file. If these are too many, they are the stages shared by several blocks and the first of the others;
 * the rest is merged into the last stage. */
static enum dse_status fold_stages(const struct joining *j)
{
    struct dse_describing *d = j->d;
    struct dse_described *out = d->out;
    size_t room = DSE_STAGE_APART - count_shared(j);
    const char **names = dse_arena_alloc(d->arena, DSE_STAGE_MAX, sizeof *names);
    uint8_t *places = dse_arena_alloc(d->arena, out->stage_count, sizeof *places);
    bool *alone = dse_arena_alloc(d->arena, out->stage_count, sizeof *alone);
    for (size_t s = 0; s < out->stage_count; s++) {
        dse_knob_set reads;
        size_t makers = makers_of(j, s, &reads);
        alone[s] = makers <= 1;
        if (makers == 0)
            DSE_TRY(reject_empty(d, s));
        if (!alone[s] && out->family.pipelined && out->family.shared == NULL)
            out->family.shared = out->stages[s];
    }
    for (size_t s = 0; s < out->stage_count; s++) {
        bool kept = !alone[s] || room > 0;
        room -= alone[s] && room > 0;
        places[s] = (uint8_t)(kept ? out->family.stage_count : DSE_STAGE_APART);
        if (kept)
            names[out->family.stage_count++] = out->stages[s];
    }
    if (out->stage_count > DSE_STAGE_APART)
        names[out->family.stage_count++] = "others";
    out->family.stages = names;
    out->places = places;
    out->alone = alone;
    out->folded = out->family.pipelined || out->stage_count > DSE_STAGE_APART;
    return read_item_stages(d);
}

/* Index of an engine by name; appends a new engine. */
static size_t engine_of(struct dse_describing *d, const char *name)
{
    for (size_t i = 0; i < d->engines.count; i++)
        if (strcmp(d->engines.names[i], name) == 0)
            return i;
    *(const char **)dse_list_more(&d->engines.names, &d->engines.count, sizeof *d->engines.names) = name;
    return d->engines.count - 1;
}

/* Sets engine titles given in the file. */
static enum dse_status title_engines(struct dse_describing *d)
{
    const struct dse_yaml *section;
    DSE_TRY(dse_describing_members(d, &d->out->root, "engines", "engines' names and titles", &section));
    struct dse_engine *engines = dse_arena_alloc(d->arena, d->engines.count + 1, sizeof *engines);
    for (size_t i = 0; i < section->count; i++) {
        const char *text;
        int index = -1;
        for (size_t e = 0; e < d->engines.count; e++)
            index = strcmp(d->engines.names[e], section->children[i].key) == 0 ? (int)e : index;
        if (index < 0)
            return dse_describing_reject_word(d, &section->children[i], true, "engine of a block", d->engines.names, d->engines.count);
        DSE_TRY(dse_describing_text(d, section, section->children[i].key, true, &text));
    }
    size_t shown = d->engines.count <= DSE_ENGINE_MAX ? d->engines.count : DSE_ENGINE_MAX;
    for (size_t e = 0; e < shown; e++) {
        const struct dse_yaml *title = dse_yaml_member(section, d->engines.names[e]);
        engines[e] = (struct dse_engine){d->engines.names[e], title != NULL ? title->text : d->engines.names[e]};
    }
    if (d->engines.count > DSE_ENGINE_MAX)
        engines[DSE_ENGINE_MAX - 1] = (struct dse_engine){"others", "Further engines of the file"};
    d->out->family.engines = engines;
    d->out->family.engine_count = shown;
    d->out->engine_count = d->engines.count;
    return DSE_OK;
}

/* ---- blocks ---- */

/* A block keeps the symbols that its formulas may read. An unread let is an error. */
static enum dse_status keep_symbols(struct dse_describing *d, const struct dse_yaml *node, struct dse_described_block *block)
{
    size_t own = d->out->symbol_count;
    block->symbols = dse_describing_copy(d, d->symbols, d->symbol_count, sizeof *d->symbols);
    block->symbol_count = d->symbol_count;
    for (size_t i = 0; i < block->part_count; i++) {
        const struct dse_part *part = &block->parts[i];
        const struct dse_yaml *own_node = dse_yaml_member(node, "parts")->children[i].children, *trips = dse_yaml_member(own_node, "for");
        if (part->slot >= own && !d->used[part->slot] && strstr(d->symbols[part->slot].name, ".latency") == NULL)
            return dse_describing_reject_key(d, own_node->children, "no formula of the block reads %s", d->symbols[part->slot].name);
        if (part->first != NULL && !d->used[part->variable])
            return dse_describing_reject_key(d, trips->children, "no formula of its part reads %s", d->symbols[part->variable].name);
    }
    return DSE_OK;
}

/* Whether formulas of later parts may read this part: `let`, or a named part. */
static bool is_named(const struct dse_yaml *part)
{
    const struct dse_yaml *only = part->kind == DSE_YAML_MAP && part->count > 0 ? &part->children[0] : NULL;
    return only != NULL && (strcmp(only->key, "let") == 0 || (only->kind == DSE_YAML_MAP && dse_yaml_member(only, "name") != NULL));
}

/* Reads the parts in order; after an error in a part that others may read, reading ends. */
static enum dse_status read_parts(struct dse_describing *d, const struct dse_yaml *list, struct dse_part *parts)
{
    enum dse_status all = DSE_OK;
    for (size_t i = 0; i < list->count; i++) {
        enum dse_status read = dse_describing_part(d, &list->children[i], &parts[i]);
        DSE_TRY(dse_describing_go_on(d, read));
        all = read != DSE_OK ? read : all;
        if (read != DSE_OK && is_named(&list->children[i]))
            break;
    }
    return all;
}

static enum dse_status read_block(struct dse_describing *d, const struct dse_yaml *node, struct dse_block *out, struct dse_described_block *block)
{
    static const char *const keys[] = {"engine", "memory_port", "when", "working", "parts", "help", NULL};
    const struct dse_yaml *list = dse_yaml_member(node, "parts"), *when = dse_yaml_member(node, "when"), *working = dse_yaml_member(node, "working");
    const char *engine;
    DSE_TRY(dse_describing_map(d, node, "a block", keys));
    DSE_TRY(dse_describing_text(d, node, "engine", false, &engine));
    *out = (struct dse_block){.name = node->key, .engine = engine_of(d, engine != NULL ? engine : node->key), .cost = dse_described_cost};
    DSE_TRY(dse_describing_yes(d, node, "memory_port", &out->memory_port));
    if (list == NULL || list->kind != DSE_YAML_LIST || list->count == 0)
        return dse_describing_reject_key(d, list != NULL ? list : node, "needs `parts`, a list of at least one");
    struct dse_part *parts = dse_arena_alloc(d->arena, list->count, sizeof *parts);
    *block = (struct dse_described_block){.name = node->key, .parts = parts, .part_count = list->count, .line = node->key_line};
    if (when != NULL)
        DSE_TRY(dse_describing_formula(d, when, DSE_SORT_CONDITION, DSE_UNIT_COUNT, &block->when));
    DSE_TRY(read_parts(d, list, parts));
    if (working != NULL)
        DSE_TRY(dse_describing_formula(d, working, DSE_SORT_NUMBER, DSE_UNIT_CYCLES, &block->working));
    out->reads = reads_of(d, block);
    return keep_symbols(d, node, block);
}

/* `{require: CONDITION, because: TEXT}` for the whole accelerator: a block without cost. */
static enum dse_status read_constraint(struct dse_describing *d, const struct dse_yaml *node, size_t number, struct dse_block *out, struct dse_described_block *block)
{
    struct dse_part *part = dse_arena_alloc(d->arena, 1, sizeof *part);
    static const char *const keys[] = {"require", "because", NULL};
    DSE_TRY(dse_describing_map(d, node, "a constraint", keys));
    if (dse_yaml_member(node, "require") == NULL)
        return dse_describing_reject_key(d, node, "needs `require`, a condition");
    for (part->kind = dse_part_kinds; strcmp(part->kind->name, "require") != 0; part->kind++)
        ;
    DSE_TRY(dse_describing_text(d, node, "because", true, &part->text));
    part->arguments[0].knob = -1;
    DSE_TRY(dse_describing_formula(d, dse_yaml_member(node, "require"), DSE_SORT_CONDITION, DSE_UNIT_COUNT, &part->arguments[0].code));
    dse_describing_vary(d, part);
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&name, "constraint%zu", number);
    *block = (struct dse_described_block){.name = dse_arena_strdup(d->arena, dse_strbuf_text(&name)), .parts = part, .part_count = 1, .line = node->line};
    *out = (struct dse_block){.name = block->name, .cost = dse_described_cost, .reads = reads_of(d, block)};
    block->symbols = d->out->symbols;
    block->symbol_count = d->out->symbol_count;
    return DSE_OK;
}

uint64_t dse_described_rows(const struct dse_model_family *family, size_t block)
{
    return rows_over(family->knobs, family->blocks[block].reads);
}

/* Rejects a block whose table over its knobs is too large for a search; names the knobs with most values. */
static enum dse_status check_rows(const struct dse_describing *d, const struct dse_yaml *node, size_t block)
{
    const struct dse_model_family *family = &d->out->family;
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    uint64_t rows = dse_described_rows(family, block);
    if (rows <= DSE_DESCRIBED_ROWS)
        return DSE_OK;
    for (size_t k = 0; k < family->knobs->count; k++) {
        const struct dse_knob *knob = &family->knobs->knobs[k];
        size_t values = knob->domain_count > 0 ? knob->domain_count : knob->choice_count;
        if (dse_bits_has(family->blocks[block].reads, k) && values > 1)
            dse_strbuf_printf(&names, "%s%s (%zu)", names.length > 0 ? ", " : "", knob->name, values);
    }
    return dse_describing_reject_key(d, node, "reads so many knobs that its table has %llu rows, but at most %llu are allowed: %s; name fewer values in `oneof`, or split "
                                     "the block", (unsigned long long)rows, (unsigned long long)DSE_DESCRIBED_ROWS, dse_strbuf_text(&names));
}

static size_t count_leaders(const struct joining *j)
{
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++)
        count += j->leader[i] == i;
    return count;
}

/* A search holds at most DSE_BLOCK_MAX blocks. If the file has more, blocks of one engine that read the same knobs are merged: their sum
 * is the same. */
static void join_alike(struct joining *j)
{
    const struct dse_block *blocks = j->blocks;
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < i && j->leader[i] == i; k++)
            if (j->leader[k] == k && blocks[k].engine == blocks[i].engine && blocks[k].memory_port == blocks[i].memory_port && dse_bits_equal(blocks[k].reads, blocks[i].reads))
                join(j, k, i);
}

#define NAMED_MOST 4 /* names of the blocks that are one */

/* "a, b, c", or "a, b, c and 12 more". */
static const char *name_of(struct dse_describing *d, const struct dse_described_block *first)
{
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t count = 0, named = 0;
    for (const struct dse_described_block *block = first; block != NULL; block = block->next)
        count++;
    const size_t most = count <= NAMED_MOST ? count : NAMED_MOST - 1;
    for (const struct dse_described_block *block = first; named < most; block = block->next, named++)
        dse_strbuf_printf(&name, "%s%s", named > 0 ? ", " : "", block->name);
    if (count > most)
        dse_strbuf_printf(&name, " and %zu more", count - most);
    return dse_arena_strdup(d->arena, dse_strbuf_text(&name));
}

/* The family's blocks: leaders with their members. */
static enum dse_status chain_blocks(struct joining *j, const struct dse_yaml *section)
{
    struct dse_model_family *family = &j->d->out->family;
    const struct dse_described_block **first = dse_arena_alloc(j->d->arena, j->count + 1, sizeof *first);
    size_t kept = 0;
    for (size_t i = 0; i < j->count; i++) {
        struct dse_described_block *last = &j->own[i];
        if (j->leader[i] != i)
            continue;
        for (size_t k = i + 1; k < j->count; k++)
            if (j->leader[k] == i) {
                last->next = &j->own[k];
                last = &j->own[k];
            }
        first[kept] = &j->own[i];
        j->blocks[kept] = j->blocks[i];
        if (j->own[i].next != NULL)
            j->blocks[kept].name = name_of(j->d, &j->own[i]);
        kept++;
    }
    family->block_count = kept;
    j->d->out->blocks = first;
    return kept <= DSE_BLOCK_MAX ? DSE_OK
                                 : dse_describing_reject_key(j->d, section, "has %zu blocks that differ in engine or in the knobs that they read: at most %d; blocks of one "
                                                             "engine over the same knobs count once", kept, DSE_BLOCK_MAX);
}

static enum dse_status join_blocks(struct dse_describing *d, const struct dse_yaml *section, struct dse_block *blocks, struct dse_described_block *own, size_t count)
{
    size_t *leader DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *leader);
    struct joining joining = {.d = d, .blocks = blocks, .own = own, .leader = leader, .count = count};
    for (size_t i = 0; i < count; i++) {
        leader[i] = i;
        note_stages(d, &own[i]);
    }
    DSE_TRY(join_makers(&joining));
    if (count_leaders(&joining) > DSE_BLOCK_MAX)
        join_alike(&joining);
    DSE_TRY(fold_stages(&joining));
    return chain_blocks(&joining, section);
}

/* ---- unread names ---- */

static enum dse_status check_used(struct dse_describing *d)
{
    const struct dse_yaml *root = &d->out->root;
    const struct {
        const char *section, *words;
        size_t first, count, stride;
    } all[] = {{"knobs", "no block reads this knob", 0, d->out->knobs.count, 1},
               {"workload", "no formula reads this quantity", d->out->first_quantity, d->out->quantity_count, 2},
               {"constants", "no formula reads this constant", d->out->first_constant, d->out->constant_count, 1},
               {"let", "no formula reads this expression", d->out->first_let, d->out->let_count, 1}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
        const struct dse_yaml *section = dse_yaml_member(root, all[s].section);
        for (size_t i = 0; section != NULL && i < section->count && i < all[s].count; i++) {
            size_t at = all[s].first + i * all[s].stride;
            bool used = d->used[at] || (all[s].stride == 2 && d->used[at + 1]);
            if (s == 0)
                used |= i == d->out->family.clock_knob || i == d->out->family.units_knob || dse_knob_trains(&d->out->knobs.knobs[i]);
            if (!used)
                DSE_TRY(dse_describing_go_on(d, dse_describing_reject_key(d, &section->children[i], "%s", all[s].words)));
        }
    }
    return dse_describing_settle(d);
}

/* A knob that only decides whether another matters counts as read. */
static void use_conditions(struct dse_describing *d)
{
    for (size_t k = 0; k < d->out->knobs.count; k++)
        if (d->out->knobs.knobs[k].condition_choices != 0)
            d->used[d->out->knobs.knobs[k].condition] = true;
}

/* Items per latency, and parts of a job. */
static enum dse_status read_job(struct dse_describing *d)
{
    const struct {
        const char *key;
        const struct dse_code **code;
    } all[] = {{"items", &d->out->items}, {"job_parts", &d->out->parts}};
    for (size_t i = 0; i < 2; i++) {
        const struct dse_yaml *node = dse_yaml_member(&d->out->root, all[i].key);
        if (node == NULL)
            continue;
        DSE_TRY(dse_describing_formula(d, node, DSE_SORT_NUMBER, DSE_UNIT_COUNT, all[i].code));
        for (size_t r = 0; r < (*all[i].code)->read_count; r++) {
            size_t slot = (*all[i].code)->reads[r];
            if (slot >= d->out->knobs.count)
                return dse_describing_reject(d, node, "may name only knobs, but names %s", d->symbols[slot].name);
            dse_bits_add(&d->out->family.decides_items, slot);
        }
    }
    return DSE_OK;
}

enum dse_status dse_describing_blocks(struct dse_describing *d)
{
    const struct dse_yaml *section = dse_yaml_member(&d->out->root, "blocks"), *constraints = dse_yaml_member(&d->out->root, "constraints");
    d->out->symbols = dse_describing_copy(d, d->symbols, d->symbol_count, sizeof *d->symbols);
    d->out->symbol_count = d->symbol_count;
    DSE_TRY(read_stages(d));
    if (section == NULL || section->kind != DSE_YAML_MAP || section->count == 0)
        return dse_describing_reject_key(d, section != NULL ? section : &d->out->root, "needs `blocks`, a map of at least one");
    if (constraints != NULL && constraints->kind != DSE_YAML_LIST)
        return dse_describing_reject_key(d, constraints, "must be a list of {require: CONDITION, because: TEXT}");
    size_t count = section->count + (constraints != NULL ? constraints->count : 0);
    struct dse_block *blocks = dse_arena_alloc(d->arena, count + 1, sizeof *blocks);
    struct dse_described_block *own = dse_arena_alloc(d->arena, count + 1, sizeof *own);
    DSE_TRY(read_job(d));
    for (size_t i = 0; i < section->count; i++) {
        d->block = &section->children[i];
        DSE_TRY(dse_describing_go_on(d, read_block(d, &section->children[i], &blocks[i], &own[i])));
        d->symbol_count = d->out->symbol_count; /* the block's symbols end with it, also after an error */
    }
    d->block = NULL;
    for (size_t i = section->count; i < count; i++)
        DSE_TRY(dse_describing_go_on(d, read_constraint(d, &constraints->children[i - section->count], i - section->count + 1, &blocks[i], &own[i])));
    DSE_TRY(dse_describing_settle(d));
    DSE_TRY(title_engines(d));
    for (size_t i = 0; i < count; i++) /* reports name a limited number of engines; costs do not depend on it */
        if (d->engines.count > DSE_ENGINE_MAX && blocks[i].engine >= DSE_ENGINE_MAX)
            blocks[i].engine = DSE_ENGINE_MAX - 1;
    d->out->family.blocks = blocks;
    d->out->family.block_count = count;
    for (size_t i = 0; i < count; i++)
        DSE_TRY(dse_describing_go_on(d, check_rows(d, i < section->count ? &section->children[i] : constraints, i)));
    return join_blocks(d, section, blocks, own, count);
}

enum dse_status dse_describing_unused(struct dse_describing *d)
{
    use_conditions(d);
    return check_used(d);
}
