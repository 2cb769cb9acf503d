/* Input of an emitted host: the image of a packed model and its test graphs, by models/nysx/hls/nysx_pack.c of a design emitted during the build. The
 * first byte selects image or graphs (odd: graphs). The second byte is the number of words cut off at the end (255: only the input's own bytes are used).
 * Changes of five bytes follow: word index (two), value to xor (two), byte position (one). Parts must lie in the image; a packed query stays in its
 * buffer; an invalid graph is rejected. */
#include <stdio.h>

#include "nysx_pack.h"
#include "tests/fuzz/input.h"

struct words {
    uint32_t *word;
    size_t count;
};

static struct words load(const char *path)
{
    struct words words = {0};
    FILE *stream = fopen(path, "rb");
    require(stream != NULL && fseek(stream, 0, SEEK_END) == 0);
    words.count = (size_t)ftell(stream) / 4;
    rewind(stream);
    words.word = malloc(words.count * 4);
    require(words.word != NULL && fread(words.word, 4, words.count, stream) == words.count);
    fclose(stream);
    return words;
}

/* A copy of exactly that many words, so that a sanitizer detects reads beyond them. */
static struct words change(struct words base, uint8_t cut, const uint8_t *data, size_t size)
{
    struct words words = {.count = cut == 255 ? size / 4 : base.count > cut ? base.count - cut : 0};
    words.word = malloc(words.count * 4 + (words.count == 0));
    require(words.word != NULL);
    if (words.count > 0)
        memcpy(words.word, cut == 255 ? (const void *)data : (const void *)base.word, words.count * 4);
    for (; cut != 255 && words.count > 0 && size >= 5; data += 5, size -= 5)
        words.word[(data[0] | (size_t)data[1] << 8) % words.count] ^= (uint32_t)(data[2] | (uint32_t)data[3] << 8) << data[4] % 25;
    return words;
}

static void image(struct words words)
{
    struct nysx_part parts[NYSX_PARTS + 1] = {{0}}, loaded = {0};
    int32_t count = nysx_image_parts(words.word, words.count, parts);
    require(count >= -1 && count <= (int32_t)NYSX_PARTS);
    for (int32_t i = 0; i < count; i++)
        require(parts[i].offset <= words.count * 4 && parts[i].bytes <= words.count * 4 - parts[i].offset);
    if (nysx_image_load(words.word, words.count, &loaded) == 1)
        require(loaded.offset <= words.count * 4 && loaded.bytes <= words.count * 4 - loaded.offset);
}

static void graphs(struct words words)
{
    const uint32_t *at = words.word + 1, *end = words.word + words.count;
    uint32_t *scratch = malloc(NYSX_PACK_SCRATCH * sizeof *scratch);
    char *buffer = malloc(NYSX_QUERY_BYTES);
    require(scratch != NULL && buffer != NULL);
    for (uint32_t i = 0; words.count > 0 && i < words.word[0] && at != NULL; i++) {
        struct nysx_case read;
        at = nysx_case_read(at, end, &read);
        if (at == NULL)
            break;
        require(at <= end);
        int32_t bytes = nysx_pack(&read.query, scratch, buffer);
        require(bytes == NYSX_PACK_NODES || bytes == NYSX_PACK_NONZEROS || bytes == NYSX_PACK_GRAPH ||
                (bytes > 0 && (size_t)bytes <= NYSX_QUERY_BYTES));
    }
    free(scratch);
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct words base[2];
    if (base[0].word == NULL) {
        base[0] = load(NYSX_FUZZ_DESIGN "/nysx_model.bin");
        base[1] = load(NYSX_FUZZ_DESIGN "/nysx_cases.bin");
    }
    if (size < 2)
        return 0;
    int which = data[0] % 2;
    struct words words = change(base[which], data[1], data + 2, size - 2);
    if (which == 0)
        image(words);
    else
        graphs(words);
    free(words.word);
    return 0;
}
