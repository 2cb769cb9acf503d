/* What is kept back for libraries that do not outlive a failed allocation (core/memory.h), and that libxml2's schema compiler,
 * which is one, never sees one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/xml.h"
#include "tests/failing_memory.h"

/* Every allocation fails from the next one on, `after` of them later. */
static void run_out(long after)
{
    only_once = false;
    calls_left = after;
}

static void recover(void)
{
    only_once = true;
    calls_left = -1;
}

/* Each of the three that ask for memory is given what was kept back, once, and nothing is lost by it. */
static void reserve_is_given_once(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        char *old = dse_memory_copy("old text");
        assert_true(dse_memory_reserve(1 << 16));
        calls_left = 0; /* one fails, and what is kept back takes its place */
        char *given = which == 0 ? dse_memory_alloc(100) : which == 1 ? dse_memory_grow(old, 100) : dse_memory_copy("new text");
        assert_int_equal(calls_left, -1);
        assert_non_null(given);
        assert_false(dse_memory_lost(false));
        if (which == 1)
            assert_string_equal(given, "old text");
        if (which == 2)
            assert_string_equal(given, "new text");
        calls_left = 0; /* nothing is kept back any more */
        assert_null(dse_memory_alloc(100));
        assert_true(dse_memory_lost(true));
        free(given);
        if (which != 1)
            free(old);
    }
}

/* What was released, or never had, is given to nobody; asking for nothing loses nothing. */
static void released_is_not_given(void **state)
{
    (void)state;
    assert_true(dse_memory_reserve(1 << 16));
    dse_memory_release();
    calls_left = 0;
    assert_null(dse_memory_grow(NULL, 8));
    assert_true(dse_memory_lost(true));
    calls_left = 0;
    assert_false(dse_memory_reserve(1 << 16));
    assert_true(dse_memory_lost(true));
    run_out(0);
    assert_null(dse_memory_alloc(8));
    recover();
    assert_true(dse_memory_lost(true));
    calls_left = 0;
    assert_null(dse_memory_alloc(0));
    recover();
    assert_false(dse_memory_lost(true));
}

#define BOARD "<board name=\"b\" title=\"t\"><nothing/></board>"

/* A document against a real schema, each of the first allocations and some of the others failing in turn: it ends in the same problems or in "out of memory". */
static void schema_compiler_outlives(void **state)
{
    (void)state;
    bool whole = false;
    size_t expected = 0;
    long n = -1;
    for (; !whole && n < 100000; n += n < 300 ? 1 : 13) {
        struct dse_xml *doc = NULL;
        struct dse_error err = {0};
        assert_int_equal(dse_xml_read_memory(BOARD, strlen(BOARD), "t.xml", &doc, &err), DSE_OK);
        calls_left = n; /* -1: none */
        enum dse_status status = dse_xml_validate(doc, NYSX_TEST_SOURCE_DIR "/devices/board.xsd", &err);
        whole = n >= 0 && calls_left >= 0;
        calls_left = -1;
        bool lost = dse_memory_lost(true);
        if (n == -1)
            expected = dse_xml_problem_count(doc);
        if (status == DSE_OK && !lost)
            assert_int_equal(dse_xml_problem_count(doc), expected);
        else
            assert_true(status == DSE_LIMIT || lost);
        dse_xml_free(doc);
    }
    assert_true(expected > 0);
    assert_true(n > 1000);
}

/* A place that was not looked at for lack of memory holds no proof that nothing is there. */
static void shipped_file_is_found_or_memory_is_told(void **state)
{
    (void)state;
    char *good = NULL;
    struct dse_error err = {0};
    assert_int_equal(dse_share_find("costs/kria.xml", &good, &err), DSE_OK);
    size_t lost = 0;
    for (long n = 0, left = -1; left < 0; n++) {
        char *found = NULL;
        calls_left = n;
        enum dse_status status = dse_share_find("costs/kria.xml", &found, &err);
        left = calls_left;
        calls_left = -1;
        bool told = dse_memory_lost(true);
        assert_true(told || (status == DSE_OK && left >= 0 && strcmp(found, good) == 0));
        assert_true(status == DSE_OK || status == DSE_LIMIT);
        lost += told;
        free(found);
    }
    assert_true(lost >= 3);
    free(good);
}

/* What a thread other than the caller's loses: it comes to that as soon as the caller's waits for it. */
static enum dse_status lose_elsewhere(void *user, size_t item, size_t thread, struct dse_error *err)
{
    atomic_size_t *lost = user;
    (void)item;
    (void)err;
    if (thread != 0) {
        dse_memory_lose();
        atomic_fetch_add(lost, 1);
    }
    while (atomic_load(lost) == 0)
        sched_yield();
    return DSE_OK;
}

/* A thread's loss is its caller's, and looking at it does not end it: whoever did not hear the error answers with what is missing. */
static void loss_is_not_forgotten(void **state)
{
    (void)state;
    atomic_size_t lost = 0;
    struct dse_error err = {0};
    assert_false(dse_memory_lost(true));
    assert_int_equal(dse_parallel_for(8, 4, lose_elsewhere, &lost, NULL, &err), DSE_OK);
    assert_true(atomic_load(&lost) > 0);
    assert_int_equal(dse_memory_check(&err), DSE_LIMIT);
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(dse_memory_check(&err), DSE_LIMIT);
    assert_true(dse_memory_lost(true));
    assert_int_equal(dse_memory_check(&err), DSE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reserve_is_given_once), cmocka_unit_test(released_is_not_given),
                                       cmocka_unit_test(loss_is_not_forgotten),
                                       cmocka_unit_test(schema_compiler_outlives),
                                       cmocka_unit_test(shipped_file_is_found_or_memory_is_told)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
