/* SPDX-License-Identifier: MIT */ // Runs the accelerator of this folder on a board by XRT: loads the model into memories and UltraRAM, sends the
// test graphs one after another, compares the classes with the executor's, and reports the time per graph. A kernel with a queue (overlap
// other than none) always has one start running and the next one pending, each on half of the ring.
//
//   nysx_host [--xclbin nysx.xclbin] [--device 0] [--unit nysx_top:{nysx_top_1}] [--model nysx_model.bin] [--cases nysx_cases.bin] [--repeat 1]
//
// Exit code 0 if all classes are equal, 1 if one differs, 2 on any other error.
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

constexpr size_t PAGE = 4096; // XRT's alignment of sub-buffers
constexpr int32_t INFER = 0, LOAD = 1;

// Kernel arguments, in order.
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
constexpr bool QUEUED = false;
constexpr size_t SLOTS = 1;
constexpr int RING = -1, ANSWER = 1 + NYSX_PARTS;
#else
constexpr bool QUEUED = true;
constexpr size_t SLOTS = NYSX_RING_SLOTS;
constexpr int RING = 1 + NYSX_PARTS, ANSWER = RING + 1;
#endif
constexpr int QUERY = 0, PARTS = 1, COMMAND = ANSWER + 1; // followed by nodes and non-zeros, or by first slot and count
constexpr size_t HALF = SLOTS / 2, DESCRIPTOR = NYSX_QUERY_PORT_BITS / 8;

size_t in_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

// A kernel with its memories. Arguments in the same memory share a buffer, each on its own pages.
class Accelerator {
public:
    Accelerator(const Options &options, const std::vector<uint32_t> &image)
        : device(options.device), kernel(device, device.load_xclbin(options.xclbin), options.unit,
                                         QUEUED ? xrt::kernel::cu_access_mode::shared
                                                : xrt::kernel::cu_access_mode::exclusive), // the answer is a register
          runs{xrt::run(kernel), xrt::run(kernel)}, scratch(NYSX_PACK_SCRATCH)
    {
        std::vector<nysx_part> parts(NYSX_PARTS + 1); // never empty
        if (nysx_image_parts(image.data(), image.size(), parts.data()) != NYSX_PARTS)
            throw std::runtime_error(options.model + ": is the model of another design");
        nysx_part load = {"", 0, 0};
        int32_t loads = nysx_image_load(image.data(), image.size(), &load);
        if (loads < 0)
            throw std::runtime_error(options.model + ": has no tables to load");
        add(QUERY, std::max(SLOTS * NYSX_QUERY_BYTES, load.bytes));
        if (QUEUED) {
            add(RING, SLOTS * DESCRIPTOR);
            add(ANSWER, SLOTS * sizeof(int32_t));
        }
        for (int i = 0; i < NYSX_PARTS; i++)
            add(PARTS + i, parts[static_cast<size_t>(i)].bytes);
        allocate();
        const char *bytes = reinterpret_cast<const char *>(image.data());
        for (int i = 0; i < NYSX_PARTS; i++)
            fill(PARTS + i, bytes + parts[static_cast<size_t>(i)].offset, parts[static_cast<size_t>(i)].bytes);
        if (loads > 0) {
            fill(QUERY, bytes + load.offset, load.bytes);
            start(0, LOAD, 0, 0);
            if (int32_t answer = wait(0))
                throw std::runtime_error("loading the tables is answered with " + std::to_string(answer));
        }
        query = arguments[QUERY].buffer.map<char *>();
    }

#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
    // The class of a graph, or a negative error code of the kernel.
    int32_t infer(const nysx_pack_query &graph)
    {
        int32_t bytes = nysx_pack(&graph, scratch.data(), query);
        if (bytes < 0)
            return bytes;
        Clock::time_point begin = Clock::now();
        arguments[QUERY].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, static_cast<size_t>(bytes), 0);
        start(0, INFER, static_cast<int32_t>(graph.nodes), static_cast<int32_t>(graph.nonzeros));
        int32_t answer = wait(0);
        on_board = Clock::now() - begin;
        return answer;
    }

    Clock::duration on_board{}; // of the last graph: from packed query to answer
#else
    // Packs up to HALF graphs into one half of the ring and starts it after the running start. A graph that cannot be packed already
    // has its answer.
    void put(size_t half, const std::vector<nysx_case> &graphs)
    {
        for (size_t i = 0; i < graphs.size(); i++) {
            const size_t slot = half * HALF + i;
            const nysx_pack_query &graph = graphs[i].query;
            rejected[slot] = std::min(nysx_pack(&graph, scratch.data(), query + slot * NYSX_QUERY_BYTES), 0);
            const uint32_t sizes[2] = {rejected[slot] < 0 ? 0 : graph.nodes, rejected[slot] < 0 ? 0 : graph.nonzeros};
            std::memcpy(arguments[RING].buffer.map<char *>() + slot * DESCRIPTOR, sizes, sizeof sizes);
        }
        arguments[QUERY].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, graphs.size() * NYSX_QUERY_BYTES, half * HALF * NYSX_QUERY_BYTES);
        arguments[RING].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, graphs.size() * DESCRIPTOR, half * HALF * DESCRIPTOR);
        start(half, INFER, static_cast<int32_t>(half * HALF), static_cast<int32_t>(graphs.size()));
    }

    // Classes of a half, after its start has ended.
    std::vector<int32_t> take(size_t half, size_t count)
    {
        wait(half);
        const int32_t *answers = arguments[ANSWER].buffer.map<int32_t *>() + half * HALF;
        std::vector<int32_t> out(answers, answers + count);
        for (size_t i = 0; i < count; i++)
            out[i] = rejected[half * HALF + i] < 0 ? rejected[half * HALF + i] : out[i];
        return out;
    }
