// Ports, recurrences and depth of one loop.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "checker.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace checker {

#define II_MOST 4096
#define PERIOD_LEAST_NS 0.01 // above any chip's clock
#define PERIOD_MOST_NS 1e3

double *Latencies::find(const std::string &name)
{
    const std::map<std::string, double *> all = {
        {"fadd", &fadd}, {"fmul", &fmul}, {"fdiv", &fdiv}, {"dadd", &dadd}, {"dmul", &dmul}, {"ddiv", &ddiv},
        {"to_float", &to_float}, {"from_float", &from_float}, {"multiply", &multiply}, {"memory_read", &memory_read},
        {"period_ns", &period_ns}, {"uncertainty", &uncertainty}};
    auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

std::string loop_name(const Loop &loop, const LoopInfo &loops, long *claimed, long *trips)
{
    std::string name;
    *claimed = 0;
    *trips = -1;
    for (BasicBlock *block : loop.blocks()) {
        if (loops.getLoopFor(block) != &loop)
            continue;
        for (const Instruction &instruction : *block) {
            Pragma pragma = parse_pragma(carried_text(instruction));
            if (pragma.kind == "LOOP")
                name = pragma.option("name");
            else if (pragma.kind == "PIPELINE" && pragma.options.count("off") == 0)
                *claimed = pragma.number("ii", 1);
            else if (pragma.kind == "LOOP_TRIPCOUNT")
                *trips = pragma.number("max", -1);
        }
    }
    return name;
}

namespace {

// The time of an operator: whole cycles between registers, or a share of a cycle that other operators can fill.
struct Delay {
    double cycles = 0; // whole
    double ns = 0;     // combinational
};

struct Edge {
    unsigned from, to, distance;
};

class Schedule {
public:
    Schedule(Loop &loop_, LoopInfo &loops_, Memories &memories_, const Latencies &latencies_, std::vector<std::string> &unanalysed_)
        : loop(loop_), loops(loops_), memories(memories_), latencies(latencies_), unanalysed(unanalysed_)
    {
        budget_ns = latencies.period_ns * (1.0 - latencies.uncertainty);
        gather();
    }
    void ports(long &bound, std::string &by);
    void recurrences(long &bound, std::string &by);
    long depth() const;
    double clock_mhz(long interval);

private:
    void gather();
    void add_edges();
    void add_memory_edges();
    bool handed_on(const Access &read);
    Delay delay_of(const Instruction &instruction) const;
    double weight(unsigned node) const;
    void terms_of(const Instruction &sum, std::vector<const Value *> &out) const;
    double end_of(double start, const Delay &delay) const;
    std::vector<std::vector<unsigned>> components() const;
    bool feasible(const std::vector<unsigned> &component, const std::vector<std::vector<Edge>> &inside, long ii) const;
    long count_along(const std::vector<Instruction *> &instructions) const;
    struct Demand {
        long reads = 0, writes = 0, both = 0;
    };
    Demand demand_of(const std::vector<const Access *> &group, size_t dimension) const;
    Demand count_of(const std::vector<const Access *> &group) const;

    Loop &loop;
    LoopInfo &loops;
    Memories &memories;
    const Latencies &latencies;
    std::vector<std::string> &unanalysed;
    double budget_ns;
    std::vector<BasicBlock *> order; // blocks, each after those that lead to it
    std::vector<Instruction *> nodes;
    DenseMap<const Instruction *, unsigned> number;
    std::vector<Delay> delays;
    std::vector<Edge> edges;
    std::vector<Access> accesses;
    std::vector<std::vector<unsigned>> of_node; // accesses of a node
};

void Schedule::gather()
{
    LoopBlocksRPO walk(&loop);
    walk.perform(&loops);
    order.assign(walk.begin(), walk.end());
    for (BasicBlock *block : order)
        for (Instruction &instruction : *block) {
            if (isa<DbgInfoIntrinsic>(instruction) || !carried_text(instruction).empty())
                continue;
            number[&instruction] = static_cast<unsigned>(nodes.size());
            nodes.push_back(&instruction);
            of_node.emplace_back();
            for (Access &access : memories.accesses(instruction)) {
                if (access.object == nullptr || !access.known)
                    unanalysed.push_back(place_of(instruction.getDebugLoc()).text() + ": an address that cannot be analysed" +
                                         (access.object != nullptr ? " in " + access.object->name : ""));
                if (access.object == nullptr)
                    continue;
                of_node.back().push_back(static_cast<unsigned>(accesses.size()));
                accesses.push_back(access);
            }
        }
    for (const Instruction *node : nodes)
        delays.push_back(delay_of(*node));
    add_edges();
}

// A place of constants in every dimension.
static bool is_fixed(const Access &access)
{
    return std::all_of(access.index.begin(), access.index.end(), [](const Linear &l) { return l.terms.empty(); });
}

static std::vector<int64_t> place_in(const Access &access)
{
    std::vector<int64_t> out;
    for (const Linear &index : access.index)
        out.push_back(index.constant);
    return out;
}

static unsigned bits_of(const Type *type)
{
    return type->isIntegerTy() ? type->getIntegerBitWidth() : 32;
}

// Effective bits of a value: sign and zero extension add none.
static unsigned value_bits(const Value *value)
{
    if (isa<ZExtInst>(value) || isa<SExtInst>(value))
        return value_bits(cast<CastInst>(value)->getOperand(0));
    if (const auto *constant = dyn_cast<ConstantInt>(value))
        return constant->getValue().getBitWidth() - constant->getValue().getNumSignBits() + 1;
    if (const auto *binary = dyn_cast<BinaryOperator>(value))
        if (binary->getOpcode() == Instruction::LShr || binary->getOpcode() == Instruction::AShr)
            if (const auto *by = dyn_cast<ConstantInt>(binary->getOperand(1)))
                return bits_of(value->getType()) - static_cast<unsigned>(std::min<uint64_t>(by->getZExtValue(), bits_of(value->getType()) - 1));
    return bits_of(value->getType());
}

static Delay whole(double cycles)
{
    return {cycles, 0};
}

static Delay within(double ns)
{
    return {0, ns};
}

// Masks, and powers of two with constants, are wiring. All else is as in the operators' table of docs/reference/hls.md.
Delay Schedule::delay_of(const Instruction &instruction) const
{
    const bool wide = instruction.getType()->isDoubleTy();
    const auto *constant = instruction.getNumOperands() > 1 ? dyn_cast<ConstantInt>(instruction.getOperand(1)) : nullptr;
    switch (instruction.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub: return whole(wide ? latencies.dadd : latencies.fadd);
    case Instruction::FMul: return whole(wide ? latencies.dmul : latencies.fmul);
    case Instruction::FDiv: return whole(wide ? latencies.ddiv : latencies.fdiv);
    case Instruction::FCmp: return whole(1);
    case Instruction::SIToFP:
    case Instruction::UIToFP: return whole(latencies.to_float);
    case Instruction::FPToSI:
    case Instruction::FPToUI: return whole(latencies.from_float);
    case Instruction::FPExt:
    case Instruction::FPTrunc: return whole(2);
    case Instruction::UDiv:
    case Instruction::URem:
        if (constant != nullptr && constant->getValue().isPowerOf2())
            return {};
        [[fallthrough]];
    case Instruction::SDiv:
    case Instruction::SRem:
        if (constant != nullptr && constant->getValue().isPowerOf2())
            return within(0.9);
        return whole(bits_of(instruction.getType()) + 3);
    case Instruction::Mul: {
        unsigned a = value_bits(instruction.getOperand(0)), b = value_bits(instruction.getOperand(1));
        unsigned small = std::min(a, b), large = std::max(a, b);
        return small <= 2 ? within(0.9) : small <= 18 && large <= 27 ? whole(latencies.multiply > 0 ? 1 : 0) : whole(latencies.multiply);
    }
    case Instruction::Add:
    case Instruction::Sub: return within(bits_of(instruction.getType()) > 32 ? 1.3 : 0.9);
    case Instruction::ICmp:
        if (constant != nullptr && ((constant->isZero() && cast<ICmpInst>(instruction).getPredicate() == CmpInst::ICMP_SLT) ||
                                    (constant->isMinusOne() && cast<ICmpInst>(instruction).getPredicate() == CmpInst::ICMP_SGT)))
            return {}; // the sign's bit
        return within(bits_of(instruction.getOperand(0)->getType()) > 32 ? 1.0 : 0.7);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: return constant != nullptr ? Delay{} : within(0.3);
    case Instruction::Select: return within(0.3);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: return constant != nullptr ? Delay{} : within(1.0);
    case Instruction::Load: {
        for (unsigned a : of_node[number.lookup(&instruction)]) {
            const Access &access = accesses[a];
            if (access.object->port())
                return whole(1 + latencies.memory_read);
            if (access.object->registers)
                return is_fixed(access) ? Delay{} : within(0.9);
            return whole(static_cast<double>(std::max(access.object->read_cycles(), access.object->latency)));
        }
        return whole(1);
    }
    case Instruction::Store:
        for (unsigned a : of_node[number.lookup(&instruction)])
            if (accesses[a].object->registers)
                return {};
        return whole(1);
    case Instruction::Call:
        if (isa<MemIntrinsic>(instruction)) {
            for (unsigned a : of_node[number.lookup(&instruction)])
                if (accesses[a].object->port() && !accesses[a].write)
                    return whole(1 + latencies.memory_read);
            return whole(1);
        }
        if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
            switch (intrinsic->getIntrinsicID()) {
            case Intrinsic::fabs: return {};
            case Intrinsic::floor:
            case Intrinsic::rint: return whole(2);
            case Intrinsic::smax: case Intrinsic::smin: case Intrinsic::umax: case Intrinsic::umin: return within(1.0);
            case Intrinsic::fshl: case Intrinsic::fshr: case Intrinsic::bswap: return {};
            case Intrinsic::ctpop: return within(2.0);
            case Intrinsic::abs: return within(1.0);
            case Intrinsic::lifetime_start: case Intrinsic::lifetime_end: return {};
            default: break;
            }
        }
        return whole(2);
    default: return {};
    }
}

// A control decision to leave the loop is made before the next iteration starts.
void Schedule::add_edges()
{
    for (unsigned n = 0; n < nodes.size(); n++) {
        Instruction &instruction = *nodes[n];
        auto *phi = dyn_cast<PHINode>(&instruction);
        bool head = phi != nullptr && phi->getParent() == loop.getHeader();
        for (unsigned o = 0; o < instruction.getNumOperands(); o++) {
            auto *operand = dyn_cast<Instruction>(instruction.getOperand(o));
            auto found = operand != nullptr ? number.find(operand) : number.end();
            if (found == number.end())
                continue;
            edges.push_back({found->second, n, head ? 1u : 0u});
        }
        if (phi == nullptr || head)
            continue;
        for (BasicBlock *from : phi->blocks()) // the choice among the values
            if (auto *branch = dyn_cast<BranchInst>(from->getTerminator()))
                if (branch->isConditional())
                    if (auto *condition = dyn_cast<Instruction>(branch->getCondition()))
                        if (number.count(condition) != 0)
                            edges.push_back({number[condition], n, 0});
    }
    add_memory_edges();
}

// Whether two indices can never be equal. The difference of their non-constant parts is a multiple of a number that does not divide the constant, and
// no symbol changes while the loop runs.
static bool never_equal(const Linear &a, const Linear &b, const Memories &memories, const Loop &loop)
{
    Linear difference = a;
    difference.add(b, -1);
    int64_t divisor = 0;
    for (const auto &term : difference.terms) {
        if (!memories.invariant(term.first, loop))
            return false;
        divisor = std::gcd(divisor, term.second);
    }
    return divisor == 0 ? difference.constant != 0 : difference.constant % divisor != 0;
}

// The period of a counter that the loop carries, of 0 to period - 1 and again from 0: select(counter == period - 1, 0, counter + 1). 0: no such counter.
static long period_of(const void *key, const Memories &memories, const Loop &loop)
{
    const auto *unknown = dyn_cast_or_null<SCEVUnknown>(memories.expression(key));
    const auto *counter = unknown != nullptr ? dyn_cast<PHINode>(unknown->getValue()) : nullptr;
    if (counter == nullptr || counter->getParent() != loop.getHeader() || loop.getLoopPredecessor() == nullptr || loop.getLoopLatch() == nullptr)
        return 0;
    const auto *start = dyn_cast<ConstantInt>(counter->getIncomingValueForBlock(loop.getLoopPredecessor()));
    const auto *next = dyn_cast<SelectInst>(counter->getIncomingValueForBlock(loop.getLoopLatch()));
    const auto *ends = next != nullptr ? dyn_cast<ICmpInst>(next->getCondition()) : nullptr;
    if (start == nullptr || !start->isZero() || ends == nullptr || !ends->isEquality())
        return 0;
    const bool equal = ends->getPredicate() == CmpInst::ICMP_EQ;
    const auto *again = dyn_cast<ConstantInt>(equal ? next->getTrueValue() : next->getFalseValue());
    const auto *sum = dyn_cast<BinaryOperator>(equal ? next->getFalseValue() : next->getTrueValue());
    const auto *one = sum != nullptr && sum->getOpcode() == Instruction::Add && sum->getOperand(0) == counter ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
    const auto *last = dyn_cast<ConstantInt>(ends->getOperand(1));
    const Value *compared = ends->getOperand(0);
    if (again == nullptr || !again->isZero() || one == nullptr || !one->isOne() || last == nullptr || (compared != counter && compared != sum))
        return 0;
    return static_cast<long>(last->getSExtValue()) + (compared == counter);
}

// The iterations between a write and a later access of the same place. 0: only in the same iteration; -1: never; -2: any, also the same one.
// `turns`: in that case all are multiples of it.
static long distance_of(const Access &write, const Access &other, const Memories &memories, const Loop &loop, long &turns)
{
    long distance = 0;
    bool fixed = false;
    for (size_t d = 0; d < write.index.size(); d++) {
        const Linear &a = write.index[d], &b = other.index[d];
        bool steady = std::all_of(a.terms.begin(), a.terms.end(), [&](const std::pair<const void *const, int64_t> &term) {
            return term.first == static_cast<const void *>(&loop) || memories.invariant(term.first, loop);
        });
        if (never_equal(a, b, memories, loop))
            return -1;
        const long period = a.terms.size() == 1 && a.same_terms(b) && a.constant == b.constant ? period_of(a.terms.begin()->first, memories, loop) : 0;
        if (period > 0)
            turns = period;
        if (!steady || !a.same_terms(b))
            continue; // gives no information
        auto step = a.terms.find(&loop);
        int64_t difference = a.constant - b.constant;
        if (step == a.terms.end())
            continue;
        if (difference % step->second != 0)
            return -1;
        long here = static_cast<long>(difference / step->second);
        if (fixed && here != distance)
            return -1;
        distance = here;
        fixed = true;
    }
    return fixed ? (distance < 0 ? -1 : distance) : -2;
}

// The origin of a value, without operations that only change its width.
static const Value *origin(const Value *value)
{
    while (isa<ZExtInst>(value) || isa<SExtInst>(value) || isa<TruncInst>(value))
        value = cast<CastInst>(value)->getOperand(0);
    return value;
}

// The number of earlier places that a read's own place is compared with, to forward words that the memory does not give back yet. An earlier place is
// carried by the loop: a chain of its header's values that ends at the place itself.
static unsigned compared_places(const Instruction &read, const Loop &loop)
{
    const auto *load = dyn_cast<LoadInst>(&read);
    const auto *gep = load != nullptr ? dyn_cast<GetElementPtrInst>(load->getPointerOperand()) : nullptr;
    if (gep == nullptr || gep->getNumIndices() == 0)
        return 0;
    const Value *place = origin(gep->getOperand(gep->getNumOperands() - 1));
    std::set<const Value *> carried;
    std::vector<const Value *> same{place};
    for (const User *user : place->users())
        if (isa<ZExtInst>(user) || isa<SExtInst>(user))
            same.push_back(user);
    for (const Value *value : same)
        for (const User *user : value->users())
            if (const auto *compare = dyn_cast<ICmpInst>(user))
                if (compare->isEquality())
                    for (const Value *side : compare->operands())
                        if (const auto *phi = dyn_cast<PHINode>(origin(side)))
                            if (phi->getParent() == loop.getHeader())
                                carried.insert(phi);
    return static_cast<unsigned>(carried.size());
}

void Schedule::add_memory_edges()
{
    std::map<Object *, std::vector<unsigned>, InOrder> by_object;
    for (unsigned a = 0; a < accesses.size(); a++)
        by_object[accesses[a].object].push_back(a);
    for (const auto &entry : by_object) {
        if (entry.first->stream || entry.first->port() || entry.first->constant)
            continue;
        std::map<std::vector<int64_t>, std::vector<unsigned>> fixed; // by place: fixed places that differ are never equal
        std::vector<unsigned> moving;
        for (unsigned a : entry.second)
            (is_fixed(accesses[a]) ? fixed[place_in(accesses[a])] : moving).push_back(a);
        for (unsigned w : entry.second) {
            if (!accesses[w].write)
                continue;
            std::vector<unsigned> met = entry.second;
            if (is_fixed(accesses[w])) {
                met = fixed[place_in(accesses[w])];
                met.insert(met.end(), moving.begin(), moving.end());
            }
            for (unsigned r : met) {
                if (accesses[r].write || accesses[r].instruction == accesses[w].instruction)
                    continue;
                long turns = 1, distance = distance_of(accesses[w], accesses[r], memories, loop, turns);
                unsigned from = number[accesses[w].instruction], to = number[accesses[r].instruction];
                if ((distance == 0 || distance == -2) && from < to)
                    edges.push_back({from, to, 0});
                bool later = distance > 0 || distance == -2;
                const long carried = distance > 0 ? distance : turns;
                if (later && !(entry.first->no_carried && handed_on(accesses[r])))
                    edges.push_back({from, to, static_cast<unsigned>(carried)});
                if (later && entry.first->distance > carried)
                    memories.errors.push_back(entry.first->place.text() + ": DEPENDENCE says that " + entry.first->name + " is read " + std::to_string(entry.first->distance) +
                                         " iterations behind a write, but " + std::to_string(carried) + " is all that the loop at " + place_of(loop.getStartLoc()).text() + " shows");
            }
        }
    }
}

// DEPENDENCE claims that words written here are not read too early. This is true if the source compares the place read with as many earlier places as
// iterations start between read and write.
bool Schedule::handed_on(const Access &read)
{
    unsigned compared = compared_places(*read.instruction, loop);
    if (compared >= 2) // the read and the write themselves take a cycle each
        return true;
    unanalysed.push_back(read.object->place.text() + ": DEPENDENCE says that no iteration of the loop at " +
                         place_of(loop.getStartLoc()).text() + " reads too early what another wrote to " + read.object->name +
                         ", and the source hands on " + std::to_string(compared) + " of its words");
    return false;
}

double Schedule::weight(unsigned node) const
{
    return delays[node].cycles + delays[node].ns / budget_ns;
}

// The strongly connected components of the graph with more than one node, by Tarjan's method without recursion.
std::vector<std::vector<unsigned>> Schedule::components() const
{
    std::vector<std::vector<unsigned>> next(nodes.size()), out;
    for (const Edge &edge : edges)
        next[edge.from].push_back(edge.to);
    std::vector<unsigned> index(nodes.size(), 0), low(nodes.size(), 0), open, at(nodes.size(), 0), stack;
    std::vector<bool> on(nodes.size(), false);
    unsigned counter = 0;
    for (unsigned root = 0; root < nodes.size(); root++) {
        if (index[root] != 0)
            continue;
        stack.push_back(root);
        while (!stack.empty()) {
            unsigned n = stack.back();
            if (index[n] == 0) {
                index[n] = low[n] = ++counter;
                open.push_back(n);
                on[n] = true;
            }
            if (at[n] < next[n].size()) {
                unsigned m = next[n][at[n]++];
                if (index[m] == 0)
                    stack.push_back(m);
                else if (on[m])
                    low[n] = std::min(low[n], index[m]);
                continue;
            }
            stack.pop_back();
            if (!stack.empty())
                low[stack.back()] = std::min(low[stack.back()], low[n]);
            if (low[n] != index[n])
                continue;
            std::vector<unsigned> part;
            unsigned m;
            do {
                m = open.back();
                open.pop_back();
                on[m] = false;
                part.push_back(m);
            } while (m != n);
            if (part.size() > 1)
                out.push_back(part);
        }
    }
    return out;
}

// Whether no cycle takes longer than II per distance: the longest paths settle.
bool Schedule::feasible(const std::vector<unsigned> &component, const std::vector<std::vector<Edge>> &inside, long ii) const
{
    std::map<unsigned, double> start;
    for (unsigned n : component)
        start[n] = 0.0;
    std::vector<unsigned> sorted(component);
    std::sort(sorted.begin(), sorted.end());
    double most = 1.0;
    for (unsigned n : component)
        most += weight(n);
    for (size_t pass = 0; pass < 4 * component.size() + 8; pass++) {
        bool changed = false;
        for (unsigned n : sorted)
            for (const Edge &edge : inside[n]) {
                double time = start[n] + weight(n) - static_cast<double>(ii) * edge.distance;
                if (time > start[edge.to] + 1e-6) {
                    start[edge.to] = time;
                    changed = true;
                    if (time > most)
                        return false;
                }
            }
        if (!changed)
            return true;
    }
    return false;
}

void Schedule::recurrences(long &bound, std::string &by)
{
    std::vector<std::vector<unsigned>> parts = components();
    std::vector<unsigned> part_of(nodes.size(), 0);
    for (unsigned p = 0; p < parts.size(); p++)
        for (unsigned n : parts[p])
            part_of[n] = p + 1;
    std::vector<std::vector<Edge>> inside(nodes.size());
    for (const Edge &edge : edges)
        if (part_of[edge.from] != 0 && part_of[edge.from] == part_of[edge.to])
            inside[edge.from].push_back(edge);
    for (const std::vector<unsigned> &part : parts) {
        long low = 1;
        while (low < II_MOST && !feasible(part, inside, low))
            low = low < 8 ? low + 1 : low + std::max(1L, low / 8);
        while (low > 8 && feasible(part, inside, low - 1))
            low--;
        if (low <= bound)
            continue;
        bound = low;
        std::set<std::string> names;
        for (unsigned n : part) {
            for (unsigned a : of_node[n])
                names.insert(accesses[a].object->name);
            if (delays[n].cycles >= 2)
                names.insert(nodes[n]->getOpcodeName());
        }
        by = "recurrence";
        for (const std::string &name : names)
            by += (by == "recurrence" ? " through " : ", ") + name;
    }
    for (BasicBlock *block : order) { // the way from the iteration's start to the decision to leave
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        if (branch == nullptr || !branch->isConditional() || !loop.isLoopExiting(block))
            continue;
        auto *condition = dyn_cast<Instruction>(branch->getCondition());
        if (condition == nullptr || number.count(condition) == 0)
            continue;
        std::vector<double> finish(nodes.size(), 0.0);
        unsigned last = number[condition];
        for (unsigned n = 0; n <= last; n++)
            finish[n] = weight(n);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge &edge : edges)
                if (edge.distance == 0 && finish[edge.from] + weight(edge.to) > finish[edge.to] + 1e-6 && edge.from < edge.to) {
                    finish[edge.to] = finish[edge.from] + weight(edge.to);
                    changed = true;
                }
        }
        long least = static_cast<long>(std::ceil(finish[last] - 1e-6));
        if (least > bound) {
            bound = least;
            by = "the decision to leave the loop";
        }
    }
}

