// Objects, directives on them, addresses as linear forms.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "checker.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace checker {

#define NARROW_BITS 16 // an index that went through fewer bits is a remainder, not the index itself

void Linear::add(const Linear &other, int64_t factor)
{
    constant += other.constant * factor;
    for (const auto &term : other.terms)
        if ((terms[term.first] += term.second * factor) == 0)
            terms.erase(term.first);
}

static Linear symbol(const void *key)
{
    Linear out;
    out.terms[key] = 1;
    return out;
}

const SCEV *Memories::expression(const void *key) const
{
    auto found = symbols.find(key);
    return found != symbols.end() ? found->second : nullptr;
}

bool Memories::invariant(const void *key, const Loop &loop) const
{
    const SCEV *found = expression(key);
    return found != nullptr && evolution.isLoopInvariant(found, &loop);
}

static bool is_wide(const SCEV *expression, const ScalarEvolution &evolution)
{
    return evolution.getTypeSizeInBits(expression->getType()) >= NARROW_BITS;
}

// Of a value and its inverted bit, one: the one that starts with 1, or has 1 added.
static bool is_turned(const SCEV *bit)
{
    if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(bit))
        return recurrence->getStart()->isOne() || is_turned(recurrence->getStart());
    const auto *sum = dyn_cast<SCEVAddExpr>(bit);
    return sum != nullptr && sum->getOperand(0)->isOne();
}

Linear Memories::linear(const SCEV *s) const
{
    Linear out;
    symbols[isa<SCEVUnknown>(s) ? static_cast<const void *>(cast<SCEVUnknown>(s)->getValue()) : s] = s;
    if (const auto *constant = dyn_cast<SCEVConstant>(s)) {
        out.constant = constant->getAPInt().getSExtValue();
        return out;
    }
    if (const auto *sum = dyn_cast<SCEVAddExpr>(s)) {
        for (const SCEV *operand : sum->operands())
            out.add(linear(operand), 1);
        return out;
    }
    if (const auto *product = dyn_cast<SCEVMulExpr>(s)) {
        const auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0));
        if (factor != nullptr && product->getNumOperands() == 2) {
            out.add(linear(product->getOperand(1)), factor->getAPInt().getSExtValue());
            return out;
        }
        return symbol(s);
    }
    if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(s)) {
        const auto *step = recurrence->isAffine() ? dyn_cast<SCEVConstant>(recurrence->getOperand(1)) : nullptr;
        if (step == nullptr)
            return symbol(s);
        out = linear(recurrence->getStart());
        out.add(symbol(recurrence->getLoop()), step->getAPInt().getSExtValue());
        return out;
    }
    if (const auto *cast = dyn_cast<SCEVCastExpr>(s)) {
        const SCEV *narrow = isa<SCEVTruncateExpr>(s) ? s : cast->getOperand();
        if (is_wide(narrow, evolution))
            return linear(cast->getOperand());
        const SCEV *bit = cast->getOperand(); // one bit that is turned over: 1 - x
        if (isa<SCEVZeroExtendExpr>(s) && evolution.getTypeSizeInBits(bit->getType()) == 1 && is_turned(bit)) {
            out.constant = 1;
            const SCEV *straight = evolution.getAddExpr(bit, evolution.getOne(bit->getType()));
            out.add(linear(evolution.getZeroExtendExpr(straight, s->getType())), -1);
            return out;
        }
        return symbol(s);
    }
    if (const auto *unknown = dyn_cast<SCEVUnknown>(s))
        return symbol(unknown->getValue());
    return symbol(s);
}

