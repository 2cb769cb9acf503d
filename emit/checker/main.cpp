// Options, and the report: JSON on standard output, exit 1 if a claim is below its bound or a rule is broken.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "checker.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace checker;

static void print_list(llvm::json::OStream &out, const char *name, std::vector<std::string> &list)
{
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    out.attributeArray(name, [&] {
        for (const std::string &text : list)
            out.value(llvm::json::fixUTF8(text));
    });
}

static void print_loop(llvm::json::OStream &out, const LoopReport &loop)
{
    auto or_null = [](long value, bool known) { return known ? llvm::json::Value(static_cast<int64_t>(value)) : llvm::json::Value(nullptr); };
    out.value(llvm::json::Object{
        {"engine", loop.engine}, {"loop", loop.name}, {"claimed_ii", or_null(loop.claimed, loop.claimed > 0)}, {"bound_ii", loop.bound},
        {"by", loop.by}, {"depth", loop.depth}, {"trips", or_null(loop.trips, loop.trips >= 0)},
        {"trips_by", loop.fixed ? "source" : loop.trips >= 0 ? "LOOP_TRIPCOUNT" : "nothing"}, {"inside", loop.parent},
        {"region", loop.region}, {"process", loop.process}, {"streams", loop.streams}, {"beside", loop.beside},
        {"clock_mhz", loop.clock_mhz > 0 ? llvm::json::Value(std::floor(loop.clock_mhz)) : llvm::json::Value(nullptr)}, {"at", loop.place.text()}});
}

static void print_report(const Configuration &configuration, const std::vector<LoopReport> &reports, std::vector<std::string> &errors,
                         std::vector<std::string> &unanalysed)
{
    llvm::json::OStream out(llvm::outs(), 1);
    out.object([&] {
        out.attribute("schema", "nysx-dse.check/1");
        out.attribute("top", configuration.top);
        out.attribute("clock_mhz", configuration.clock_mhz);
        out.attributeArray("loops", [&] {
            for (const LoopReport &loop : reports)
                print_loop(out, loop);
        });
        print_list(out, "errors", errors);
        print_list(out, "unanalysed", unanalysed);
    });
    llvm::outs() << "\n";
    llvm::outs().flush();
}

// LLVM's own optional value up to 15, the standard library's later.
template <typename Maybe> static auto otherwise(const Maybe &maybe, std::decay_t<decltype(*maybe)> value)
{
    return maybe ? *maybe : value;
}

static long whole(const llvm::json::Object &object, const char *key)
{
    return static_cast<long>(otherwise(object.getInteger(key), 0));
}

// The entries of an array of the file, each with its name.
template <typename Keep> static void each_of(const llvm::json::Object &root, const char *array, const char *name, Keep keep)
{
    const llvm::json::Array *all = root.getArray(array);
    for (size_t i = 0; all != nullptr && i < all->size(); i++)
        if (const llvm::json::Object *entry = (*all)[i].getAsObject())
            if (auto text = entry->getString(name))
                keep(text->str(), *entry);
}

// With the operators' cycles, which go into the options.
static Expected read_expected(Options &options)
{
    Expected out;
    auto buffer = llvm::MemoryBuffer::getFile(options.folder + "/expected.json");
    if (!buffer)
        return out;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
    if (!value) {
        llvm::consumeError(value.takeError());
        throw Failure{3, options.folder + "/expected.json: no JSON"};
    }
    const llvm::json::Object *root = value->getAsObject();
    if (root == nullptr)
        return out;
    out.there = true;
    if (const llvm::json::Object *operators = root->getObject("operators"))
        for (const auto &entry : *operators)
            if (auto cycles = entry.second.getAsNumber())
                if (double *latency = options.latencies.find(entry.first.str()))
                    *latency = *cycles;
    if (auto clock_mhz = root->getNumber("clock_mhz"))
        out.clock_mhz = *clock_mhz;
    if (auto part = root->getString("part"))
        out.part = part->str();
    out.units = whole(*root, "units");
    each_of(*root, "loops", "loop", [&](const std::string &name, const llvm::json::Object &loop) {
        out.intervals[name] = whole(loop, "ii");
        double entries = otherwise(loop.getNumber("entries"), 0);
        if (entries > 0) {
            out.trips[name] = otherwise(loop.getNumber("iterations"), 0) / entries;
            out.entries[name] = entries / otherwise(loop.getNumber("calls"), 1);
        }
    });
    each_of(*root, "types", "type", [&](const std::string &name, const llvm::json::Object &type) { out.types[name] = otherwise(type.getString("is"), "").str(); });
    each_of(*root, "fifos", "fifo", [&](const std::string &name, const llvm::json::Object &fifo) { out.depths[name] = whole(fifo, "depth"); });
    each_of(*root, "ports", "port", [&](const std::string &name, const llvm::json::Object &port) {
        out.ports[name] = {whole(port, "burst_words"), whole(port, "outstanding")};
        const llvm::json::Array *memories = port.getArray("memory");
        for (size_t i = 0; memories != nullptr && i < memories->size(); i++)
            out.memories[name].push_back(otherwise((*memories)[i].getAsString(), "").str());
    });
    return out;
}