// The most of these instructions that one iteration can execute.
long Schedule::count_along(const std::vector<Instruction *> &instructions) const
{
    std::map<const BasicBlock *, long> own, best;
    for (const Instruction *instruction : instructions)
        own[instruction->getParent()]++;
    if (own.size() <= 1)
        return static_cast<long>(instructions.size());
    long most = 0;
    for (BasicBlock *block : order) {
        long before = 0;
        for (BasicBlock *from : predecessors(block))
            if (block != loop.getHeader() && best.count(from) != 0)
                before = std::max(before, best[from]);
        auto here = own.find(block);
        best[block] = before + (here != own.end() ? here->second : 0);
        most = std::max(most, best[block]);
    }
    return most;
}

struct Ports {
    long reads = 2, writes = 2, both = 2; // per cycle; 0: no limit
};

static Ports ports_of(const Object &object)
{
    static const std::map<std::string, Ports> types = {
        {"ram_1p", {1, 1, 1}}, {"ram_2p", {2, 1, 2}}, {"ram_s2p", {1, 1, 2}}, {"ram_t2p", {2, 2, 2}},
        {"ram_1wnr", {0, 1, 0}}, {"rom_1p", {1, 0, 1}}, {"rom_2p", {2, 0, 2}}, {"rom_np", {0, 0, 0}}};
    if (object.stream || object.port())
        return {1, 1, 2};
    auto found = types.find(object.storage);
    if (found != types.end())
        return found->second;
    return object.impl == "lutram" ? Ports{2, 1, 2} : Ports{};
}

