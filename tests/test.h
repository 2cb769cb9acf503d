/* A cmocka program in one file: each TEST(name) { … } registers itself; TESTS(setup, teardown) at the end runs all tests in that order.
 * tests/CMakeLists.txt links the files of a room. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ok.h"

/* Trials of a test over random cases: all, or a fifth under AddressSanitizer, which takes some eight times as long over the same paths. */
#ifdef __SANITIZE_ADDRESS__
#define TRIALS_OF(all) (((all) + 4) / 5)
#else
#define TRIALS_OF(all) (all)
#endif

static struct CMUnitTest tests_of_file[64];
static size_t test_count;

/* A test with its own setup and teardown (CMFixtureFunction); `state` is theirs. */
#define TEST_IN(test, before, after)                                                                    \
    static void test(void **state);                                                                     \
    __attribute__((constructor)) static void register_##test(void)                                      \
    {                                                                                                   \
        assert_true(test_count < sizeof tests_of_file / sizeof *tests_of_file);                         \
        tests_of_file[test_count++] = (struct CMUnitTest){#test, test, before, after, NULL};            \
    }                                                                                                   \
    static void test(__attribute__((unused)) void **state)

#define TEST(test) TEST_IN(test, NULL, NULL)

/* The program; setup and teardown of all its tests, or NULL. */
#define TESTS(setup, teardown)                                                                          \
    int main(void)                                                                                      \
    {                                                                                                   \
        return _cmocka_run_group_tests(__FILE__, tests_of_file, test_count, setup, teardown);           \
    }
