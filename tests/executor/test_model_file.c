/* The model file: each kind of damage is rejected with its own error, and a short script reproduces the answers from it. */
#include "sets.h"

#include <zip.h>

#include "datasets/npz.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/nysx.h"
#include "reports/training.h"
#include "tests/test.h"

/* A small model's file. */
struct fixture {
    struct dse_dataset *data;
    char *path;
    char *bytes;
    size_t size;
};

static int make_model(void **state)
{
    static struct fixture fixture;
    struct dse_error err = {0};
    const struct dse_executor *nysx = dse_executor_find("nysx");
    fixture.data = test_set(40, 3, 0, 4);
    fixture.path = test_path("file.npz");
    struct dse_setting setting = test_setting(nysx, fixture.data, "dim", "200", "hops", "2", "landmarks", "10", NULL);
    struct dse_training result;
    struct dse_model *model = NULL;
    struct dse_run run = {.seed = 1, .jobs = 1};
    if (dse_train(nysx, fixture.data, &setting, &run, &model, &result, &err) != DSE_OK ||
        dse_model_save(model, fixture.path, &err) != DSE_OK ||
        dse_file_read(fixture.path, 1 << 24, &fixture.bytes, &fixture.size, &err) != DSE_OK) {
        fprintf(stderr, "%s\n", err.message);
        return -1;
    }
    dse_model_free(model);
    dse_setting_free(&setting);
    *state = &fixture;
    return 0;
}

static int drop_model(void **state)
{
    struct fixture *fixture = *state;
    remove(fixture->path);
    free(fixture->path);
    free(fixture->bytes);
    dse_dataset_free(fixture->data);
    return 0;
}

static void load_rejected(const void *bytes, size_t size, const char *message)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    assert_int_equal(dse_model_load_memory(&nysx_executor, bytes, size, "m.npz", &model, &err), DSE_BAD_INPUT);
    assert_null(model);
    if (strncmp(err.message, "m.npz: ", 7) != 0 || strstr(err.message, message) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", err.message, message);
}

TEST(test_truncated)
{
    const struct fixture *fixture = *state;
    for (size_t size = 0; size < fixture->size; size += 997)
        load_rejected(fixture->bytes, size, "not an .npz file, or is truncated");
    load_rejected(fixture->bytes, fixture->size - 1, "not an .npz file, or is truncated");
}

TEST(test_missing)
{
    struct dse_model *model = NULL;
    FAILS(DSE_BAD_INPUT, "/nowhere/m.npz: no such file", dse_model_load(&nysx_executor, "/nowhere/m.npz", &model, &why));
}

/* The place of a member's .npy in the archive (stored, so its bytes are there as they are). */
static size_t find_member(const struct fixture *fixture, const char *name)
{
    char member[64];
    size_t length = (size_t)snprintf(member, sizeof member, "%s.npy\x93NUMPY", name);
    for (size_t i = 0; i + length <= fixture->size; i++)
        if (memcmp(fixture->bytes + i, member, length) == 0)
            return i + length - 6;
    fail_msg("no %s", name);
    return 0;
}

/* Rewrites the file with one member replaced by `content`, and expects a rejection. */
static void replaced(const struct fixture *fixture, const char *name, const void *content, size_t size,
                     const char *message)
{
    char member[64];
    snprintf(member, sizeof member, "%s.npy", name);
    char *copy = malloc(fixture->size); /* libzip's from here on */
    memcpy(copy, fixture->bytes, fixture->size);
    zip_source_t *source = zip_source_buffer_create(copy, fixture->size, 1, NULL);
    zip_source_keep(source);
    zip_t *zip = zip_open_from_source(source, 0, NULL);
    assert_non_null(zip);
    zip_int64_t index = zip_name_locate(zip, member, 0);
    if (content == NULL)
        assert_int_equal(zip_delete(zip, (zip_uint64_t)index), 0);
    else
        assert_true(zip_file_replace(zip, (zip_uint64_t)index, zip_source_buffer(zip, content, size, 0), 0) == 0);
    assert_int_equal(zip_close(zip), 0);
    zip_stat_t stat;
    zip_stat_init(&stat);
    assert_int_equal(zip_source_stat(source, &stat), 0);
    DSE_CLEANUP(dse_free_at) char *bytes = malloc(stat.size);
    assert_int_equal(zip_source_open(source), 0);
    assert_int_equal(zip_source_read(source, bytes, stat.size), stat.size);
    zip_source_close(source);
    zip_source_free(source);
    load_rejected(bytes, stat.size, message);
}