// For one dimension: the non-constant part of the index, and the constant as a bank. Empty if the dimension is not partitioned.
struct Bank {
    std::map<const void *, int64_t> kind;
    int64_t place = 0;
};

static Bank bank_of(const Access &access, size_t d)
{
    const Dimension &dimension = access.object->dimensions[d];
    Bank out;
    if (dimension.reshaped || dimension.partition.empty() || (access.object->aggregated && dimension.inner))
        return out;
    out.kind = access.index[d].terms;
    out.place = access.index[d].constant;
    if (dimension.partition == "cyclic") {
        for (auto i = out.kind.begin(); i != out.kind.end();)
            i = i->second % dimension.factor == 0 ? out.kind.erase(i) : std::next(i);
        out.place = ((out.place % dimension.factor) + dimension.factor) % dimension.factor;
    } else if (dimension.partition == "block") {
        out.place /= (dimension.size + dimension.factor - 1) / dimension.factor;
    }
    return out;
}

// The address, without the dimensions that share a word.
static std::vector<std::pair<std::map<const void *, int64_t>, int64_t>> word_of(const Access &access)
{
    std::vector<std::pair<std::map<const void *, int64_t>, int64_t>> out;
    for (size_t d = 0; d < access.index.size(); d++)
        if (!access.object->dimensions[d].reshaped && !(access.object->aggregated && access.object->dimensions[d].inner))
            out.emplace_back(access.index[d].terms, access.index[d].constant);
    return out;
}

