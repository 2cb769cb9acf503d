// One module of all sources: linked, inlined, unrolled.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

#include "checker.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace checker {

static const char *const CARRIER = "__hls_pragma";

#if LLVM_VERSION_MAJOR >= 18 // in these versions, more to combine after a pass is an error by default
#define COMBINE "instcombine<no-verify-fixpoint>"
#else
#define COMBINE "instcombine"
#endif

#define COMPLETE_BELOW 4 // numbers: syn.array_partition.complete_threshold (AMD UG1399)

Place place_of(const DebugLoc &location)
{
    Place out;
    if (location) {
        std::string path = cast<DIScope>(location->getScope())->getFilename().str();
        size_t slash = path.rfind('/');
        out.file = slash == std::string::npos ? path : path.substr(slash + 1);
        out.line = location.getLine();
    }
    return out;
}

DILocalVariable *variable_of(const AllocaInst &alloca)
{
    auto *value = const_cast<AllocaInst *>(&alloca);
#if LLVM_VERSION_MAJOR >= 19
    for (DbgVariableRecord *declare : findDVRDeclares(value))
#elif LLVM_VERSION_MAJOR == 18
    for (DbgDeclareInst *declare : findDbgDeclares(value))
#else
    for (DbgDeclareInst *declare : FindDbgDeclareUses(value))
#endif
        return declare->getVariable();
    return nullptr;
}

std::string carried_text(const Instruction &instruction)
{
    const auto *call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr || call->getCalledFunction()->getName() != CARRIER)
        return "";
    const auto *global = dyn_cast<GlobalVariable>(call->getArgOperand(0)->stripInBoundsConstantOffsets());
    const auto *text = global != nullptr ? dyn_cast<ConstantDataArray>(global->getInitializer()) : nullptr;
    return text != nullptr ? text->getAsCString().str() : "";
}

// Modules of preprocessed sources of one language.
static std::vector<std::unique_ptr<Module>> compile(const Options &options, const std::vector<std::string> &files, const std::vector<std::string> &texts,
                                                    LLVMContext &context)
{
    char folder[] = "/tmp/nysx-check-XXXXXX";
    if (mkdtemp(folder) == nullptr)
        throw Failure{4, "/tmp: no folder can be made there"};
    std::vector<std::string> paths;
    auto out = [](const std::string &in) { return in.substr(0, in.size() - 1) + "bc"; };
    auto remove = make_scope_exit([&] {
        for (const std::string &path : paths) {
            unlink(path.c_str());
            unlink(out(path).c_str());
        }
        rmdir(folder);
    });
    for (const std::string &text : texts) {
        paths.push_back(std::string(folder) + "/" + std::to_string(paths.size()) + ".i");
        std::ofstream(paths.back()) << text;
    }
    clang_over(options, std::string(is_cpp(files[0]) ? "-x c++-cpp-output -std=c++17" : "-x cpp-output -std=c99") +
               " -w -O0 -Xclang -disable-O0-optnone -g -fno-discard-value-names -ffp-contract=off -emit-llvm -c",
               paths, files, " with its directives as statements: a directive names a variable that is not there");
    std::vector<std::unique_ptr<Module>> modules;
    for (const std::string &path : paths) {
        SMDiagnostic problem;
        modules.push_back(parseIRFile(out(path), problem, context));
        if (modules.back() == nullptr)
            throw Failure{4, options.clang + ": writes what this LLVM does not read: " + problem.getMessage().str()};
    }
    return modules;
}

// A directive on a parameter applies to the object that it points to.
static void look_through_parameters(Function &function)
{
    for (Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (call == nullptr || carried_text(*call).empty())
            continue;
        auto *slot = dyn_cast<AllocaInst>(call->getArgOperand(1)->stripPointerCasts());
        if (slot == nullptr || !slot->getAllocatedType()->isPointerTy())
            continue;
        IRBuilder<> builder(call);
        Value *value = builder.CreateLoad(slot->getAllocatedType(), slot);
        call->setArgOperand(1, builder.CreateBitCast(value, call->getArgOperand(1)->getType()));
    }
}

