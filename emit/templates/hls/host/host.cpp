/* SPDX-License-Identifier: MIT */ // Runs the accelerator of this folder on a board by XRT, or with HOST_LINUX by uio.hpp: makes the calls of the test cases, compares the memories afterwards with
// the executor's answers, and reports the time of the calls that answer an item. A kernel with a queue gets half of its ring per start, while the other
// half is filled. Several units get all calls, one unit after another. Written by nysx-dse @VERSION@.
//
//   @FAMILY@_host [--xclbin @FAMILY@.xclbin] [--device 0] [--unit @TOP@:{@TOP@_1}] [--model @FAMILY@_model.bin] [--cases @FAMILY@_cases.bin] [--repeat 1]
//   @FAMILY@_host_linux [--wait interrupt|poll] [--device 0, for /dev/udmabuf0] and the same options but --xclbin
//
// Exit code 0 if all answers are equal, 1 if one differs, 2 on any other error.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

#ifdef HOST_LINUX
#include "uio.hpp"
#else
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>
#endif

#include "@FAMILY@_calls.h"
#include "host.hpp"

namespace {

@IF QUEUE@
constexpr size_t HALF = @PREFIX@_RING_SLOTS / 2;
constexpr uint32_t SLOTS = @PREFIX@_RING_SLOTS;
@ELSE@
constexpr size_t HALF = 1; // calls per start
@END@

// A kernel with one buffer per argument.
class Accelerator {
public:
    Accelerator(const xrt::device &device, const xrt::kernel &kernel, const std::vector<uint32_t> &image_) : runs{xrt::run(kernel), xrt::run(kernel)}, image(image_)
    {
        for (uint32_t port = 0; port < @PREFIX@_PORTS; port++) {
            auto group = static_cast<xrt::memory_group>(kernel.group_id(static_cast<int>(port)));
            buffers.emplace_back(device, static_cast<size_t>(@FAMILY@_port_words(port)) * slots(port) * 4, group);
            for (xrt::run &run : runs)
                run.set_arg(static_cast<int>(port), buffers.back());
        }
    }

    // Adds a call to the half that is being filled, or starts it at once. `end`: of the cases.
    void make(const @FAMILY@_call &call, const uint32_t *end)
    {
@IF QUEUE@
        const bool alone = @FAMILY@_call_shares(&call, end) != 0;
        if (alone)
            finish(end);
        const auto slot = static_cast<uint32_t>(filling * HALF + halves[filling].size());
        @FAMILY@_describe(call.registers, slot, buffers[@PREFIX@_CALL_PORTS].map<uint32_t *>());
@ELSE@
        const bool alone = true;
        const uint32_t slot = 0;
@END@
        if (halves[filling].empty())
            begin[filling] = Clock::now();
        halves[filling].push_back(call);
        const uint32_t *at = call.writes;
        @FAMILY@_range range;
        for (uint32_t i = 0; i < call.write_count; i++) {
            at = @FAMILY@_range_read(at, end, 1, &range);
            send(range, slot);
        }
        if (alone)
            finish(end);
        else if (halves[filling].size() == HALF)
            start(end);
    }

    // Waits until all calls have answered.
    void finish(const uint32_t *end)
    {
        start(end);
        take(1 - filling, end);
        filling = 0;
    }

    std::vector<double> times; // times of the calls that answer items
    size_t different = 0;      // calls whose memories differ from the executor's

private:
    // Words of a ring from the first to the last that one half writes or reads: one transfer per start. The words between them are free until then. In a memory that all
    // calls share they may be the kernel's, so each range is a transfer.
    struct Span {
        size_t from = SIZE_MAX, to = 0;

        void add(size_t first, size_t count)
        {
            from = std::min(from, first);
            to = std::max(to, first + count);
        }
    };

    void add(Span (&spans)[@PREFIX@_PORTS], uint32_t port, size_t first, size_t count, xclBOSyncDirection direction)
    {
        if (slots(port) > 1)
            spans[port].add(first, count);
        else
            buffers[port].sync(direction, count * 4, first * 4);
    }

    void transfer(Span (&spans)[@PREFIX@_PORTS], xclBOSyncDirection direction)
    {
        for (uint32_t port = 0; port < @PREFIX@_PORTS; port++) {
            if (spans[port].from < spans[port].to)
                buffers[port].sync(direction, (spans[port].to - spans[port].from) * 4, spans[port].from * 4);
            spans[port] = Span();
        }
    }

    static size_t slots([[maybe_unused]] uint32_t port)
    {
@IF QUEUE@
        return @FAMILY@_port_step(port) > 0 ? SLOTS : 1;
@ELSE@
        return 1;
@END@
    }

    static size_t first_word([[maybe_unused]] uint32_t port, [[maybe_unused]] uint32_t slot)
    {
@IF QUEUE@
        return @FAMILY@_slot_word(port, slot);
@ELSE@
        return 0;
@END@
    }

    // Starts the half that is being filled; fills the other one after its start has ended.
    void start(const uint32_t *end)
    {
        if (halves[filling].empty())
            return;
        transfer(written, XCL_BO_SYNC_BO_TO_DEVICE);
@IF QUEUE@
        buffers[@PREFIX@_CALL_PORTS].sync(XCL_BO_SYNC_BO_TO_DEVICE, buffers[@PREFIX@_CALL_PORTS].size(), 0);
        const uint32_t registers[] = {static_cast<uint32_t>(filling * HALF), static_cast<uint32_t>(halves[filling].size())};
@ELSE@
        const uint32_t *registers = halves[filling][0].registers;
@END@
        for (int i = 0; i < @PREFIX@_REGISTERS; i++)
            runs[filling].set_arg(@PREFIX@_PORTS + i, static_cast<int32_t>(registers[i]));
        runs[filling].start();
        filling = 1 - filling;
        take(filling, end);
    }