// Accesses to one bank. Accesses whose indices in a dimension have the same symbols are distinguished by the bank there; all others are assumed to
// meet.
Schedule::Demand Schedule::demand_of(const std::vector<const Access *> &group, size_t dimension) const
{
    std::map<std::map<const void *, int64_t>, std::map<int64_t, std::vector<const Access *>>> kinds;
    if (dimension == group[0]->object->dimensions.size())
        return count_of(group);
    for (const Access *access : group) {
        Bank bank = bank_of(*access, dimension);
        kinds[bank.kind][bank.place].push_back(access);
    }
    if (kinds.size() == 1 && kinds.begin()->second.size() == 1)
        return demand_of(group, dimension + 1);
    Demand sum;
    for (const auto &kind : kinds) {
        Demand most;
        for (const auto &place : kind.second) {
            Demand here = demand_of(place.second, dimension + 1);
            most = {std::max(most.reads, here.reads), std::max(most.writes, here.writes), std::max(most.both, here.both)};
        }
        sum = {sum.reads + most.reads, sum.writes + most.writes, sum.both + most.both};
    }
    if (kinds.size() == 1)
        return sum;
    Demand apart = demand_of(group, dimension + 1); // a later dimension may still distinguish them
    return {std::min(sum.reads, apart.reads), std::min(sum.writes, apart.writes), std::min(sum.both, apart.both)};
}