// How often a query enters the loop and others of its name. These exist wherever their function is called. The result is -1 if it is unknown, or if
// the error of another loop already says so.
static long entries_of_all(const std::vector<LoopReport> &reports, const LoopReport &loop)
{
    long all = 0;
    for (const LoopReport &other : reports)
        if (other.name == loop.name) {
            if (other.entries < 0 || (all == 0 && &other != &loop))
                return -1;
            all += other.entries;
        }
    return all;
}

// A loop that the models count on must be pipelined, with no longer interval than theirs. `innermost`: no loop is inside, so it takes cycles of its
// own; the models must know it.
static void compare_claims(const std::vector<LoopReport> &reports, bool innermost, const Expected &expected, std::vector<std::string> &errors)
{
    for (const LoopReport &loop : reports) {
        auto found = expected.intervals.find(loop.name);
        std::string at = loop.place.text() + ": loop " + loop.name + " ";
        if (found == expected.intervals.end()) {
            if (innermost && !expected.intervals.empty())
                errors.push_back(at + "is not unrolled and is none of expected.json's: its cycles are counted nowhere");
        } else if (loop.claimed == 0 && found->second > 0) {
            errors.push_back(at + "has no PIPELINE, and expected.json counts on an iteration every " + std::to_string(found->second));
        } else if (loop.claimed > found->second && found->second > 0) {
            errors.push_back(at + "claims II " + std::to_string(loop.claimed) + ", and expected.json counts on " +
                             std::to_string(found->second));
        }
        auto trips = expected.trips.find(loop.name);
        if (trips != expected.trips.end() && loop.fixed && std::abs(trips->second - static_cast<double>(loop.trips)) > 0.5)
            errors.push_back(at + "runs " + std::to_string(loop.trips) + " times, and expected.json counts on " +
                             std::to_string(std::lround(trips->second)));
        auto entries = expected.entries.find(loop.name);
        long all = entries_of_all(reports, loop);
        if (entries != expected.entries.end() && all > 0 && std::abs(entries->second - static_cast<double>(all)) > 0.5)
            errors.push_back(at + "is entered " + std::to_string(all) + " times a query, and expected.json counts on " +
                             std::to_string(std::lround(entries->second)));
    }
}

// FIFOs and ports likewise, and the clock.
static void compare_design(const Memories &memories, const Expected &expected, double clock_mhz, std::vector<std::string> &errors)
{
    auto less = [&](const Object &object, const char *what, int64_t has, long counted) {
        if (has < counted)
            errors.push_back((object.place.file.empty() ? "" : object.place.text() + ": ") + object.name + " has " + what + " " + std::to_string(has) +
                             ", and expected.json counts on " + std::to_string(counted));
    };
    for (const Object *object : memories.objects()) {
        auto depth = expected.depths.find(object->name);
        auto port = expected.ports.find(object->name);
        if (depth != expected.depths.end())
            less(*object, "depth", object->stream ? object->stream_depth : 0, depth->second);
        if (port != expected.ports.end()) {
            less(*object, "bursts of words", object->burst, port->second.first);
            less(*object, "bursts under way", object->outstanding, port->second.second);
        }
    }
    if (expected.clock_mhz > 0 && std::abs(clock_mhz - expected.clock_mhz) > 1e-6 * expected.clock_mhz)
        errors.push_back("hls_config.cfg: a clock of " + std::to_string(clock_mhz) + " MHz, and expected.json counts on " +
                         std::to_string(expected.clock_mhz));
}