bool Memories::resolve(const Value *pointer, Address &out) const
{
    const DataLayout &layout = function.getParent()->getDataLayout();
    for (;;) {
        if (const auto *gep = dyn_cast<GEPOperator>(pointer)) {
            for (auto i = gep_type_begin(gep), end = gep_type_end(gep); i != end; ++i) {
                const auto *constant = dyn_cast<ConstantInt>(i.getOperand());
                if (StructType *type = i.getStructTypeOrNull())
                    out.offset += static_cast<int64_t>(layout.getStructLayout(type)->getElementOffset(
                        static_cast<unsigned>(constant->getZExtValue())));
                else if (constant != nullptr)
                    out.offset += constant->getSExtValue() *
                                  static_cast<int64_t>(layout.getTypeAllocSize(i.getIndexedType()).getFixedValue());
                else
                    out.terms.emplace_back(static_cast<int64_t>(layout.getTypeAllocSize(i.getIndexedType()).getFixedValue()),
                                           i.getOperand());
            }
            pointer = gep->getPointerOperand();
        } else if (const auto *cast = dyn_cast<BitCastOperator>(pointer)) {
            pointer = cast->getOperand(0);
        } else {
            out.base = pointer;
            return isa<AllocaInst>(pointer) || isa<GlobalVariable>(pointer) || isa<Argument>(pointer);
        }
    }
}

static std::string source_name(const Value *base)
{
    if (const auto *alloca = dyn_cast<AllocaInst>(base))
        if (const DILocalVariable *variable = variable_of(*alloca))
            return variable->getName().str();
    std::string name = base->getName().str();
    size_t dot = name.find('.');
    return dot == std::string::npos || dot == 0 ? name : name.substr(dot + 1 < name.size() && isdigit(name[dot + 1]) ? 0 : 0, dot);
}

// The type of a declaration by its debug information. A member of pointers or of classes is a number of the same size.
static Type *declared_type(const DIType *type, LLVMContext &context)
{
    while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
        if (derived->getTag() == dwarf::DW_TAG_pointer_type)
            break;
        type = derived->getBaseType();
    }
    const auto *composite = dyn_cast_or_null<DICompositeType>(type);
    const unsigned bits = type != nullptr ? static_cast<unsigned>(type->getSizeInBits()) : 0, tag = type != nullptr ? type->getTag() : 0;
    if (composite != nullptr && tag == dwarf::DW_TAG_structure_type) {
        std::vector<Type *> members;
        for (const DINode *node : composite->getElements())
            if (node->getTag() == dwarf::DW_TAG_member)
                members.push_back(declared_type(cast<DIType>(node), context));
        return StructType::get(context, members);
    }
    if (composite == nullptr || tag != dwarf::DW_TAG_array_type)
        return IntegerType::get(context, bits > 0 ? bits : 8);
    Type *out = declared_type(composite->getBaseType(), context);
    const DINodeArray ranges = composite->getElements();
    for (unsigned i = ranges.size(); i-- > 0;)
        if (const auto *range = dyn_cast<DISubrange>(ranges[i]))
            if (const auto *count = range->getCount().dyn_cast<ConstantInt *>())
                out = ArrayType::get(out, count->getZExtValue());
    return out;
}

// The declared type if LLVM's own does not give it: a pointer has none, and constants that end in zeros are a structure of two arrays.
static Type *type_of(const Value *base)
{
    if (const auto *alloca = dyn_cast<AllocaInst>(base))
        return alloca->getAllocatedType();
    if (const auto *global = dyn_cast<GlobalVariable>(base)) {
        SmallVector<DIGlobalVariableExpression *, 1> all;
        global->getDebugInfo(all);
        Type *type = all.empty() ? nullptr : declared_type(all[0]->getVariable()->getType(), global->getContext());
        return type != nullptr && type->isArrayTy() ? type : global->getValueType();
    }
    const auto *argument = cast<Argument>(base);
    const DITypeRefArray types = argument->getParent()->getSubprogram()->getType()->getTypeArray();
    const DIType *type = types[argument->getArgNo() + 1]; // after the result's
    while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
        type = derived->getBaseType();
        if (derived->getTag() == dwarf::DW_TAG_pointer_type)
            break;
    }
    return declared_type(type, argument->getContext());
}

static void add_dimensions(Type *&type, const DataLayout &layout, bool inner, std::vector<Dimension> &out)
{
    while (auto *array = dyn_cast<ArrayType>(type)) {
        Dimension dimension;
        dimension.size = static_cast<int64_t>(array->getNumElements());
        type = array->getElementType();
        dimension.stride_bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
        dimension.inner = inner;
        out.push_back(dimension);
    }
}

