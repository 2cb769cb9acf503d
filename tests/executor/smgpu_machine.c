/* The machine alone: usage: smgpu_machine run PROGRAM IN.npz OUT.npz | assemble PROGRAM | disassemble WORDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "executor/smgpu/machine.h"

static const struct smgpu_hardware medium = {
    .array_rows = 16, .banks = 16, .mesh = 4, .buffer_flits = 4, .payload_bits = 58, .channels = 4, .tiles = 1, .queue = 16, .fraction = 24,
    .latencies = SMGPU_BUILT, .core_hz = 250e6, .hbm_hz = 300e6, .crossbar_hz = 100e6,
    .limits = {.nodes = 4096, .nonzeros = 65536, .edges = 8388608, .pattern = 8, .matches = 256, .entries = 256, .vectors = 4096, .tile = 1024},
};

static enum dse_status run(char **argv, struct dse_error *err)
{
    struct smgpu_program program;
    struct smgpu_memory memory = {0};
    struct smgpu_record record;
    enum dse_status status = smgpu_program_read(argv[2], &program, err);
    if (status == DSE_OK)
        status = smgpu_memory_read(&memory, argv[3], err);
    if (status == DSE_OK)
        status = smgpu_machine_run(&medium, &program, &memory, NULL, &record, err);
    if (status == DSE_OK)
        status = smgpu_memory_write(&memory, argv[4], err);
    if (status == DSE_OK)
        printf("%llu cycles, %llu overflows, %llu flits\n", (unsigned long long)record.cycles, (unsigned long long)record.overflows,
               (unsigned long long)record.flits);
    for (size_t e = 0; status == DSE_OK && e < SMGPU_ENGINES; e++)
        printf("%-8s %4llu instructions %8llu busy %8llu for operands %8llu to dispatch %8llu bytes in\n", smgpu_engine_names[e],
               (unsigned long long)record.engine[e].instructions, (unsigned long long)record.engine[e].busy_cycles,
               (unsigned long long)record.engine[e].operand_stall_cycles, (unsigned long long)record.engine[e].dispatch_stall_cycles,
               (unsigned long long)record.engine[e].in_bytes);
    smgpu_program_free(&program);
    smgpu_memory_free(&memory);
    return status;
}

static enum dse_status translate(char **argv, struct dse_error *err)
{
    struct smgpu_program program = {0};
    struct dse_strbuf out = {0};
    char *words = NULL;
    size_t size;
    bool assembles = strcmp(argv[1], "assemble") == 0;
    enum dse_status status = assembles ? smgpu_program_read(argv[2], &program, err) : dse_file_read(argv[2], 1 << 24, &words, &size, err);
    if (status == DSE_OK && assembles)
        smgpu_program_assemble(&program, &out);
    else if (status == DSE_OK && (status = smgpu_program_disassemble(argv[2], words, &program, err)) == DSE_OK)
        smgpu_program_write(&program, &out);
    if (status == DSE_OK)
        fputs(dse_strbuf_text(&out), stdout);
    dse_strbuf_free(&out);
    smgpu_program_free(&program);
    free(words);
    return status;
}

int main(int argc, char **argv)
{
    struct dse_error err = {0};
    if (argc != 5 && argc != 3)
        return 2;
    enum dse_status status = argc == 5 ? run(argv, &err) : translate(argv, &err);
    if (status != DSE_OK)
        fprintf(stderr, "%s\n", err.message);
    return (int)status;
}
