/* Programs as the 32-bit words of the ISA: opcode 4, sub-opcode 4, flags 8, operand 16.
 *
 * An engine's word has its result's number as the operand. Its operands and keys come before it, a word each, with the opcode 15 (SET).
 * Sub-opcode 0 has an operand's number; 1 and 2 the low and high half of a whole key, whose number is in the flags; 3 to 6 the quarters of
 * a real key's bits. Arrays are numbered by their names' first occurrence; a comment "# 3 name" keeps the name. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/smgpu/executor/program.h"

#define SET 15u
#define SET_OPERAND 0u
#define SET_WHOLE 1u
#define SET_REAL 3u
#define ARRAYS_MOST 65536

static uint32_t word_of(uint32_t opcode, uint32_t sub, uint32_t flags, uint32_t operand)
{
    return opcode << 28 | sub << 24 | flags << 16 | operand;
}

/* ---- writing ---- */

struct names {
    const char **name; /* [count] */
    size_t count, capacity;
};

/* The array's number; writes a comment if it is new. */
static uint32_t number_of(struct names *names, const char *name, struct dse_strbuf *out)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return (uint32_t)i;
    dse_list_room(&names->name, &names->capacity, names->count, sizeof *names->name);
    dse_strbuf_printf(out, "# %zu %s\n", names->count, name);
    names->name[names->count] = name;
    return (uint32_t)names->count++;
}

static void put(struct dse_strbuf *out, uint32_t word)
{
    dse_strbuf_printf(out, "%08x\n", word);
}

static void put_key(struct dse_strbuf *out, uint32_t key, double value)
{
    uint64_t bits;
    if (!smgpu_keys[key].real)
        bits = (uint32_t)(int64_t)value;
    else
        memcpy(&bits, &value, sizeof bits);
    for (uint32_t half = 0; half < (smgpu_keys[key].real ? 4u : 2u); half++)
        put(out, word_of(SET, (smgpu_keys[key].real ? SET_REAL : SET_WHOLE) + half, key, (uint32_t)(bits >> 16 * half) & 0xFFFF));
}

void smgpu_program_assemble(const struct smgpu_program *program, struct dse_strbuf *out)
{
    struct names names = {0};
    for (size_t i = 0; i < program->count; i++) {
        const struct smgpu_instruction *at = &program->instructions[i];
        for (size_t k = 0; k < at->operation->operand_count; k++) {
            uint32_t number = number_of(&names, at->operand[k], out);
            put(out, word_of(SET, SET_OPERAND, (uint32_t)k, number));
        }
        for (uint32_t k = 0; k < SMGPU_KEYS; k++)
            if ((at->given >> k & 1) != 0)
                put_key(out, k, at->value[k]);
        uint32_t number = number_of(&names, at->result, out);
        put(out, word_of((uint32_t)at->operation->engine, at->operation->sub, at->flags, number));
    }
    free(names.name);
}

/* ---- reading ---- */

struct decoding {
    struct smgpu_program *program;
    const char **name; /* [ARRAYS_MOST] or NULL */
    uint64_t bits[SMGPU_KEYS];
    struct smgpu_instruction next;
    uint32_t operands; /* bits of the operands that were set */
    struct dse_error *err;
};

static const char *name_of(struct decoding *d, uint32_t number)
{
    char made[16];
    if (d->name[number] == NULL) {
        snprintf(made, sizeof made, "m%u", number);
        d->name[number] = dse_arena_strdup(&d->program->arena, made);
    }
    return d->name[number];
}

static enum dse_status reject(const struct decoding *d, uint32_t word, const char *what)
{
    return dse_fail_at(d->err, DSE_BAD_INPUT, d->program->path, d->next.line, "word %08x: %s", word, what);
}

static enum dse_status decode_set(struct decoding *d, uint32_t word)
{
    uint32_t sub = word >> 24 & 15, key = word >> 16 & 255, operand = word & 0xFFFF;
    if (sub == SET_OPERAND) {
        if (key >= SMGPU_OPERANDS_MAX)
            return reject(d, word, "sets an operand that no instruction has");
        d->operands |= UINT32_C(1) << key;
        d->next.operand[key] = name_of(d, operand);
        return DSE_OK;
    }
    if (key >= SMGPU_KEYS || sub < (smgpu_keys[key].real ? SET_REAL : SET_WHOLE) ||
        sub >= (smgpu_keys[key].real ? SET_REAL + 4 : SET_WHOLE + 2))
        return reject(d, word, "sets a key that no instruction has");
    uint32_t part = sub - (smgpu_keys[key].real ? SET_REAL : SET_WHOLE);
    d->bits[key] = (d->bits[key] & ~(UINT64_C(0xFFFF) << 16 * part)) | (uint64_t)operand << 16 * part;
    d->next.given |= UINT32_C(1) << key;
    return DSE_OK;
}

