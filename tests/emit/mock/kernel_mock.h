// The emitted accelerator as the kernel of a mocked board: its arguments, and a call of it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#ifdef MOCK_CALL // a kernel of ports and registers: MOCK_HEADER, MOCK_KERNEL (up to the unit's number), MOCK_UNITS, MOCK_CALL, MOCK_PORTS, MOCK_REGISTERS,
             // MOCK_SLOTS and MOCK_STRIDE, of its answers in bytes, are its own
#include MOCK_HEADER
#else
#include "nysx.h"
#include "nysx_pack.h"
#define MOCK_KERNEL "nysx_top:{nysx_top_"
#define MOCK_UNITS NYSX_UNITS
#endif

namespace {

#ifdef MOCK_CALL
constexpr int ANSWER = -1, MEMORIES = MOCK_PORTS, ARGUMENTS = MOCK_PORTS + MOCK_REGISTERS;
#elif NYSX_OVERLAP != NYSX_OVERLAP_NONE
constexpr int ANSWER = -1, MEMORIES = 3 + NYSX_PARTS, ARGUMENTS = MEMORIES + 3;
#else
constexpr int ANSWER = 1 + NYSX_PARTS, MEMORIES = ANSWER, ARGUMENTS = ANSWER + 4;
nysx_kernel_t answers[NYSX_UNITS];
#endif

void **device_arguments; // arguments of the run at work
int32_t *numbers;
int unit_at_work; // from 0 on

[[noreturn]] void reject(const std::string &what)
{
    throw std::runtime_error("mock board: " + what);
}

#ifdef MOCK_CALL
void make_call()
{
    MOCK_CALL(device_arguments, reinterpret_cast<uint32_t *>(numbers + MOCK_PORTS));
    constexpr bool queue = MOCK_SLOTS > 1; // whose ring is the last port
    for (size_t slot = 0; slot < MOCK_SLOTS && std::getenv("MOCK_WRONG") != nullptr; slot++)
        static_cast<char *>(device_arguments[MOCK_PORTS - 1 - queue])[slot * MOCK_STRIDE] ^= 1;
}
#else
void make_call()
{
    static bool loaded[NYSX_UNITS];
    constexpr int COMMAND = ARGUMENTS - 3;
    loaded[unit_at_work] |= numbers[COMMAND] == NYSX_COMMAND_LOAD;
    if (NYSX_LOADS_TABLES && !loaded[unit_at_work])
        reject("a unit without its tables is started");
    const auto *query = static_cast<const nysx_query_word_t *>(device_arguments[0]);
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    const nysx_p_word_t *ports[NYSX_NEE_PORTS];
    for (int i = 0; i < NYSX_NEE_PORTS; i++)
        ports[i] = static_cast<const nysx_p_word_t *>(device_arguments[1 + i]);
#define AND_P , NYSX_EACH_P(ports)
#else
#define AND_P
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define AND_H , static_cast<const nysx_h_word_t *>(device_arguments[NYSX_PARTS])
#else
#define AND_H
#endif
#if NYSX_OVERLAP != NYSX_OVERLAP_NONE
    auto *answer = static_cast<nysx_kernel_t *>(device_arguments[MEMORIES - 1]);
    nysx_top(query AND_P AND_H, static_cast<const nysx_query_word_t *>(device_arguments[MEMORIES - 2]), answer, numbers[MEMORIES],
             numbers[MEMORIES + 1], numbers[MEMORIES + 2]);
#else
    auto *answer = answers + unit_at_work;
    answer[0] = -99;
    nysx_top(query AND_P AND_H, answer, numbers[ANSWER + 1], numbers[ANSWER + 2], numbers[ANSWER + 3]);
#endif
    if (std::getenv("MOCK_WRONG") != nullptr)
        answer[0] ^= 1;
}
#endif

} // namespace
