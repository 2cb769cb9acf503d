/* SPDX-License-Identifier: MIT */ // Runs the accelerator of this folder on a board by XRT: puts the model into its memories, has UltraRAM loaded, sends the
// test graphs one after another, compares the classes with the executor's, and says how long a graph takes.
//
//   nysx_host [--xclbin nysx.xclbin] [--device 0] [--unit nysx_top:{nysx_top_1}] [--model nysx_model.bin] [--cases nysx_cases.bin] [--repeat 1]
//
// Exit code 0 where all classes are equal, 1 where one differs, 2 where something else is wrong.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "host.hpp"
#include "nysx_pack.h"

namespace {

constexpr size_t PAGE = 4096; // XRT's alignment of a part of a buffer
constexpr int32_t INFER = 0, LOAD = 1;

// The kernel's arguments, in their order.
constexpr int QUERY = 0, PARTS = 1, ANSWER = PARTS + NYSX_PARTS, COMMAND = ANSWER + 1, NODES = ANSWER + 2, NONZEROS = ANSWER + 3;

size_t in_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

// A kernel with its memories. Arguments of one memory share a buffer, each in pages of its own.
class Accelerator {
public:
    Accelerator(const Options &options, const std::vector<uint32_t> &image)
        : device(options.device), kernel(device, device.load_xclbin(options.xclbin), options.unit,
                                         xrt::kernel::cu_access_mode::exclusive), // the answer is a register
          run(kernel), scratch(NYSX_PACK_SCRATCH)
    {
        std::vector<nysx_part> parts(NYSX_PARTS + 1); // never empty
        if (nysx_image_parts(image.data(), image.size(), parts.data()) != NYSX_PARTS)
            throw std::runtime_error(options.model + ": is the model of another design");
        nysx_part load = {"", 0, 0};
        int32_t loads = nysx_image_load(image.data(), image.size(), &load);
        if (loads < 0)
            throw std::runtime_error(options.model + ": has no tables to load");
        add(QUERY, std::max(NYSX_QUERY_BYTES, load.bytes));
        for (int i = 0; i < NYSX_PARTS; i++)
            add(PARTS + i, parts[static_cast<size_t>(i)].bytes);
        allocate();
        const char *bytes = reinterpret_cast<const char *>(image.data());
        for (int i = 0; i < NYSX_PARTS; i++)
            fill(PARTS + i, bytes + parts[static_cast<size_t>(i)].offset, parts[static_cast<size_t>(i)].bytes);
        if (loads > 0) {
            fill(QUERY, bytes + load.offset, load.bytes);
            if (int32_t answer = start(LOAD, 0, 0))
                throw std::runtime_error("loading the tables is answered with " + std::to_string(answer));
        }
        query = arguments[QUERY].buffer.map<char *>();
    }

    // The class of a graph, or one of the kernel's codes below 0.
    int32_t infer(const nysx_pack_query &graph)
    {
        int32_t bytes = nysx_pack(&graph, scratch.data(), query);
        if (bytes < 0)
            return bytes;
        Clock::time_point begin = Clock::now();
        arguments[QUERY].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, static_cast<size_t>(bytes), 0);
        int32_t answer = start(INFER, static_cast<int32_t>(graph.nodes), static_cast<int32_t>(graph.nonzeros));
        on_board = Clock::now() - begin;
        return answer;
    }

    Clock::duration on_board{}; // of the last graph: from the packed query to the answer

private:
    struct Argument {
        size_t bytes = 0;
        int group = 0;
        xrt::bo buffer;
    };

    void add(int argument, size_t bytes)
    {
        arguments[argument].bytes = bytes;
        arguments[argument].group = kernel.group_id(argument);
        groups[arguments[argument].group] += in_pages(bytes);
    }

    void allocate()
    {
        std::map<int, size_t> taken;
        for (const auto &group : groups)
            buffers[group.first] = xrt::bo(device, group.second, static_cast<xrt::memory_group>(group.first));
        for (auto &entry : arguments) {
            Argument &argument = entry.second;
            argument.buffer = xrt::bo(buffers[argument.group], in_pages(argument.bytes), taken[argument.group]);
            taken[argument.group] += in_pages(argument.bytes);
            run.set_arg(entry.first, argument.buffer);
        }
    }

    void fill(int argument, const char *from, size_t bytes)
    {
        std::memcpy(arguments[argument].buffer.map<char *>(), from, bytes);
        arguments[argument].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, in_pages(bytes), 0);
    }

    int32_t start(int32_t command, int32_t nodes, int32_t nonzeros)
    {
        run.set_arg(COMMAND, command);
        run.set_arg(NODES, nodes);
        run.set_arg(NONZEROS, nonzeros);
        run.start();
        if (run.wait(std::chrono::milliseconds(10000)) != ERT_CMD_STATE_COMPLETED)
            throw std::runtime_error("the kernel does not answer");
        return static_cast<int32_t>(kernel.read_register(kernel.offset(ANSWER)));
    }

    xrt::device device;
    xrt::kernel kernel;
    xrt::run run;
    std::map<int, Argument> arguments;
    std::map<int, size_t> groups;
    std::map<int, xrt::bo> buffers;
    std::vector<uint32_t> scratch;
    char *query = nullptr;
};

int run_cases(const Options &options)
{
    const std::vector<uint32_t> image = read_words(options.model), cases = read_words(options.cases);
    Accelerator accelerator(options, image);
    std::vector<double> whole, on_board;
    size_t different = 0, count = cases.empty() ? 0 : cases[0];
    for (unsigned turn = 0; turn < options.repeat; turn++) {
        const uint32_t *at = cases.data() + 1;
        for (size_t i = 0; i < count; i++) {
            nysx_case graph;
            at = nysx_case_read(at, cases.data() + cases.size(), &graph);
            if (at == nullptr)
                throw std::runtime_error(options.cases + ": ends within graph " + std::to_string(i));
            Clock::time_point begin = Clock::now();
            int32_t answer = accelerator.infer(graph.query);
            whole.push_back(microseconds(Clock::now() - begin));
            on_board.push_back(microseconds(accelerator.on_board));
            if (answer != graph.expected)
                std::printf("graph %lu: %d, and must be %d\n", static_cast<unsigned long>(i), answer, graph.expected);
            different += answer != graph.expected;
        }
    }
    if (!whole.empty()) {
        print_times("packed, sent, run, answered", whole);
        print_times("sent, run, answered", on_board);
        std::printf("%-36s %.1f us a graph, %.0f cycles\n", "the models' estimate of the accelerator", NYSX_ESTIMATE_LATENCY_S * 1e6,
                    static_cast<double>(NYSX_ESTIMATE_CYCLES));
    }
    std::printf("%lu graphs: %s\n", static_cast<unsigned long>(count), different > 0 ? "DIFFERENT" : "equal");
    return different > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    return host_main(argc, argv, run_cases);
}
