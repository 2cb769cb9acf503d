// The checker of emitted designs. It compares the claims of a source's directives with the best schedule that the source can reach. It reads a folder
// that `nysx-dse emit` wrote; hls_config.cfg names sources, top and clock. Each source is compiled to LLVM's intermediate form with the directives
// carried along as calls. It is inlined and unrolled as the directives ask, and each pipelined loop is bounded. Rules and their sources:
// docs/reference/hls.md, "What the checker holds a design to".
//
// configuration.cpp  hls_config.cfg, ip_config.cfg, link_config.cfg
// clang.cpp   runs of the compiler
// source.cpp  preprocessing, directives as calls, the names of loops
// directives.cpp  the source's directives against directives.tcl
// program.cpp one module of all sources: linked, inlined, unrolled
// memory.cpp  objects, directives on them, addresses as linear forms, banks
// loop.cpp    ports, recurrences and depth of one loop
// design.cpp  FIFOs, interfaces, storage
// main.cpp    options, the report
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace checker {

// An error without which no report is possible: a missing program, or a wrong folder. Exit code 4 or 3.
struct Failure {
    int code;
    std::string message;
};

// Cycles of operators at the design's clock, and the operators that fit into one cycle. Set by --latency NAME=CYCLES.
struct Latencies {
    double fadd = 5, fmul = 3, fdiv = 12, dadd = 6, dmul = 7, ddiv = 30, to_float = 4, from_float = 4, multiply = 3;
    double memory_read = 0; // from the request on a memory port to its first word
    double period_ns = 3.33, uncertainty = 0.27;
    double *find(const std::string &name); // the cycles of that name, or null
};

struct Options {
    std::string folder, clang = DSE_CLANG;
    Latencies latencies;
};

// "HLS PIPELINE II=1": the kind in capitals, options as written.
struct Pragma {
    std::string kind;
    std::map<std::string, std::string> options;
    std::string option(const std::string &name, const std::string &otherwise = "") const;
    long number(const std::string &name, long otherwise) const;
};
Pragma parse_pragma(const std::string &text);

// A place in the source: "lshu.c:58".
struct Place {
    std::string file;
    unsigned line = 0;
    std::string text() const;
};
Place place_of(const llvm::DebugLoc &location);

// The contents of hls_config.cfg.
struct Configuration {
    std::vector<std::string> files, flags; // flags: -I, -D, -U
    std::string top, part, flow = "vivado", format = "ip_catalog"; // flow, format: the tool's defaults
    double clock_mhz = 300.0, uncertainty = 0.27; // uncertainty: share of the period that the tool leaves free
    struct Given {
        double cycles = 0;
        Place place;
    };
    std::map<std::string, Given> operators; // cycles that syn.op gives, instead of expected.json's
};
Configuration read_configuration(const std::string &folder, std::vector<std::string> &errors, std::vector<std::string> &unanalysed);

// The expectations of the folder's expected.json.
struct Expected {
    bool there = false;
    std::map<std::string, long> intervals, depths; // intervals of loops, 0: none is claimed; depths of FIFOs
    std::map<std::string, double> trips, entries;  // loops: iterations per entry, and entries per call that has any
    std::map<std::string, std::pair<long, long>> ports; // words of a burst, and bursts under way
    std::map<std::string, std::vector<std::string>> memories; // memory of each unit, per port
    std::map<std::string, std::string> types;                 // plain ones, by their names
    std::string part;
    long units = 0;
    double clock_mhz = 0;
};

// ip_config.cfg and link_config.cfg against hls_config.cfg, expected.json, and the top's memory ports by name.
void check_configurations(const std::string &folder, const Configuration &configuration, const Expected &expected,
                          const std::set<std::string> &ports, size_t wires, std::vector<std::string> &errors, std::vector<std::string> &unanalysed);

// The directives of the source, each place of it once.
class Directives {
public:
    // `label`: of the loop that contains the directive, for a loop's directive.
    void add(const Place &place, const std::string &text, const std::string &label);
    // Compares with the folder's directives.tcl, if it has that file.
    void compare(const std::string &folder, std::vector<std::string> &errors, std::vector<std::string> &unanalysed) const;
    // The top's ports as a platform sees them: memory whose address the host sets, and registers, control among them.
    void check_interfaces(std::vector<std::string> &errors) const;
    static std::string spelling(Pragma pragma, const std::string &label);

private:
    std::set<std::tuple<std::string, unsigned, std::string>> seen;
    std::map<std::string, int> counts;
};

// The names of loops by file and line of their `for`.
using LoopNames = std::map<std::pair<std::string, unsigned>, std::string>;

bool is_cpp(const std::string &file);
std::string quoted(const std::string &text); // a word for the shell
// Runs clang with the driver's options over these paths. With -o - the outputs, one after another, are returned; without -o each lies beside its path.
// `files` are their names in messages, `why` what follows an error of clang.
std::string clang_over(const Options &options, const std::string &driver, const std::vector<std::string> &paths, const std::vector<std::string> &files,
                       const std::string &why);

// Texts of sources of one language, as synthesis sees them.
std::vector<std::string> preprocess(const Options &options, const Configuration &configuration, const std::vector<std::string> &files);
// A preprocessed source with its directives as calls of __hls_pragma. `included`: its files.
std::string carry_pragmas(const std::string &file, const std::string &text, LoopNames &names, std::set<std::string> &included, Directives &directives,
                          std::vector<std::string> &unanalysed);
void check_types(const std::set<std::string> &included, const Expected &expected, std::vector<std::string> &errors);

struct Program {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
    llvm::Function *top = nullptr;
    std::set<std::string> dataflow; // functions whose calls run side by side
    std::set<std::string> alternating; // those with a loop whose calls do so: each call on its own iteration, arrays between calls with two memories
    std::set<std::string> included; // files of the source
    Directives directives;
};

// All sources in one function. Loops below a pipelined one and those with UNROLL are unrolled. Pipelined loops keep a call that carries their
// directive, every other loop one with its name (LOOP name=…).
Program build_program(const Options &options, const Configuration &configuration, std::vector<std::string> &unanalysed);

// The source's variable of an alloca; null for a temporary of the compiler.
llvm::DILocalVariable *variable_of(const llvm::AllocaInst &alloca);

// The text that a __hls_pragma call carries, or "" for any other instruction.
std::string carried_text(const llvm::Instruction &instruction);

// A sum of symbols with whole factors, and a constant. Widths are assumed to suffice. An index that wraps is a separate error, which C simulation
// with sanitizers finds.
struct Linear {
    std::map<const void *, int64_t> terms;
    int64_t constant = 0;
    void add(const Linear &other, int64_t factor);
    bool same_terms(const Linear &other) const { return terms == other.terms; }
};

struct Dimension {
    int64_t size, stride_bytes;
    std::string partition; // "", "cyclic", "block", "complete"
    int64_t factor = 0;
    bool reshaped = false, inner = false; // inner: of a struct in the array, aggregated into a word
};

// The source of a memory, a FIFO or a port of the hardware: an array, or an array in a struct.
struct Object {
    const llvm::Value *base = nullptr;
    size_t number = 0;        // objects before it: their order, which addresses have not
    int64_t field_offset = 0; // bytes, of a member
    std::string name;
    std::vector<Dimension> dimensions;
    int64_t element_bytes = 4;
    bool constant = false, stream = false, aggregated = false, registers = false, written = false, initialised = false;
    bool directed = false;   // a directive names the object
    bool no_carried = false; // DEPENDENCE inter false
    int64_t distance = 0;    // DEPENDENCE inter distance
    int64_t stream_depth = 0, latency = -1; // latency: cycles of a read, if BIND_STORAGE gives them
    int64_t read_cycles() const { return impl == "uram" ? 2 : 1; } // assumed by the models
    std::string storage, impl, bundle; // BIND_STORAGE type and impl; INTERFACE m_axi
    int64_t interface_depth = 0, burst = 0, outstanding = 0; // burst: words; outstanding: bursts that may be under way
    Place place;
    bool port() const { return !bundle.empty(); }
};

// Order of objects, so that a report is the same each time.
struct InOrder {
    bool operator()(const Object *a, const Object *b) const { return a->number < b->number; }
};

// A load, a store, or either side of a copy.
struct Access {
    llvm::Instruction *instruction;
    Object *object;
    bool write;
    std::vector<Linear> index; // a dimension each
    bool known = true;         // otherwise the address cannot be analysed
};

class Memories {
public:
    Memories(llvm::Function &function, llvm::ScalarEvolution &evolution, std::vector<std::string> &errors,
             std::vector<std::string> &unanalysed);
    // The accesses of an instruction: none, one, or two for a copy.
    std::vector<Access> accesses(llvm::Instruction &instruction);
    Linear linear(const llvm::SCEV *expression) const;
    // Whether a symbol of a linear form keeps its value while the loop runs.
    bool invariant(const void *symbol, const llvm::Loop &loop) const;
    const llvm::SCEV *expression(const void *symbol) const; // or nullptr
    std::vector<Object *> objects() const;
    std::set<std::string> numbers; // arguments that are registers by an INTERFACE, and no memory
    std::vector<std::string> &errors, &unanalysed;

private:
    struct Address {
        const llvm::Value *base = nullptr;
        int64_t offset = 0;
        std::vector<std::pair<int64_t, const llvm::Value *>> terms; // stride in bytes, index
    };
    bool resolve(const llvm::Value *pointer, Address &out) const;
    void resolve_all(const llvm::Value *pointer, Address so_far, unsigned forks, std::vector<Address> &out) const;
    void find_registers();
    Object *object_of(const Address &address);
    void apply(const Pragma &pragma, Object &object, const Place &place);
    bool index_of(const Address &address, const Object &object, std::vector<Linear> &index) const;

    llvm::Function &function;
    llvm::ScalarEvolution &evolution;
    std::map<std::pair<const llvm::Value *, int64_t>, std::unique_ptr<Object>> known;
    mutable std::map<const void *, const llvm::SCEV *> symbols; // null for a loop's own count
};

struct LoopReport {
    std::string engine, name, by;
    Place place;
    long claimed = 0, bound = 1, depth = 1; // claimed 0: no directive
    long trips = -1;                        // -1: known at run time only
    bool fixed = false;                     // the source fixes the trips, equal in every entry
    long entries = -1;                      // per query, if the loops around it suffice to tell
    std::string parent;                     // the enclosing loop
    std::string region, process;            // the function whose calls run side by side, and the call with the loop
    bool streams = false;                   // the loop reads or writes a FIFO
    bool beside = false;                    // other calls of the region run side by side with this one
    double clock_mhz = 0;                   // highest with the claimed interval; 0: combinational operators limit none of its recurrences
};

// The bound of an innermost loop, the depth of its pipeline, and the highest clock at which it reaches `claimed` (0: the bound).
LoopReport bound_loop(llvm::Loop &loop, long claimed, llvm::LoopInfo &loops, Memories &memories, llvm::ScalarEvolution &evolution,
                      const Latencies &latencies, std::vector<std::string> &unanalysed);

// FIFOs, interfaces and storage of the whole design.
void check_design(llvm::Function &top, const Program &program, Memories &memories, llvm::LoopInfo &loops,
                  llvm::ScalarEvolution &evolution, std::vector<std::string> &errors,
                  std::vector<std::string> &unanalysed);

// Sets and copies of more than one word of a memory, which synthesis converts to loops.
void check_copies(llvm::Function &top, Memories &memories, std::vector<std::string> &errors);

// The loop's name in its carried call, with its PIPELINE directive's II (0: none).
std::string loop_name(const llvm::Loop &loop, const llvm::LoopInfo &loops, long *claimed, long *trips);

} // namespace checker
