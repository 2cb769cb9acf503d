/* SPDX-License-Identifier: MIT */ // Verilator test bench of the emitted RTL. It runs the graphs of nysx_cases.bin through nysx_top's AXI ports and
// compares C, the hypervector, the class and the number of probes with the executor's, bit for bit, and without stalls and resets the cycles
// of each stage with those of `simulate --flow rtl` in expected.json, which must be the same. Exit code 0 if all are equal; a wrong, missing, surplus or unending output is an error. A design with a queue then runs the graphs through a full ring,
// and again with invalid graphs among them.
//
//   --stall PERCENT   how often memory and registers stall the design (default 0); bursts then wait between 0 and 32
//                     times the memory latency
//   --reset 1         every query is first started and reset at a random cycle, then run
//   --seed N          seed of the stalls, the resets and the power-up contents of registers
//   --cycles FILE     one line per graph: cycles of each stage, and from start to done
//   --trace FILE      VCD of all nets while the graphs of the file run; needs a build with Verilator's --trace
//
// nysx_cases.bin is 32-bit words, little-endian. It begins with the number of cases. A case has nodes, non-zeros, row pointers,
// neighbours, feature bits (with NYSX_CORES a node's own label), expected class, C, hypervector (64 elements in two words), probes and hits.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "nysx_design.h"
#ifdef NYSX_CORES
#include "nysx_cores.h"
#endif
#if NYSX_OVERLAP > 0
#include "Vnysx_stream.h"
#include "Vnysx_stream___024root.h"
typedef Vnysx_stream Top;
typedef Vnysx_stream___024root Root;
#define CORE(net) nysx_stream__DOT__core__DOT__##net
#else
#include "Vnysx_top.h"
#include "Vnysx_top___024root.h"
typedef Vnysx_top Top;
typedef Vnysx_top___024root Root;
#define CORE(net) nysx_top__DOT__core__DOT__##net
#endif
#include "nysx_registers.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

constexpr uint64_t BASE = 0x12340f00; // query address: bursts reach a 4 KiB boundary
#ifdef NYSX_P_PORT_BITS
constexpr uint64_t P_WORD_BYTES = NYSX_P_PORT_BITS / 8;
constexpr uint64_t P_BASE = 0x1300000000 - 16 * P_WORD_BYTES; // address of P_nys: the first burst ends where the lower 32 bits become 0
#endif
constexpr uint32_t COLUMNS = NYSX_ATTRIBUTES ? NYSX_FEATURE_COLUMNS : 1; // words of a node's features in a case
constexpr uint64_t PATIENCE = 40000000;
const struct Stage {
    const char *name;
    long predicted;
} stage_of[] = NYSX_PREDICTED;
constexpr unsigned STAGES = sizeof stage_of / sizeof *stage_of;

uint64_t random_state = 1;
unsigned stall_percent = 0;
bool resets = false;
std::vector<uint8_t> projection; // the memory of P_nys

uint64_t draw()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

bool waits()
{
    return stall_percent > 0 && draw() % 100 < stall_percent;
}

unsigned failures = 0;

void fail(const std::string &text)
{
    if (++failures <= 20)
        printf("%s\n", text.c_str());
}

void check(const char *what, size_t item, int64_t got, int64_t expected)
{
    if (got != expected)
        fail("case " + std::to_string(item) + ": " + what + " is " + std::to_string(got) + ", expected " +
             std::to_string(expected));
}

// Cycles in which the processor sorts the rows by length before a start, and finds the 2-core if labels are pairs (operations:
// models/nysx/microarchitecture.md): the first stage.
uint32_t processor_cycles(uint32_t nodes, uint32_t nonzeros)
{
    uint32_t cycles = NYSX_SORTED && NYSX_HOPS > 1 ? (uint32_t)std::llround((200.0 + 4.0 * nodes) * NYSX_OPERATION_S * NYSX_CLOCK_HZ) : 0;
#ifdef NYSX_CORES
    cycles += (uint32_t)std::llround((4.0 * nodes + nonzeros) * NYSX_OPERATION_S * NYSX_CLOCK_HZ);
#else
    (void)nonzeros;
#endif
    return cycles;
}

// Results of one query so far.
struct Taken {
    std::vector<uint32_t> kernel;
    std::vector<uint8_t> signs;
};

class Device {
  public:
    Device() : top(new Top)
    {
#if VM_TRACE
        top->trace(&dump, 99);
#endif
        Verilated::assertOn(false); // registers are undefined until the first reset
        reset();
        Verilated::assertOn(true);
        for (unsigned i = 0; i < (NYSX_HISTOGRAM_WORDS > NYSX_LANDMARKS ? NYSX_HISTOGRAM_WORDS : NYSX_LANDMARKS) + 8; i++)
            cycle(); // a reset clears memories; a query would wait for it
        registers();
    }
    ~Device()
    {
        top->final();
        delete top;
    }

