#include "core/memory.h"
#include "models/smgpu/executor/program.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/names.h"
#include "core/number.h"

#define TEXT_MOST (16u << 20)

/* Position in a text. */
struct reading {
    struct smgpu_program *program;
    long line;
    size_t word; /* number within the line, from 1 */
    struct dse_error *err;
};

static enum dse_status wrong(const struct reading *r, const char *word, const char *what)
{
    return dse_fail_at(r->err, DSE_BAD_INPUT, r->program->path, r->line, "word %zu, \"%.40s\": %s", r->word, word, what);
}

/* Fails with the name nearest to a wrong one. */
static enum dse_status unknown(const struct reading *r, const char *word, const char *kind, const char *const *names, size_t count)
{
    char what[128];
    const char *nearest = dse_names_nearest(word, names, count);
    snprintf(what, sizeof what, nearest != NULL ? "no such %s; %s?" : "no such %s", kind, nearest);
    return wrong(r, word, what);
}

static enum dse_status unknown_operation(const struct reading *r, const char *word)
{
    const char *names[64];
    char buffer[64][40];
    for (size_t i = 0; i < smgpu_operation_count && i < 64; i++) {
        snprintf(buffer[i], sizeof buffer[i], "%s.%s", smgpu_engine_names[smgpu_operations[i].engine], smgpu_operations[i].name);
        names[i] = buffer[i];
    }
    return unknown(r, word, "instruction", names, smgpu_operation_count < 64 ? smgpu_operation_count : 64);
}

/* A letter or _, then digits too. */
static bool is_name(const char *word)
{
    size_t length = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && word[length] == '\0' && length < SMGPU_NAME_MAX && (word[0] < '0' || word[0] > '9');
}

static bool read_hexadecimal(const char *text, double *value)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 8 || text[digits] != '\0')
        return false;
    *value = (double)strtoul(text, NULL, 16);
    return true;
}

static enum dse_status read_key(const struct reading *r, char *word, struct smgpu_instruction *out)
{
    char *text = strchr(word, '='), what[128];
    const char *names[SMGPU_KEYS];
    size_t key = 0;
    for (size_t k = 0; k < SMGPU_KEYS; k++)
        names[k] = smgpu_keys[k].name;
    *text++ = '\0';
    while (key < SMGPU_KEYS && strcmp(names[key], word) != 0)
        key++;
    if (key == SMGPU_KEYS)
        return unknown(r, word, "key", names, SMGPU_KEYS);
    if ((out->operation->keys >> key & 1) == 0)
        return wrong(r, word, "this instruction has no such key");
    if ((out->given >> key & 1) != 0)
        return wrong(r, word, "occurs twice");
    const struct smgpu_key_form *form = &smgpu_keys[key];
    double value;
    int64_t whole;
    bool read = !form->real && strncmp(text, "0x", 2) == 0 ? read_hexadecimal(text + 2, &value)
                : form->real                               ? dse_number_real(text, &value) == DSE_NUMBER_READ
                                                           : dse_number_whole(text, &whole) == DSE_NUMBER_READ;
    if (read && !form->real && strncmp(text, "0x", 2) != 0)
        value = (double)whole;
    if (!read || !(value >= form->least && value <= form->most)) {
        snprintf(what, sizeof what, "%s must be a %snumber from %.10g to %.10g", form->name, form->real ? "" : "whole ", form->least, form->most);
        return wrong(r, text, what);
    }
    out->value[key] = value;
    out->given |= UINT32_C(1) << key;
    return DSE_OK;
}

static enum dse_status keep_name(const struct reading *r, const char *word, const char **out)
{
    if (!is_name(word))
        return wrong(r, word, "must be an array's name: letters, digits and _, no digit first");
    *out = dse_arena_strdup(&r->program->arena, word);
    return DSE_OK;
}

static enum dse_status read_flag(const struct reading *r, const char *word, struct smgpu_instruction *out)
{
    for (size_t f = 0; f < SMGPU_FLAGS; f++)
        if (strcmp(smgpu_flag_names[f], word) == 0) {
            out->flags |= (uint8_t)(1u << f);
            return DSE_OK;
        }
    return unknown(r, word, "flag", smgpu_flag_names, SMGPU_FLAGS);
}