// Numbers that an array holds; 0 for one of structures, or no array.
static uint64_t numbers_of(const AllocaInst &alloca)
{
    uint64_t count = 1;
    Type *type = alloca.getAllocatedType();
    if (!type->isArrayTy())
        return 0;
    for (auto *array = dyn_cast<ArrayType>(type); array != nullptr; array = dyn_cast<ArrayType>(type)) {
        count *= array->getNumElements();
        type = array->getElementType();
    }
    return type->isStructTy() ? 0 : count;
}

static Instruction *first_after_allocas(Function &function)
{
    Instruction *first = &function.getEntryBlock().front();
    while (isa<AllocaInst>(first))
        first = first->getNextNode();
    return first;
}

// An array is a memory until a directive says otherwise, though LLVM could take it apart by itself if all its indices are known. A call with its
// address holds it together. Arrays of fewer than COMPLETE_BELOW numbers are registers without a directive.
static void hold_arrays(Function &function, Function &carrier)
{
    std::vector<AllocaInst *> arrays;
    for (Instruction &instruction : instructions(function))
        if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
            if (numbers_of(*alloca) >= COMPLETE_BELOW)
                arrays.push_back(alloca);
    for (AllocaInst *alloca : arrays) {
        IRBuilder<> builder(first_after_allocas(function));
        Value *text = builder.CreateGlobalStringPtr("ARRAY"), *pointer = builder.CreateBitCast(alloca, carrier.getArg(1)->getType());
        CallInst *call = builder.CreateCall(&carrier, {text, pointer});
        if (DILocalVariable *variable = variable_of(*alloca))
            call->setDebugLoc(DILocation::get(function.getContext(), variable->getLine(), 0, variable->getScope()));
    }
}

// Gathers the holders of an array: the calls that carry its directives. False if an index is not known at compile time.
static bool gather_holders(Value &pointer, std::vector<CallInst *> &holders)
{
    for (User *user : pointer.users()) {
        auto *gep = dyn_cast<GetElementPtrInst>(user);
        auto *call = dyn_cast<CallInst>(user);
        if (call != nullptr && !carried_text(*call).empty())
            holders.push_back(call);
        else if ((gep != nullptr && gep->hasAllConstantIndices()) || isa<BitCastInst>(user)) {
            if (!gather_holders(*user, holders))
                return false;
        } else if (!isa<LoadInst>(user) && !isa<IntrinsicInst>(user) &&
                   !(isa<StoreInst>(user) && cast<StoreInst>(user)->getPointerOperand() == &pointer))
            return false;
    }
    return true;
}

// Whether the directives take every dimension apart.
static bool is_taken_apart(const AllocaInst &alloca, const std::vector<CallInst *> &holders)
{
    std::set<long> apart;
    for (const CallInst *call : holders) {
        Pragma pragma = parse_pragma(carried_text(*call));
        bool whole = pragma.option("type", "complete") == "complete" && pragma.options.count("cyclic") == 0 && pragma.options.count("block") == 0;
        if (pragma.kind == "ARRAY_PARTITION" && whole && call->getArgOperand(1)->stripPointerCasts() == &alloca)
            apart.insert(pragma.number("dim", 1));
        else if (pragma.kind != "ARRAY")
            return false;
    }
    long dimensions = 0;
    for (auto *array = dyn_cast<ArrayType>(alloca.getAllocatedType()); array != nullptr; array = dyn_cast<ArrayType>(array->getElementType()))
        if (apart.count(++dimensions) == 0 && apart.count(0) == 0)
            return false;
    return true;
}

