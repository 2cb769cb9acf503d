/* The verb for programs: runs one on a file's arrays, assembles or disassembles it. */
#include <stdlib.h>

#include "core/file.h"
#include "executor/simulated.h"
#include "models/smgpu/executor/model.h"

#define WORDS_MOST (16u << 20)

struct record {
    uint64_t stage[1], work[SMGPU_ENGINES];
    struct smgpu_record did;
};

static const char *const stages[] = {"program"};
static const struct dse_sim_engine engines[SMGPU_ENGINES] = {
    [SMGPU_SPECTRAL] = {"spectral", 0, 0}, [SMGPU_HD] = {"hd", 0, 0}, [SMGPU_TOPOLOGY] = {"topology", 0, 0}, [SMGPU_REWRITE] = {"rewrite", 0, 0},
    [SMGPU_CACHE] = {"cache", 0, 0}, [SMGPU_XBAR] = {"xbar", 0, 0}, [SMGPU_DMA] = {"dma", 0, 0}};

#define OF(unit, name, member)                                                                                                                \
    {unit, name, offsetof(struct record, did) + (unit) * sizeof(struct smgpu_engine_record) + offsetof(struct smgpu_engine_record, member)}
#define ENGINE(unit)                                                                                                                          \
    OF(unit, "instructions", instructions), OF(unit, "stall_operand_cycles", operand_stall_cycles),                                          \
        OF(unit, "stall_dispatch_cycles", dispatch_stall_cycles), OF(unit, "bytes_in", in_bytes), OF(unit, "bytes_out", out_bytes)
#define WHOLE(name, member) {SMGPU_DMA, name, offsetof(struct record, did.member)}
_Static_assert(offsetof(struct smgpu_record, engine) == 0, "begin with an engine");
static const struct dse_sim_counter counters[] = {
    ENGINE(SMGPU_SPECTRAL), ENGINE(SMGPU_HD), ENGINE(SMGPU_TOPOLOGY), ENGINE(SMGPU_REWRITE), ENGINE(SMGPU_CACHE), ENGINE(SMGPU_XBAR),
    ENGINE(SMGPU_DMA), WHOLE("hbm_beats", hbm_beats), WHOLE("hbm_bytes", dma_bytes), WHOLE("flits", flits), WHOLE("flit_hops", flit_hops),
    WHOLE("stall_mesh_cycles", mesh_stall_cycles), WHOLE("queue_full_cycles", queue_full_cycles), WHOLE("stall_order_cycles", order_stall_cycles),
    WHOLE("stall_hbm_cycles", hbm_stall_cycles), {SMGPU_XBAR, "stall_crossing_cycles", offsetof(struct record, did.crossing_stall_cycles)},
    WHOLE("overflows", overflows)};

static const struct dse_sim_form form = {
    .record_bytes = sizeof(struct record), .stages = stages, .stage_count = 1, .stage_at = offsetof(struct record, stage), .engines = engines,
    .engine_count = SMGPU_ENGINES, .work_at = offsetof(struct record, work), .counters = counters,
    .counter_count = sizeof counters / sizeof *counters};

/* Reports the engines' cycles as those of one item. */
static void gather(struct record *record, double clock_hz, struct dse_simulation *result)
{
    record->stage[0] = record->did.cycles;
    for (size_t e = 0; e < SMGPU_ENGINES; e++)
        record->work[e] = record->did.engine[e].busy_cycles;
    result->clock_hz = clock_hz;
    dse_simulation_gather(&form, record, 1, 1, 0, result);
}

enum dse_status smgpu_program_simulate(const struct dse_program_files *files, const struct dse_config *config, const struct dse_board *board,
                                       const struct dse_run *run, struct dse_simulation *result, struct dse_error *err)
{
    struct smgpu_hardware hardware;
    DSE_CLEANUP(smgpu_program_free) struct smgpu_program program = {0};
    DSE_CLEANUP(smgpu_memory_free) struct smgpu_memory memory = {0};
    struct record record = {{0}, {0}, {.cycles = 0}};
    DSE_TRY(smgpu_hardware_read(config, board, &hardware, err));
    if (files->out != NULL)
        DSE_TRY(dse_file_check(files->out, err));
    DSE_TRY(smgpu_program_read(files->program, &program, err));
    if (files->memory != NULL)
        DSE_TRY(smgpu_memory_read(&memory, files->memory, err));
    DSE_TRY(smgpu_machine_run(&hardware, &program, &memory, run->monitor, &record.did, err));
    gather(&record, hardware.core_hz, result);
    if (files->out != NULL)
        DSE_TRY(smgpu_memory_write(&memory, files->out, err));
    return DSE_OK;
}

enum dse_status smgpu_program_translate(const char *path, bool assembles, struct dse_strbuf *out, struct dse_error *err)
{
    struct smgpu_program program = {0};
    char *words = NULL;
    size_t size;
    enum dse_status status = assembles ? smgpu_program_read(path, &program, err) : dse_file_read(path, WORDS_MOST, &words, &size, err);
    if (status == DSE_OK && assembles)
        smgpu_program_assemble(&program, out);
    else if (status == DSE_OK && (status = smgpu_program_disassemble(path, words, &program, err)) == DSE_OK)
        smgpu_program_write(&program, out);
    smgpu_program_free(&program);
    free(words);
    return status;
}