// All of them at one bank, each word once.
Schedule::Demand Schedule::count_of(const std::vector<const Access *> &group) const
{
    std::set<std::vector<std::pair<std::map<const void *, int64_t>, int64_t>>> seen[2];
    std::vector<Instruction *> reads, writes, both;
    for (const Access *access : group)
        if (seen[access->write].insert(word_of(*access)).second) {
            (access->write ? writes : reads).push_back(access->instruction);
            both.push_back(access->instruction);
        }
    return {count_along(reads), count_along(writes), count_along(both)};
}

void Schedule::ports(long &bound, std::string &by)
{
    std::map<Object *, std::vector<const Access *>, InOrder> all;
    for (const Access &access : accesses)
        if (!access.object->registers)
            all[access.object].push_back(&access);
    std::map<std::string, std::pair<long, long>> bundles;
    for (const auto &object : all) {
        Demand demand = demand_of(object.second, 0);
        long reads = demand.reads, writes = demand.writes, both = demand.both;
        if (object.first->port()) {
            bundles[object.first->bundle].first += reads;
            bundles[object.first->bundle].second += writes;
            continue;
        }
        Ports limit = ports_of(*object.first);
        auto least = [](long count, long at_once) { return at_once == 0 ? 1 : (count + at_once - 1) / at_once; };
        long need = std::max({least(reads, limit.reads), least(writes, limit.writes), least(both, limit.both)});
        if (need > bound) {
            bound = need;
            by = (object.first->stream ? "FIFO " : "ports of ") + object.first->name + ": " + std::to_string(reads) +
                 " reads and " + std::to_string(writes) + " writes an iteration may want one bank";
        }
    }
    for (const auto &bundle : bundles) {
        long need = std::max(bundle.second.first, bundle.second.second);
        if (need > bound) {
            bound = need;
            by = "bundle " + bundle.first + ": " + std::to_string(bundle.second.first) + " reads and " +
                 std::to_string(bundle.second.second) + " writes an iteration";
        }
    }
}

