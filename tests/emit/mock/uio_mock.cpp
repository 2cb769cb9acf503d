// A board under Linux for the emitted host with uio.hpp, linked around it (-Wl,--wrap): registers that see each access (uio_mock.h), interrupts as generic-uio gives
// them, and memory as of u-dma-buf: the kernel reads its own copy, so data that are not synchronised are missing. A kernel runs when the host looks for its end. Rejects
// accesses that the hardware would not take.
#include "uio_mock.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include <dirent.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel_mock.h"

#include MOCK_ADDRESSES // the registers' addresses: address_of_control, address_of_enable_all, address_of_enable, address_of_status, addresses[] of the arguments; CHAINED, MOCK_TOP

extern "C" {
int __real_open(const char *path, int flags);
ssize_t __real_read(int file, void *to, size_t bytes);
ssize_t __real_write(int file, const void *from, size_t bytes);
DIR *__real_opendir(const char *path);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_open(const char *path, int flags);
ssize_t __wrap_read(int file, void *to, size_t bytes);
ssize_t __wrap_write(int file, const void *from, size_t bytes);
ssize_t __wrap_pwrite(int file, const void *from, size_t bytes, off_t at);
int __wrap_poll(pollfd *files, nfds_t count, int milliseconds);
DIR *__wrap_opendir(const char *path);
}

namespace {

constexpr uint64_t PHYSICAL = 0x240000000;
constexpr size_t MEMORY = 64 << 20;
constexpr int UNITS_BEFORE = 1; // uio0 is another device

struct Unit {
    Word *words = nullptr;
    int number = 0;
    bool at_work = false, done = false, status = false, enabled = false, enabled_all = false, armed = false;
    uint32_t events = 0, seen = 0, looks = 0;
    std::map<uint32_t, uint32_t> values; // arguments, by address
};

std::map<int, Unit> units; // by file
std::map<int, bool> syncs; // by file: to the device
char *host_memory;
int memory_file = -1;
std::vector<char> board_memory(MEMORY, static_cast<char>(0xa5));

struct Counts {
    unsigned starts[MOCK_UNITS] = {}, transfers = 0, reads = 0, writes = 0, interrupts = 0;
    ~Counts()
    {
        for (int unit = 0; unit < MOCK_UNITS; unit++)
            std::fprintf(stderr, "unit %d: %u starts\n", unit + 1, starts[unit]);
        std::fprintf(stderr, "%u transfers\n%u register reads\n%u register writes\n%u interrupts\n", transfers, reads, writes, interrupts);
    }
} counts;

Unit &unit_of(const Word *word)
{
    for (auto &entry : units)
        if (word >= entry.second.words && word < entry.second.words + 1024)
            return entry.second;
    reject("a register of no unit");
}

uint32_t address_in(const Unit &unit, const Word *word)
{
    return static_cast<uint32_t>(4 * (word - unit.words));
}

void execute(Unit &unit)
{
    static void *arguments[ARGUMENTS];
    static int32_t values[ARGUMENTS];
    for (int i = 0; i < ARGUMENTS; i++) {
        const uint32_t at = addresses[i];
        if (i == ANSWER)
            continue;
        if (unit.values.count(at) == 0)
            reject("argument " + std::to_string(i) + " is not set");
        values[i] = static_cast<int32_t>(unit.values[at]);
        const uint64_t physical = i < MEMORIES ? unit.values[at] | static_cast<uint64_t>(unit.values.at(at + 4)) << 32 : PHYSICAL;
        if (physical < PHYSICAL || physical >= PHYSICAL + MEMORY || physical % 4096 != 0)
            reject("argument " + std::to_string(i) + " lies in no memory");
        arguments[i] = &board_memory[physical - PHYSICAL];
    }
    device_arguments = arguments;
    numbers = values;
    unit_at_work = unit.number;
    make_call();
    unit.at_work = false;
    unit.done = true;
    unit.status = unit.status || unit.enabled;
}

int file_of(const std::string &content, size_t bytes)
{
    const int file = memfd_create("mock", 0);
    if (__real_write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()) || lseek(file, 0, SEEK_SET) != 0 ||
        (bytes > 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0))
        reject("a file is not written");
    return file;
}

} // namespace

Word::operator uint32_t() const
{
    Unit &unit = unit_of(this);
    const uint32_t at = address_in(unit, this);
    counts.reads++;
    if (at == address_of_control) {
        if (unit.at_work && unit.looks++ % 2 == 1) // not at the first look
            execute(unit);
        const bool done = unit.done;
        unit.done = unit.done && CHAINED; // cleared by the read
        return done ? 6 : unit.at_work ? 0 : 4;
    }
    if (at == address_of_status)
        return unit.status;
#if !defined(MOCK_CALL) && NYSX_OVERLAP == NYSX_OVERLAP_NONE
    if (at == addresses[ANSWER])
        return static_cast<uint32_t>(answers[unit.number]);
#endif
    reject("a register is read that gives nothing");
}

