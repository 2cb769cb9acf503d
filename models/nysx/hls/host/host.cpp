/* SPDX-License-Identifier: MIT */ // Runs the accelerator of this folder on a board by XRT, or with HOST_LINUX by uio.hpp: loads the model into memories and UltraRAM, sends the test graphs to all units in turn, compares
// the classes with the executor's, and reports the times. A unit without a queue gets a graph per start; one with a queue (overlap other than none) half
// of its ring, and always has one start running and the next one pending.
//
//   nysx_host [--xclbin nysx.xclbin] [--device 0] [--unit NAME, for that one alone: nysx_top:{nysx_top_1}] [--model nysx_model.bin] [--cases nysx_cases.bin] [--repeat 1]
//   nysx_host_linux [--wait interrupt|poll] [--device 0, for /dev/udmabuf0] and the same options but --xclbin
//
// Exit code 0 if all classes are equal, 1 if one differs, 2 on any other error.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#ifdef HOST_LINUX
#include "uio.hpp"
#else
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>
#endif

#include "host.hpp"
#include "nysx_pack.h"

namespace {

constexpr size_t PAGE = 4096; // XRT's alignment of sub-buffers
constexpr int32_t INFER = 0, LOAD = 1;

// Kernel arguments, in order.
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
constexpr bool QUEUED = false;
constexpr size_t SLOTS = 1, HALVES = 1;
constexpr int RING = -1, ANSWER = 1 + NYSX_PARTS;
#else
constexpr bool QUEUED = true;
constexpr size_t SLOTS = NYSX_RING_SLOTS, HALVES = 2;
constexpr int RING = 1 + NYSX_PARTS, ANSWER = RING + 1;
#endif
constexpr int QUERY = 0, PARTS = 1, COMMAND = ANSWER + 1; // followed by nodes and non-zeros, or by first slot and count
constexpr size_t HALF = SLOTS / HALVES, DESCRIPTOR = NYSX_QUERY_PORT_BITS / 8;

size_t in_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

// A unit of the kernel with its memories. Arguments in the same memory share a buffer, each on its own pages.
class Accelerator {
public:
    Accelerator(const Options &options, const std::vector<uint32_t> &image, const xrt::device &device_, const xrt::uuid &xclbin, const std::string &unit)
        : device(device_), kernel(device, xclbin, unit, QUEUED ? xrt::kernel::cu_access_mode::shared
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
            if (int32_t answer = *wait(0))
                throw std::runtime_error("loading the tables returned " + std::to_string(answer));
        }
        query = arguments[QUERY].buffer.map<char *>();
    }

    // Packs up to HALF graphs into one half of the ring and starts it after the running start. A graph that cannot be packed already
    // has its answer.
    void put(size_t half, const std::vector<nysx_case> &graphs)
    {
        size_t bytes = graphs.size() * NYSX_QUERY_BYTES;
        uint32_t sizes[2] = {0, 0};
        for (size_t i = 0; i < graphs.size(); i++) {
            const size_t slot = half * HALF + i;
            const nysx_pack_query &graph = graphs[i].query;
            const int32_t packed = nysx_pack(&graph, scratch.data(), query + slot * NYSX_QUERY_BYTES);
            rejected[slot] = std::min(packed, 0);
            sizes[0] = packed < 0 ? 0 : graph.nodes;
            sizes[1] = packed < 0 ? 0 : graph.nonzeros;
            if (QUEUED)
                std::memcpy(arguments[RING].buffer.map<char *>() + slot * DESCRIPTOR, sizes, sizeof sizes);
            else
                bytes = static_cast<size_t>(std::max(packed, 0));
        }
        sent[half] = Clock::now();
        arguments[QUERY].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, bytes, half * HALF * NYSX_QUERY_BYTES);
        if (QUEUED)
            arguments[RING].buffer.sync(XCL_BO_SYNC_BO_TO_DEVICE, graphs.size() * DESCRIPTOR, half * HALF * DESCRIPTOR);
        start(half, INFER, static_cast<int32_t>(QUEUED ? half * HALF : sizes[0]), static_cast<int32_t>(QUEUED ? graphs.size() : sizes[1]));
    }

    // Classes of a half, after its start has ended.
    std::vector<int32_t> take(size_t half, size_t count)
    {
        const int32_t *answers = wait(half) + half * HALF;
        std::vector<int32_t> out(answers, answers + count);
        for (size_t i = 0; i < count; i++)
            out[i] = rejected[half * HALF + i] < 0 ? rejected[half * HALF + i] : out[i];
        return out;
    }

    Clock::time_point sent[HALVES]; // when the last start of a half was packed

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

    // Waits for a start. The answers of all slots.
    const int32_t *wait(size_t which)
    {
        if (runs[which].wait(std::chrono::milliseconds(10000)) != ERT_CMD_STATE_COMPLETED)
            throw std::runtime_error("the kernel does not answer");
        if (!QUEUED) {
            alone = static_cast<int32_t>(kernel.read_register(kernel.offset(ANSWER)));
            return &alone;
        }
        arguments[ANSWER].buffer.sync(XCL_BO_SYNC_BO_FROM_DEVICE, SLOTS * sizeof(int32_t), 0);
        return arguments[ANSWER].buffer.map<int32_t *>();
    }

    xrt::device device;
    xrt::kernel kernel;
    xrt::run runs[2];
    int32_t rejected[SLOTS] = {}, alone = 0;
    std::map<int, Argument> arguments;
    std::map<int, size_t> groups;
    std::map<int, xrt::bo> buffers;
    std::vector<uint32_t> scratch;
    char *query = nullptr;
};

