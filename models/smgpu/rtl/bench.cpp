/* SPDX-License-Identifier: MIT */ // Verilator test bench of the emitted RTL. It runs the instructions of smgpu_cases.bin through the engines and compares results with
// the executor's, bit for bit, and cycles with those of `simulate`. Exit code 0 if all are equal; a wrong or unending output is an error.
//
//   --stall PERCENT   how often a loaded word is delayed (default 0)
//   --reset 1         every instruction is first started and reset at a random cycle, then run
//   --seed N          seed of both and of the power-up contents of registers
//   --cycles FILE     one line per instruction: engine, operation, cycles, cycles of `simulate`
//
// smgpu_cases.bin is 32-bit words, little-endian: graphs, instructions. An instruction has engine, operation, Q16.16, 12 parameters, cycles, load runs and
// result runs. A load run has kind, place of its first word, lanes per row, number of words, and the words, two each. A result run has one word each.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "Vsmgpu_top.h"
#include "smgpu_design.h"
#include "verilated.h"

namespace {

constexpr uint64_t PATIENCE = 40000000;
constexpr double MISS = 0.02; // allowed error, as a share of an instruction's cycles
const char *const names[][8] = {
    {"laplacian", "power iteration", "convolution", "wavelet", "Fourier", "Fourier back", "", ""},
    {"bundle", "bind", "unbind", "permute", "similarity", "", "", "generate"},
    {"", "", "", "", "", "", "", ""},
    {"", "", "", "", "", "", "", ""},
    {"store", "query", "", "", "", "", "", ""}};

uint64_t random_state = 1;
unsigned stall_percent = 0, failures = 0;
bool resets = false;

uint64_t draw()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

void fail(const std::string &text)
{
    if (++failures <= 20)
        printf("%s\n", text.c_str());
}

struct Run {
    uint32_t kind, place, lanes;
    std::vector<uint64_t> words;
};

struct Case {
    uint32_t engine, operation, coarse, parameters[12], cycles;
    std::vector<Run> loads, results;
};

class Reader {
  public:
    explicit Reader(const char *path)
    {
        FILE *file = fopen(path, "rb");
        if (file == nullptr) {
            printf("%s: cannot be read\n", path);
            exit(1);
        }
        uint8_t bytes[4];
        while (fread(bytes, 1, 4, file) == 4)
            words.push_back(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24);
        fclose(file);
    }
    uint32_t next()
    {
        if (at == words.size()) {
            printf("smgpu_cases.bin: ends too early\n");
            exit(1);
        }
        return words[at++];
    }

  private:
    std::vector<uint32_t> words;
    size_t at = 0;
};

std::vector<Run> read_runs(Reader &in, bool wide)
{
    std::vector<Run> runs(in.next());
    for (Run &run : runs) {
        run.kind = in.next();
        run.place = in.next();
        run.lanes = in.next();
        run.words.resize(in.next());
        for (uint64_t &word : run.words) {
            word = in.next();
            word |= wide ? (uint64_t)in.next() << 32 : 0;
        }
    }
    return runs;
}

// Place {row, lane} of word k of a run: lanes count up to `lanes`, then the next row begins.
uint32_t place_of(const Run &run, size_t k)
{
    uint32_t first = (run.place >> 12) * run.lanes + (run.place & 4095), at = first + (uint32_t)k;
    return (at / run.lanes) << 12 | at % run.lanes;
}

class Device {
  public:
    Device() : top(new Vsmgpu_top)
    {
        Verilated::assertOn(false); // registers are undefined until the first reset
        reset();
        Verilated::assertOn(true);
    }
    ~Device()
    {
        top->final();
        delete top;
    }
    void cycle()
    {
        top->aclk = 0;
        top->eval();
        top->aclk = 1;
        top->eval();
    }
    void reset()
    {
        top->load_i = top->start_i = 0;
        top->aresetn = 0;
        for (int i = 0; i < 256; i++) // longer than any engine's pipeline
            cycle();
        top->aresetn = 1;
        cycle();
        cycle();
    }
    void load(const Case &c)
    {
        top->engine_i = c.engine;
        top->operation_i = c.operation;
        top->coarse_i = c.coarse;
        for (int i = 0; i < 12; i++)
            top->parameter_i[i] = c.parameters[i];
        for (const Run &run : c.loads)
            for (size_t k = 0; k < run.words.size(); k++) {
                while (stall_percent > 0 && draw() % 100 < stall_percent)
                    cycle();
                top->load_i = 1;
                top->load_kind_i = run.kind;
                top->load_place_i = place_of(run, k);
                top->load_word_i = run.words[k];
                for (;;) {
                    top->aclk = 0;
                    top->eval();
                    bool taken = top->load_ready_o;
                    cycle();
                    if (taken)
                        break;
                }
                top->load_i = 0;
            }
        cycle();
        cycle();
    }
    // Cycles from start to end; PATIENCE if the instruction does not end within `most`.
    uint64_t run(uint64_t most)
    {
        top->start_i = 1;
        cycle();
        top->start_i = 0;
        for (uint64_t k = 1; k <= most; k++) {
            top->aclk = 0;
            top->eval();
            if (top->done_o) {
                cycle();
                return k;
            }
            cycle();
        }
        return PATIENCE;
    }
    uint32_t result(uint32_t kind, uint32_t place)
    {
        top->result_kind_i = kind;
        top->result_place_i = place;
        for (int i = 0; i < 4; i++)
            cycle();
        top->aclk = 0;
        top->eval();
        return top->result_o;
    }