    uint64_t now = 0;
#if VM_TRACE
    VerilatedVcdC dump;
#endif
    bool running = false; // a query runs, and its changes are traced
    std::vector<uint8_t> memory;
    bool broken_bus = false, broken_stream = false;
    Taken taken;

    // One clock cycle: inputs are set before, outputs are sampled before the edge.
    void cycle()
    {
        drive_memory();
        top->aclk = 0;
        top->eval();
        const bool asked = top->aresetn && top->m_axi_arvalid && top->m_axi_arready, given = top->m_axi_rvalid && top->m_axi_rready;
        const uint64_t address = top->m_axi_araddr;
        const unsigned beats = top->m_axi_arlen + 1u;
        take_writes();
        step_stream();
        listen();
        top->aclk = 1;
        top->eval();
        now++;
#if VM_TRACE
        if (running)
            dump.dump(now);
#endif
        if (asked)
            accept(address, beats);
        if (given) {
            offered = false;
            Burst &burst = bursts.front();
            burst.address += 16;
            if (--burst.beats == 0)
                bursts.pop_front();
        }
    }

    void write(unsigned address, uint32_t value, unsigned strobe = 15)
    {
        bool a = false, w = false;
        top->s_axi_awaddr = address;
        top->s_axi_wdata = value;
        top->s_axi_wstrb = strobe;
        const bool taken_up = until("the registers take no write", [&] {
            top->s_axi_awvalid = a = a || !waits();
            top->s_axi_wvalid = w = w || !waits();
            top->eval();
            return top->s_axi_awready && top->s_axi_wready && a && w;
        });
        top->s_axi_awvalid = 0;
        top->s_axi_wvalid = 0;
        if (taken_up)
            until("a write is not answered", [&] {
                top->s_axi_bready = !waits();
                top->eval();
                return top->s_axi_bvalid && top->s_axi_bready;
            });
        top->s_axi_bready = 0;
    }

    uint32_t read(unsigned address)
    {
        uint32_t value = 0;
        top->s_axi_araddr = address;
        const bool taken_up = until("the registers take no read", [&] {
            top->s_axi_arvalid = top->s_axi_arvalid || !waits();
            top->eval();
            return top->s_axi_arvalid && top->s_axi_arready;
        });
        top->s_axi_arvalid = 0;
        if (taken_up)
            until("a read is not answered", [&] {
                top->s_axi_rready = !waits();
                top->eval();
                value = top->s_axi_rdata;
                return top->s_axi_rvalid && top->s_axi_rready;
            });
        top->s_axi_rready = 0;
        return value;
    }

    void reset()
    {
        top->aresetn = 0;
        bursts.clear();
        clear_stream();
        clear_writes();
        offered = listening = last_interrupt = false;
        top->s_axi_awvalid = top->s_axi_wvalid = top->s_axi_arvalid = top->s_axi_bready = top->s_axi_rready = 0;
        for (int i = 0; i < 8; i++)
            cycle();
        top->aresetn = 1;
    }

    // Starts a query and resets the design after the given number of cycles.
    void abandon(uint32_t nodes, uint32_t nonzeros, uint64_t cycles)
    {
        describe(nodes, nonzeros);
        listening = true;
        write(NYSX_REG_CONTROL, 1);
        for (uint64_t i = 0; i < cycles; i++)
            cycle();
        reset();
    }