// An array becomes values if its directives make it registers and all indices are known at compile time. Nothing holds it any longer.
static void release_registers(Function &function)
{
    for (Instruction &instruction : instructions(function)) {
        auto *alloca = dyn_cast<AllocaInst>(&instruction);
        std::vector<CallInst *> holders;
        if (alloca == nullptr || numbers_of(*alloca) == 0 || !gather_holders(*alloca, holders) || !is_taken_apart(*alloca, holders))
            continue;
        for (CallInst *call : holders)
            call->eraseFromParent();
    }
}

class Passes {
public:
    Passes()
    {
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(cgsccs);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, cgsccs, modules);
    }
    void run(Module &module, const char *pipeline)
    {
        run_over(parsed<ModulePassManager>(pipeline), module, modules);
    }
    void run(Function &function, const char *pipeline)
    {
        run_over(parsed<FunctionPassManager>(pipeline), function, functions);
    }
    // Unrolls the loops that are marked for it, and no others.
    void unroll(Function &function)
    {
        run_over(unroller(), function, functions);
    }
    void unroll(Module &module)
    {
        ModulePassManager manager;
        manager.addPass(createModuleToFunctionPassAdaptor(unroller()));
        run_over(std::move(manager), module, modules);
    }

private:
    static FunctionPassManager unroller()
    {
        FunctionPassManager each;
        each.addPass(LoopUnrollPass(LoopUnrollOptions(3, true).setPartial(true).setRuntime(false).setPeeling(false)));
        return each;
    }
    template <class Manager> Manager parsed(const char *pipeline)
    {
        Manager manager;
        if (Error error = builder.parsePassPipeline(manager, pipeline)) {
            std::string text = toString(std::move(error));
            throw Failure{4, "LLVM: " + text};
        }
        return manager;
    }
    template <class Manager, class Unit, class Analyses> void run_over(Manager manager, Unit &unit, Analyses &analyses)
    {
        manager.run(unit, analyses);
        modules.clear();
        functions.clear();
        loops.clear();
    }

    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager cgsccs;
    ModuleAnalysisManager modules;
    PassBuilder builder;
};

// The name of a loop by the line of its `for`.
static std::string name_at(const LoopNames &names, const Place &place)
{
    auto found = names.find({place.file, place.line});
    return found != names.end() ? found->second : "";
}

// Adds a call with the loop's name to its latch; the call stays with the loop through the passes.
static void carry_name(Loop &loop, const std::string &name, Function &carrier)
{
    IRBuilder<> builder(loop.getLoopLatch()->getTerminator());
    Value *text = builder.CreateGlobalStringPtr("LOOP name=" + name);
    CallInst *call = builder.CreateCall(&carrier, {text, Constant::getNullValue(carrier.getArg(1)->getType())});
    call->setDebugLoc(loop.getStartLoc());
}

struct Marks {
    bool pipeline = false, unroll = false;
    long factor = 0;
};

// Whether a loop's directive is this loop's own. It may belong to another loop whose only iteration was replaced by its body. A directive follows its
// loop's `for`, and no other loop with a name lies between.
static bool is_of(const Place &directive, const Place &loop, const LoopNames &names)
{
    if (directive.file != loop.file || directive.line < loop.line)
        return false;
    auto next = names.upper_bound({loop.file, loop.line});
    return next == names.end() || next->first.first != loop.file || next->first.second > directive.line;
}

// Removes directives of loops that no longer exist.
static Marks marks_of(Loop &loop, const LoopInfo &loops, const LoopNames &names)
{
    Marks out;
    Place place = place_of(loop.getStartLoc());
    for (BasicBlock *block : loop.blocks()) {
        if (loops.getLoopFor(block) != &loop)
            continue;
        for (auto i = block->begin(); i != block->end();) {
            Instruction &instruction = *i++;
            Pragma pragma = parse_pragma(carried_text(instruction));
            if (pragma.kind != "PIPELINE" && pragma.kind != "UNROLL")
                continue;
            if (!is_of(place_of(instruction.getDebugLoc()), place, names)) {
                instruction.eraseFromParent();
                continue;
            }
            out.pipeline = out.pipeline || (pragma.kind == "PIPELINE" && pragma.options.count("off") == 0);
            if (pragma.kind == "UNROLL") {
                out.unroll = true;
                out.factor = pragma.number("factor", 0);
            }
        }
    }
    return out;
}

