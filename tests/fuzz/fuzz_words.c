/* Fuzzes SMGPU instruction words in hexadecimal. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/program_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_program(smgpu_program_disassemble, data, size);
}