    // Starts a query and waits for its interrupt; false on timeout. `span`: cycles from start to interrupt.
    bool run(uint32_t nodes, uint32_t nonzeros, uint64_t *span)
    {
        taken = Taken();
        describe(nodes, nonzeros);
        dones = 0;
        listening = true;
        const uint64_t begin = now;
        running = true;
        write(NYSX_REG_CONTROL, 1);
        while (dones == 0 && now - begin < PATIENCE && failures < 100)
            cycle();
        running = false;
        *span = done_at - begin;
        if (dones == 0) {
            fail("a query of " + std::to_string(nodes) + " nodes never ends");
            return false;
        }
        for (int i = 0; i < 64; i++) // late or duplicate outputs
            cycle();
        listening = false;
        if (dones != 1)
            fail("a query ended " + std::to_string(dones) + " times");
        check("the control register", 0, read(NYSX_REG_CONTROL), 2);
        check("the interrupt of a query that is over", 0, top->interrupt_o, 1);
        write(NYSX_REG_CONTROL, 2);
        check("the control register behind a clear", 0, read(NYSX_REG_CONTROL), 0);
        check("the interrupt behind a clear", 0, top->interrupt_o, 0);
        return true;
    }

#if NYSX_OVERLAP > 0
    // Sends `count` graphs through a ring of `size` descriptors at BASE, refilled as answers arrive. The queries follow the ring in `memory`
    // at the places listed in `graphs`. `taken` receives the engines' outputs, `ends` the cycle of each answer.
    struct Graph {
        uint64_t address;
        uint32_t nodes, nonzeros;
        int32_t expected;
    };
    std::vector<uint64_t> ends;
    void stream(const std::vector<Graph> &graphs, uint32_t size, size_t count)
    {
        size_t handed = 0, answered = 0;
        taken = Taken();
        ends.clear();
        write(NYSX_REG_CONTROL, 2);
        describe(size, 0);
        dones = 0;
        listening = running = true;
        const uint64_t begin = now;
        while (answered < count && now - begin < PATIENCE && failures < 100) {
            for (; handed < count && handed < answered + size; handed++) {
                const Graph &graph = graphs[handed % graphs.size()];
                memset(&memory[32 * (handed % size)], 0, 32);
                memcpy(&memory[32 * (handed % size)], &graph, 16);
            }
            if (handed != told)
                write(NYSX_REG_TAIL, told = (uint32_t)handed);
            cycle();
            uint32_t words[2];
            for (memcpy(words, &memory[32 * (answered % size) + 16], 8); answered < handed && words[1] == answered + 1;
                 memcpy(words, &memory[32 * (answered % size) + 16], 8))
                check("an answer in the ring", answered, (int32_t)words[0], graphs[answered % graphs.size()].expected), answered++;
        }
        for (int i = 0; i < 10000 && !top->interrupt_o; i++) // until the last write response
            cycle();
        for (int i = 0; i < 64; i++)
            cycle();
        listening = running = false;
        check("the answers of the ring", 0, (int64_t)answered, (int64_t)count);
        check("the register of the answers", 0, read(NYSX_REG_TAIL), (int64_t)count);
        check("the control register behind the ring", 0, read(NYSX_REG_CONTROL), 2);
        check("the writes", 0, (int64_t)ends.size(), (int64_t)count);
        told = 0;
    }
#endif

  private:
#if NYSX_OVERLAP > 0
    uint32_t told = 0;                    // ring tail told to the design
    std::deque<uint64_t> addresses, acknowledgements; // addresses of writes; first cycle of each response
    std::deque<std::vector<uint8_t>> beats;

    void clear_writes()
    {
        addresses.clear();
        acknowledgements.clear();
        beats.clear();
    }

    // Before a clock edge: accepts write channel transfers.
    void take_writes()
    {
        top->m_axi_awready = !waits();
        top->m_axi_wready = !waits();
        top->m_axi_bvalid = !acknowledgements.empty() && acknowledgements.front() <= now && !waits();
        top->m_axi_bresp = 0;
        top->eval();
        if (!top->aresetn)
            return;
        if (top->m_axi_awvalid && top->m_axi_awready)
            addresses.push_back(top->m_axi_awaddr);
        if (top->m_axi_wvalid && top->m_axi_wready) {
            ends.push_back(now);
            beats.emplace_back((const uint8_t *)&top->m_axi_wdata[0], (const uint8_t *)&top->m_axi_wdata[0] + 16);
        }
        if (top->m_axi_bvalid && top->m_axi_bready)
            acknowledgements.pop_front();
        while (!addresses.empty() && !beats.empty()) {
            const uint64_t address = addresses.front();
            if (address % 16 != 0 || address < BASE || address + 16 > BASE + memory.size())
                fail("a write at an address that it may not have");
            else
                memcpy(&memory[address - BASE], beats.front().data(), 16);
            addresses.pop_front();
            beats.pop_front();
            acknowledgements.push_back(now + NYSX_MEMORY_LATENCY);
        }
    }
#else
    void clear_writes() {}
    void take_writes() {}
#endif

#ifdef NYSX_P_PORT_BITS
    struct Stream {
        struct Asked {
            uint64_t address;
            unsigned beats;
            uint64_t ready;
        };
        std::deque<Asked> bursts;
        bool offered = false;
        uint32_t credit = 0; // shares of a word, in parts of NYSX_P_RATE_CYCLES
    } stream_port;

    void clear_stream()
    {
        stream_port.bursts.clear();
        stream_port.offered = false;
    }

