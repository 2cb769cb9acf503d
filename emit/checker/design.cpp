// FIFOs, interfaces and storage of the whole design.
#include <algorithm>

#include "checker.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace checker {

namespace {

struct Uses {
    std::vector<Access> reads, writes;
};

// The call of an instruction's process, in a function that runs its calls side by side; null for none.
const DILocation *process_of(const DILocation *location, const std::set<std::string> &dataflow)
{
    while (location != nullptr && dataflow.count(location->getScope()->getSubprogram()->getName().str()) == 0)
        location = location->getInlinedAt();
    return location;
}

// Loops around an instruction that belong to the process, not to its caller: their own place is in the process's call.
std::vector<const Loop *> loops_of_process(const Instruction &instruction, const LoopInfo &loops,
                                           const std::set<std::string> &dataflow)
{
    const DILocation *process = process_of(instruction.getDebugLoc().get(), dataflow);
    std::vector<const Loop *> out;
    for (const Loop *loop = loops.getLoopFor(instruction.getParent()); loop != nullptr; loop = loop->getParentLoop()) {
        if (process == nullptr || process_of(loop->getStartLoc().get(), dataflow) != process)
            break;
        out.push_back(loop);
    }
    return out;
}

// Words that an iteration takes: the different constants of their indices.
int64_t words_a_turn(const std::vector<Access> &accesses)
{
    std::set<int64_t> all;
    for (const Access &access : accesses)
        for (size_t d = 0; d < access.index.size(); d++)
            if (!access.object->dimensions[d].inner && access.object->dimensions[d].partition != "complete")
                all.insert(access.index[d].constant);
    return std::max<int64_t>(1, static_cast<int64_t>(all.size()));
}

// Whether two pointers are known from constants to be the same place.
bool same_place(const Value *a, const Value *b, const DataLayout &layout)
{
    APInt first(64, 0), second(64, 0);
    a = a->stripAndAccumulateConstantOffsets(layout, first, true);
    b = b->stripAndAccumulateConstantOffsets(layout, second, true);
    return a == b && first == second;
}

// Whether a value is the counter: carried by the loop, or loaded from the counter's own place.
bool is_counter(const Value *value, const Instruction &counter)
{
    const auto *load = dyn_cast<LoadInst>(value), *place = dyn_cast<LoadInst>(&counter);
    return value == &counter || (load != nullptr && place != nullptr &&
                                 same_place(load->getPointerOperand(), place->getPointerOperand(), counter.getModule()->getDataLayout()));
}

// The steps by which a loop's counter advances in an iteration, one for each path through the loop. A step that is no whole number is -1.
void add_steps(const Value *value, const Instruction &counter, int64_t so_far, unsigned left, std::set<int64_t> &out)
{
    const auto *sum = dyn_cast<BinaryOperator>(value);
    if (is_counter(value, counter)) {
        out.insert(so_far);
    } else if (left == 0) {
        out.insert(-1);
    } else if (const auto *choice = dyn_cast<SelectInst>(value)) {
        add_steps(choice->getTrueValue(), counter, so_far, left - 1, out);
        add_steps(choice->getFalseValue(), counter, so_far, left - 1, out);
    } else if (const auto *phi = dyn_cast<PHINode>(value)) {
        for (const Value *way : phi->incoming_values())
            add_steps(way, counter, so_far, left - 1, out);
    } else if (sum != nullptr && sum->getOpcode() == Instruction::Add) {
        const Value *by = sum->getOperand(1);
        if (const auto *constant = dyn_cast<ConstantInt>(by)) {
            add_steps(sum->getOperand(0), counter, so_far + constant->getSExtValue(), left - 1, out);
        } else if (isa<ZExtInst>(by) && cast<ZExtInst>(by)->getOperand(0)->getType()->isIntegerTy(1)) {
            add_steps(sum->getOperand(0), counter, so_far, left - 1, out);
            add_steps(sum->getOperand(0), counter, so_far + 1, left - 1, out);
        } else {
            out.insert(-1);
        }
    } else {
        out.insert(-1);
    }
}

// The same for a symbol of an index, if it is a counter of the loop.
std::set<int64_t> steps_of(const void *symbol, const Loop &loop)
{
    std::set<int64_t> steps;
    for (const PHINode &phi : loop.getHeader()->phis())
        if (static_cast<const void *>(&phi) == symbol && loop.getLoopLatch() != nullptr)
            add_steps(phi.getIncomingValueForBlock(loop.getLoopLatch()), phi, 0, 16, steps);
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block)
            if (const auto *load = dyn_cast<LoadInst>(&instruction))
                if (static_cast<const void *>(load) == symbol)
                    for (const BasicBlock *other : loop.blocks())
                        for (const Instruction &writer : *other)
                            if (const auto *store = dyn_cast<StoreInst>(&writer))
                                if (same_place(store->getPointerOperand(), load->getPointerOperand(), load->getModule()->getDataLayout()))
                                    add_steps(store->getValueOperand(), *load, 0, 16, steps);
    return steps;
}

