/* SPDX-License-Identifier: MIT */ // The part of XRT's interface that host.cpp uses, under Linux on the board's own processor: registers and interrupts by generic-uio, memory by
// u-dma-buf. A unit runs one start at a time; the next one begins as soon as the host has seen its end. Written by nysx-dse @VERSION@.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "udmabuf.h"
#include "x@TOP@_hw.h" // written by Vitis HLS with the IP

#ifndef UIO_WORD // a register; another type sees each access
#define UIO_WORD volatile uint32_t
#endif

enum xclBOSyncDirection { XCL_BO_SYNC_BO_TO_DEVICE, XCL_BO_SYNC_BO_FROM_DEVICE };
enum ert_cmd_state { ERT_CMD_STATE_COMPLETED = 4, ERT_CMD_STATE_TIMEOUT = 8 };

namespace uio {

inline std::string wait = "interrupt"; // or "poll"

constexpr struct {
    uint32_t address, bits;
} arguments[] = {
@ADDRESSES@
};
constexpr uint32_t CONTROL = X@TOP_UPPER@_CONTROL_ADDR_AP_CTRL, ENABLE_ALL = X@TOP_UPPER@_CONTROL_ADDR_GIE, ENABLE = X@TOP_UPPER@_CONTROL_ADDR_IER,
                   STATUS = X@TOP_UPPER@_CONTROL_ADDR_ISR;
constexpr uint32_t START = 1, DONE = 2, CONTINUE = 16; // bits of CONTROL; the end's bit of ENABLE and STATUS is the first
constexpr bool CHAINED = @CHAINED@;                    // the kernel holds its done bit until it may continue
constexpr size_t REGISTERS = 2 * sizeof arguments / sizeof *arguments, PAGE = 4096;

inline int open_file(const std::string &path, int flags)
{
    const int file = open(path.c_str(), flags);
    if (file < 0)
        throw std::runtime_error(path + ": cannot be opened");
    return file;
}

inline std::string read_line(const std::string &path)
{
    char text[128] = "";
    const int file = open_file(path, O_RDONLY);
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    const std::string line(text, length > 0 ? static_cast<size_t>(length) : 0);
    return line.substr(0, line.find('\n'));
}

inline void *map(const std::string &path, int file, size_t bytes)
{
    void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        throw std::runtime_error(path + ": cannot be mapped");
    return at;
}

// The buffer of u-dma-buf: cached memory without gaps, from which the arguments take their pages.
struct Memory {
    explicit Memory(const std::string &name_) : name(name_), size(std::stoull(read_line(folder() + "size"), nullptr, 0)), address(std::stoull(read_line(folder() + "phys_addr"), nullptr, 0))
    {
        const int file = open_file("/dev/" + name, O_RDWR);
        bytes = static_cast<char *>(map("/dev/" + name, file, size));
        for (const xclBOSyncDirection direction : {XCL_BO_SYNC_BO_TO_DEVICE, XCL_BO_SYNC_BO_FROM_DEVICE})
            syncs[direction] = udmabuf_open_sync(name.c_str(), direction == XCL_BO_SYNC_BO_TO_DEVICE);
    }

    std::string folder() const { return "/sys/class/u-dma-buf/" + name + "/"; }

    size_t take(size_t wanted)
    {
        const size_t first = taken;
        taken += (wanted + PAGE - 1) / PAGE * PAGE;
        if (taken > size)
            throw std::runtime_error("/dev/" + name + ": has " + std::to_string(size) + " bytes; the arguments need " + std::to_string(taken) + " or more");
        return first;
    }

    void sync(xclBOSyncDirection direction, size_t first, size_t end)
    {
        if (!udmabuf_sync(syncs[direction], direction == XCL_BO_SYNC_BO_TO_DEVICE, first, end))
            throw std::runtime_error(folder() + ": cannot synchronise the cache");
    }

    const std::string name;
    const size_t size;
    const uint64_t address;
    size_t taken = 0;
    char *bytes = nullptr;
    int syncs[2] = {};
};

// A start: the values of the arguments' registers, two for each.
struct Call {
    uint32_t values[REGISTERS] = {};
    bool is_set[REGISTERS] = {}, at_work = false;

    void set(size_t argument, uint64_t value)
    {
        if (arguments[argument].bits < 64 && value >> 32 != 0)
            throw std::runtime_error("argument " + std::to_string(argument) + ": an address has more than 32 bits");
        for (size_t i = 0; i < arguments[argument].bits / 32; i++) {
            values[2 * argument + i] = static_cast<uint32_t>(value >> 32 * i);
            is_set[2 * argument + i] = true;
        }
    }
};

// The registers of a unit, and the starts that have not ended.
class Unit {
public:
    explicit Unit(const std::string &name)
    {
        const std::string path = device_of(name);
        file = open_file(path, O_RDWR | O_SYNC);
        registers = static_cast<UIO_WORD *>(map(path, file, PAGE));
        if (wait != "interrupt" && wait != "poll")
            throw std::runtime_error("--wait " + wait + ": interrupt or poll");
        put(ENABLE, wait == "interrupt");
        put(ENABLE_ALL, wait == "interrupt");
        get(CONTROL); // clears a done bit that an earlier program left
        acknowledge((get(STATUS) & 1) != 0);
    }

    uint32_t get(uint32_t address) const { return registers[address / 4]; }

    void add(const std::shared_ptr<Call> &call)
    {
        call->at_work = true;
        calls.push_back(call);
        if (calls.size() == 1)
            start();
    }

