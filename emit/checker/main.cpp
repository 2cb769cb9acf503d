// Options, the report: JSON on standard output, exit 1 where a claim is below its bound or a rule is broken.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "checker.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace checker;

static std::string json(const std::string &text)
{
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
    return out + "\"";
}

static void print_list(const char *name, std::vector<std::string> &list)
{
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::printf(" \"%s\": [", name);
    for (size_t i = 0; i < list.size(); i++)
        std::printf("%s\n  %s", i == 0 ? "" : ",", json(list[i]).c_str());
    std::printf("]");
}

static void print_loop(const LoopReport &loop, bool first)
{
    std::printf("%s\n  {\"engine\": %s, \"loop\": %s, \"claimed_ii\": ", first ? "" : ",", json(loop.engine).c_str(),
                json(loop.name).c_str());
    if (loop.claimed > 0)
        std::printf("%ld", loop.claimed);
    else
        std::printf("null");
    std::printf(", \"bound_ii\": %ld, \"by\": %s, \"depth\": %ld, \"trips\": ", loop.bound, json(loop.by).c_str(), loop.depth);
    if (loop.trips >= 0)
        std::printf("%ld", loop.trips);
    else
        std::printf("null");
    std::printf(", \"inside\": %s, \"region\": %s, \"process\": %s, \"streams\": %s, \"at\": %s}", json(loop.parent).c_str(),
                json(loop.region).c_str(), json(loop.process).c_str(), loop.streams ? "true" : "false",
                json(loop.place.text()).c_str());
}

// The operators' cycles and the loops' intervals that the folder's own expected.json names.
static void read_expected(Options &options, std::map<std::string, long> &intervals)
{
    auto buffer = llvm::MemoryBuffer::getFile(options.folder + "/expected.json");
    if (!buffer)
        return;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
    if (!value) {
        llvm::consumeError(value.takeError());
        throw Failure{3, options.folder + "/expected.json: no JSON"};
    }
    const llvm::json::Object *root = value->getAsObject();
    const llvm::json::Object *operators = root != nullptr ? root->getObject("operators") : nullptr;
    if (operators != nullptr)
        for (const auto &entry : *operators)
            if (auto cycles = entry.second.getAsNumber())
                options.latencies.set(entry.first.str(), *cycles);
    const llvm::json::Array *loops = root != nullptr ? root->getArray("loops") : nullptr;
    for (size_t i = 0; loops != nullptr && i < loops->size(); i++)
        if (const llvm::json::Object *loop = (*loops)[i].getAsObject())
            if (auto name = loop->getString("loop"))
                intervals[name->str()] = static_cast<long>(loop->getInteger("ii").getValueOr(0));
}

// A loop must claim what the models count on: no less often, and at all.
static void compare_claims(const std::vector<LoopReport> &reports, const std::map<std::string, long> &intervals,
                           std::vector<std::string> &errors)
{
    for (const LoopReport &loop : reports) {
        auto found = intervals.find(loop.name);
        if (found == intervals.end())
            continue;
        std::string at = loop.place.text() + ": loop " + loop.name + " ";
        if (loop.claimed == 0)
            errors.push_back(at + "has no PIPELINE, and expected.json counts on an iteration every " + std::to_string(found->second));
        else if (loop.claimed > found->second)
            errors.push_back(at + "claims II " + std::to_string(loop.claimed) + ", and expected.json counts on " +
                             std::to_string(found->second));
    }
}

// The innermost function of side by side calls that the loop was inlined into, and which call it is in.
static void find_region(const llvm::Loop &loop, const Program &program, LoopReport &report)
{
    std::string inner;
    llvm::DebugLoc start = loop.getStartLoc();
    for (const llvm::DILocation *at = start.get(); at != nullptr; at = at->getInlinedAt()) {
        std::string name = at->getScope()->getSubprogram()->getName().str();
        if (!inner.empty() && program.dataflow.count(name) != 0) {
            report.region = name;
            report.process = inner;
            return;
        }
        inner = name;
    }
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

static int check(const Options &options)
{
    std::vector<std::string> errors, unanalysed;
    Configuration configuration = read_configuration(options.folder);
    Options here = options;
    std::map<std::string, long> intervals;
    read_expected(here, intervals);
    here.latencies.period_ns = 1e3 / configuration.clock_mhz;
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
            outer.emplace_back();
            outer.back().name = name;
            outer.back().claimed = claimed;
            outer.back().place = place_of(loop->getStartLoc());
            continue;
        }
        LoopReport report = bound_loop(*loop, memories, evolution, here.latencies, unanalysed);
        report.name = name;
        report.claimed = claimed;
        report.engine = name.substr(0, name.find('_'));
        if (report.trips < 0)
            report.trips = trips;
        if (loop->getParentLoop() != nullptr)
            report.parent = loop_name(*loop->getParentLoop(), loops, &claimed, &trips);
        find_region(*loop, program, report);
        report.streams = touches_stream(*loop, memories);
        reports.push_back(report);
    }
    compare_claims(reports, intervals, errors);
    compare_claims(outer, intervals, errors);
    check_design(top, program, memories, loops, evolution, errors, unanalysed);
    bool bad = !errors.empty();
    std::printf("{\"schema\": \"nysx-dse.check/1\",\n \"top\": %s, \"clock_mhz\": %g,\n \"loops\": [",
                json(configuration.top).c_str(), configuration.clock_mhz);
    for (size_t i = 0; i < reports.size(); i++) {
        print_loop(reports[i], i == 0);
        bad = bad || (reports[i].claimed > 0 && reports[i].claimed < reports[i].bound);
    }
    std::printf("],\n");
    print_list("errors", errors);
    std::printf(",\n");
    print_list("unanalysed", unanalysed);
    std::printf("}\n");
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
            if (!options.latencies.set(name, std::strtod(equals + 1, nullptr))) {
                std::fprintf(stderr, "nysx-hls-check: --latency %s: no operator of that name\n", argv[i + 1]);
                return 2;
            }
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
