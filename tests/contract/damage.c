#include "tests/contract/damage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define HEADER_MOST 4096

const char *const damage_names[DAMAGE_COUNT] = {
    [DAMAGE_REMOVED] = "removed",
    [DAMAGE_RETYPED] = "of another type",
    [DAMAGE_RESHAPED] = "of one dimension more",
    [DAMAGE_LONGER] = "said to be longer",
    [DAMAGE_SHORTER] = "cut",
    [DAMAGE_FORTRAN] = "in Fortran order",
    [DAMAGE_FIRST_NAN] = "a NaN first",
    [DAMAGE_LAST_NAN] = "a NaN last",
};

/* Opens an archive over a copy of the bytes; `source` stays readable after closing. */
static zip_t *open_copy(const struct damage_file *file, zip_source_t **source)
{
    char *copy = malloc(file->size);
    assert_non_null(copy);
    memcpy(copy, file->bytes, file->size);
    *source = zip_source_buffer_create(copy, file->size, 1, NULL);
    assert_non_null(*source);
    zip_source_keep(*source);
    zip_t *zip = zip_open_from_source(*source, 0, NULL);
    assert_non_null(zip);
    return zip;
}

static void read_back(zip_source_t *source, struct damage_file *out)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    assert_int_equal(zip_source_stat(source, &stat), 0);
    out->size = (size_t)stat.size;
    out->bytes = malloc(out->size);
    assert_non_null(out->bytes);
    assert_int_equal(zip_source_open(source), 0);
    assert_int_equal(zip_source_read(source, out->bytes, stat.size), (zip_int64_t)stat.size);
    zip_source_close(source);
    zip_source_free(source);
}

size_t damage_array_count(const struct damage_file *file)
{
    zip_source_t *source = NULL;
    zip_t *zip = open_copy(file, &source);
    zip_int64_t count = zip_get_num_entries(zip, 0);
    zip_discard(zip);
    zip_source_free(source);
    assert_true(count > 0);
    return (size_t)count;
}

const char *damage_array_name(const struct damage_file *file, size_t index, char *buffer, size_t size)
{
    zip_source_t *source = NULL;
    zip_t *zip = open_copy(file, &source);
    snprintf(buffer, size, "%s", zip_get_name(zip, index, 0));
    zip_discard(zip);
    zip_source_free(source);
    return buffer;
}

/* A member's bytes: an .npy of version 1. */
struct npy {
    char *bytes;
    size_t size, begin; /* `begin` of the elements */
    char text[HEADER_MOST];
};

static struct npy read_member(zip_t *zip, size_t index)
{
    zip_stat_t stat;
    struct npy npy = {0};
    assert_int_equal(zip_stat_index(zip, index, 0, &stat), 0);
    npy.size = (size_t)stat.size;
    npy.bytes = malloc(npy.size + 1);
    zip_file_t *file = zip_fopen_index(zip, index, 0);
    assert_true(npy.bytes != NULL && file != NULL);
    assert_int_equal(zip_fread(file, npy.bytes, stat.size), (zip_int64_t)stat.size);
    zip_fclose(file);
    assert_true(npy.size >= 10 && memcmp(npy.bytes, "\x93NUMPY\x01", 7) == 0);
    size_t length = (size_t)(unsigned char)npy.bytes[8] | (size_t)(unsigned char)npy.bytes[9] << 8;
    npy.begin = 10 + length;
    assert_true(npy.begin <= npy.size && length < sizeof npy.text);
    memcpy(npy.text, npy.bytes + 10, length);
    return npy;
}

/* The header with `old` replaced; padded as NumPy pads. */
static bool rewrite(struct npy *npy, const char *old, const char *replacement)
{
    char *at = strstr(npy->text, old), text[HEADER_MOST];
    if (at == NULL || strcmp(old, replacement) == 0)
        return false;
    int kept = (int)(at - npy->text);
    int length = snprintf(text, sizeof text, "%.*s%s%s", kept, npy->text, replacement, at + strlen(old));
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n'))
        length--;
    size_t padded = ((size_t)length + 1 + 10 + 63) / 64 * 64 - 10, elements = npy->size - npy->begin;
    char *bytes = malloc(10 + padded + elements + 1);
    assert_non_null(bytes);
    memcpy(bytes, npy->bytes, 8);
    bytes[8] = (char)(padded & 0xff);
    bytes[9] = (char)(padded >> 8);
    memset(bytes + 10, ' ', padded);
    memcpy(bytes + 10, text, (size_t)length);
    bytes[10 + padded - 1] = '\n';
    memcpy(bytes + 10 + padded, npy->bytes + npy->begin, elements);
    free(npy->bytes);
    npy->bytes = bytes;
    npy->begin = 10 + padded;
    npy->size = npy->begin + elements;
    return true;
}

