/* Invariants of any SMGPU program, read as a text or as words: it reads back equal in both forms, and a run over a few small arrays ends,
 * with results or with an error. */
#pragma once

#include "models/smgpu/executor/model.h"
#include "models/smgpu/executor/program.h"
#include "tests/fuzz/input.h"

static char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The text and the words of a program read back equal. */
static void comes_back(const struct smgpu_program *program)
{
    struct dse_strbuf text = {0}, again = {0}, words = {0};
    struct smgpu_program second = {0};
    struct dse_error err = {0};
    smgpu_program_write(program, &text);
    char *copy = text_of((const uint8_t *)dse_strbuf_text(&text), text.length);
    require(smgpu_program_parse("F", copy, &second, &err) == DSE_OK);
    smgpu_program_write(&second, &again);
    require(strcmp(dse_strbuf_text(&text), dse_strbuf_text(&again)) == 0);
    smgpu_program_free(&second);
    free(copy);
    smgpu_program_assemble(program, &words);
    copy = text_of((const uint8_t *)dse_strbuf_text(&words), words.length);
    struct smgpu_program third = {0};
    require(smgpu_program_disassemble("F", copy, &third, &err) == DSE_OK);
    again.length = 0;
    smgpu_program_assemble(&third, &again);
    require(strcmp(dse_strbuf_text(&words), dse_strbuf_text(&again)) == 0);
    smgpu_program_free(&third);
    free(copy);
    dse_strbuf_free(&text);
    dse_strbuf_free(&again);
    dse_strbuf_free(&words);
}

/* Arrays of every type and rank, by the names a … f. */
static void fill(struct smgpu_memory *memory)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "a_indptr", "a_indices", "a_data", "b_indptr", "b_indices"};
    struct dse_error err;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct smgpu_array *array;
        const size_t shape[2] = {i < 6 ? 2 + i % 3 : i == 6 || i == 9 ? 4 : 3, 4};
        enum smgpu_type type = i < 6 ? (enum smgpu_type)(i % SMGPU_TYPES) : SMGPU_I32;
        require(smgpu_memory_put(memory, names[i], type, i < 6 ? 1 + i % 2 : 1, shape, &array, &err) == DSE_OK);
        for (size_t k = 0; k < smgpu_array_elements(array) * smgpu_type_bytes(type); k += smgpu_type_bytes(type))
            ((uint8_t *)array->data)[k] = (uint8_t)(i == 6 || i == 9 ? k / 4 : (k + i) % 3);
    }
}

static void runs(const struct smgpu_program *program)
{
    struct smgpu_memory memory = {0};
    struct smgpu_record record;
    struct dse_error err = {0};
    struct smgpu_hardware hardware = {.array_rows = 4, .banks = 4, .mesh = 2, .buffer_flits = 4, .payload_bits = 64, .channels = 2, .tiles = 2,
                                      .queue = 4, .fraction = 16, .core_hz = 3e8, .hbm_hz = 4.5e8, .crossbar_hz = 1e8};
    smgpu_hardware_limits(&hardware, 16, 256);
    fill(&memory);
    if (smgpu_machine_run(&hardware, program, &memory, NULL, &record, &err) != DSE_OK)
        require(err.message[0] != '\0');
    smgpu_memory_free(&memory);
}

typedef enum dse_status reader(const char *path, char *text, struct smgpu_program *out, struct dse_error *err);

static int check_program(reader *read, const uint8_t *data, size_t size)
{
    struct smgpu_program program = {0};
    struct dse_error err = {0};
    char *text = text_of(data, size);
    enum dse_status status = read("F", text, &program, &err);
    require(status == DSE_OK || (status == DSE_BAD_INPUT && err.message[0] != '\0'));
    if (status == DSE_OK) {
        comes_back(&program);
        if (program.count < 64)
            runs(&program);
    }
    smgpu_program_free(&program);
    free(text);
    return 0;
}