    // Before a clock edge: a word of P_nys after the latency, at the rate that the memory sustains.
    void step_stream()
    {
        Stream &s = stream_port;
        s.credit = s.bursts.empty() ? NYSX_P_RATE_CYCLES : s.credit < NYSX_P_RATE_CYCLES ? s.credit + NYSX_P_RATE : s.credit;
        top->m_axi_p_arready = !waits();
        if (!s.offered)
            s.offered = !s.bursts.empty() && s.bursts.front().ready <= now && s.credit >= NYSX_P_RATE_CYCLES && !waits();
        top->m_axi_p_rvalid = s.offered;
        if (s.offered) {
            const Stream::Asked &burst = s.bursts.front();
            if (burst.address >= P_BASE && burst.address + P_WORD_BYTES <= P_BASE + projection.size())
                memcpy((void *)&top->m_axi_p_rdata, &projection[burst.address - P_BASE], P_WORD_BYTES);
            top->m_axi_p_rlast = burst.beats == 1;
            top->m_axi_p_rresp = broken_stream ? 2 : 0;
        }
        top->eval();
        if (!top->aresetn)
            return;
        if (s.offered && top->m_axi_p_rready) {
            s.offered = false;
            s.credit -= NYSX_P_RATE_CYCLES;
            s.bursts.front().address += P_WORD_BYTES;
            if (--s.bursts.front().beats == 0)
                s.bursts.pop_front();
        }
        if (top->m_axi_p_arvalid && top->m_axi_p_arready) {
            const uint64_t address = top->m_axi_p_araddr, beats = top->m_axi_p_arlen + 1u, end = address + P_WORD_BYTES * beats;
            if (address % P_WORD_BYTES != 0 || (address >> 12) != ((end - 1) >> 12) || address < P_BASE || end > P_BASE + projection.size())
                fail("a burst of " + std::to_string(beats) + " words of P at an address that it may not have");
            s.bursts.push_back({address, (unsigned)beats, now + 1 + wait_of(NYSX_P_LATENCY)});
        }
    }
#else
    void clear_stream() {}
    void step_stream() {}
#endif

    // Cycles until a burst's first beat: the latency; with stalls 0 to twice the latency, and one in eight up to 32 times that.
    static uint64_t wait_of(uint64_t latency)
    {
        const uint64_t most = 2 * latency + 1;
        return stall_percent > 0 ? draw() % (draw() % 8 == 0 ? 16 * most : most) : latency;
    }

    // Clocks until one of the cycles has a handshake.
    template <typename Step> bool until(const char *else_what, Step step)
    {
        for (int i = 0; i <= 10000; i++) {
            const bool done = step();
            cycle();
            if (done)
                return true;
        }
        fail(else_what);
        return false;
    }

    struct Burst {
        uint64_t address;
        unsigned beats;
        uint64_t ready;
    };

    void describe(uint32_t nodes, uint32_t nonzeros)
    {
        write(NYSX_REG_INTERRUPT, 1);
        write(NYSX_REG_NODES, nodes);
        write(NYSX_REG_NONZEROS, nonzeros);
        write(NYSX_REG_ADDRESS, (uint32_t)BASE);
        write(NYSX_REG_ADDRESS_HIGH, (uint32_t)(BASE >> 32));
#ifdef NYSX_P_PORT_BITS
        write(NYSX_REG_P_ADDRESS, (uint32_t)P_BASE);
        write(NYSX_REG_P_ADDRESS_HIGH, (uint32_t)(P_BASE >> 32));
#endif
    }

    // Writes obey their strobes; only the low byte of the control register starts.
    void registers()
    {
        write(NYSX_REG_NODES, 0x11223344);
        write(NYSX_REG_NODES, 0xaabbccdd, 5);
        check("a register after a write of two bytes", 0, read(NYSX_REG_NODES), 0x11bb33dd);
        write(NYSX_REG_CONTROL, 1, 14);
        check("the control register after a write without its byte", 0, read(NYSX_REG_CONTROL), 0);
        check("a register that is none", 0, read(0x1c), 0);
    }

    Top *top;
    std::deque<Burst> bursts;
    bool offered = false, listening = false, last_interrupt = false;
    unsigned dones = 0;
    uint64_t done_at = 0;

    void accept(uint64_t address, unsigned beats)
    {
        const uint64_t end = address + 16ull * beats;
        if (address % 16 != 0 || (address >> 12) != ((end - 1) >> 12) || address < BASE || end > BASE + memory.size())
            fail("a burst of " + std::to_string(beats) + " beats at an address that it may not have");
        bursts.push_back({address, beats, now + wait_of(NYSX_MEMORY_LATENCY)});
    }