static bool read_value(uint32_t key, uint64_t bits, double *value)
{
    if (smgpu_keys[key].real)
        memcpy(value, &bits, sizeof *value);
    else
        *value = smgpu_keys[key].least < 0 ? (double)(int32_t)(uint32_t)bits : (double)(uint32_t)bits;
    return *value >= smgpu_keys[key].least && *value <= smgpu_keys[key].most;
}

static enum dse_status decode_engine(struct decoding *d, uint32_t word)
{
    const struct smgpu_operation *found = NULL;
    for (size_t i = 0; i < smgpu_operation_count; i++)
        if (smgpu_operations[i].engine == word >> 28 && smgpu_operations[i].sub == (word >> 24 & 15))
            found = &smgpu_operations[i];
    if (found == NULL)
        return reject(d, word, "no such instruction");
    if (d->operands != (UINT32_C(1) << found->operand_count) - 1 || (d->next.given & ~found->keys) != 0)
        return reject(d, word, "the operands and keys set before belong to another instruction");
    if ((word >> 16 & 255) >> SMGPU_FLAGS != 0)
        return reject(d, word, "has a flag that is not in the ISA");
    d->next.operation = found;
    d->next.flags = (uint8_t)(word >> 16 & 255);
    for (uint32_t k = 0; k < SMGPU_KEYS; k++)
        if ((d->next.given >> k & 1) != 0 && !read_value(k, d->bits[k], &d->next.value[k]))
            return reject(d, word, "a key set before is out of its range");
    d->next.result = name_of(d, word & 0xFFFF);
    struct smgpu_program *program = d->program;
    *(struct smgpu_instruction *)dse_list_more(&program->instructions, &program->count, sizeof d->next) = d->next;
    d->next = (struct smgpu_instruction){.line = d->next.line};
    d->operands = 0;
    return DSE_OK;
}

/* Reads a comment "# 3 name", the name of array 3, if it is one. */
static void read_comment(struct decoding *d, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    size_t length = strspn(end + (*end == ' '), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (end == text || *end != ' ' || length == 0 || length >= SMGPU_NAME_MAX || number >= ARRAYS_MOST || isdigit((unsigned char)end[1]))
        return;
    d->name[number] = dse_arena_strndup(&d->program->arena, end + 1, length);
}

static enum dse_status decode_line(struct decoding *d, char *line)
{
    d->next.line++;
    line += strspn(line, " \t\r");
    if (*line == '#')
        read_comment(d, line + 1 + strspn(line + 1, " \t"));
    size_t length = strspn(line, "0123456789abcdefABCDEF");
    if (*line == '\0' || *line == '#')
        return DSE_OK;
    if (length != 8 || line[length + strspn(line + length, " \t\r")] != '\0')
        return dse_fail_at(d->err, DSE_BAD_INPUT, d->program->path, d->next.line, "\"%.40s\": must be 8 hexadecimal digits", line);
    uint32_t word = (uint32_t)strtoul(line, NULL, 16);
    return word >> 28 == SET ? decode_set(d, word) : decode_engine(d, word);
}

enum dse_status smgpu_program_disassemble(const char *path, char *words, struct smgpu_program *out, struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) const char **name = dse_calloc(ARRAYS_MOST, sizeof *name);
    struct decoding d = {.program = out, .name = name, .err = err};
    *out = (struct smgpu_program){.path = path};
    while (words != NULL) {
        char *end = strchr(words, '\n');
        if (end != NULL)
            *end++ = '\0';
        DSE_TRY(decode_line(&d, words));
        words = end;
    }
    if (d.operands != 0 || d.next.given != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: ends between an instruction's words", path);
    return out->count == 0 ? dse_fail(err, DSE_BAD_INPUT, "%s: holds no instruction", path) : DSE_OK;
}