// Whether each word is accessed once, in order. Either the index is the innermost loop's own count, and no loop of the process is around it. Or it is
// a counter that advances by one per word and is never reset inside the process.
bool in_sequence(const Access &access, const std::vector<const Loop *> &around, int64_t a_turn)
{
    size_t sequence = access.index.size();
    for (size_t d = 0; d < access.index.size(); d++)
        if (!access.object->dimensions[d].inner && access.object->dimensions[d].partition != "complete")
            sequence = d;
    if (sequence == access.index.size())
        return true;
    const Linear &index = access.index[sequence];
    if (around.empty())
        return true;
    auto own = index.terms.find(around.front());
    if (own != index.terms.end())
        return own->second == a_turn && (around.size() == 1 || index.terms.size() > 1);
    for (const auto &term : index.terms)
        for (int64_t step : steps_of(term.first, *around.front()))
            if (step != 0 && step != a_turn)
                return false;
    return index.terms.size() == 1;
}

// Whether a loop that is not the process's outermost resets the symbol each time that it is entered. The symbol is its own count, or a counter of its
// own that starts with a constant.
bool starts_again(const void *symbol, const std::vector<const Loop *> &around)
{
    for (const Loop *loop : around) {
        if (loop == around.back())
            return false;
        if (symbol == loop)
            return true;
        for (const PHINode &phi : loop->getHeader()->phis())
            if (static_cast<const void *>(&phi) == symbol && loop->getLoopPreheader() != nullptr)
                return isa<Constant>(phi.getIncomingValueForBlock(loop->getLoopPreheader()));
    }
    return false;
}

// If an index consists only of a counter that an outer loop of the process resets, a second pass starts.
bool set_back(const Access &access, const std::vector<const Loop *> &around)
{
    return std::any_of(access.index.begin(), access.index.end(), [&](const Linear &index) {
        return index.terms.size() == 1 && starts_again(index.terms.begin()->first, around);
    });
}

void check_stream(Object &fifo, Uses &uses, const Program &program, LoopInfo &loops, std::vector<std::string> &errors)
{
    std::string at = fifo.place.text() + ": FIFO " + fifo.name + " ";
    unsigned called[2] = {0, 0}; // the lines that call the reading process, and the writing one
    const DILocation *calls[2] = {nullptr, nullptr};
    for (int way = 0; way < 2; way++) {
        std::set<const Loop *> where;
        std::set<unsigned> processes;
        const char *does = way == 0 ? "read" : "written";
        const auto a_turn = words_a_turn(way == 0 ? uses.reads : uses.writes);
        for (Access &access : way == 0 ? uses.reads : uses.writes) {
            const DILocation *process = process_of(access.instruction->getDebugLoc().get(), program.dataflow);
            unsigned line = process != nullptr ? process->getLine() : 0;
            if (process == nullptr)
                errors.push_back(at + "is " + does + " outside of the processes");
            processes.insert(line);
            called[way] = line;
            calls[way] = process;
            auto around = loops_of_process(*access.instruction, loops, program.dataflow);
            where.insert(around.empty() ? nullptr : around.front());
            if (!in_sequence(access, around, a_turn) || set_back(access, around))
                errors.push_back(at + "is " + does + " otherwise than each word once and in order, at " +
                                 place_of(access.instruction->getDebugLoc()).text());
        }
        if (where.size() > 1)
            errors.push_back(at + "is " + does + " in " + std::to_string(where.size()) + " loops: a word is there once");
        if (processes.size() > 1)
            errors.push_back(at + "is " + does + " by " + std::to_string(processes.size()) + " processes");
        if ((way == 0 ? uses.reads : uses.writes).empty())
            errors.push_back(at + "is never " + does);
    }
    if (calls[0] != nullptr && calls[0] == calls[1])
        errors.push_back(at + "is written and read by one process");
    if (called[1] > called[0] && called[0] > 0)
        errors.push_back(at + "is read by a process that is called before the one that writes it: channels go forward");
}