    void drive_memory()
    {
        top->m_axi_arready = !waits();
        if (!offered)
            offered = !bursts.empty() && bursts.front().ready <= now && !waits();
        top->m_axi_rvalid = offered;
        if (!offered)
            return;
        const Burst &burst = bursts.front();
        uint32_t words[4] = {0, 0, 0, 0};
        if (burst.address >= BASE && burst.address + 16 <= BASE + memory.size())
            memcpy(words, &memory[burst.address - BASE], 16);
        for (int i = 0; i < 4; i++)
            top->m_axi_rdata[i] = words[i];
        top->m_axi_rlast = burst.beats == 1;
        top->m_axi_rresp = broken_bus ? 2 : 0;
    }

    // Samples the engines' outputs in this cycle.
    void listen()
    {
        const Root *root = top->rootp;
        if (!top->aresetn)
            return;
        if (root->CORE(tap_kernel_valid)) {
            taken.kernel.push_back(root->CORE(kernel));
            if (!listening)
                fail("an element of C without a query");
        }
        if (root->CORE(sign_valid)) {
            const uint8_t *word = (const uint8_t *)&root->CORE(signs);
            for (unsigned l = 0; l < NYSX_NEE_LANES; l++)
                taken.signs.push_back(word[l / 8] >> (l % 8) & 1);
            if (!listening)
                fail("signs without a query");
        }
        if (top->interrupt_o && !last_interrupt) {
            dones++;
            done_at = now;
            if (!listening)
                fail("an answer without a query");
        }
        last_interrupt = top->interrupt_o;
    }
};

// A query in the port's format: row pointers, neighbours, labels, each starting a new 16-byte word. Instead of labels, numbers may follow column by
// column, each padded to whole groups of nodes.
void put(std::vector<uint8_t> &out, const std::vector<uint32_t> &elements, unsigned bits)
{
    for (uint32_t element : elements)
        for (unsigned b = 0; b < bits / 8; b++)
            out.push_back((uint8_t)(element >> (8 * b)));
    while (out.size() % 16 != 0)
        out.push_back(0xa5); // padding that must not be read
}

// Features of the nodes in order; node v has COLUMNS words.
void put_features(std::vector<uint8_t> &out, const uint32_t *features, const std::vector<uint32_t> &order)
{
    constexpr size_t group = NYSX_LSHU_PE > 4 ? NYSX_LSHU_PE : 4;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        std::vector<uint32_t> column;
        for (uint32_t v : order)
            column.push_back(features[v * COLUMNS + j]);
        while (NYSX_ATTRIBUTES && column.size() % group != 0)
            column.push_back(0xa5a5a5a5); // padding that must not be read
        put(out, column, NYSX_ATTRIBUTES ? 32 : NYSX_LABEL_BITS);
    }
}

// The processor's part. If the design requires it, nodes are renumbered by ascending row length;
// a row keeps the order of its neighbours.
std::vector<uint8_t> query_of(const uint32_t *graph, uint32_t nodes, uint32_t nonzeros)
{
    std::vector<uint32_t> order, place(nodes + 1), pointers(1, 0), neighbours;
    for (uint32_t length = 0; order.size() < nodes; length++)
        for (uint32_t v = 0; v < nodes; v++)
            if (!NYSX_SORTED ? length == 0 : graph[v + 1] - graph[v] == length)
                order.push_back(v);
    for (uint32_t i = 0; i < nodes; i++)
        place[order[i]] = i;
    for (uint32_t v : order) {
        for (uint32_t e = graph[v]; e < graph[v + 1]; e++)
            neighbours.push_back(place[graph[nodes + 1 + e]]);
        pointers.push_back((uint32_t)neighbours.size());
    }
    std::vector<uint8_t> out;
    put(out, pointers, NYSX_INDEX_BITS);
    put(out, neighbours, NYSX_INDEX_BITS);
    const uint32_t *features = graph + nodes + 1 + nonzeros;
#ifdef NYSX_CORES
    static const int32_t table[] = NYSX_LABEL_COLUMNS;
    std::vector<uint32_t> columns(nodes + 1);
    nysx_core_columns(nodes, graph, graph + nodes + 1, features, table, NYSX_FEATURE_COLUMNS, columns.data(), place.data());
    features = columns.data();
#endif
    put_features(out, features, order);
    return out;
}

void compare(size_t item, const Taken &taken, const uint32_t *expected)
{
    check("the number of elements of C", item, (int64_t)taken.kernel.size(), NYSX_LANDMARKS);
    for (size_t j = 0; j < NYSX_LANDMARKS && j < taken.kernel.size(); j++)
        check("an element of C", item, taken.kernel[j], expected[j]);
    expected += NYSX_LANDMARKS;
    check("the number of words of signs", item, (int64_t)(taken.signs.size() / NYSX_NEE_LANES),
          (NYSX_DIM + NYSX_NEE_LANES - 1) / NYSX_NEE_LANES);
    for (size_t i = 0; i < NYSX_DIM && i < taken.signs.size(); i++)
        check("an element of the hypervector", item, taken.signs[i], expected[i / 32] >> (i % 32) & 1);
}

