// A stand-in for the vendor's ap_int.h in tests: ap_uint as its documentation has it (AMD UG1399, "Arbitrary Precision Integer
// Data Types"), as far as emitted sources use it: W bits that wrap, ranges of bits to read and to assign, conversions.
#ifndef MOCK_AP_INT_H
#define MOCK_AP_INT_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>

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
    ap_uint(uint64_t value) : words{value} { wrap(); }
    ap_range_ref<W> range(int high, int low) { return ap_range_ref<W>(*this, high, low); }
    ap_range_ref<W> range(int high, int low) const { return ap_range_ref<W>(const_cast<ap_uint &>(*this), high, low); }
    ap_range_ref<W> operator()(int high, int low) { return range(high, low); }
    bool test(int bit) const { return (words[bit / 64] >> (bit % 64) & 1) != 0; }
    void set(int bit, bool value)
    {
        uint64_t mask = UINT64_C(1) << (bit % 64);
        words[bit / 64] = value ? words[bit / 64] | mask : words[bit / 64] & ~mask;
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
    static constexpr int WORDS = (W + 63) / 64;
    void wrap()
    {
        if (W % 64 != 0)
            words[WORDS - 1] &= (UINT64_C(1) << (W % 64)) - 1;
    }
    uint64_t words[WORDS];
};

#endif
