// A board for host programs, of the part of XRT's interface that they use (names as XRT documents them): a kernel that runs the
// emitted accelerator's C. Device memory is separate from host memory, so data not sent are missing. Arguments stay in the memory named by
// their group. Rejects what XRT would reject.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

enum xclBOSyncDirection { XCL_BO_SYNC_BO_TO_DEVICE, XCL_BO_SYNC_BO_FROM_DEVICE };
enum ert_cmd_state { ERT_CMD_STATE_COMPLETED = 4, ERT_CMD_STATE_TIMEOUT = 8 };

namespace xrt {

using memory_group = uint32_t;

class uuid {};

class device {
public:
    explicit device(unsigned index);
    uuid load_xclbin(const std::string &path);
};

struct memory;

class bo {
public:
    bo() = default;
    bo(const device &, size_t size, memory_group group);
    bo(const bo &parent, size_t size, size_t offset);
    template <typename T> T map() { return reinterpret_cast<T>(host()); }
    void sync(xclBOSyncDirection direction, size_t size, size_t offset);
    size_t size() const { return bytes; }

private:
    friend class run;
    void *host() const;
    std::shared_ptr<memory> whole;
    size_t first = 0, bytes = 0;
};

class kernel {
public:
    enum class cu_access_mode : uint8_t { exclusive = 0, shared = 1, none = 2 };
    kernel(const device &, const uuid &, const std::string &name, cu_access_mode mode = cu_access_mode::shared);
    int group_id(int argument) const;
    uint32_t offset(int argument) const;
    uint32_t read_register(uint32_t offset) const;

private:
    friend class run;
    cu_access_mode mode;
    int unit;
};

struct call_of;

class run {
public:
    explicit run(const kernel &);
    void set_arg(int argument, const bo &buffer);
    void set_arg(int argument, int32_t value);
    void start();
    ert_cmd_state wait(const std::chrono::milliseconds &timeout) const;

private:
    std::shared_ptr<call_of> call;
};

} // namespace xrt