// The arguments that are ports to memory.
static std::set<std::string> ports_of(const Memories &memories)
{
    std::set<std::string> out;
    for (const Object *object : memories.objects())
        if (object->port())
            out.insert(object->name);
    return out;
}

// The innermost function of side-by-side calls that the loop was inlined into, and the call with the loop.
static void find_region(const llvm::Loop &loop, const Program &program, LoopReport &report)
{
    std::string inner;
    llvm::DebugLoc start = loop.getStartLoc();
    for (const llvm::DILocation *at = start.get(); at != nullptr; at = at->getInlinedAt()) {
        std::string name = at->getScope()->getSubprogram()->getName().str();
        bool found = !report.region.empty();
        if (!inner.empty() && program.alternating.count(name) != 0)
            return; // for one graph its steps follow one another
        if (found) {
            report.beside = program.dataflow.count(name) != 0;
            return;
        }
        if (!inner.empty() && program.dataflow.count(name) != 0) {
            report.region = name;
            report.process = inner;
        }
        inner = name;
    }
}

// Whether each iteration of the loop is a query: its function runs its calls side by side in this loop.
static bool of_queries(const llvm::Loop &loop, const Program &program)
{
    const llvm::DebugLoc start = loop.getStartLoc();
    return start && program.alternating.count(start->getScope()->getSubprogram()->getName().str()) != 0;
}

// How often a query enters it: the product of the iterations of the loops around it. -1 unless each is known and no iteration skips it.
static long entries_of(const llvm::Loop &loop, const Program &program, llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators)
{
    long out = 1;
    for (const llvm::Loop *inner = &loop, *around = loop.getParentLoop(); around != nullptr && !of_queries(*around, program); inner = around, around = around->getParentLoop()) {
        const llvm::BranchInst *guard = inner->getLoopGuardBranch();
        const llvm::BasicBlock *first = guard != nullptr ? guard->getParent() : inner->getHeader();
        unsigned trips = evolution.getSmallConstantTripCount(around);
        if (trips == 0 || around->getLoopLatch() == nullptr || !dominators.dominates(first, around->getLoopLatch()))
            return -1;
        out *= static_cast<long>(trips);
    }
    return out;
}

static bool touches_stream(const llvm::Loop &loop, Memories &memories)
{
    for (llvm::BasicBlock *block : loop.blocks())
        for (llvm::Instruction &instruction : *block)
            for (const Access &access : memories.accesses(instruction))
                if (access.object != nullptr && access.object->stream)
                    return true;
    return false;
}

// The cycles that syn.op gives its operators. Loops by other cycles than the models count on are other loops, whether or not an II breaks.
static void replace_operators(const Configuration &configuration, const Expected &expected, Latencies &latencies, std::vector<std::string> &errors)
{
    for (const auto &given : configuration.operators) {
        double *latency = latencies.find(given.first);
        if (expected.there && *latency != given.second.cycles) {
            std::ostringstream text;
            text << given.second.place.text() << ": syn.op: " << given.first << " takes " << given.second.cycles << " cycles, and expected.json counts on " << *latency;
            errors.push_back(text.str());
        }
        *latency = given.second.cycles;
    }
}

