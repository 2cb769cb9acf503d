/* JSON is read, or memory ran out: the parser sees no allocation that failed, and nothing is left of what it took. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/memory.h"
#include "tests/failing_memory.h"

static const char text[] = "{\"name\": \"a text of some length\\u00e9\", \"list\": [1, 2.5, true, null, {\"deep\": [[[\"x\"]]]}], \"last\": -1e-3}";

/* Every allocation fails once; the tree that is read when none does is whole. */
static void every_allocation_fails(void **state)
{
    (void)state;
    bool whole = false;
    long n = 0;
    for (; !whole && n < 1000; n++) {
        json_error_t why;
        calls_left = n;
        json_t *read = dse_json_read(text, strlen(text), JSON_REJECT_DUPLICATES, &why);
        whole = calls_left >= 0;
        calls_left = -1;
        assert_int_equal(dse_memory_lost(true), !whole);
        assert_int_equal(read != NULL, whole);
        if (!whole)
            assert_string_equal(why.text, "out of memory");
        char *again = whole ? dse_json_text(read, JSON_COMPACT) : NULL;
        assert_int_equal(again != NULL, whole);
        free(again);
        json_decref(read);
    }
    assert_true(n > 20);
}

/* What a text is no JSON for is told as Jansson tells it, and reading goes on after it. */
static void wrong_texts(void **state)
{
    (void)state;
    json_error_t why;
    assert_null(dse_json_read("{\"a\": ", 6, 0, &why));
    assert_non_null(strstr(why.text, "end of file"));
    assert_false(dse_memory_lost(true));
    json_t *read = dse_json_read("[1]", 3, 0, NULL);
    assert_int_equal(json_array_size(read), 1);
    json_decref(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails), cmocka_unit_test(wrong_texts)};
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
