/* Feeds the files of a corpus to a fuzz target once each, without libFuzzer: an ordinary test for any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly `size` bytes, so that a sanitizer sees every read behind them. */
static int feed(const char *path)
{
    char *data = NULL;
    size_t size = 0;
    struct dse_error err = {0};
    if (dse_file_read(path, 16u << 20, &data, &size, &err) != DSE_OK) {
        fprintf(stderr, "replay: %s\n", err.message);
        return 1;
    }
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        return 1;
    for (size_t i = 0; i < size; i++)
        copy[i] = (uint8_t)data[i];
    free(data);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

int main(int argc, char **argv)
{
    int failures = 0;
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *entries = opendir(argv[i]);
        if (entries == NULL) {
            fprintf(stderr, "replay: no folder %s\n", argv[i]);
            return 2;
        }
        for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
            char *path = e->d_name[0] != '.' ? dse_path_join(argv[i], e->d_name) : NULL;
            if (path == NULL)
                continue;
            failures += feed(path);
            count++;
            free(path);
        }
        closedir(entries);
    }
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    printf("replayed %zu inputs\n", count);
    return failures > 0 || count == 0;
}