// The member of a structure variable at the offset; the structure's members are separate objects.
Object *Memories::object_of(const Address &address)
{
    const DataLayout &layout = function.getParent()->getDataLayout();
    Type *type = type_of(address.base);
    std::string name = source_name(address.base);
    int64_t offset = 0;
    while (auto *structure = dyn_cast<StructType>(type)) {
        if (isa<Argument>(address.base) || structure->getNumElements() == 0)
            break;
        const StructLayout *members = layout.getStructLayout(structure);
        unsigned member = members->getElementContainingOffset(static_cast<uint64_t>(
            std::max<int64_t>(0, std::min<int64_t>(address.offset - offset, static_cast<int64_t>(members->getSizeInBytes()) - 1))));
        offset += static_cast<int64_t>(members->getElementOffset(member));
        type = structure->getElementType(member);
        name += "." + std::to_string(member);
    }
    std::unique_ptr<Object> &slot = known[{address.base, offset}];
    if (slot != nullptr)
        return slot.get();
    slot = std::make_unique<Object>();
    slot->base = address.base;
    slot->number = known.size();
    slot->field_offset = offset;
    slot->name = name;
    if (isa<Argument>(address.base)) {
        Dimension endless;
        endless.size = INT64_MAX;
        endless.stride_bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
        slot->dimensions.push_back(endless);
        slot->aggregated = true;
    }
    add_dimensions(type, layout, false, slot->dimensions);
    if (auto *structure = dyn_cast<StructType>(type)) // words of several parts: one memory a part, unless aggregated
        if (structure->getNumElements() == 1) {
            type = structure->getElementType(0);
            add_dimensions(type, layout, true, slot->dimensions);
        }
    slot->element_bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
    slot->registers = slot->dimensions.empty();
    if (const auto *global = dyn_cast<GlobalVariable>(address.base)) {
        slot->constant = global->isConstant();
        slot->initialised = global->hasInitializer() && !global->getInitializer()->isNullValue();
    }
    return slot.get();
}

bool Memories::index_of(const Address &address, const Object &object, std::vector<Linear> &index) const
{
    int64_t offset = address.offset - object.field_offset;
    index.assign(object.dimensions.size(), Linear());
    for (size_t d = 0; d < object.dimensions.size(); d++) {
        int64_t stride = object.dimensions[d].stride_bytes;
        int64_t whole = offset / stride - (offset % stride < 0);
        bool last = d + 1 == object.dimensions.size();
        if (last || whole != 0) {
            index[d].constant = whole;
            offset -= whole * stride;
        }
    }
    for (const auto &term : address.terms) {
        bool placed = false;
        for (size_t d = 0; !placed && d < object.dimensions.size(); d++)
            if (term.first % object.dimensions[d].stride_bytes == 0) {
                index[d].add(linear(evolution.getSCEV(const_cast<Value *>(term.second))),
                             term.first / object.dimensions[d].stride_bytes);
                placed = true;
            }
        if (!placed)
            return false;
    }
    return true;
}

static void partition(const Pragma &pragma, Object &object, std::vector<std::string> &errors, const Place &place)
{
    long dim = pragma.number("dim", 1);
    std::string type = pragma.option("type", pragma.options.count("cyclic")  ? "cyclic"
                                             : pragma.options.count("block") ? "block"
                                                                             : "complete");
    bool reshape = pragma.kind == "ARRAY_RESHAPE";
    if (dim < 0 || static_cast<size_t>(dim) > object.dimensions.size()) {
        errors.push_back(place.text() + ": " + pragma.kind + " of dimension " + std::to_string(dim) + ", and " + object.name +
                         " has " + std::to_string(object.dimensions.size()));
        return;
    }
    for (size_t d = 0; d < object.dimensions.size(); d++) {
        if (dim != 0 && static_cast<size_t>(dim) != d + 1)
            continue;
        Dimension &dimension = object.dimensions[d];
        long factor = pragma.number("factor", dimension.size);
        if (type != "complete" && factor <= 1 && dimension.size > 1)
            continue;
        if (reshape)
            dimension.reshaped = type == "complete";
        else
            dimension.partition = factor >= dimension.size ? "complete" : type;
        dimension.factor = factor;
    }
    object.registers = std::all_of(object.dimensions.begin(), object.dimensions.end(),
                                   [](const Dimension &d) { return d.partition == "complete"; });
}

