// The board of xrt/xrt_mock.h, compiled with the emitted accelerator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

#ifdef MOCK_CALL // a kernel of ports and registers: MOCK_HEADER, MOCK_KERNEL (up to the unit's number), MOCK_UNITS, MOCK_CALL, MOCK_PORTS, MOCK_REGISTERS,
             // MOCK_SLOTS and MOCK_STRIDE, of its answers in bytes, are its own
#include MOCK_HEADER
#else
#include "nysx.h"
#include "nysx_pack.h"
#define MOCK_KERNEL "nysx_top:{nysx_top_"
#define MOCK_UNITS NYSX_UNITS
#endif
#include "xrt/xrt_mock.h"

namespace {

#ifdef MOCK_CALL
constexpr int ANSWER = -1, MEMORIES = MOCK_PORTS, ARGUMENTS = MOCK_PORTS + MOCK_REGISTERS;
#elif NYSX_OVERLAP != NYSX_OVERLAP_NONE
constexpr int ANSWER = -1, MEMORIES = 3 + NYSX_PARTS, ARGUMENTS = MEMORIES + 3;
#else
constexpr int ANSWER = 1 + NYSX_PARTS, MEMORIES = ANSWER, ARGUMENTS = ANSWER + 4;
nysx_kernel_t answers[NYSX_UNITS];
#endif
constexpr size_t PAGE = 4096;

void **device_arguments; // of the run at work
int32_t *numbers;
int unit_at_work; // from 0 on

[[noreturn]] void reject(const std::string &what)
{
    throw std::runtime_error("mock board: " + what);
}

// Two alternating memories per unit, so that a host that confuses them is found.
int group_of(int argument, int unit)
{
    return 10 * unit + (argument % 2 == 0 ? 3 : 7);
}

#ifdef MOCK_CALL
void make_call()
{
    MOCK_CALL(device_arguments, reinterpret_cast<uint32_t *>(numbers + MOCK_PORTS));
    constexpr bool queue = MOCK_SLOTS > 1; // whose ring is the last port
    for (size_t slot = 0; slot < MOCK_SLOTS && std::getenv("MOCK_WRONG") != nullptr; slot++)
        static_cast<char *>(device_arguments[MOCK_PORTS - 1 - queue])[slot * MOCK_STRIDE] ^= 1;
}
#else
void make_call()
{
    static bool loaded[NYSX_UNITS];
    constexpr int COMMAND = ARGUMENTS - 3;
    loaded[unit_at_work] |= numbers[COMMAND] == NYSX_COMMAND_LOAD;
    if (NYSX_LOADS_TABLES && !loaded[unit_at_work])
        reject("a unit without its tables is started");
    const auto *query = static_cast<const nysx_query_word_t *>(device_arguments[0]);
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    const nysx_p_word_t *ports[NYSX_NEE_PORTS];
    for (int i = 0; i < NYSX_NEE_PORTS; i++)
        ports[i] = static_cast<const nysx_p_word_t *>(device_arguments[1 + i]);
#define AND_P , NYSX_EACH_P(ports)
#else
#define AND_P
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define AND_H , static_cast<const nysx_h_word_t *>(device_arguments[NYSX_PARTS])
#else
#define AND_H
#endif
#if NYSX_OVERLAP != NYSX_OVERLAP_NONE
    auto *answer = static_cast<nysx_kernel_t *>(device_arguments[MEMORIES - 1]);
    nysx_top(query AND_P AND_H, static_cast<const nysx_query_word_t *>(device_arguments[MEMORIES - 2]), answer, numbers[MEMORIES],
             numbers[MEMORIES + 1], numbers[MEMORIES + 2]);
#else
    auto *answer = answers + unit_at_work;
    answer[0] = -99;
    nysx_top(query AND_P AND_H, answer, numbers[ANSWER + 1], numbers[ANSWER + 2], numbers[ANSWER + 3]);
#endif
    if (std::getenv("MOCK_WRONG") != nullptr)
        answer[0] ^= 1;
}
#endif

} // namespace

