// A stand-in for the vendor's hls_stream.h in tests: what its documentation says of hls::stream (AMD UG1399, "HLS Stream
// Library") as far as emitted sources use it. An access at which hardware would hang or lose data ends the program.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace hls {

template <typename T, int DEPTH = 0> class stream {
public:
    stream() = default;
    explicit stream(const char *) {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;
    ~stream()
    {
        if (!elements.empty())
            stop("elements are left in a stream");
    }
    T read()
    {
        if (elements.empty())
            stop("a stream is read while it is empty");
        T first = elements.front();
        elements.pop_front();
        return first;
    }
    void read(T &into) { into = read(); }
    void write(const T &element) { elements.push_back(element); }
    void operator>>(T &into) { into = read(); }
    void operator<<(const T &element) { write(element); }
    bool empty() const { return elements.empty(); }
    bool full() const { return false; }
    std::size_t size() const { return elements.size(); }

private:
    [[noreturn]] static void stop(const char *why)
    {
        std::fprintf(stderr, "hls::stream: %s\n", why);
        std::_Exit(3);
    }
    std::deque<T> elements;
};

} // namespace hls
