/* Out-of-memory: the handler, guards, nested guards, and threads started inside a guard. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "tests/test.h"

#define TOO_MUCH (SIZE_MAX / 4)

static jmp_buf left;
static int handled;

static void leave(void)
{
    handled++;
    longjmp(left, 1);
}

static void ask_for_too_much(void *data)
{
    int *reached = data;
    *reached = 1;
    free(dse_malloc(TOO_MUCH));
    *reached = 2;
}

static void ask_for_little(void *data)
{
    char *text DSE_CLEANUP(dse_free_at) = dse_strdup("some");
    *(size_t *)data = strlen(text);
}

TEST(test_allocations)
{
    void *nothing[] = {dse_malloc(0), dse_calloc(0, 8), dse_calloc(8, 0), dse_realloc(NULL, 0), dse_realloc_array(NULL, 0, 8)};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        assert_non_null(nothing[i]);
        free(nothing[i]);
    }
    char *piece = dse_strndup("piece of text", 5);
    assert_string_equal(piece, "piece");
    free(piece);
}

TEST(test_guard)
{
    int reached = 0;
    size_t length = 0;
    assert_false(dse_memory_guarded());
    assert_true(dse_memory_guard(ask_for_little, &length));
    assert_int_equal(length, 4);
    assert_false(dse_memory_guard(ask_for_too_much, &reached));
    assert_int_equal(reached, 1);
    assert_false(dse_memory_guarded());
}

static void guard_inside(void *data)
{
    int reached = 0;
    assert_false(dse_memory_guard(ask_for_too_much, &reached));
    assert_true(dse_memory_guarded()); /* the outer guard is active again */
    ask_for_too_much(data);
}

TEST(test_nested_guards)
{
    int reached = 0;
    assert_false(dse_memory_guard(guard_inside, &reached));
    assert_int_equal(reached, 1);
    assert_false(dse_memory_guarded());
}

static enum dse_status work(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)user, (void)thread, (void)err;
    if (index == 5)
        dse_memory_exhausted();
    return DSE_OK;
}

static void work_by_threads(void *data)
{
    *(enum dse_status *)data = dse_parallel_for(64, 4, work, NULL, NULL, NULL);
}

TEST(test_threads_inside_a_guard)
{
    enum dse_status status = DSE_CANCELLED;
    assert_false(dse_memory_guard(work_by_threads, &status));
    assert_int_equal(status, DSE_CANCELLED); /* the call was left */
}

TEST(test_handler)
{
    static int reached;
    dse_memory_on_exhaustion(leave);
    if (setjmp(left) == 0)
        ask_for_too_much(&reached);
    assert_int_equal(handled, 1);
    assert_int_equal(reached, 1);
    /* An overflowing product also counts as out of memory; inside a guard the handler is not called. */
    if (setjmp(left) == 0)
        dse_realloc_array(NULL, SIZE_MAX / 2, 4);
    assert_int_equal(handled, 2);
    assert_false(dse_memory_guard(ask_for_too_much, &reached));
    assert_int_equal(handled, 2);
    dse_memory_on_exhaustion(NULL);
}

TESTS(NULL, NULL)