static bool balanced(const Instruction &instruction)
{
    return instruction.getOpcode() == Instruction::Add || instruction.isBitwiseLogicOp();
}

// Whether its only use is a sum of the same kind.
static bool is_partial(const Instruction &sum)
{
    const auto *user = sum.hasOneUse() ? dyn_cast<BinaryOperator>(*sum.user_begin()) : nullptr;
    return balanced(sum) && user != nullptr && user->getOpcode() == sum.getOpcode();
}

// The terms of a whole sum (or of an and, or, exclusive or) whose partial sums are used nowhere else. They are added as a tree, the earliest first
// (the tool's expression_balance).
void Schedule::terms_of(const Instruction &sum, std::vector<const Value *> &out) const
{
    for (const Value *operand : sum.operands()) {
        const auto *part = dyn_cast<BinaryOperator>(operand);
        if (part != nullptr && part->getOpcode() == sum.getOpcode() && is_partial(*part) && number.count(part) != 0)
            terms_of(*part, out);
        else
            out.push_back(operand);
    }
}

// The end time of an operator that starts at this time.
double Schedule::end_of(double start, const Delay &delay) const
{
    if (delay.cycles > 0)
        return std::ceil(start - 1e-9) + delay.cycles;
    double share = std::min(1.0, delay.ns / budget_ns), in = start - std::floor(start + 1e-9);
    return (in > 1e-9 && in + share > 1.0 + 1e-9 ? std::ceil(start - 1e-9) : start) + share;
}