void Memories::apply(const Pragma &pragma, Object &object, const Place &place)
{
    object.place = place;
    object.directed = true;
    std::string variable = pragma.option("variable", pragma.option("port"));
    if (!variable.empty())
        object.name = variable;
    if (pragma.kind == "ARRAY_PARTITION" || pragma.kind == "ARRAY_RESHAPE") {
        partition(pragma, object, errors, place);
    } else if (pragma.kind == "AGGREGATE") {
        object.aggregated = true;
    } else if (pragma.kind == "STREAM") {
        object.stream = true;
        object.stream_depth = pragma.number("depth", 2);
        object.aggregated = true; // a FIFO of words
    } else if (pragma.kind == "BIND_STORAGE") {
        object.storage = pragma.option("type");
        object.impl = pragma.option("impl", "auto");
        object.latency = pragma.number("latency", -1);
    } else if (pragma.kind == "DEPENDENCE") {
        bool inter = pragma.options.count("inter") != 0 || pragma.option("type", "inter") == "inter";
        object.no_carried = inter && (pragma.options.count("false") != 0 || pragma.option("dependent") == "false");
        object.distance = inter ? pragma.number("distance", 0) : 0;
    } else if (pragma.kind == "INTERFACE") {
        if (pragma.option("mode") == "m_axi" || pragma.options.count("m_axi") != 0) {
            object.bundle = pragma.option("bundle", "gmem");
            object.interface_depth = pragma.number("depth", 0);
            object.burst = pragma.number("max_read_burst_length", pragma.number("max_write_burst_length", 16));
            object.outstanding = pragma.number("num_read_outstanding", pragma.number("num_write_outstanding", 16));
        } else {
            object.registers = true; // a register of the control port
        }
    } else {
        unanalysed.push_back(place.text() + ": directive " + pragma.kind + " of " + object.name);
    }
}

Memories::Memories(Function &function_, ScalarEvolution &evolution_, std::vector<std::string> &errors_,
                   std::vector<std::string> &unanalysed_)
    : errors(errors_), unanalysed(unanalysed_), function(function_), evolution(evolution_)
{
    static const std::set<std::string> of_loops = {"LOOP", "PIPELINE", "DATAFLOW", "LOOP_TRIPCOUNT", "LOOP_FLATTEN", "INLINE", "ALLOCATION", "ARRAY", ""};
    for (Instruction &instruction : instructions(function)) {
        Pragma pragma = parse_pragma(carried_text(instruction));
        if (of_loops.count(pragma.kind) != 0)
            continue;
        const Value *pointer = cast<CallInst>(instruction).getArgOperand(1);
        if (isa<ConstantPointerNull>(pointer)) {
            if (pragma.kind == "INTERFACE" && pragma.option("port") != "return")
                numbers.insert(pragma.option("port"));
            else if (pragma.kind != "INTERFACE")
                unanalysed.push_back(place_of(instruction.getDebugLoc()).text() + ": directive " + pragma.kind);
            continue;
        }
        Address address;
        if (resolve(pointer, address))
            apply(pragma, *object_of(address), place_of(instruction.getDebugLoc()));
        else
            unanalysed.push_back(place_of(instruction.getDebugLoc()).text() + ": directive " + pragma.kind + " of " +
                                 pragma.option("variable") + ": its memory is chosen when it runs");
    }
    find_registers();
}

// Whether it is a structure's part, or an array of structures.
static bool is_structure(const Object &object)
{
    Type *type = cast<AllocaInst>(object.base)->getAllocatedType();
    while (auto *array = dyn_cast<ArrayType>(type))
        type = array->getElementType();
    return type->isStructTy();
}

