// A stand-in for the vendor's ap_int.h in tests: ap_uint as its documentation has it (AMD UG1399, "Arbitrary Precision Integer
// Data Types"), as far as emitted sources use it: W bits that wrap, ranges of bits to read and to assign, conversions.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

template <int W> class ap_uint;

template <int W> class ap_range_ref {
public:
    ap_range_ref(ap_uint<W> &of, int high, int low) : of(of), high(high), low(low)
    {
        if (low < 0 || high < low || high >= W) {
            std::fprintf(stderr, "ap_uint<%d>: bits %d to %d\n", W, high, low);
            std::_Exit(3);
        }
    }
    uint64_t to_uint64() const
    {
        uint64_t value = 0;
        for (int b = high < low + 63 ? high : low + 63; b >= low; b--)
            value = value << 1 | of.test(b);
        return value;
    }
    unsigned to_uint() const { return static_cast<unsigned>(to_uint64()); }
    operator uint64_t() const { return to_uint64(); }
    ap_range_ref &operator=(uint64_t value)
    {
        for (int b = low; b <= high; b++)
            of.set(b, b - low < 64 && (value >> (b - low) & 1) != 0);
        return *this;
    }

private:
    ap_uint<W> &of;
    int high, low;
};

template <int W> class ap_uint {
    static_assert(W >= 1 && W <= 1024, "of 1 to 1024 bits, unless AP_INT_MAX_W is raised");

public:
    ap_uint() = default;
    ap_uint(uint64_t value) : words{static_cast<word>(value)} { wrap(); }
    ap_range_ref<W> range(int high, int low) { return ap_range_ref<W>(*this, high, low); }
    ap_range_ref<W> range(int high, int low) const { return ap_range_ref<W>(const_cast<ap_uint &>(*this), high, low); }
    ap_range_ref<W> operator()(int high, int low) { return range(high, low); }
    bool test(int bit) const { return (words[bit / BITS] >> (bit % BITS) & 1) != 0; }
    void set(int bit, bool value)
    {
        word mask = static_cast<word>(1) << (bit % BITS);
        words[bit / BITS] = value ? words[bit / BITS] | mask : words[bit / BITS] & ~mask;
    }
    uint64_t to_uint64() const { return words[0]; }
    unsigned to_uint() const { return static_cast<unsigned>(words[0]); }
    bool operator==(const ap_uint &other) const
    {
        for (int i = 0; i < WORDS; i++)
            if (words[i] != other.words[i])
                return false;
        return true;
    }

private:
    using word = typename std::conditional<(W <= 32), uint32_t, uint64_t>::type; // a short one takes four bytes, as the vendor's does
    static constexpr int BITS = 8 * sizeof(word), WORDS = (W + BITS - 1) / BITS;
    void wrap()
    {
        if (W % BITS != 0)
            words[WORDS - 1] &= (static_cast<word>(1) << (W % BITS)) - 1;
    }
    word words[WORDS];
};