// Marks loops under a pipelined one to be unrolled completely, whatever they say, and those with UNROLL as it says.
static void mark(Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution, const LoopNames &names, bool under,
                 Function &carrier, std::vector<std::string> &unanalysed)
{
    Marks marks = marks_of(loop, loops, names);
    Place place = place_of(loop.getStartLoc());
    std::string name = name_at(names, place);
    unsigned trips = evolution.getSmallConstantTripCount(&loop);
    bool whole = under || (marks.unroll && (marks.factor == 0 || (trips != 0 && static_cast<unsigned>(marks.factor) >= trips)));
    if (whole && trips == 0)
        unanalysed.push_back(place.text() + ": loop " + (name.empty() ? "(without a label)" : name) +
                             ": to be unrolled, but its trip count is not known at compile time");
    if (marks.factor > 1 && trips != 0 && static_cast<unsigned>(marks.factor) < trips &&
        (under || trips % static_cast<unsigned>(marks.factor) != 0))
        unanalysed.push_back(place.text() + ": loop " + (name.empty() ? "(without a label)" : name) + ": UNROLL factor=" +
                             std::to_string(marks.factor) + " of " + std::to_string(trips) + " iterations" +
                             (under ? ", under a pipelined loop, where it is unrolled whole" : ", which leaves some over"));
    if (whole)
        addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    else if (marks.unroll && marks.factor > 1)
        addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", static_cast<unsigned>(marks.factor));
    else if (loop.getLoopLatch() != nullptr)
        carry_name(loop, name.empty() ? place.file + ":" + std::to_string(place.line) : name, carrier);
    for (Loop *inner : loop)
        mark(*inner, loops, evolution, names, under || marks.pipeline, carrier, unanalysed);
}

static void mark_loops(Program &program, const LoopNames &names, std::vector<std::string> &unanalysed)
{
    Function &top = *program.top;
    PassBuilder builder;
    FunctionAnalysisManager functions;
    LoopAnalysisManager loop_analyses;
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loop_analyses);
    functions.registerPass([&] { return LoopAnalysisManagerFunctionProxy(loop_analyses); });
    LoopInfo &loops = functions.getResult<LoopAnalysis>(top);
    ScalarEvolution &evolution = functions.getResult<ScalarEvolutionAnalysis>(top);
    Function *carrier = program.module->getFunction(CARRIER);
    for (Loop *loop : loops)
        mark(*loop, loops, evolution, names, false, *carrier, unanalysed);
    for (BasicBlock &block : top)
        for (auto i = block.begin(); i != block.end();) {
            Instruction &instruction = *i++;
            if (parse_pragma(carried_text(instruction)).kind == "UNROLL")
                instruction.eraseFromParent();
        }
}

// The iterations of an unrolled loop over calls that run side by side are processes: the loop is unrolled before they are inlined, so that each has
// arrays and FIFOs of its own.
static void unroll_processes(Function &function, Passes &passes)
{
    passes.run(function, "sroa,early-cse,simplifycfg,loop(loop-rotate),simplifycfg,loop-simplify,lcssa");
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    std::vector<Instruction *> said;
    for (Instruction &instruction : instructions(function))
        if (parse_pragma(carried_text(instruction)).kind == "UNROLL" && loops.getLoopFor(instruction.getParent()) != nullptr)
            said.push_back(&instruction);
    for (Instruction *instruction : said) {
        addStringMetadataToLoop(loops.getLoopFor(instruction->getParent()), "llvm.loop.unroll.full", 1);
        instruction->eraseFromParent();
    }
    passes.unroll(function);
}