  private:
    Vsmgpu_top *top;
};

struct Kind {
    uint64_t count = 0, cycles = 0, simulated = 0;
};
std::map<std::string, Kind> kinds;

void run_case(Device &device, const Case &c, size_t index, FILE *cycles)
{
    std::string what = c.engine < 5 && c.operation < 8 ? names[c.engine][c.operation] : "?";
    what = "instruction " + std::to_string(index) + " (" + what + ")";
    device.load(c);
    if (resets) {
        device.run(draw() % c.cycles + 1);
        device.reset();
        device.load(c);
    }
    uint64_t took = device.run(PATIENCE);
    if (took == PATIENCE)
        return fail(what + ": never ends"), device.reset();
    for (const Run &run : c.results)
        for (size_t k = 0; k < run.words.size(); k++) {
            uint32_t got = device.result(run.kind, place_of(run, k));
            if (got != (uint32_t)run.words[k])
                fail(what + ": result " + std::to_string(k) + " of kind " + std::to_string(run.kind) + " is " + std::to_string((int32_t)got) +
                     ", expected " + std::to_string((int32_t)run.words[k]));
        }
    double miss = (double)took / (double)c.cycles - 1.0;
    if (miss > MISS || miss < -MISS)
        fail(what + ": takes " + std::to_string(took) + " cycles, and `simulate` says " + std::to_string(c.cycles));
    Kind &kind = kinds[names[c.engine][c.operation]];
    kind.count++;
    kind.cycles += took;
    kind.simulated += c.cycles;
    if (cycles != nullptr)
        fprintf(cycles, "%u %u %llu %u\n", c.engine, c.operation, (unsigned long long)took, c.cycles);
}

} // namespace

int main(int argc, char **argv)
{
    const char *cycles_path = nullptr;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--stall") == 0)
            stall_percent = (unsigned)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--reset") == 0)
            resets = atoi(argv[i + 1]) != 0;
        else if (strcmp(argv[i], "--seed") == 0)
            random_state = strtoull(argv[i + 1], nullptr, 10) * 0x9e3779b97f4a7c15u + 1;
        else if (strcmp(argv[i], "--cycles") == 0)
            cycles_path = argv[i + 1];
    }
    Verilated::randReset(2);
    Verilated::randSeed((int)(random_state & 0x7fffffff) | 1);
    Reader in("smgpu_cases.bin");
    FILE *cycles = cycles_path != nullptr ? fopen(cycles_path, "w") : nullptr;
    uint32_t graphs = in.next(), count = in.next();
    Device device;
    for (uint32_t i = 0; i < count; i++) {
        Case c;
        c.engine = in.next();
        c.operation = in.next();
        c.coarse = in.next();
        for (uint32_t &parameter : c.parameters)
            parameter = in.next();
        c.cycles = in.next();
        c.loads = read_runs(in, true);
        c.results = read_runs(in, false);
        run_case(device, c, i, cycles);
    }
    if (cycles != nullptr)
        fclose(cycles);
    for (const auto &kind : kinds)
        printf("%-16s %6llu instructions, %10llu cycles, simulate %10llu\n", kind.first.c_str(), (unsigned long long)kind.second.count,
               (unsigned long long)kind.second.cycles, (unsigned long long)kind.second.simulated);
    printf("%u graphs: %s\n", graphs, failures == 0 && count > 0 ? "equal" : "different");
    return failures == 0 && count > 0 ? 0 : 1;
}