void reject(Device &device, const char *what, uint32_t nodes, uint32_t nonzeros, const std::vector<uint8_t> &query,
            int32_t expected)
{
    uint64_t span;
    device.memory = query;
    device.memory.resize(device.memory.size() + 64);
    if (device.run(nodes, nonzeros, &span))
        check(what, 0, (int32_t)device.read(NYSX_REG_ANSWER), expected);
    check("output of a rejected query", 0, (int64_t)(device.taken.kernel.size() + device.taken.signs.size()), 0);
}

// Graphs beyond the design's limits, and inconsistent graphs.
void rejections(Device &device)
{
    std::vector<uint8_t> query;
    reject(device, "the answer to too many nodes", NYSX_MAX_NODES + 1, 0, query, -1);
    reject(device, "the answer to fewer than no nodes", UINT32_MAX, 0, query, -1);
    reject(device, "the answer to too many non-zeros", 1, NYSX_MAX_NNZ + 1, query, -2);
    const struct {
        const char *what;
        std::vector<uint32_t> pointers, neighbours;
    } broken[] = {{"the answer to a neighbour that is no node", {0, 1}, {1}},
                  {"the answer to row pointers that fall", {0, 1, 0, 1}, {0}},
                  {"the answer to row pointers that do not begin with 0", {1, 1}, {0}},
                  {"the answer to row pointers that do not end with the non-zeros", {0, 0}, {0}}};
    for (const auto &graph : broken) {
        query.clear();
        put(query, graph.pointers, NYSX_INDEX_BITS);
        put(query, graph.neighbours, NYSX_INDEX_BITS);
        const size_t nodes = graph.pointers.size() - 1;
        const std::vector<uint32_t> order(nodes, 0), features(COLUMNS, 0);
        put_features(query, features.data(), order);
        if (NYSX_MAX_NODES >= nodes)
            reject(device, graph.what, (uint32_t)nodes, 1, query, -3);
    }
    device.broken_bus = true;
    reject(device, "the answer to a broken bus", 1, 1, query, -5);
    device.broken_bus = false;
}

#ifdef NYSX_P_PORT_BITS
// The port of P answers with errors: the first graph has no class, and the next one has again.
void broken_stream(Device &device, const uint32_t *graph, uint32_t nodes, uint32_t nonzeros, int32_t expected)
{
    uint64_t span;
    for (const bool broken : {true, false}) {
        device.broken_stream = broken;
        device.memory = query_of(graph, nodes, nonzeros);
        if (device.run(nodes, nonzeros, &span))
            check("the answer beside a broken port of P, or after it", 0, (int32_t)device.read(NYSX_REG_ANSWER), broken ? -5 : expected);
    }
}
#else
void broken_stream(Device &, const uint32_t *, uint32_t, uint32_t, int32_t) {}
#endif

std::vector<uint32_t> read_words(const char *path)
{
    FILE *file = fopen(path, "rb");
    std::vector<uint32_t> words;
    uint32_t word;
    if (file == nullptr) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    while (fread(&word, 4, 1, file) == 1)
        words.push_back(word);
    fclose(file);
    return words;
}

#ifdef NYSX_P_PORT_BITS
void read_projection()
{
    for (const uint32_t part : read_words("nysx_p.bin"))
        projection.insert(projection.end(), (const uint8_t *)&part, (const uint8_t *)(&part + 1));
    check("the size of nysx_p.bin", 0, (int64_t)projection.size(), (int64_t)(NYSX_P_WORDS * P_WORD_BYTES));
}
#else
void read_projection() {}
#endif

// Cycles of each graph in a stage by `simulate --flow rtl`: expected.json has them as "simulated": {"query": [1, 2, …], …}. None without it.
std::vector<uint64_t> simulated_of(const char *stage)
{
    std::vector<uint64_t> cycles;
    std::ifstream file("expected.json");
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()), name = std::string("\"") + stage + "\": [";
    const size_t all = text.find("\"simulated\": {"), begin = all == std::string::npos ? all : text.find(name, all);
    if (begin == std::string::npos)
        return cycles;
    const char *at = text.c_str() + begin + name.size();
    for (char *end; *at != ']'; at = end + strspn(end, ", \n")) {
        cycles.push_back(strtoull(at, &end, 10));
        if (end == at)
            fail("expected.json: the simulated cycles of " + std::string(stage) + " are no list of whole numbers");
        if (end == at)
            break;
    }
    return cycles;
}