static void make_one_function(Program &program, const Configuration &configuration, Passes &passes)
{
    Module &module = *program.module;
    program.top = module.getFunction(configuration.top);
    if (program.top == nullptr || program.top->isDeclaration())
        throw Failure{3, "no function " + configuration.top + ", which hls_config.cfg names as the top"};
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        look_through_parameters(function);
        const DominatorTree dominators(function);
        const LoopInfo loops(dominators);
        std::string name = function.getSubprogram() != nullptr ? function.getSubprogram()->getName().str() : function.getName().str();
        for (Instruction &instruction : instructions(function))
            if (parse_pragma(carried_text(instruction)).kind == "DATAFLOW") {
                program.dataflow.insert(name);
                if (loops.getLoopFor(instruction.getParent()) != nullptr)
                    program.alternating.insert(name);
            }
        if (program.dataflow.count(name) != 0)
            unroll_processes(function, passes);
    }
    for (Function &function : module) { // only now: LLVM unrolls no loop over calls that may be inlined
        if (function.isDeclaration())
            continue;
        function.removeFnAttr(Attribute::NoInline);
        function.removeFnAttr(Attribute::OptimizeNone);
        if (&function != program.top) {
            function.setLinkage(GlobalValue::InternalLinkage);
            function.addFnAttr(Attribute::AlwaysInline);
        }
    }
    Function *carrier = module.getFunction(CARRIER);
    if (carrier == nullptr)
        throw Failure{3, "no directives in the source"};
    carrier->setOnlyAccessesInaccessibleMemory();
    carrier->setDoesNotThrow();
    carrier->addFnAttr(Attribute::WillReturn);
    for (Argument &argument : carrier->args())
        argument.addAttr(Attribute::NoCapture);
    for (Function &function : module)
        if (!function.isDeclaration())
            hold_arrays(function, *carrier);
    passes.run(module, "always-inline,globaldce,function(sroa,early-cse," COMBINE ",simplifycfg,loop(loop-rotate)," COMBINE ",simplifycfg,loop-simplify,lcssa)");
    program.top = module.getFunction(configuration.top);
}

// Links sources of one language to the program.
static void add_sources(Program &program, const Options &options, const Configuration &configuration, const std::vector<std::string> &files,
                        LoopNames &names, std::vector<std::string> &unanalysed)
{
    std::vector<std::string> texts = preprocess(options, configuration, files);
    for (size_t i = 0; i < files.size(); i++)
        texts[i] = carry_pragmas(files[i], texts[i], names, program.included, program.directives, unanalysed);
    std::vector<std::unique_ptr<Module>> modules = compile(options, files, texts, *program.context);
    for (size_t i = 0; i < files.size(); i++)
        if (program.module == nullptr)
            program.module = std::move(modules[i]);
        else if (Linker::linkModules(*program.module, std::move(modules[i])))
            throw Failure{3, options.folder + "/" + files[i] + ": cannot be linked with the other sources"};
}

Program build_program(const Options &options, const Configuration &configuration, std::vector<std::string> &unanalysed)
{
    Program program;
    LoopNames names;
    program.context = std::make_unique<LLVMContext>();
    for (auto first = configuration.files.begin(), end = first; first != configuration.files.end(); first = end) {
        end = std::find_if(first, configuration.files.end(), [&](const std::string &file) { return is_cpp(file) != is_cpp(*first); });
        add_sources(program, options, configuration, {first, end}, names, unanalysed);
    }
    Passes passes;
    make_one_function(program, configuration, passes);
    mark_loops(program, names, unanalysed);
    passes.unroll(*program.module);
    release_registers(*program.top);
    passes.run(*program.module, "function(simplifycfg,sroa,early-cse," COMBINE ",simplifycfg,sroa,early-cse,dce,loop-simplify,lcssa)");
    return program;
}

} // namespace checker