// An array that one process writes and another touches, and that is no FIFO, is two memories that are exchanged when both processes have ended. The
// reader starts when the last word is written, and the two do not overlap. A region that is called at several places counts once for each. In a loop
// the two work on different iterations, if the array is the iteration's and goes from one process to a later one.
void check_channel(const Object &object, const Uses &uses, const Program &program, std::vector<std::string> &errors)
{
    std::map<const DILocation *, std::map<unsigned, std::string>> writers, all; // regions, with the places of their processes
    std::map<const DILocation *, bool> alternates;
    for (const std::vector<Access> *of : {&uses.reads, &uses.writes})
        for (const Access &access : *of)
            if (const DILocation *at = process_of(access.instruction->getDebugLoc().get(), program.dataflow)) {
                std::string place = place_of(at).text();
                all[at->getInlinedAt()][at->getLine()] = place;
                alternates[at->getInlinedAt()] = program.alternating.count(at->getScope()->getSubprogram()->getName().str()) != 0;
                if (access.write)
                    writers[at->getInlinedAt()][at->getLine()] = place;
            }
    for (const auto &region : writers) {
        bool forward = region.second.size() == 1 && all[region.first].begin()->first == region.second.begin()->first;
        if (all[region.first].size() > 1 && !(forward && all[region.first].size() == 2 && alternates[region.first] && !isa<GlobalVariable>(object.base)))
            errors.push_back(all[region.first].rbegin()->second + ": " + object.name + " is written by the process of " +
                             region.second.begin()->second + " and used by this one, and is no FIFO: one waits until the other has ended");
    }
}

// The number of words that the FIFO must hold so that its producer does not stop. One word in each direction, or a whole burst if the producer reads
// bursts from memory.
int64_t depth_needed(const Uses &uses, Memories &memories, LoopInfo &loops)
{
    int64_t need = 2;
    for (const Access &write : uses.writes) {
        const Loop *loop = loops.getLoopFor(write.instruction->getParent());
        if (loop == nullptr)
            continue;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &instruction : *block)
                for (const Access &access : memories.accesses(instruction))
                    if (access.object != nullptr && access.object->port() && !access.write)
                        need = std::max(need, access.object->burst);
    }
    return need;
}

// The largest value of an index, or -1 if it is unknown.
int64_t largest(const SCEV *expression, const Loop *loop, ScalarEvolution &evolution)
{
    if (loop != nullptr)
        expression = evolution.applyLoopGuards(expression, loop);
    APInt most = evolution.getUnsignedRangeMax(expression);
    return most.uge(INT32_MAX) ? -1 : static_cast<int64_t>(most.getZExtValue()); // an int of which only the sign is known
}

// Whether every iteration reaches the instruction: a condition in the loop may keep the index below its range.
bool always(const Instruction &instruction, const LoopInfo &loops, const DominatorTree &dominators)
{
    const Loop *loop = loops.getLoopFor(instruction.getParent());
    return loop == nullptr || loop->getLoopLatch() == nullptr || dominators.dominates(instruction.getParent(), loop->getLoopLatch());
}

void check_interface(Object &port, Uses &uses, LoopInfo &loops, const DominatorTree &dominators, ScalarEvolution &evolution, std::vector<std::string> &errors,
                     std::vector<std::string> &unanalysed)
{
    int64_t most = -1;
    for (const Access &access : uses.reads) {
        const Value *pointer = nullptr;
        if (auto *load = dyn_cast<LoadInst>(access.instruction))
            pointer = load->getPointerOperand();
        else if (auto *copy = dyn_cast<MemTransferInst>(access.instruction))
            pointer = copy->getSource();
        if (pointer == nullptr)
            continue;
        const SCEV *address = evolution.getSCEV(const_cast<Value *>(pointer));
        const SCEV *offset = evolution.getMinusSCEV(address, evolution.getSCEV(const_cast<Value *>(port.base)));
        int64_t bytes = isa<SCEVCouldNotCompute>(offset) ? -1
                            : largest(offset, loops.getLoopFor(access.instruction->getParent()), evolution);
        if (bytes < 0 || (bytes / port.dimensions[0].stride_bytes >= port.interface_depth && !always(*access.instruction, loops, dominators)))
            unanalysed.push_back(place_of(access.instruction->getDebugLoc()).text() + ": how far into " + port.name +
                                 " is read: only C simulation can tell");
        else
            most = std::max(most, bytes / port.dimensions[0].stride_bytes);
    }
    if (most >= port.interface_depth)
        errors.push_back(port.place.text() + ": interface " + port.name + " has depth " + std::to_string(port.interface_depth) +
                         ", and element " + std::to_string(most) + " is read");
}