namespace xrt {

struct memory {
    std::vector<char> host, board;
    memory_group group;
};

device::device(unsigned index)
{
    if (index != 0)
        reject("there is one board, 0");
}

uuid device::load_xclbin(const std::string &path)
{
    FILE *file = std::fopen(path.c_str(), "rb");
    if (file == nullptr)
        reject(path + ": no such file");
    std::fclose(file);
    return uuid();
}

bo::bo(const device &, size_t size, memory_group group) : whole(std::make_shared<memory>()), bytes(size)
{
    whole->host.resize(size + PAGE);
    whole->board.resize(size + PAGE, static_cast<char>(0xa5));
    whole->group = group;
}

bo::bo(const bo &parent, size_t size, size_t offset) : whole(parent.whole), first(parent.first + offset), bytes(size)
{
    if (offset % PAGE != 0)
        reject("a part of a buffer begins within a page");
    if (offset + size > parent.bytes)
        reject("a part of a buffer ends behind it");
}

static char *in_pages(std::vector<char> &bytes)
{
    size_t past = reinterpret_cast<uintptr_t>(bytes.data()) % PAGE;
    return bytes.data() + (past == 0 ? 0 : PAGE - past);
}

void *bo::host() const
{
    return in_pages(whole->host) + first;
}

static unsigned transfers; // of buffers, in either direction

void bo::sync(xclBOSyncDirection direction, size_t size, size_t offset)
{
    transfers++;
    if (offset + size > bytes)
        reject("more is sent than the buffer holds");
    char *board = in_pages(whole->board) + first + offset, *here = static_cast<char *>(host()) + offset;
    if (direction == XCL_BO_SYNC_BO_TO_DEVICE)
        std::memcpy(board, here, size);
    else
        std::memcpy(here, board, size);
}

kernel::kernel(const device &, const uuid &, const std::string &name, cu_access_mode how) : mode(how)
{
    const std::string before = MOCK_KERNEL;
    unit = name.compare(0, before.size(), before) == 0 && name.size() == before.size() + 2 && name.back() == '}' ? name[before.size()] - '1' : -1;
    if (unit < 0 || unit >= MOCK_UNITS)
        reject(name + ": no such kernel");
}

int kernel::group_id(int argument) const
{
    if (argument >= MEMORIES)
        reject("an argument without memory has no group");
    return group_of(argument, unit);
}

uint32_t kernel::offset(int argument) const
{
    return 0x10u + 12u * static_cast<uint32_t>(argument);
}

uint32_t kernel::read_register(uint32_t at) const
{
    if (mode != cu_access_mode::exclusive)
        reject("registers are read of an exclusive kernel alone");
    if (ANSWER < 0 || at != offset(ANSWER))
        reject("a register that is no answer is read");
#if defined(MOCK_CALL) || NYSX_OVERLAP != NYSX_OVERLAP_NONE
    return 0;
#else
    return static_cast<uint32_t>(answers[unit]);
#endif
}

struct call_of {
    int unit;
    void *device_arguments[ARGUMENTS] = {};
    int32_t numbers[ARGUMENTS] = {};
    bool is_set[ARGUMENTS] = {};
};

// Runs that were started and have not ended. They execute when the host waits for one of them or for a later one, on the board's memory at
// that time: this finds a host that overwrites data in use.
static std::vector<std::shared_ptr<call_of>> at_work;

run::run(const kernel &kernel) : call(std::make_shared<call_of>())
{
    call->unit = kernel.unit;
}

void run::set_arg(int argument, const bo &buffer)
{
    if (buffer.whole->group != static_cast<memory_group>(group_of(argument, call->unit)))
        reject("a buffer lies in another memory than its argument's");
    call->device_arguments[argument] = in_pages(buffer.whole->board) + buffer.first;
    call->is_set[argument] = true;
}

void run::set_arg(int argument, int32_t value)
{
    if (argument < MEMORIES || argument == ANSWER || argument >= ARGUMENTS)
        reject("a number is set where none is");
    call->numbers[argument] = value;
    call->is_set[argument] = true;
}

void run::start()
{
    for (int i = 0; i < ARGUMENTS; i++)
        if (i != ANSWER && !call->is_set[i])
            reject("argument " + std::to_string(i) + " is not set");
    if (std::find(at_work.begin(), at_work.end(), call) != at_work.end())
        reject("a run is started that has not ended");
    static struct Starts {
        unsigned of[MOCK_UNITS];
        ~Starts()
        {
            for (int unit = 0; unit < MOCK_UNITS; unit++)
                std::fprintf(stderr, "unit %d: %u starts\n", unit + 1, of[unit]);
            std::fprintf(stderr, "%u transfers\n", transfers);
        }
    } starts = {};
    starts.of[call->unit]++;
    at_work.push_back(call);
}

ert_cmd_state run::wait(const std::chrono::milliseconds &) const
{
    const auto found = std::find(at_work.begin(), at_work.end(), call);
    if (found == at_work.end())
        return ERT_CMD_STATE_TIMEOUT;
    for (auto each = at_work.begin(); each <= found; ++each) {
        device_arguments = (*each)->device_arguments;
        numbers = (*each)->numbers;
        unit_at_work = (*each)->unit;
        make_call();
    }
    at_work.erase(at_work.begin(), found + 1);
    return ERT_CMD_STATE_COMPLETED;
}

} // namespace xrt
