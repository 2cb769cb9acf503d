/* Fuzzes models of every registered family with correct checksums: a trained model's file with changed elements (and headers) of its
 * arrays and recomputed checksums. An accepted model gives finite answers, the same answers in simulation, and can be written; a family with accelerator
 * source packs it for a design, as C and as RTL, or gives the reason why not. The first byte selects the family. Changes of six bytes
 * follow: array, offset in it (three bytes), number of bytes, and the value to xor them with, or replacement by the following bytes. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "core/file.h"
#include "devices/board.h"
#include "emit/emission.h"
#include "resources/costs.h"
#include "tests/contract/made.h"
#include "tests/fuzz/input.h"

#define FAMILIES_MOST 16
#define MEMBERS_MOST 64

/* A family's trained model, made once. */
struct base {
    struct dse_dataset *data;
    struct dse_board *board;
    struct dse_setting setting;
    struct dse_workload work; /* workload of the data; this and the following are for packing */
    struct dse_space *space;
    struct dse_costs *costs;
    struct dse_config config;
    char *bytes;
    size_t size, members;
    struct {
        size_t local, central, data, bytes; /* offsets in the file */
    } member[MEMBERS_MOST];
};

static uint32_t get(const char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

static void put32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(value >> 8 * i);
}

static void check(bool good)
{
    if (!good)
        abort();
}

/* The members of an archive whose members are stored as they are. */
static void find_members(struct base *base)
{
    const char *end = base->bytes + base->size - 22;
    check(base->size > 22 && memcmp(end, "PK\5\6", 4) == 0);
    const char *entry = base->bytes + get(end + 16, 4);
    for (uint32_t i = 0; i < get(end + 10, 2) && base->members < MEMBERS_MOST; i++) {
        const char *local = base->bytes + get(entry + 42, 4);
        size_t data = (size_t)(local - base->bytes) + 30 + get(local + 26, 2) + get(local + 28, 2);
        check(get(entry + 10, 2) == 0); /* stored */
        base->member[base->members].local = (size_t)(local - base->bytes);
        base->member[base->members].central = (size_t)(entry - base->bytes);
        base->member[base->members].data = data;
        base->member[base->members++].bytes = get(entry + 24, 4);
        entry += 46 + get(entry + 28, 2) + get(entry + 30, 2) + get(entry + 32, 2);
    }
    check(base->members > 0);
}

/* The published design at the model's setting. */
static void find_design(const struct dse_executor *executor, struct base *base)
{
    struct dse_error err;
    struct dse_run run = {.seed = 5, .jobs = 1};
    const struct dse_model_family *family = dse_model_find(executor->family);
    check(family != NULL && dse_model_space(family, NULL, &base->space, &err) == DSE_OK);
    check(dse_costs_for_board(base->board, NULL, &base->costs, &err) == DSE_OK);
    check(executor->profile(base->data, &base->setting, &run, &base->work, &err) == DSE_OK);
    dse_space_default(base->space, &base->config);
    check(dse_config_apply(base->space, &base->config, &base->setting, &err) == DSE_OK);
}

static struct base *base_of(const struct dse_executor *executor, size_t family)
{
    static struct base bases[FAMILIES_MOST];
    struct base *base = &bases[family];
    struct dse_error err;
    if (base->bytes != NULL)
        return base;
    base->data = made_data(executor, 3);
    base->setting = made_setting(executor, base->data);
    struct dse_training trained;
    struct dse_model *model = made_model(executor, base->data, &base->setting, 1, &trained);
    char *path = made_path("fuzz.npz");
    check(path != NULL && dse_model_save(model, path, &err) == DSE_OK);
    check(dse_file_read(path, 64u << 20, &base->bytes, &base->size, &err) == DSE_OK);
    check(executor->simulate == NULL || dse_board_open(executor->board, &base->board, &err) == DSE_OK);
    unlink(path);
    free(path);
    if (executor->pack != NULL)
        find_design(executor, base);
    dse_model_free(model);
    find_members(base);
    return base;
}