// The tool takes apart a structure that no directive names and whose arrays are indexed only by constants.
void Memories::find_registers()
{
    std::map<Object *, bool, InOrder> steady;
    for (Instruction &instruction : instructions(function))
        for (const Access &access : accesses(instruction)) {
            if (access.object == nullptr || access.object->directed || !isa<AllocaInst>(access.object->base) || !is_structure(*access.object))
                continue;
            bool constant = access.known && std::all_of(access.index.begin(), access.index.end(),
                                                        [](const Linear &index) { return index.terms.empty(); });
            steady.emplace(access.object, true).first->second &= constant;
        }
    for (const auto &entry : steady)
        entry.first->registers = entry.first->registers || entry.second;
}

// Every place that a pointer may have: one, or one per alternative if the pointer is chosen among several.
void Memories::resolve_all(const Value *pointer, Address so_far, unsigned forks, std::vector<Address> &out) const
{
    Address here;
    bool found = resolve(pointer, here);
    here.offset += so_far.offset;
    here.terms.insert(here.terms.end(), so_far.terms.begin(), so_far.terms.end());
    std::vector<const Value *> ways;
    if (const auto *select = dyn_cast<SelectInst>(here.base))
        ways = {select->getTrueValue(), select->getFalseValue()};
    else if (const auto *phi = dyn_cast<PHINode>(here.base))
        ways.assign(phi->op_begin(), phi->op_end());
    if (found || ways.empty() || forks == 0) {
        if (!found)
            here.base = nullptr;
        out.push_back(here);
        return;
    }
    for (const Value *way : ways)
        resolve_all(way, here, forks - 1, out);
}

// The size of a load, a store or a copy; 0 if it is unknown.
static int64_t bytes_of(const Instruction &instruction)
{
    const DataLayout &layout = instruction.getModule()->getDataLayout();
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
        return static_cast<int64_t>(layout.getTypeStoreSize(load->getType()).getFixedValue());
    if (const auto *store = dyn_cast<StoreInst>(&instruction))
        return static_cast<int64_t>(layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
    const auto *memory = dyn_cast<MemIntrinsic>(&instruction);
    const auto *length = memory != nullptr ? dyn_cast<ConstantInt>(memory->getLength()) : nullptr;
    return length != nullptr ? length->getSExtValue() : 0;
}

// LLVM accesses parts of a word at once; if the tool has no such word, each part is an access of its own.
static void add_parts(const Access &access, int64_t bytes, std::vector<Access> &out)
{
    out.push_back(access);
    if (access.object == nullptr || !access.known || access.object->aggregated || access.index.empty() || !access.object->dimensions.back().inner)
        return;
    int64_t parts = std::min(bytes / access.object->element_bytes, access.object->dimensions.back().size);
    for (int64_t i = 1; i < parts; i++) {
        out.push_back(access);
        out.back().index.back().constant += i;
    }
}

std::vector<Access> Memories::accesses(Instruction &instruction)
{
    std::vector<std::pair<const Value *, bool>> pointers;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
        pointers.emplace_back(load->getPointerOperand(), false);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
        pointers.emplace_back(store->getPointerOperand(), true);
    else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
        pointers.emplace_back(copy->getSource(), false);
        pointers.emplace_back(copy->getDest(), true);
    } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
        pointers.emplace_back(set->getDest(), true);
    }
    std::vector<Access> out;
    for (const auto &pointer : pointers) {
        std::vector<Address> addresses;
        resolve_all(pointer.first, Address(), 3, addresses);
        for (const Address &address : addresses) {
            Access access{&instruction, nullptr, pointer.second, {}, true};
            if (address.base != nullptr) {
                access.object = object_of(address);
                access.known = index_of(address, *access.object, access.index);
                access.object->written = access.object->written || pointer.second;
            }
            add_parts(access, bytes_of(instruction), out);
        }
    }
    return out;
}

std::vector<Object *> Memories::objects() const
{
    std::vector<Object *> out;
    for (const auto &entry : known)
        out.push_back(entry.second.get());
    std::sort(out.begin(), out.end(), [](const Object *a, const Object *b) { return std::tie(a->name, a->number) < std::tie(b->name, b->number); });
    return out;
}

} // namespace checker