    // Waits until a start has ended. False: it takes too long.
    bool finish(const Call &call, std::chrono::milliseconds patience)
    {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (call.at_work) {
            if (wait == "poll" ? (get(CONTROL) & DONE) != 0 : interrupted(patience) && (get(STATUS) & 1) != 0) {
                acknowledge(wait != "poll");
                calls.front()->at_work = false;
                calls.pop_front();
                if (!calls.empty())
                    start();
            } else if (std::chrono::steady_clock::now() > end) {
                return false;
            }
        }
        return true;
    }

private:
    // The device file of the unit, whose node in the device tree has its name.
    static std::string device_of(const std::string &name)
    {
        const std::string folder = "/sys/class/uio/";
        std::unique_ptr<DIR, int (*)(DIR *)> devices(opendir(folder.c_str()), closedir);
        while (const dirent *device = devices != nullptr ? readdir(devices.get()) : nullptr)
            if (device->d_name[0] != '.' && read_line(folder + device->d_name + "/name") == name)
                return std::string("/dev/") + device->d_name;
        throw std::runtime_error(name + ": no device in " + folder + " has this name");
    }

    void put(uint32_t address, uint32_t value) { registers[address / 4] = value; }

    void start()
    {
        const Call &call = *calls.front();
        for (size_t i = 0; i < REGISTERS; i++) {
            if (!call.is_set[i] || (written.is_set[i] && written.values[i] == call.values[i]))
                continue;
            put(arguments[i / 2].address + 4 * static_cast<uint32_t>(i % 2), call.values[i]);
            written.values[i] = call.values[i];
            written.is_set[i] = true;
        }
        __sync_synchronize();
        put(CONTROL, START);
    }

    // Writing 1 toggles the status bit.
    void acknowledge(bool status)
    {
        if (CHAINED)
            put(CONTROL, CONTINUE);
        if (status)
            put(STATUS, 1);
    }

    // Sleeps until the interrupt, which generic-uio disables when it comes. Three system calls.
    bool interrupted(std::chrono::milliseconds patience)
    {
        uint32_t count = 1;
        pollfd event = {file, POLLIN, 0};
        if (write(file, &count, sizeof count) != sizeof count || poll(&event, 1, static_cast<int>(patience.count())) < 0 ||
            (event.revents != 0 && read(file, &count, sizeof count) != sizeof count))
            throw std::runtime_error("the UIO device gives no interrupts (--wait poll does without)");
        return event.revents != 0;
    }

    int file = -1;
    UIO_WORD *registers = nullptr;
    Call written;
    std::deque<std::shared_ptr<Call>> calls; // the first one is at work
};

} // namespace uio

namespace xrt {

using memory_group = uint32_t;

struct uuid {};

class device {
public:
    explicit device(unsigned index) : memory(std::make_shared<uio::Memory>("udmabuf" + std::to_string(index))) {}
    uuid load_xclbin(const std::string &) { return uuid(); } // the bitstream is in the logic

private:
    friend class bo;
    std::shared_ptr<uio::Memory> memory;
};

class bo {
public:
    bo() = default;
    bo(const device &on, size_t size, memory_group) : memory(on.memory), first(memory->take(size)), bytes(size) {}
    bo(const bo &parent, size_t size, size_t offset) : memory(parent.memory), first(parent.first + offset), bytes(size) {}
    template <typename T> T map() { return reinterpret_cast<T>(memory->bytes + first); }
    void sync(xclBOSyncDirection direction, size_t size, size_t offset) { memory->sync(direction, first + offset, first + offset + size); }
    size_t size() const { return bytes; }
    uint64_t address() const { return memory->address + first; }

private:
    std::shared_ptr<uio::Memory> memory;
    size_t first = 0, bytes = 0;
};

class kernel {
public:
    enum class cu_access_mode : uint8_t { exclusive = 0, shared = 1, none = 2 };
    kernel(const device &, const uuid &, const std::string &name, cu_access_mode = cu_access_mode::shared) : unit(std::make_shared<uio::Unit>(unit_of(name))) {}
    int group_id(int) const { return 0; } // all arguments lie in one memory
    uint32_t offset(int argument) const { return uio::arguments[argument].address; }
    uint32_t read_register(uint32_t offset) const { return unit->get(offset); }

private:
    friend class run;
    // "nysx_top_1" of "nysx_top:{nysx_top_1}"
    static std::string unit_of(const std::string &name)
    {
        const size_t begin = name.find('{');
        return begin == std::string::npos ? name : name.substr(begin + 1, name.find('}') - begin - 1);
    }
    std::shared_ptr<uio::Unit> unit;
};

class run {
public:
    explicit run(const kernel &of) : unit(of.unit), call(std::make_shared<uio::Call>()) {}
    void set_arg(int argument, const bo &buffer) { call->set(static_cast<size_t>(argument), buffer.address()); }
    void set_arg(int argument, int32_t value) { call->set(static_cast<size_t>(argument), static_cast<uint32_t>(value)); }
    void start() { unit->add(call); }
    ert_cmd_state wait(const std::chrono::milliseconds &patience) const { return unit->finish(*call, patience) ? ERT_CMD_STATE_COMPLETED : ERT_CMD_STATE_TIMEOUT; }

private:
    std::shared_ptr<uio::Unit> unit;
    std::shared_ptr<uio::Call> call;
};

} // namespace xrt