// Each operation starts as soon as its operands are there; one that does not end within the cycle starts with the next.
long Schedule::depth() const
{
    std::vector<double> ready(nodes.size(), 0.0), finish(nodes.size(), 0.0);
    std::vector<std::vector<unsigned>> into(nodes.size());
    for (const Edge &edge : edges)
        if (edge.distance == 0 && edge.from < edge.to)
            into[edge.to].push_back(edge.from);
    double last = 0.0;
    for (unsigned n = 0; n < nodes.size(); n++) {
        double start = 0.0;
        for (unsigned from : into[n])
            start = std::max(start, finish[from]);
        finish[n] = end_of(start, delays[n]);
        std::vector<const Value *> terms;
        if (balanced(*nodes[n]))
            terms_of(*nodes[n], terms);
        if (terms.size() > 2) {
            std::multiset<double> times;
            for (const Value *term : terms) {
                const auto *from = dyn_cast<Instruction>(term);
                auto found = from != nullptr ? number.find(from) : number.end();
                times.insert(found != number.end() && found->second < n ? finish[found->second] : 0.0);
            }
            while (times.size() > 1) {
                times.erase(times.begin());
                double second = *times.begin();
                times.erase(times.begin());
                times.insert(end_of(second, delays[n]));
            }
            finish[n] = *times.begin();
        }
        last = is_partial(*nodes[n]) ? last : std::max(last, finish[n]);
    }
    return std::max(1L, static_cast<long>(std::ceil(last - 1e-9)));
}

