// A register of the mocked board, included in front of the emitted host (-include, -DUIO_WORD=Word).
#pragma once

#include <cstdint>

struct Word {
    operator uint32_t() const;
    void operator=(uint32_t value);
    uint32_t bits;
};
