/* Programs of the accelerator: a text of instructions, one per line, and their 32-bit words.
 *
 *     ENGINE.SUBOP operands key=value … -> result [flags]    # a comment
 */
#pragma once

#include "core/arena.h"
#include "core/strbuf.h"
#include "models/smgpu/executor/operations.h"

#define SMGPU_NAME_MAX 64 /* characters of an array's name */

struct smgpu_instruction {
    const struct smgpu_operation *operation;
    const char *operand[SMGPU_OPERANDS_MAX]; /* the operation's operands */
    double value[SMGPU_KEYS];                /* values of keys */
    uint32_t given;                          /* bits of the keys in the text */
    const char *result;
    uint8_t flags;                           /* in the ISA's coding */
    long line;
};

struct smgpu_program {
    const char *path;
    struct smgpu_instruction *instructions; /* count */
    size_t count;
    struct dse_arena arena;
};

/* Reads a text, or words as smgpu_program_assemble() writes them. DSE_BAD_INPUT names line and word. Always free with
 * smgpu_program_free(). */
enum dse_status smgpu_program_read(const char *path, struct smgpu_program *out, struct dse_error *err);
enum dse_status smgpu_program_parse(const char *path, char *text, struct smgpu_program *out, struct dse_error *err);
void smgpu_program_free(struct smgpu_program *program);

/* Writes one hexadecimal word per line. Names and keys come before their instruction, as words of the opcode SET. Names are also written
 * as comments, which disassembly reads; without them it uses m0, m1, …. Reading words and writing them again changes nothing. */
void smgpu_program_assemble(const struct smgpu_program *program, struct dse_strbuf *out);
enum dse_status smgpu_program_disassemble(const char *path, char *words, struct smgpu_program *out, struct dse_error *err);

/* Writes the text of a program: one instruction per line, keys in the order of the table. */
void smgpu_program_write(const struct smgpu_program *program, struct dse_strbuf *out);
