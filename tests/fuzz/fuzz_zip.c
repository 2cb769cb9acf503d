/* Fuzzes archives as data sets: a zip with corrected checksums (if its directory is readable) is opened as its kind of data; facts and
 * splits are requested. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "datasets/dataset.h"
#include "tests/fuzz/input.h"

static uint32_t get(const uint8_t *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* The checksum of a stored member's data, or of a deflated member's unpacked data (up to a megabyte). */
static uint32_t sum_of(const uint8_t *data, size_t packed, uint32_t method)
{
    static uint8_t out[1 << 20];
    if (method == 0)
        return (uint32_t)crc32(0, data, (uInt)packed);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)packed, .next_out = out, .avail_out = sizeof out};
    if (inflateInit2(&stream, -15) != Z_OK)
        return 0;
    inflate(&stream, Z_FINISH);
    uint32_t sum = (uint32_t)crc32(0, out, (uInt)stream.total_out);
    inflateEnd(&stream);
    return sum;
}

/* Every entry of the directory at the end that lies inside the file. */
static void mend_sums(uint8_t *bytes, size_t size)
{
    if (size < 22 || memcmp(bytes + size - 22, "PK\5\6", 4) != 0)
        return;
    size_t entry = get(bytes + size - 6, 4);
    for (uint32_t count = get(bytes + size - 12, 2); count-- > 0 && entry + 46 <= size && memcmp(bytes + entry, "PK\1\2", 4) == 0;) {
        size_t local = get(bytes + entry + 42, 4), packed = get(bytes + entry + 20, 4);
        if (local + 30 <= size) {
            size_t begin = local + 30 + get(bytes + local + 26, 2) + get(bytes + local + 28, 2);
            if (begin <= size && packed <= size - begin) {
                uint32_t sum = sum_of(bytes + begin, packed, get(bytes + entry + 10, 2));
                put32(bytes + entry + 16, sum);
                put32(bytes + local + 14, sum);
            }
        }
        entry += 46 + get(bytes + entry + 28, 2) + get(bytes + entry + 30, 2) + get(bytes + entry + 32, 2);
    }
}

static void use(const struct dse_dataset *dataset)
{
    struct dse_setting facts = {0};
    struct dse_error err = {0};
    struct dse_split split = {0};
    struct dse_draw draw = {.seed = 1, .folds = 1};
    require(dse_dataset_items(dataset) > 0);
    dse_dataset_facts(dataset, &facts);
    if (dse_dataset_split(dataset, &draw, &split, &err) == DSE_OK)
        require(split.n_train > 0 && split.n_test > 0);
    dse_split_free(&split);
    dse_setting_free(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1; /* kept for the process's lifetime */
    if (file < 0) {
        snprintf(path, sizeof path, "%s/nysx-fuzz-%ld.zip", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
        file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        require(file >= 0);
    }
    uint8_t *bytes = malloc(size + 1);
    require(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    mend_sums(bytes, size);
    require(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    free(bytes);
    struct dse_dataset *dataset = NULL;
    struct dse_error err = {0};
    if (dse_dataset_open(path, NULL, &dataset, &err) == DSE_OK)
        use(dataset);
    else
        require(dataset == NULL && err.message[0] != '\0');
    dse_dataset_free(dataset);
    return 0;
}
