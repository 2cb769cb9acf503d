/* SPDX-License-Identifier: MIT */ // Runs the accelerator of this folder on a board by XRT: makes the calls of the test cases, compares what they leave in memory with
// the executor's answers, and says how long the calls take that answer an item. Written by nysx-dse @VERSION@.
//
//   @FAMILY@_host [--xclbin @FAMILY@.xclbin] [--device 0] [--unit @TOP@:{@TOP@_1}] [--model @FAMILY@_model.bin] [--cases @FAMILY@_cases.bin] [--repeat 1]
//
// Exit code 0 where all answers are equal, 1 where one differs, 2 where something else is wrong.
#include <chrono>
#include <cstring>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "@FAMILY@_calls.h"
#include "host.hpp"

namespace {

// A kernel, a buffer an argument.
class Accelerator {
public:
    Accelerator(const Options &options, const std::vector<uint32_t> &image_)
        : device(options.device), kernel(device, device.load_xclbin(options.xclbin), options.unit), run(kernel), image(image_)
    {
        if (image.size() < 16 || std::memcmp(image.data(), "dse-pack", 8) != 0)
            throw std::runtime_error(options.model + ": is no packed model");
        for (uint32_t port = 0; port < @PREFIX@_PORTS; port++) {
            auto group = static_cast<xrt::memory_group>(kernel.group_id(static_cast<int>(port)));
            buffers.emplace_back(device, static_cast<size_t>(@FAMILY@_port_words(port)) * 4, group);
            run.set_arg(static_cast<int>(port), buffers.back());
        }
    }

    // Makes a call; how many of the words that it leaves in memory are others than the executor's.
    size_t make(const @FAMILY@_call &call, const uint32_t *end)
    {
        Clock::time_point begin = Clock::now();
        const uint32_t *at = call.writes;
        @FAMILY@_range range;
        for (uint32_t i = 0; i < call.write_count; i++) {
            at = @FAMILY@_range_read(at, end, 1, &range);
            send(range);
        }
        for (int i = 0; i < @PREFIX@_REGISTERS; i++)
            run.set_arg(@PREFIX@_PORTS + i, static_cast<int32_t>(call.registers[i]));
        run.start();
        if (run.wait(std::chrono::milliseconds(10000)) != ERT_CMD_STATE_COMPLETED)
            throw std::runtime_error("the kernel does not answer");
        size_t different = 0;
        at = call.expected;
        for (uint32_t i = 0; i < call.expected_count; i++) {
            at = @FAMILY@_range_read(at, end, 0, &range);
            buffers[range.port].sync(XCL_BO_SYNC_BO_FROM_DEVICE, static_cast<size_t>(range.count) * 4, static_cast<size_t>(range.first) * 4);
            const uint32_t *got = buffers[range.port].map<uint32_t *>() + range.first;
            for (uint32_t w = 0; w < range.count; w++)
                different += got[w] != range.words[w];
        }
        took = Clock::now() - begin;
        return different;
    }

    Clock::duration took{}; // the last call, from what it needs in memory to what it leaves there

private:
    void send(const @FAMILY@_range &range)
    {
        uint32_t from = range.array > 0 ? @FAMILY@_array_at(image.data(), image.size(), range.array, range.count) : 0;
        if (range.array > 0 && from == 0)
            throw std::runtime_error("the model is another design's");
        std::memcpy(buffers[range.port].map<uint32_t *>() + range.first, range.array > 0 ? image.data() + from : range.words,
                    static_cast<size_t>(range.count) * 4);
        buffers[range.port].sync(XCL_BO_SYNC_BO_TO_DEVICE, static_cast<size_t>(range.count) * 4, static_cast<size_t>(range.first) * 4);
    }

    xrt::device device;
    xrt::kernel kernel;
    xrt::run run;
    std::vector<xrt::bo> buffers;
    const std::vector<uint32_t> &image;
};

int run_cases(const Options &options)
{
    const std::vector<uint32_t> image = read_words(options.model), cases = read_words(options.cases);
    if (cases.size() < 2)
        throw std::runtime_error(options.cases + ": holds no calls");
    Accelerator accelerator(options, image);
    std::vector<double> times;
    double took = 0.0; // of the calls that are counted together
    size_t different = 0;
    for (unsigned turn = 0; turn < options.repeat; turn++) {
        const uint32_t *at = cases.data() + 2, *end = cases.data() + cases.size();
        for (uint32_t i = 0; i < cases[1]; i++) {
            @FAMILY@_call call;
            at = @FAMILY@_call_read(at, end, &call);
            if (at == nullptr)
                throw std::runtime_error(options.cases + ": ends within call " + std::to_string(i));
            size_t words = accelerator.make(call, end);
            took += call.items > 0 ? microseconds(accelerator.took) : 0.0;
            if (call.items > 0 && (call.items & @PREFIX@_GOES_ON) == 0) {
                times.push_back(took);
                took = 0.0;
            }
            if (words > 0)
                std::printf("call %lu: %lu words are other than they must be\n", static_cast<unsigned long>(i), static_cast<unsigned long>(words));
            different += words > 0;
        }
    }
    if (!times.empty()) {
        print_times("sent, run, answered", times);
        std::printf("%-36s %.1f us, %.0f cycles\n", "the models' estimate of the accelerator", @PREFIX@_ESTIMATE_LATENCY_S * 1e6,
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