    // Waits for a half, and compares the memories of its calls.
    void take(size_t half, const uint32_t *end)
    {
        if (halves[half].empty())
            return;
        if (runs[half].wait(std::chrono::milliseconds(10000)) != ERT_CMD_STATE_COMPLETED)
            throw std::runtime_error("the kernel does not answer");
        Span answered[@PREFIX@_PORTS];
        for (size_t i = 0; i < halves[half].size(); i++)
            for_expected(halves[half][i], end, static_cast<uint32_t>(half * HALF + i), [&](const @FAMILY@_range &range, size_t first) {
                add(answered, range.port, first, range.count, XCL_BO_SYNC_BO_FROM_DEVICE);
            });
        transfer(answered, XCL_BO_SYNC_BO_FROM_DEVICE);
        for (size_t i = 0; i < halves[half].size(); i++)
            compare(halves[half][i], end, static_cast<uint32_t>(half * HALF + i));
        const Clock::time_point now = Clock::now();
        const double each = microseconds(now - std::max(begin[half], before)) / static_cast<double>(halves[half].size());
        before = now;
        for (const @FAMILY@_call &call : halves[half]) {
            took += call.items > 0 ? each : 0.0;
            if (call.items > 0 && (call.items & @PREFIX@_GOES_ON) == 0) {
                times.push_back(took);
                took = 0.0;
            }
        }
        halves[half].clear();
    }

    // Calls `take(range, first word of its buffer)` for each expected range of a call.
    template <class Take> void for_expected(const @FAMILY@_call &call, const uint32_t *end, uint32_t slot, Take take_range)
    {
        const uint32_t *at = call.expected;
        @FAMILY@_range range;
        for (uint32_t i = 0; i < call.expected_count; i++) {
            at = @FAMILY@_range_read(at, end, 0, &range);
            take_range(range, first_word(range.port, slot) + range.first);
        }
    }

    void compare(const @FAMILY@_call &call, const uint32_t *end, uint32_t slot)
    {
        size_t words = 0;
        for_expected(call, end, slot, [&](const @FAMILY@_range &range, size_t first) {
            const uint32_t *got = buffers[range.port].map<uint32_t *>() + first;
            for (uint32_t w = 0; w < range.count; w++)
                words += got[w] != range.words[w];
        });
        if (words > 0)
            std::printf("call %lu: %lu words differ from the expected ones\n", static_cast<unsigned long>(compared), static_cast<unsigned long>(words));
        different += words > 0;
        compared++;
    }

    void send(const @FAMILY@_range &range, uint32_t slot)
    {
        uint32_t from = range.array > 0 ? @FAMILY@_array_at(image.data(), image.size(), range.array, range.count) : 0;
        if (range.array > 0 && from == 0)
            throw std::runtime_error("the model is another design's");
        const size_t first = first_word(range.port, slot) + range.first;
        std::memcpy(buffers[range.port].map<uint32_t *>() + first, range.array > 0 ? image.data() + from : range.words, static_cast<size_t>(range.count) * 4);
        add(written, range.port, first, range.count, XCL_BO_SYNC_BO_TO_DEVICE);
    }

    xrt::run runs[2];
    std::vector<xrt::bo> buffers;
    Span written[@PREFIX@_PORTS]; // by the half that is being filled
    const std::vector<uint32_t> &image;
    std::vector<@FAMILY@_call> halves[2]; // halves of the ring: calls being added, calls running
    size_t filling = 0, compared = 0;
    Clock::time_point begin[2], before{};
    double took = 0.0; // time of the calls that are counted together
};

void run_turn(const Options &options, const std::vector<uint32_t> &cases, Accelerator &accelerator)
{
    const uint32_t *at = cases.data() + 2, *end = cases.data() + cases.size();
    for (uint32_t i = 0; i < cases[1]; i++) {
        @FAMILY@_call call;
        at = @FAMILY@_call_read(at, end, &call);
        if (at == nullptr)
            throw std::runtime_error(options.cases + ": ends within call " + std::to_string(i));
        accelerator.make(call, end);
    }
    accelerator.finish(end);
}

int run_cases(const Options &options)
{
    const std::vector<uint32_t> image = read_words(options.model), cases = read_words(options.cases);
    if (cases.size() < 2)
        throw std::runtime_error(options.cases + ": holds no calls");
    if (image.size() < 16 || std::memcmp(image.data(), "dse-pack", 8) != 0)
        throw std::runtime_error(options.model + ": is no packed model");
    xrt::device device(options.device);
    const xrt::uuid loaded = device.load_xclbin(options.xclbin);
    std::vector<double> times;
    size_t different = 0;
    for (const std::string &unit : units_of(options)) {
        Accelerator accelerator(device, xrt::kernel(device, loaded, unit), image);
        for (unsigned turn = 0; turn < options.repeat; turn++)
            run_turn(options, cases, accelerator);
        times.insert(times.end(), accelerator.times.begin(), accelerator.times.end());
        different += accelerator.different;
    }
    if (!times.empty()) {
        print_times("sent, run, answered", times);
        std::printf("%-36s %.1f µs, %.0f cycles\n", "the models' estimate of the accelerator", @PREFIX@_ESTIMATE_LATENCY_S * 1e6,
                    static_cast<double>(@PREFIX@_ESTIMATE_CYCLES));
    }
    std::printf("%lu items: %s\n", static_cast<unsigned long>(cases[0]), different > 0 ? "DIFFERENT" : "equal");
    return different > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    return host_main(argc, argv, run_cases);
}