// By bisection: the shortest period at which no recurrence needs more cycles than the interval. Operators in whole cycles take the same number at any
// clock.
double Schedule::clock_mhz(long interval)
{
    const double here = budget_ns;
    auto holds = [&](double ns) {
        long bound = interval;
        std::string by;
        budget_ns = ns;
        recurrences(bound, by);
        return bound <= interval;
    };
    double shortest = PERIOD_LEAST_NS, longest = shortest;
    if (!holds(shortest))
        for (longest = here; longest < PERIOD_MOST_NS && !holds(longest);)
            longest *= 2.0;
    while (longest > shortest * 1.001) {
        double between = std::sqrt(shortest * longest);
        (holds(between) ? longest : shortest) = between;
    }
    budget_ns = here;
    return longest > PERIOD_LEAST_NS && longest < PERIOD_MOST_NS ? 1e3 * (1.0 - latencies.uncertainty) / longest : 0.0;
}

} // namespace

LoopReport bound_loop(Loop &loop, long claimed, LoopInfo &loops, Memories &memories, ScalarEvolution &evolution, const Latencies &latencies,
                      std::vector<std::string> &unanalysed)
{
    LoopReport out;
    Schedule schedule(loop, loops, memories, latencies, unanalysed);
    out.place = place_of(loop.getStartLoc());
    unsigned trips = evolution.getSmallConstantTripCount(&loop);
    out.trips = trips > 0 ? static_cast<long>(trips) : -1;
    out.fixed = trips > 0;
    out.by = "1 iteration per cycle";
    schedule.ports(out.bound, out.by);
    schedule.recurrences(out.bound, out.by);
    out.depth = schedule.depth();
    out.clock_mhz = schedule.clock_mhz(claimed > 0 ? claimed : out.bound);
    return out;
}

} // namespace checker