void check_storage(const Object &object, std::vector<std::string> &errors)
{
    std::string at = object.place.text() + ": " + object.name + " ";
    bool rom = object.storage.rfind("rom", 0) == 0;
    if (object.impl == "uram" && (rom || object.constant || object.initialised))
        errors.push_back(at + "has contents from the start and is bound to URAM, which takes none");
    if (object.latency > object.read_cycles())
        errors.push_back(at + "takes " + std::to_string(object.latency) + " cycles to read, and the models count on " + std::to_string(object.read_cycles()));
    if (rom && object.written)
        errors.push_back(at + "is written and bound to " + object.storage);
    if (object.storage.rfind("ram", 0) == 0 && object.constant)
        errors.push_back(at + "is constant and bound to " + object.storage);
}

} // namespace

// A piece that the compiler splits from a struct in registers (LLVM's SROA): no array of the source, so that copying it takes no loop.
static bool is_piece(const Object &object)
{
    return !object.directed && isa<AllocaInst>(object.base) && object.base->getName().contains(".sroa.");
}

void check_copies(Function &top, Memories &memories, std::vector<std::string> &errors)
{
    for (Instruction &instruction : instructions(top)) {
        const auto *set = dyn_cast<MemIntrinsic>(&instruction);
        const auto *length = set != nullptr ? dyn_cast<ConstantInt>(set->getLength()) : nullptr;
        const Object *object = nullptr;
        int64_t words = 1;
        bool one = false; // word of a port or of an array of structs is copied
        for (const Access &access : set != nullptr ? memories.accesses(instruction) : std::vector<Access>{})
            if (access.object != nullptr && !access.object->registers && !is_piece(*access.object)) {
                int64_t word = 0; /* the contents of a struct in the array are one */
                for (const Dimension &dimension : access.object->dimensions)
                    word = dimension.inner ? word : dimension.stride_bytes;
                bool structs = !access.object->dimensions.empty() && access.object->dimensions.back().inner;
                one = one || (structs && length != nullptr && static_cast<int64_t>(length->getZExtValue()) <= word);
                if (word == 0)
                    continue;
                int64_t these = length != nullptr ? (static_cast<int64_t>(length->getZExtValue()) + word - 1) / word : INT64_MAX;
                if (these > words) {
                    words = these;
                    object = access.object;
                }
            }
        if (object != nullptr && !one)
            errors.push_back(place_of(instruction.getDebugLoc()).text() + ": " + object->name + " is set or copied " +
                             (length == nullptr ? "word by word" : "in " + std::to_string(words) + " words") +
                             ": a loop that expected.json counts nowhere");
    }
}

void check_design(Function &top, const Program &program, Memories &memories, LoopInfo &loops, ScalarEvolution &evolution,
                  std::vector<std::string> &errors, std::vector<std::string> &unanalysed)
{
    std::map<Object *, Uses, InOrder> uses;
    const DominatorTree dominators(top);
    for (Instruction &instruction : instructions(top))
        for (const Access &access : memories.accesses(instruction))
            if (access.object != nullptr)
                (access.write ? uses[access.object].writes : uses[access.object].reads).push_back(access);
    std::map<std::string, std::vector<std::string>> readers;
    for (Object *object : memories.objects()) {
        Uses &of = uses[object];
        if (object->stream) {
            check_stream(*object, of, program, loops, errors);
            int64_t need = depth_needed(of, memories, loops);
            if (object->stream_depth < need)
                errors.push_back(object->place.text() + ": FIFO " + object->name + " has depth " +
                                 std::to_string(object->stream_depth) + ", and needs " + std::to_string(need));
        }
        if (object->port()) {
            check_interface(*object, of, loops, dominators, evolution, errors, unanalysed);
            if (!of.reads.empty())
                readers[object->bundle].push_back(object->name);
            else if (of.writes.empty())
                errors.push_back(object->place.text() + ": port " + object->name + " is not used");
        }
        if (!object->stream && !object->port() && !object->constant && !object->dimensions.empty())
            check_channel(*object, of, program, errors);
        if (isa<Argument>(object->base) && !object->directed)
            errors.push_back("argument " + object->name + " has no INTERFACE: the tool makes a memory port of its own idea of it");
        check_storage(*object, errors);
    }
    for (const auto &bundle : readers)
        if (bundle.second.size() > 1)
            errors.push_back("bundle " + bundle.first + ": read by " + std::to_string(bundle.second.size()) +
                             " arguments, first " + bundle.second[0] + " and " + bundle.second[1] +
                             ": they share one port, and none of them gets bursts");
}

} // namespace checker