#endif

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
            for (xrt::run &run : runs)
                run.set_arg(entry.first, argument.buffer);
        }
    }

    void fill(int argument, const char *from, size_t bytes)
    {
        std::memcpy(arguments[argument].buffer.map<char *>(), from, bytes);
        arguments[argument].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, in_pages(bytes), 0);
    }

    void start(size_t which, int32_t command, int32_t first, int32_t second)
    {
        runs[which].set_arg(COMMAND, command);
        runs[which].set_arg(COMMAND + 1, first);
        runs[which].set_arg(COMMAND + 2, second);
        runs[which].start();
    }

    // Answer of a start; with a queue, the answer of slot 0, with all others in memory.
    int32_t wait(size_t which)
    {
        if (runs[which].wait(std::chrono::milliseconds(10000)) != ERT_CMD_STATE_COMPLETED)
            throw std::runtime_error("the kernel does not answer");
        if (!QUEUED)
            return static_cast<int32_t>(kernel.read_register(kernel.offset(ANSWER)));
        arguments[ANSWER].buffer.sync(XCL_BO_SYNC_BO_FROM_DEVICE, SLOTS * sizeof(int32_t), 0);
        return arguments[ANSWER].buffer.map<int32_t *>()[0];
    }

    xrt::device device;
    xrt::kernel kernel;
    xrt::run runs[2];
    int32_t rejected[SLOTS] = {};
    std::map<int, Argument> arguments;
    std::map<int, size_t> groups;
    std::map<int, xrt::bo> buffers;
    std::vector<uint32_t> scratch;
    char *query = nullptr;
};

size_t differs(size_t index, int32_t answer, int32_t expected)
{
    if (answer != expected)
        std::printf("graph %lu: %d, and must be %d\n", static_cast<unsigned long>(index), answer, expected);
    return answer != expected;
}

#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
// One graph per start.
size_t run_graphs(Accelerator &accelerator, const std::vector<nysx_case> &graphs, unsigned repeat)
{
    std::vector<double> whole, on_board;
    size_t different = 0;
    for (size_t i = 0; i < repeat * graphs.size(); i++) {
        const nysx_case &graph = graphs[i % graphs.size()];
        Clock::time_point begin = Clock::now();
        int32_t answer = accelerator.infer(graph.query);
        whole.push_back(microseconds(Clock::now() - begin));
        on_board.push_back(microseconds(accelerator.on_board));
        different += differs(i % graphs.size(), answer, graph.expected);
    }
    print_times("packed, sent, run, answered", whole);
    print_times("sent, run, answered", on_board);
    std::printf("%-36s %.1f us per graph, %.0f cycles\n", "the models' estimate of the accelerator", NYSX_ESTIMATE_LATENCY_S * 1e6,
                static_cast<double>(NYSX_ESTIMATE_CYCLES));
    return different;
}

#else
// Half a ring per start; the next half is packed while one runs, and then waits only for its end.
size_t run_graphs(Accelerator &accelerator, const std::vector<nysx_case> &graphs, unsigned repeat)
{
    const size_t all = repeat * graphs.size(), starts = (all + HALF - 1) / HALF;
    std::vector<nysx_case> halves[2];
    std::vector<double> times;
    size_t different = 0, answered = 0;
    Clock::time_point before = Clock::now();
    for (size_t start = 0; start < starts + 2; start++) {
        std::vector<nysx_case> &half = halves[start % 2];
        if (!half.empty()) {
            const std::vector<int32_t> answers = accelerator.take(start % 2, half.size());
            for (size_t i = 0; i < answers.size(); i++)
                different += differs(answered++ % graphs.size(), answers[i], half[i].expected);
            const Clock::time_point now = Clock::now();
            times.push_back(microseconds(now - before) / static_cast<double>(half.size()));
            before = now;
        }
        half.clear();
        for (size_t i = start * HALF; i < std::min(all, (start + 1) * HALF); i++)
            half.push_back(graphs[i % graphs.size()]);
        if (!half.empty())
            accelerator.put(start % 2, half);
    }
    print_times("between answers, per graph", times);
    std::printf("%-36s %.1f us per graph\n", "the models' estimate of the accelerator", 1e6 / NYSX_ESTIMATE_THROUGHPUT_HZ);
    return different;
}
#endif

int run_cases(const Options &options)
{
    const std::vector<uint32_t> image = read_words(options.model), cases = read_words(options.cases);
    Accelerator accelerator(options, image);
    std::vector<nysx_case> graphs(cases.empty() ? 0 : cases[0]);
    const uint32_t *at = cases.data() + 1;
    for (size_t i = 0; i < graphs.size(); i++) {
        at = nysx_case_read(at, cases.data() + cases.size(), &graphs[i]);
        if (at == nullptr)
            throw std::runtime_error(options.cases + ": ends within graph " + std::to_string(i));
    }
    if (graphs.empty())
        throw std::runtime_error(options.cases + ": holds no graphs");
    const size_t different = run_graphs(accelerator, graphs, options.repeat);
    std::printf("%lu graphs: %s\n", static_cast<unsigned long>(graphs.size()), different > 0 ? "DIFFERENT" : "equal");
    return different > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    return host_main(argc, argv, run_cases);
}