static bool retype(struct npy *npy)
{
    static const char *const types[][2] = {{"'<f4'", "'<i4'"}, {"'<f8'", "'<i8'"}, {"'<i8'", "'<u8'"}, {"'<i4'", "'<u4'"},
                                           {"'<u8'", "'<i8'"}, {"'<u4'", "'<i4'"}, {"'<i2'", "'<u2'"}, {"'<u2'", "'<i2'"},
                                           {"'|i1'", "'|u1'"}, {"'|u1'", "'|i1'"}, {"'<f2'", "'<i2'"}, {"'|b1'", "'|i1'"},
                                           {"'<U", "'>U"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (rewrite(npy, types[i][0], types[i][1]))
            return true;
    fail_msg("no other type for %s", npy->text);
    return false;
}

static bool reshape(struct npy *npy, bool longer)
{
    char shape[256], other[300];
    const char *at = strstr(npy->text, "'shape': (");
    assert_non_null(at);
    snprintf(shape, sizeof shape, "%.*s)", (int)strcspn(at, ")"), at);
    const char *numbers = shape + strlen("'shape': (");
    if (!longer) {
        snprintf(other, sizeof other, "'shape': (1, %s", numbers);
    } else {
        char *rest = NULL;
        unsigned long long first = strtoull(numbers, &rest, 10);
        if (rest == numbers)
            return false;
        snprintf(other, sizeof other, "'shape': (%llu%s", first + 1, rest);
    }
    return rewrite(npy, shape, other);
}

static bool put_nan(struct npy *npy, bool last)
{
    bool single = strstr(npy->text, "'<f4'") != NULL, real = strstr(npy->text, "'<f8'") != NULL;
    size_t bytes = real ? 8 : 4;
    if ((!single && !real) || npy->size - npy->begin < bytes)
        return false;
    char *at = npy->bytes + (last ? npy->size - bytes : npy->begin);
    const float small = NAN;
    const double large = NAN;
    memcpy(at, real ? (const void *)&large : (const void *)&small, bytes);
    return true;
}

static bool damage_npy(struct npy *npy, enum damage how)
{
    switch (how) {
    case DAMAGE_RETYPED:
        return retype(npy);
    case DAMAGE_RESHAPED:
    case DAMAGE_LONGER:
        return reshape(npy, how == DAMAGE_LONGER);
    case DAMAGE_SHORTER:
        npy->size -= npy->size > npy->begin;
        return npy->size > npy->begin;
    case DAMAGE_FORTRAN: /* the order is irrelevant for a single element */
        return strstr(npy->text, "'shape': ()") == NULL && rewrite(npy, "'fortran_order': False", "'fortran_order': True");
    case DAMAGE_FIRST_NAN:
    case DAMAGE_LAST_NAN:
        return put_nan(npy, how == DAMAGE_LAST_NAN);
    default:
        return true;
    }
}

bool damage_array(const struct damage_file *file, size_t index, enum damage how, struct damage_file *out)
{
    zip_source_t *source = NULL;
    zip_t *zip = open_copy(file, &source);
    struct npy npy = read_member(zip, index);
    bool done = damage_npy(&npy, how);
    if (!done) {
        free(npy.bytes);
        zip_discard(zip);
        zip_source_free(source);
        return false;
    }
    if (how == DAMAGE_REMOVED)
        assert_int_equal(zip_delete(zip, index), 0);
    else
        assert_int_equal(zip_file_replace(zip, index, zip_source_buffer(zip, npy.bytes, npy.size, 0), 0), 0);
    assert_int_equal(zip_close(zip), 0);
    free(npy.bytes);
    read_back(source, out);
    return true;
}
