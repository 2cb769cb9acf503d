#include "models/nysx/executor/generator.h"

#define GOLDEN 0x9e3779b97f4a7c15u

void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8])
{
    for (uint64_t g = 0; g < 8; g++) {
        uint64_t z = seed + (8 * (uint64_t)block + g + 1) * GOLDEN;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        state[g] = z != 0 ? z : GOLDEN;
    }
}
