/* The page of a study as a file: complete, self-contained, reproducible, and not broken by any name. */

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "tests/reports/page_sample.h"
#include "tests/test.h"

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

static json_t *data_of(const char *page)
{
    const char *begin = strstr(page, "<script type=\"application/json\" id=\"data\">");
    assert_non_null(begin);
    begin = strchr(begin, '>') + 1;
    json_error_t error;
    json_t *data = json_loadb(begin, (size_t)(strstr(begin, "</script>") - begin), 0, &error);
    assert_non_null(data);
    return data;
}

TEST(test_names_break_nothing)
{
    struct dse_strbuf plain = {0}, hostile = {0};
    page_sample_write(20, "MUTAG", &plain);
    page_sample_write(20, HOSTILE_NAME, &hostile);
    static const char *const words[] = {"<script", "</script", "<img", "</title>", "</style", "<link"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_int_equal(occurrences(plain.text, words[i]), occurrences(hostile.text, words[i]));
    json_t *data = data_of(hostile.text);
    json_t *view = json_array_get(json_object_get(data, "views"), 0);
    assert_string_equal(json_string_value(json_object_get(view, "dataset")), HOSTILE_NAME);
    json_decref(data);
    dse_strbuf_free(&plain);
    dse_strbuf_free(&hostile);
}

TEST(test_contents)
{
    struct dse_strbuf first = {0}, second = {0};
    page_sample_write(50, "MUTAG", &first);
    page_sample_write(50, "MUTAG", &second);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.text, second.text, first.length);
    assert_null(strstr(first.text, "src=\"http"));
    assert_null(strstr(first.text, "href=\"http"));
    assert_non_null(strstr(first.text, "default-src 'none'"));
    assert_non_null(strstr(first.text, "Chart.js v"));
    assert_non_null(strstr(first.text, "Permission is hereby granted"));
    json_t *data = data_of(first.text), *views = json_object_get(data, "views");
    assert_int_equal(json_array_size(views), 2);
    json_t *points = json_object_get(json_array_get(views, 0), "points");
    assert_int_equal(json_array_size(json_object_get(points, "ids")), 50);
    json_t *knob;
    size_t k;
    json_array_foreach(json_object_get(points, "knobs"), k, knob)
    {
        size_t values = json_array_size(json_object_get(knob, "values")), i;
        json_t *at;
        assert_int_equal(json_array_size(json_object_get(knob, "at")), 50);
        json_array_foreach(json_object_get(knob, "at"), i, at)
            assert_in_range(json_integer_value(at) + 1, 0, values);
    }
    json_decref(data);
    dse_strbuf_free(&first);
    dse_strbuf_free(&second);
}

/* With NYSX_PAGES=FOLDER, writes the pages that the browser's test opens. */
TEST(test_pages_for_the_browser)
{
    const char *folder = getenv("NYSX_PAGES");
    if (folder == NULL)
        return;
    static const struct {
        const char *name, *dataset;
        size_t count;
    } pages[] = {{"small.html", HOSTILE_NAME, 200}, {"large.html", "MUTAG", 10000}};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        struct dse_strbuf out = {0};
        struct dse_error err;
        page_sample_write(pages[i].count, pages[i].dataset, &out);
        char *path = dse_path_join(folder, pages[i].name);
        assert_int_equal(dse_file_write(path, out.text, out.length, &err), DSE_OK);
        free(path);
        dse_strbuf_free(&out);
    }
}

TESTS(NULL, NULL)