#if NYSX_OVERLAP > 0
constexpr size_t BACK_TO_BACK = 200; // minimum number of graphs
constexpr uint32_t RING = 13;

// Runs all cases through the ring, repeated as needed, and checks the engines' outputs; then mixes in invalid graphs.
void stream(Device &device, const std::vector<uint32_t> &cases)
{
    std::vector<Device::Graph> graphs;
    std::vector<const uint32_t *> expected;
    const size_t count = cases[0], total = count > BACK_TO_BACK ? count : (BACK_TO_BACK + count - 1) / count * count;
    const uint32_t *at = cases.data() + 1;
    device.memory.assign(32 * RING, 0);
    for (size_t i = 0; i < count; i++) {
        const uint32_t nodes = at[0], nonzeros = at[1], *answer = at + 2 + nodes + 1 + nonzeros + COLUMNS * nodes;
        const std::vector<uint8_t> query = query_of(at + 2, nodes, nonzeros);
        graphs.push_back({BASE + device.memory.size(), nodes, nonzeros, (int32_t)answer[0]});
        expected.push_back(answer + 1);
        device.memory.insert(device.memory.end(), query.begin(), query.end());
        at = answer + 1 + NYSX_LANDMARKS + (NYSX_DIM + 63) / 64 * 2 + 2;
    }
    device.stream(graphs, RING, total);
    if (failures > 0)
        return;
    const size_t signs = (NYSX_DIM + NYSX_NEE_LANES - 1) / NYSX_NEE_LANES * NYSX_NEE_LANES;
    check("the number of signs of the ring", 0, (int64_t)device.taken.signs.size(), (int64_t)(total * signs));
    check("the number of elements of C of the ring", 0, (int64_t)device.taken.kernel.size(), (int64_t)(total * NYSX_LANDMARKS));
    for (size_t i = 0; i < total && failures == 0; i++) {
        Taken one;
        one.signs.assign(device.taken.signs.begin() + (long)(i * signs), device.taken.signs.begin() + (long)((i + 1) * signs));
        one.kernel.assign(device.taken.kernel.begin() + (long)(i * NYSX_LANDMARKS), device.taken.kernel.begin() + (long)((i + 1) * NYSX_LANDMARKS));
        compare(i, one, expected[i % count]);
    }
    double prepared = 0.0; // the processor prepares graphs ahead, so it determines the interval only if it is slower
    for (const Device::Graph &graph : graphs)
        prepared += (double)processor_cycles(graph.nodes, graph.nonzeros) / (double)count;
    const double once = count > 1 ? std::max(prepared, (double)(device.ends[count - 1] - device.ends[0]) / (double)(count - 1)) : prepared;
    const double core = (double)(device.ends[total - 1] - device.ends[0]) / (double)(total - 1), interval = std::max(prepared, core);
    printf("%-12s %12.1f", "interval", interval);
    if (stall_percent == 0)
        printf(" %12.1f  %+.2f %%, first %zu %.6f", NYSX_PREDICTED_INTERVAL, 100.0 * (NYSX_PREDICTED_INTERVAL / interval - 1.0), count, once);
    printf("\n%-12s %12.1f  (processor %.1f)\n", "RTL alone", core, prepared);
    printf("%zu graphs back to back: %s\n", total, failures > 0 ? "DIFFERENT" : "equal");
    std::vector<Device::Graph> mixed;
    for (size_t i = 0; i < 40; i++) {
        mixed.push_back(graphs[i % count]);
        if (i % 5 == 2)
            mixed.push_back({BASE, NYSX_MAX_NODES + 1, 0, -1});
        if (i % 7 == 3) // the ring's own bytes: the answer's number is not a row pointer
            mixed.push_back({BASE + 16, NYSX_MAX_NODES, NYSX_MAX_NNZ, -3});
    }
    device.stream(mixed, 3, mixed.size());
}
#endif

double mean(uint64_t sum, size_t count)
{
    return count > 0 ? (double)sum / (double)count : 0.0;
}

// Mean cycles per graph beside the prediction, which excludes stalls at the ports.
void report(const uint64_t *stages, size_t count)
{
    const bool beside = stall_percent == 0;
    double counted = 0.0;
    long predicted = 0;
    printf("%-12s %12s%s\n", "stage", "cycles", beside ? "    predicted" : "");
    for (unsigned k = 0; k < STAGES; k++) {
        counted += mean(stages[k], count);
        predicted += stage_of[k].predicted;
        printf("%-12s %12.1f", stage_of[k].name, mean(stages[k], count));
        if (beside)
            printf(" %12ld", stage_of[k].predicted);
        printf("\n");
    }
    printf("%-12s %12.1f", "graph", counted);
    if (beside)
        printf(" %12ld  %+.2f %%", predicted, counted > 0.0 ? 100.0 * ((double)predicted / counted - 1.0) : 0.0);
    printf("\n");
}

} // namespace

