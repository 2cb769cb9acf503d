// The board of xrt/xrt_mock.h, compiled with the emitted accelerator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

#include "kernel_mock.h"
#include "xrt/xrt_mock.h"

namespace {

constexpr size_t PAGE = 4096;

// Two alternating memories per unit, so that a host that confuses them is found.
int group_of(int argument, int unit)
{
    return 10 * unit + (argument % 2 == 0 ? 3 : 7);
}

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

static unsigned transfers; // transfers of buffers, in either direction

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