static int check(const Options &options)
{
    std::vector<std::string> errors, unanalysed;
    Configuration configuration = read_configuration(options.folder, errors, unanalysed);
    Options here = options;
    Expected expected = read_expected(here);
    if (!expected.there)
        unanalysed.push_back("expected.json: missing: the counts of the models are not checked");
    replace_operators(configuration, expected, here.latencies, errors);
    here.latencies.period_ns = 1e3 / configuration.clock_mhz;
    here.latencies.uncertainty = configuration.uncertainty;
    Program program = build_program(here, configuration, unanalysed);
    llvm::Function &top = *program.top;
    llvm::TargetLibraryInfoImpl library_info;
    llvm::TargetLibraryInfo library(library_info);
    llvm::AssumptionCache assumptions(top);
    llvm::DominatorTree dominators(top);
    llvm::LoopInfo loops(dominators);
    llvm::ScalarEvolution evolution(top, library, assumptions, dominators, loops);
    Memories memories(top, evolution, errors, unanalysed);
    std::vector<LoopReport> reports, outer;
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
        long claimed, trips;
        std::string name = loop_name(*loop, loops, &claimed, &trips);
        if (!loop->getSubLoops().empty()) {
            if (claimed > 0)
                errors.push_back(place_of(loop->getStartLoc()).text() + ": loop " + name +
                                 " is to be pipelined, and a loop in it cannot be unrolled");
            LoopReport &report = outer.emplace_back();
            report.name = name;
            report.claimed = claimed;
            report.place = place_of(loop->getStartLoc());
            continue;
        }
        LoopReport report = bound_loop(*loop, claimed, loops, memories, evolution, here.latencies, unanalysed);
        report.name = name;
        report.claimed = claimed;
        report.engine = name.substr(0, name.find('_'));
        if (report.trips < 0)
            report.trips = trips;
        if (loop->getParentLoop() != nullptr)
            report.parent = loop_name(*loop->getParentLoop(), loops, &claimed, &trips);
        report.entries = entries_of(*loop, program, evolution, dominators);
        find_region(*loop, program, report);
        report.streams = touches_stream(*loop, memories);
        reports.push_back(report);
    }
    compare_claims(reports, true, expected, errors);
    compare_claims(outer, false, expected, errors);
    compare_design(memories, expected, configuration.clock_mhz, errors);
    program.directives.compare(options.folder, errors, unanalysed);
    program.directives.check_interfaces(errors);
    check_types(program.included, expected, errors);
    const auto numbers = static_cast<size_t>(std::count_if(top.arg_begin(), top.arg_end(), [](const llvm::Argument &argument) { return !argument.getType()->isPointerTy(); }));
    const size_t wires = numbers - std::min(numbers, memories.numbers.size());
    check_configurations(options.folder, configuration, expected, ports_of(memories), wires, errors, unanalysed);
    check_copies(top, memories, errors);
    check_design(top, program, memories, loops, evolution, errors, unanalysed);
    bool bad = !errors.empty() || std::any_of(reports.begin(), reports.end(), [](const LoopReport &loop) {
        return loop.claimed > 0 && loop.claimed < loop.bound;
    });
    print_report(configuration, reports, errors, unanalysed);
    return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
    Options options;
    const char *own[] = {"nysx-hls-check", "-pragma-unroll-threshold=2000000"};
    for (int i = 1; i < argc; i++) {
        const char *equals = std::strchr(argv[i], '=');
        if (std::strcmp(argv[i], "--clang") == 0 && i + 1 < argc) {
            options.clang = argv[++i];
        } else if (std::strcmp(argv[i], "--latency") == 0 && i + 1 < argc && (equals = std::strchr(argv[i + 1], '=')) != nullptr) {
            std::string name(argv[i + 1], static_cast<size_t>(equals - argv[i + 1]));
            double *latency = options.latencies.find(name);
            if (latency == nullptr) {
                std::fprintf(stderr, "nysx-hls-check: --latency %s: no operator of that name\n", argv[i + 1]);
                return 2;
            }
            *latency = std::strtod(equals + 1, nullptr);
            i++;
        } else if (argv[i][0] != '-' && options.folder.empty()) {
            options.folder = argv[i];
        } else {
            std::fprintf(stderr, "usage: nysx-hls-check [--clang PROGRAM] [--latency NAME=CYCLES] FOLDER\n");
            return 2;
        }
    }
    if (options.folder.empty()) {
        std::fprintf(stderr, "usage: nysx-hls-check [--clang PROGRAM] [--latency NAME=CYCLES] FOLDER\n");
        return 2;
    }
    llvm::cl::ParseCommandLineOptions(2, own);
    try {
        return check(options);
    } catch (const Failure &failure) {
        std::fprintf(stderr, "nysx-hls-check: %s\n", failure.message.c_str());
        return failure.code;
    }
}
