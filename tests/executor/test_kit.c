/* The parts of cycle-stepped simulations, checked by hand. */
#include "sets.h"

#include "executor/kit.h"
#include "tests/test.h"

TEST(test_fifo)
{
    struct dse_fifo fifo = dse_fifo_make(3); /* in a ring of four */
    for (uint64_t round = 0, now = 0; round < 5; round++, now += 10) {
        assert_int_equal(dse_fifo_waiting(&fifo, now), 0);
        dse_fifo_put(&fifo, now + 2, 7);
        dse_fifo_put(&fifo, now + 2, 8);
        assert_false(dse_fifo_full(&fifo));
        dse_fifo_put(&fifo, now + 4, 9);
        assert_true(dse_fifo_full(&fifo));
        assert_int_equal(dse_fifo_waiting(&fifo, now + 1), 0);
        assert_int_equal(dse_fifo_waiting(&fifo, now + 2), 2);
        assert_int_equal(dse_fifo_front(&fifo), 7);
        assert_int_equal(dse_fifo_take(&fifo), 7);
        assert_int_equal(dse_fifo_take(&fifo), 8);
        assert_int_equal(dse_fifo_waiting(&fifo, now + 3), 0);
        assert_int_equal(dse_fifo_count(&fifo), 1);
        assert_int_equal(dse_fifo_waiting(&fifo, now + 9), 1);
        assert_int_equal(dse_fifo_take(&fifo), 9);
    }
    dse_fifo_free(&fifo);
}

/* Three iterations with II 2; the second is delayed by a cycle. */
TEST(test_pipeline)
{
    struct dse_pipeline loop = {.depth = 5, .interval = 2, .iterations = 3};
    static const bool room[] = {true, true, false, true, true, true, true, true}, starts[] = {true, false, false, true, false, true, false, false};
    for (uint64_t now = 0; now < 8; now++)
        assert_int_equal(dse_pipeline_starts(&loop, now, true, room[now]), starts[now]);
    assert_int_equal(loop.held, 1);
    assert_int_equal(dse_pipeline_cycles(5, 2, 3), 9);
    assert_int_equal(dse_pipeline_cycles(5, 2, 0), 0);
}

TEST(test_arbiter)
{
    struct dse_arbiter arbiter = {0};
    const bool all[] = {true, true, true}, last[] = {false, false, true}, none[] = {false, false, false};
    assert_int_equal(dse_arbiter_choose(&arbiter, all, 3, true), 0);
    assert_int_equal(dse_arbiter_choose(&arbiter, all, 3, true), 1);
    assert_int_equal(dse_arbiter_choose(&arbiter, all, 3, true), 2);
    assert_int_equal(dse_arbiter_choose(&arbiter, last, 3, true), 2);
    assert_int_equal(dse_arbiter_choose(&arbiter, none, 3, true), 3);
    assert_int_equal(dse_arbiter_choose(&arbiter, last, 3, false), 3); /* 2 is chosen and stays so */
    assert_int_equal(dse_arbiter_choose(&arbiter, all, 3, true), 2);
    assert_int_equal(dse_arbiter_choose(&arbiter, all, 3, true), 0);
}

/* A port alone: latency 10, a beat per cycle, bursts of 4 into a FIFO of 4: beats of a burst come in cycles 11 to 14 after its
 * request, and the next is asked for when all of them are taken. */
TEST(test_ports)
{
    struct dse_ports ports = {.count = 1, .channels = 1, .outstanding = 2, .burst_beats = 4, .room = 4, .latency = 10, .beat_cycles = 1,
                              .beat_bytes = 8, .channel_bytes = 8};
    dse_ports_begin(&ports, 8);
    uint64_t taken_at[2] = {0}, count = 0;
    for (uint64_t cycle = 0; cycle < 60; cycle++) {
        dse_ports_step(&ports, cycle);
        if (dse_ports_take(&ports, 4))
            taken_at[count++] = cycle;
    }
    assert_int_equal(count, 2);
    assert_int_equal(taken_at[0], 14);
    assert_int_equal(taken_at[1], 15 + 14);
    assert_int_equal(ports.most_beats, 4);
    assert_int_equal(ports.held, 14);
    dse_ports_end(&ports);
}

/* Two ports share a channel that brings a beat per cycle: each gets every other beat. */
TEST(test_shared_channel)
{
    struct dse_ports ports = {.count = 2, .channels = 1, .outstanding = 4, .burst_beats = 4, .room = 64, .latency = 5, .beat_cycles = 1,
                              .beat_bytes = 8, .channel_bytes = 8};
    dse_ports_begin(&ports, 16);
    uint64_t cycle = 0, words = 0;
    for (; words < 16; cycle++) {
        dse_ports_step(&ports, cycle);
        words += dse_ports_take(&ports, 1);
    }
    assert_in_range(cycle, 5 + 31, 5 + 34);
    dse_ports_end(&ports);
}

TESTS(NULL, NULL)