static enum dse_status read_line(struct reading *r, char *line)
{
    struct smgpu_instruction made = {.line = r->line};
    size_t operands = 0;
    bool behind = false; /* past the arrow */
    char *rest = NULL;
    r->word = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *word = strtok_r(line, " \t\r", &rest); word != NULL; word = strtok_r(NULL, " \t\r", &rest)) {
        r->word++;
        if (made.operation == NULL) {
            if ((made.operation = smgpu_operation_find(word)) == NULL)
                return unknown_operation(r, word);
        } else if (strcmp(word, "->") == 0) {
            if (behind)
                return wrong(r, word, "occurs twice");
            behind = true;
        } else if (behind && made.result == NULL)
            DSE_TRY(keep_name(r, word, &made.result));
        else if (behind)
            DSE_TRY(read_flag(r, word, &made));
        else if (strchr(word, '=') != NULL)
            DSE_TRY(read_key(r, word, &made));
        else if (operands == made.operation->operand_count)
            return wrong(r, word, "one operand too many");
        else
            DSE_TRY(keep_name(r, word, &made.operand[operands++]));
    }
    if (made.operation == NULL)
        return DSE_OK;
    if (operands < made.operation->operand_count || made.result == NULL)
        return dse_fail_at(r->err, DSE_BAD_INPUT, r->program->path, r->line, "%s.%s needs %s%s\"-> result\"",
                           smgpu_engine_names[made.operation->engine], made.operation->name, made.operation->operands,
                           made.operation->operand_count > 0 ? ", and after them " : "");
    *(struct smgpu_instruction *)dse_list_more(&r->program->instructions, &r->program->count, sizeof made) = made;
    return DSE_OK;
}

enum dse_status smgpu_program_parse(const char *path, char *text, struct smgpu_program *out, struct dse_error *err)
{
    struct reading r = {.program = out, .err = err};
    *out = (struct smgpu_program){.path = path};
    while (text != NULL) {
        char *end = strchr(text, '\n');
        if (end != NULL)
            *end++ = '\0';
        r.line++;
        DSE_TRY(read_line(&r, text));
        text = end;
    }
    return out->count > 0 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: holds no instruction", path);
}

enum dse_status smgpu_program_read(const char *path, struct smgpu_program *out, struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) char *text = NULL;
    size_t size;
    *out = (struct smgpu_program){.path = path};
    DSE_TRY(dse_file_read(path, TEXT_MOST, &text, &size, err));
    return memchr(text, '\0', size) == NULL ? smgpu_program_parse(path, text, out, err)
                                                               : dse_fail(err, DSE_BAD_INPUT, "%s: is not a text", path);
}

void smgpu_program_free(struct smgpu_program *program)
{
    free(program->instructions);
    dse_arena_free(&program->arena);
    *program = (struct smgpu_program){0};
}

void smgpu_program_write(const struct smgpu_program *program, struct dse_strbuf *out)
{
    char number[32];
    for (size_t i = 0; i < program->count; i++) {
        const struct smgpu_instruction *at = &program->instructions[i];
        dse_strbuf_printf(out, "%s.%s", smgpu_engine_names[at->operation->engine], at->operation->name);
        for (size_t k = 0; k < at->operation->operand_count; k++)
            dse_strbuf_printf(out, " %s", at->operand[k]);
        for (size_t k = 0; k < SMGPU_KEYS; k++)
            if ((at->given >> k & 1) != 0)
                dse_strbuf_printf(out, " %s=%s", smgpu_keys[k].name, dse_number_shortest(number, sizeof number, at->value[k]));
        dse_strbuf_printf(out, " -> %s", at->result);
        for (size_t f = 0; f < SMGPU_FLAGS; f++)
            if ((at->flags >> f & 1) != 0)
                dse_strbuf_printf(out, " %s", smgpu_flag_names[f]);
        dse_strbuf_add(out, "\n");
    }
}
