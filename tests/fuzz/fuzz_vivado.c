/* Fuzzes the reader of Vivado's files: the input is board.xml, preset.xml and mig.prj with a NUL byte between them. Any input gives the
 * files' contents or one line of error. */
#include <stdio.h>
#include <unistd.h>

#include "devices/vivado_files.h"
#include "tests/fuzz/input.h"

static const char *const names[] = {"board.xml", "preset.xml", "mig.prj"};
static char folder[] = "/tmp/nysx-fuzz-vivado-XXXXXX";

static void remove_folder(void)
{
    char path[sizeof folder + 16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void put(const char *name, const uint8_t *data, size_t size)
{
    char path[sizeof folder + 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static bool any_part(const char *part, const void *user)
{
    (void)user;
    return part[0] != '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready = false;
    char path[sizeof folder + 16];
    if (!ready && (mkdtemp(folder) == NULL || atexit(remove_folder) != 0))
        abort();
    ready = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
        size_t length = end != NULL ? (size_t)(end - data) : size, used = length + (end != NULL);
        put(names[i], data, length);
        data += used;
        size -= used;
    }
    struct dse_strbuf warnings = {0};
    struct dse_vivado_files files = {.warnings = &warnings};
    struct dse_error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, names[0]);
    enum dse_status status = dse_vivado_read(path, NULL, any_part, NULL, &files, &err);
    if (status == DSE_OK ? files.part[0] == '\0' : err.message[0] == '\0' || strchr(err.message, '\n') != NULL)
        abort();
    for (size_t i = 0; i < files.memory_count; i++)
        if (files.memories[i].width_bits < 0 || files.memories[i].capacity_bytes < 0 ||
            !(files.memories[i].preset_hz >= 0))
            abort();
    dse_vivado_files_free(&files);
    dse_strbuf_free(&warnings);
    return 0;
}