size_t differs(size_t index, int32_t answer, int32_t expected)
{
    if (answer != expected)
        std::printf("graph %lu: class %d, expected %d\n", static_cast<unsigned long>(index), answer, expected);
    return answer != expected;
}

// The units take starts in turn. The next start is packed while others run, and then waits only for its half's end.
size_t run_graphs(std::vector<Accelerator> &units, const std::vector<nysx_case> &graphs, unsigned repeat)
{
    const size_t all = repeat * graphs.size(), places = units.size() * HALVES;
    std::vector<std::vector<nysx_case>> at_work(places);
    std::vector<double> on_board, between;
    size_t different = 0, answered = 0;
    Clock::time_point before = Clock::now();
    for (size_t start = 0; answered < all; start++) {
        Accelerator &unit = units[start % units.size()];
        const size_t half = start % places / units.size();
        std::vector<nysx_case> &taken = at_work[start % places];
        if (!taken.empty()) {
            const std::vector<int32_t> answers = unit.take(half, taken.size());
            const Clock::time_point now = Clock::now();
            on_board.push_back(microseconds(now - unit.sent[half]));
            between.push_back(microseconds(now - before) / static_cast<double>(taken.size()));
            before = now;
            for (size_t i = 0; i < answers.size(); i++)
                different += differs(answered++ % graphs.size(), answers[i], taken[i].expected);
        }
        taken.clear();
        for (size_t i = start * HALF; i < std::min(all, (start + 1) * HALF); i++)
            taken.push_back(graphs[i % graphs.size()]);
        if (!taken.empty())
            unit.put(half, taken);
    }
    print_times("sent, run, answered, per start", on_board);
    print_times("between answers, per graph", between);
    std::printf("%-36s %.1f µs per graph, %.1f between answers\n", "the models' estimate of the accelerator", NYSX_ESTIMATE_LATENCY_S * 1e6,
                1e6 / NYSX_ESTIMATE_THROUGHPUT_HZ);
    return different;
}

int run_cases(const Options &options)
{
    const std::vector<uint32_t> image = read_words(options.model), cases = read_words(options.cases);
    xrt::device device(options.device);
    const xrt::uuid xclbin = device.load_xclbin(options.xclbin);
    std::vector<Accelerator> units;
    for (const std::string &unit : units_of(options))
        units.emplace_back(options, image, device, xclbin, unit);
    std::vector<nysx_case> graphs(cases.empty() ? 0 : cases[0]);
    const uint32_t *at = cases.data() + 1;
    for (size_t i = 0; i < graphs.size(); i++) {
        at = nysx_case_read(at, cases.data() + cases.size(), &graphs[i]);
        if (at == nullptr)
            throw std::runtime_error(options.cases + ": ends within graph " + std::to_string(i));
    }
    if (graphs.empty())
        throw std::runtime_error(options.cases + ": holds no graphs");
    const size_t different = run_graphs(units, graphs, options.repeat);
    std::printf("%lu graphs: %s\n", static_cast<unsigned long>(graphs.size()), different > 0 ? "DIFFERENT" : "equal");
    return different > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv)
{
    return host_main(argc, argv, run_cases);
}