int main(int argc, char **argv)
{
    const char *cycles_path = nullptr, *trace_path = nullptr;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--stall") == 0)
            stall_percent = (unsigned)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            random_state = strtoull(argv[i + 1], nullptr, 10) * 0x9e3779b97f4a7c15ull + 1;
        else if (strcmp(argv[i], "--reset") == 0)
            resets = atoi(argv[i + 1]) != 0;
        else if (strcmp(argv[i], "--cycles") == 0)
            cycles_path = argv[i + 1];
        else if (strcmp(argv[i], "--trace") == 0)
            trace_path = argv[i + 1];
        else {
            fprintf(stderr, "%s: no such option\n", argv[i]);
            return 2;
        }
    }
    const std::vector<uint32_t> cases = read_words("nysx_cases.bin");
    const uint32_t *at = cases.data() + 1;
    const size_t count = cases.empty() ? 0 : cases[0];
    FILE *lines = cycles_path != nullptr ? fopen(cycles_path, "w") : nullptr;
    uint64_t stages[STAGES] = {0}, span_before = 0;
    std::vector<uint64_t> simulated[STAGES];
    for (unsigned k = 0; k < STAGES && stall_percent == 0 && !resets; k++)
        simulated[k] = simulated_of(stage_of[k].name);
    read_projection();
    const bool timed = !simulated[0].empty();
    for (unsigned k = 0; k < STAGES && timed; k++)
        check((std::string("the number of simulated graphs of ") + stage_of[k].name).c_str(), 0, (int64_t)simulated[k].size(), (int64_t)count);
    Verilated::randReset(2); // registers without reset start undefined
    Verilated::randSeed((int)(random_state >> 33) + 1);
#if VM_TRACE
    Verilated::traceEverOn(true);
#endif
    Device device;
#if VM_TRACE
    device.dump.open(trace_path != nullptr ? trace_path : "trace.vcd");
#else
    if (trace_path != nullptr)
        fail("--trace: this program was built without it");
#endif
    for (size_t item = 0; item < count && failures < 100; item++) {
        const uint32_t nodes = at[0], nonzeros = at[1], *graph = at + 2;
        const uint32_t *expected = graph + nodes + 1 + nonzeros + COLUMNS * nodes;
        uint64_t span = 0;
        device.memory = query_of(graph, nodes, nonzeros);
        if (resets)
            device.abandon(nodes, nonzeros, draw() % (item > 0 ? span_before : 1000));
        if (!device.run(nodes, nonzeros, &span))
            break;
        span_before = span + 1;
        check("the class", item, (int32_t)device.read(NYSX_REG_ANSWER), (int32_t)expected[0]);
        compare(item, device.taken, expected + 1);
        at = expected + 1 + NYSX_LANDMARKS + (NYSX_DIM + 63) / 64 * 2;
        check("the number of probes", item, device.read(NYSX_REG_PROBES), at[0]);
        at += 2;
        for (unsigned k = 0; k < STAGES; k++) {
            const uint32_t cycles = k == 0 ? processor_cycles(nodes, nonzeros) : device.read(NYSX_REG_CYCLES_QUERY + 4 * (k - 1));
            stages[k] += cycles;
            if (timed && item < simulated[k].size())
                check((std::string("the number of cycles of ") + stage_of[k].name).c_str(), item, cycles, (int64_t)simulated[k][item]);
            if (lines != nullptr)
                fprintf(lines, "%u ", cycles);
        }
        if (lines != nullptr)
            fprintf(lines, "%llu\n", (unsigned long long)span);
    }
    if (lines != nullptr)
        fclose(lines);
#if VM_TRACE
    device.dump.close();
    return failures > 0 || count == 0;
#endif
    rejections(device);
    if (count > 0)
        broken_stream(device, &cases[3], cases[1], cases[2], (int32_t)cases[4 + cases[1] + cases[2] + COLUMNS * cases[1]]);
    report(stages, count);
    if (timed && failures == 0)
        printf("cycles: each stage of each graph takes those of simulate\n");
#if NYSX_OVERLAP > 0
    if (count > 0)
        stream(device, cases);
#endif
    printf("%lu graphs: %s\n", (unsigned long)count, failures > 0 || count == 0 ? "DIFFERENT" : "equal");
    return failures > 0 || count == 0;
}