/* An .npy of a header and elements. */
static size_t make_npy(char *out, const char *type, const char *shape, const char *order, const void *elements,
                       size_t bytes)
{
    char text[128];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", type, order, shape);
    memset(out, ' ', 128);
    memcpy(out, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(out + 10, text, strlen(text));
    out[127] = '\n';
    if (bytes > 0)
        memcpy(out + 128, elements, bytes);
    return 128 + bytes;
}

static void wrong_array(const struct fixture *fixture, const char *name, const char *type, const char *shape,
                        const char *order, const void *elements, size_t bytes, const char *message)
{
    DSE_CLEANUP(dse_free_at) char *npy = malloc(128 + bytes);
    size_t size = make_npy(npy, type, shape, order, elements, bytes);
    replaced(fixture, name, npy, size, message);
}

TEST(test_wrong_arrays)
{
    const struct fixture *fixture = *state;
    static const float zeros[2000];
    static const int64_t falling[] = {5, 4, 3}, twice[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8};
    float nan = 0.0f / 0.0f, wide = -1.0f;
    static const float b[] = {0, 0, 0};
    replaced(fixture, "p_nys", NULL, 0, "has no array p_nys");
    replaced(fixture, "lsh_b", "not an array at all", 19, "lsh_b.npy: has no header of a NumPy array");
    wrong_array(fixture, "p_nys", "<f8", "(200, 10)", "False", zeros, 8000, "type '<f8': must be '<f4'");
    wrong_array(fixture, "p_nys", "<f4", "(200, 10)", "True", zeros, 8000, "must not be in Fortran order");
    wrong_array(fixture, "p_nys", "<f4", "(199, 10)", "False", zeros, 7960, "shape (199, 10): must be (200, 10)");
    wrong_array(fixture, "p_nys", "<f4", "(2000,)", "False", zeros, 8000, "shape (2000): must be (200, 10)");
    wrong_array(fixture, "p_nys", "<f4", "(200, 10)", "False", zeros, 7996, "has 8124 bytes, but its header says 8128");
    wrong_array(fixture, "p_nys", "<f4", "(99999999999, 99999999999)", "False", zeros, 0, "more than");
    wrong_array(fixture, "p_nys", "<f4", "(-1, 10)", "False", zeros, 0, "has no header");
    wrong_array(fixture, "p_nys", "<f4", "(1, 2, 3)", "False", zeros, 24, "has no header");
    wrong_array(fixture, "lsh_b", "<f4", "(3,)", "False", b, 12, "shape (3): must be (2)");
    wrong_array(fixture, "lsh_w", "<f4", "()", "False", &nan, 4, "lsh_w.npy: holds a NaN or an infinity");
    wrong_array(fixture, "lsh_w", "<f4", "()", "False", &wide, 4, "lsh_w: must be more than 0");
    wrong_array(fixture, "codebook_1", "<i8", "(3,)", "False", falling, 24, "codebook_1: must ascend");
    wrong_array(fixture, "node_label_values", "<i8", "(0,)", "False", falling, 0, "does not agree");
    wrong_array(fixture, "landmarks", "<i8", "(3,)", "False", falling, 24, "shape (3): must be (10)");
    wrong_array(fixture, "landmarks", "<i8", "(10,)", "False", twice, 80, "landmarks: must be ascending graph indices");
    wrong_array(fixture, "prototype_bits", "<i4", "()", "False", &(int32_t){4}, 4, "does not agree");
}

TEST(test_nan_in_projection)
{
    const struct fixture *fixture = *state;
    DSE_CLEANUP(dse_free_at) float *elements = calloc(2000, sizeof *elements);
    elements[1999] = 1.0f / 0.0f;
    wrong_array(fixture, "p_nys", "<f4", "(200, 10)", "False", elements, 8000, "holds a NaN or an infinity");
}

/* Entries of a histogram outside of its codebook would be read out of bounds. */
TEST(test_wrong_histograms)
{
    const struct fixture *fixture = *state;
    int32_t begin[11] = {0, 5, 3};
    wrong_array(fixture, "landmark_hist_0_indptr", "<i4", "(11,)", "False", begin, 44, "begin with 0 and end with");
    static const int64_t one_code[] = {3};
    wrong_array(fixture, "codebook_0", "<i8", "(1,)", "False", one_code, 8, "outside the codebook");
}

TEST(test_damaged_content)
{
    struct fixture *fixture = *state;
    size_t place = find_member(fixture, "train_index") + 128;
    fixture->bytes[place] ^= 1;
    load_rejected(fixture->bytes, fixture->size, "check sum is wrong");
    fixture->bytes[place] ^= 1;
}

static void wrong_meta(const struct fixture *fixture, const char *text, const char *message)
{
    char type[32];
    uint32_t wide[1024] = {0};
    size_t length = strlen(text);
    assert_true(length < 1024);
    for (size_t i = 0; i < length; i++)
        wide[i] = (unsigned char)text[i];
    snprintf(type, sizeof type, "<U%zu", length);
    wrong_array(fixture, "meta", type, "()", "False", wide, 4 * length, message);
}

TEST(test_wrong_meta)
{
    const struct fixture *fixture = *state;
    wrong_meta(fixture, "{\"schema\": \"nysx-dse.model/1\", \"family\": \"hydraf\", \"dataset\": \"a\","
                        " \"dataset_hash\": \"0\"}",
               "is a model of the family hydraf, not of nysx");
    wrong_meta(fixture, "{\"schema\": \"nysx-dse.model/9\", \"family\": \"nysx\", \"dataset\": \"a\","
                        " \"dataset_hash\": \"0\"}",
               "schema nysx-dse.model/9");
    wrong_meta(fixture, "{\"schema\": \"nysx-dse.model/1\", \"family\": \"nysx\", \"dataset\": \"a\","
                        " \"dataset_hash\": \"0\", \"setting\": {\"hops\": \"2\"}}",
               "has no value");
    wrong_meta(fixture, "{\"schema\": \"nysx-dse.model/1\", \"family\": \"nysx\", \"dataset\": \"a\","
                        " \"dataset_hash\": \"0\", \"setting\": {\"hops\": 2}}",
               "the value of a setting is not a text");
    wrong_meta(fixture, "{\"schema\": \"nysx-dse.model/1\", \"family\": \"nysx\", \"dataset\": \"a\", \"dataset_hash\": \"0\","
                        " \"setting\": {\"codes\": \"scalar\", \"dim\": \"64\", \"features\": \"labels\", \"hops\": \"2\","
                        " \"landmarks\": \"4\", \"lsh\": \"cauchy\", \"nee.center\": \"no\", \"nee.form\": \"factored\","
                        " \"nee.generator\": \"sign\", \"nee.phi_bits\": \"8\", \"nee.precision\": \"fp32\","
                        " \"pool\": \"10\", \"propagation\": \"A\", \"retrain\": \"0\", \"retrain.loop\": \"float\","
                        " \"sampling\": \"uniform\", \"sce.prototype_bits\": \"1\", \"width\": \"0.1\"}}",
               "generator_columns 0: must be 8");
    wrong_meta(fixture, "{}", "this is not a model file");
    wrong_meta(fixture, "{\"schema\":", "is not a JSON object");
    wrong_meta(fixture, "[1, 2]", "is not a JSON object");
    wrong_array(fixture, "meta", "<i4", "()", "False", &(int32_t){1}, 4, "must be a single text");
    wrong_array(fixture, "meta", "<U1", "()", "False", &(uint32_t){0xd800}, 4, "is not a text");
}

/* If Python is available, NumPy opens the file and computes the same hypervectors, scores and classes of every held-out graph. */
static void recompute(struct dse_dataset *data, const char *const *settings)
{
    const struct dse_executor *nysx = dse_executor_find("nysx");
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(nysx, data, NULL);
    for (size_t i = 0; settings[i] != NULL; i += 2)
        dse_setting_put(&setting, settings[i], settings[i + 1]);
    struct dse_training result;
    DSE_CLEANUP(test_free_model) struct dse_model *model = NULL;
    struct dse_run run = {.seed = 1, .jobs = 2};
    OK(dse_train(nysx, data, &setting, &run, &model, &result, &why));
    char *path = test_path("recompute.npz"), *said = test_path("said.npz"), command[1024];
    OK(dse_model_save(model, path, &why));
    struct dse_inference found;
    run.hypervectors = true;
    OK(nysx->infer(model, data, &run, &found, &why));
    const struct dse_inference_report report = {.executor = nysx, .found = &found};
    OK(dse_inference_write_hypervectors(&report, said, &why));
    dse_inference_free(&found);
    const char *chosen = getenv("NYSX_DATA_DIR");
    const char *folder = chosen != NULL && *chosen != '\0' ? chosen : NYSX_TEST_SOURCE_DIR "/../shared/datasets";
    snprintf(command, sizeof command, "%s %s/tests/executor/recompute.py '%s' '%s/%s' '%s'", NYSX_PYTHON, NYSX_TEST_SOURCE_DIR,
             path, folder, data->name, said);
    assert_int_equal(system(command), 0);
    remove(path);
    remove(said);
    free(path);
    free(said);
}

TEST(test_numpy_agrees)
{
    if (*NYSX_PYTHON == '\0') {
        fprintf(stderr, "SKIPPED: no Python with NumPy was found\n");
        skip();
    }
    DSE_CLEANUP(test_free_set) struct dse_dataset *mutag = test_real_set("MUTAG"), *enzymes = test_real_set("ENZYMES");
    recompute(mutag, (const char *const[]){"retrain", "2", "sce.prototype_bits", "8", NULL});
    recompute(mutag, (const char *const[]){"propagation", "A", "hops", "3", NULL});
    recompute(mutag, (const char *const[]){"features", "cores", "hops", "2", NULL});
    recompute(mutag, (const char *const[]){"features", "cores", "codes", "wl", "nee.form", "direct", "prototypes", "ridge", "dim", "1000", NULL});
    static const char *const precisions[] = {"fp16", "bf16", "int16", "int8", "int4", "binary"};
    for (size_t i = 0; i < 6; i++)
        recompute(mutag, (const char *const[]){"nee.precision", precisions[i], "nee.center", i % 2 ? "yes" : "no",
                                               "hops", "2", "dim", "1000", NULL});
    static const char *const generators[] = {"uniform8", "bits8", "sign"}, *const phi[] = {"8", "16", "32"};
    for (size_t i = 0; i < 3; i++) {
        recompute(mutag, (const char *const[]){"nee.form", "factored", "nee.generator", generators[i], "nee.phi_bits",
                                               phi[i], "nee.center", "yes", "dim", "1000", NULL});
        recompute(mutag, (const char *const[]){"nee.form", "factored", "nee.generator", generators[i], "dim", "1000",
                                               NULL});
    }
    static const char *const bits[] = {"1", "2", "8", "32"};
    for (size_t i = 0; i < 4; i++)
        recompute(mutag, (const char *const[]){"nee.form", "direct", "codes", i == 2 ? "scalar" : "wl", "hops", "4",
                                               "prototypes", i == 1 ? "adaptive" : "ridge", "retrain", i == 1 ? "3" : "0",
                                               "sce.prototype_bits", bits[i], "nee.center", i % 2 ? "no" : "yes", "dim",
                                               i == 3 ? "1000" : "2048", NULL});
    recompute(mutag, (const char *const[]){"codes", "wl", "hops", "3", "nee.form", "factored", "rank_tolerance", "1e-5", NULL});
    recompute(enzymes, (const char *const[]){"codes", "wl", "hops", "2", "features", "both", "nee.form", "direct", "width", "1",
                                             "prototypes", "ridge", "dim", "1000", NULL});
    recompute(enzymes, (const char *const[]){"codes", "tuple", "nee.form", "direct", "prototypes", "ridge", "dim", "1000", NULL});
    recompute(enzymes, (const char *const[]){"codes", "tuple", "hops", "2", "draws", "4", "width", "16", "nee.form", "direct", "prototypes", "ridge", "sce.prototype_bits", "8",
                                             "nee.table", "4096", "dim", "1000", NULL});
    recompute(enzymes, (const char *const[]){"landmarks", "100", NULL});
    recompute(enzymes, (const char *const[]){"hops", "3", "width", "1", "landmarks", "50", NULL});
    recompute(enzymes, (const char *const[]){"features", "both", "codes", "scalar", "hops", "2", "landmarks", "50",
                                             "sce.prototype_bits", "32", NULL});
}

/* Damage in a well-formed file: class labels missing in its own data set. */
TEST(test_classes_of_its_own_set)
{
    struct fixture *fixture = *state;
    struct dse_error err = {0};
    DSE_CLEANUP(test_free_model) struct dse_model *model = NULL;
    DSE_CLEANUP(dse_inference_free) struct dse_inference result = {0};
    struct dse_run run = {.seed = 1, .jobs = 1};
    assert_int_equal(dse_model_load_memory(&nysx_executor, fixture->bytes, fixture->size, "m.npz", &model, &err), DSE_OK);
    struct nysx_model *inside = (struct nysx_model *)model;
    inside->class_values[inside->prototypes.classes - 1] += 1000;
    FAILS(DSE_BAD_USAGE, "which the model", nysx_infer(model, fixture->data, &run, &result, &why));
    inside->class_values[inside->prototypes.classes - 1] -= 1000;
    dse_inference_free(&result);
    assert_int_equal(nysx_infer(model, fixture->data, &run, &result, &err), DSE_OK);
}

TESTS(make_model, drop_model)