/* The changed file with recomputed checksums; malloc'd. */
static char *change(const struct base *base, const uint8_t *data, size_t size)
{
    char *bytes = malloc(base->size);
    check(bytes != NULL);
    memcpy(bytes, base->bytes, base->size);
    while (size >= 6) {
        size_t m = data[0] % base->members, length = base->member[m].bytes;
        size_t at = ((size_t)data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16) % length, count = data[4] % 16 + 1u;
        uint8_t with = data[5];
        bool replaces = data[4] >= 128;
        data += 6;
        size -= 6;
        for (size_t i = 0; i < count && at + i < length; i++) {
            char *byte = bytes + base->member[m].data + at + i;
            *byte = replaces && size > 0 ? (char)*data : (char)(*byte ^ with);
            data += replaces && size > 0;
            size -= replaces && size > 0;
        }
    }
    for (size_t m = 0; m < base->members; m++) {
        const Bytef *begin = (const Bytef *)bytes + base->member[m].data;
        uint32_t sum = (uint32_t)crc32(0, begin, (uInt)base->member[m].bytes);
        put32(bytes + base->member[m].local + 14, sum);
        put32(bytes + base->member[m].central + 16, sum);
    }
    return bytes;
}

/* Parts of a pack in the image have the size of their shapes. */
static void write_image(const struct dse_setup *setup, const struct dse_estimate *estimate, const struct dse_hls *hls,
                        const struct dse_pack *pack)
{
    struct dse_strbuf image = {0};
    struct dse_emission design = {.setup = setup, .estimate = estimate, .hls = hls, .dataset = "MADE", .pack = pack};
    dse_emission_image(&design, &image);
    check(image.length >= 64 * (1 + pack->count));
    for (size_t i = 0; i < pack->count; i++)
        check(dse_emission_image_offset(pack, i) + dse_pack_elements(&pack->arrays[i]) * dse_pack_type_bytes(pack->arrays[i].type) <= image.length);
    dse_strbuf_free(&image);
}

static void pack(const struct dse_executor *executor, const struct base *base, const struct dse_model *model)
{
    struct dse_workload work = {0};
    struct dse_estimate estimate;
    struct dse_hls hls = {0};
    struct dse_pack packed = {0};
    struct dse_rtl rtl = {0};
    struct dse_error err = {0};
    bool made = dse_executor_work(executor, model, &base->work, &work, &err) == DSE_OK;
    struct dse_setup setup = {.family = dse_model_find(executor->family), .space = base->space, .board = base->board,
                              .costs = base->costs, .workload = &work, .headroom = -1.0};
    made = made && dse_estimate_built(&setup, &base->config, &estimate, &err) == DSE_OK &&
           dse_hls_make(&setup, &base->config, &hls, &err) == DSE_OK;
    if (made && executor->pack(model, &estimate.config, hls.layout, &packed, &err) == DSE_OK)
        write_image(&setup, &estimate, &hls, &packed);
    else
        check(err.message[0] != '\0');
    if (made && executor->rtl != NULL && executor->rtl(model, &estimate.config, hls.layout, &rtl, &err) != DSE_OK)
        check(err.message[0] != '\0');
    dse_rtl_free(&rtl);
    dse_pack_free(&packed);
    dse_hls_free(&hls);
    dse_workload_clear(&work);
}

static void use(const struct dse_executor *executor, const struct base *base, const struct dse_model *model)
{
    struct dse_run run = {.seed = 9, .jobs = 1};
    struct dse_error err = {0};
    struct dse_inference answers DSE_CLEANUP(dse_inference_free) = {0};
    struct dse_simulation simulated;
    struct dse_setting knobs = {0};
    if (executor->infer(model, base->data, &run, &answers, &err) == DSE_OK) {
        check(isfinite(answers.quality));
        for (size_t i = 0; answers.estimate != NULL && i < answers.count; i++)
            check(isfinite(answers.estimate[i]));
        if (executor->simulate != NULL && dse_simulate(model, base->data, &knobs, base->board, &run, &simulated, &err) == DSE_OK) {
            check(simulated.equal == simulated.items);
            dse_simulation_free(&simulated);
        }
    }
    if (executor->pack != NULL)
        pack(executor, base, model);
    dse_model_save(model, "/dev/null", &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count;
    const struct dse_executor *const *executors = dse_executors(&count);
    if (size == 0)
        return 0;
    size_t family = data[0] % count;
    const struct base *base = base_of(executors[family], family);
    char *bytes = change(base, data + 1, size - 1);
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    enum dse_status status = dse_model_load_memory(executors[family], bytes, base->size, "fuzz.npz", &model, &err);
    if (status == DSE_OK)
        use(executors[family], base, model);
    else
        check(model == NULL && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
    dse_model_free(model);
    free(bytes);
    return 0;
}