void Word::operator=(uint32_t value)
{
    Unit &unit = unit_of(this);
    const uint32_t at = address_in(unit, this);
    counts.writes++;
    if (at == address_of_control) {
        if ((value & 16) != 0 && !CHAINED)
            reject("there is no such bit");
        if ((value & 16) != 0)
            unit.done = false;
        if ((value & 1) != 0 && (unit.at_work || (CHAINED && unit.done)))
            reject("a start before the end of the one before was seen");
        if ((value & 1) != 0) {
            unit.at_work = true;
            counts.starts[unit.number]++;
        }
    } else if (at == address_of_status)
        unit.status = unit.status != ((value & 1) != 0) || (CHAINED && unit.done && unit.enabled);
    else if (at == address_of_enable)
        unit.enabled = value != 0;
    else if (at == address_of_enable_all)
        unit.enabled_all = value != 0;
    else if (unit.at_work)
        reject("an argument is changed while the kernel runs");
    else
        unit.values[at] = value;
}

int __wrap_open(const char *path, int flags)
{
    const std::string name = path;
    int unit = -1;
    if (std::sscanf(path, "/sys/class/uio/uio%d/name", &unit) == 1)
        return file_of(unit < UNITS_BEFORE ? "another\n" : MOCK_TOP "_" + std::to_string(unit - UNITS_BEFORE + 1) + "\n", 0);
    if (name == "/sys/class/u-dma-buf/udmabuf0/size")
        return file_of(std::to_string(std::getenv("MOCK_SMALL") != nullptr ? 64 : MEMORY) + "\n", 0);
    if (name == "/sys/class/u-dma-buf/udmabuf0/phys_addr")
        return file_of("0x240000000\n", 0);
    if (name == "/sys/class/u-dma-buf/udmabuf0/sync_for_device" || name == "/sys/class/u-dma-buf/udmabuf0/sync_for_cpu") {
        const int file = file_of("", 0);
        syncs[file] = name.back() == 'e';
        return file;
    }
    if (name == "/dev/udmabuf0")
        return memory_file = file_of("", MEMORY);
    if (std::sscanf(path, "/dev/uio%d", &unit) == 1 && unit >= UNITS_BEFORE) {
        const int file = file_of("", 4096);
        units[file].number = unit - UNITS_BEFORE;
        return file;
    }
    return name.compare(0, 5, "/dev/") == 0 || name.compare(0, 5, "/sys/") == 0 ? -1 : __real_open(path, flags);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *mapped = __real_mmap(at, bytes, protection, flags, file, offset);
    if (units.count(file) != 0)
        units[file].words = static_cast<Word *>(mapped);
    if (file == memory_file)
        host_memory = static_cast<char *>(mapped);
    return mapped;
}

ssize_t __wrap_write(int file, const void *from, size_t bytes)
{
    if (units.count(file) == 0)
        return __real_write(file, from, bytes);
    if (std::getenv("MOCK_NO_INTERRUPT") != nullptr)
        return -1;
    units[file].armed = *static_cast<const uint32_t *>(from) == 1;
    return bytes == 4 ? 4 : -1;
}

// An interrupt comes at once if the unit's line asks for it; before the third, another interrupt comes.
int __wrap_poll(pollfd *files, nfds_t count, int)
{
    if (count != 1 || units.count(files->fd) == 0)
        reject("a file is polled that gives no interrupts");
    Unit &unit = units[files->fd];
    const bool other = ++unit.looks == 3;
    if (!other && unit.at_work)
        execute(unit);
    if (!unit.armed || !(other || (unit.status && unit.enabled_all)))
        return 0;
    unit.armed = false;
    unit.events++;
    counts.interrupts += !other;
    files->revents = POLLIN;
    return 1;
}

ssize_t __wrap_read(int file, void *to, size_t bytes)
{
    if (units.count(file) == 0)
        return __real_read(file, to, bytes);
    Unit &unit = units[file];
    if (bytes != 4 || unit.seen == unit.events)
        reject("an interrupt is read that has not come");
    std::memcpy(to, &unit.events, 4);
    unit.seen = unit.events;
    return 4;
}

ssize_t __wrap_pwrite(int file, const void *from, size_t bytes, off_t)
{
    const uint64_t value = std::stoull(std::string(static_cast<const char *>(from), bytes), nullptr, 16);
    const size_t first = static_cast<size_t>(value >> 32), size = value & 0xfffffff0;
    const bool to_device = syncs.at(file);
    if (first + size > MEMORY || (value & 15) != (to_device ? 5 : 9))
        reject("a part of the memory that cannot be synchronised");
    counts.transfers++;
    if (to_device)
        std::memcpy(&board_memory[first], host_memory + first, size);
    else
        std::memcpy(host_memory + first, &board_memory[first], size);
    return static_cast<ssize_t>(bytes);
}

DIR *__wrap_opendir(const char *path)
{
    if (std::string(path) != "/sys/class/uio/")
        return __real_opendir(path);
    mkdir("build/devices", 0755);
    for (int unit = 0; unit < MOCK_UNITS + UNITS_BEFORE; unit++)
        mkdir(("build/devices/uio" + std::to_string(unit)).c_str(), 0755);
    return __real_opendir("build/devices");
}
