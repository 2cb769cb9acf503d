/* Fuzzes the reader of csynth.xml; puts an XML tag in front of the input. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/report_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char root[] = "<profile>";
    if (size > 0 && data[0] == '<') {
        check_report_bytes((const char *)data, size);
        return 0;
    }
    char *text = malloc(size + sizeof root);
    require(text != NULL);
    memcpy(text, root, sizeof root - 1);
    if (size > 0)
        memcpy(text + sizeof root - 1, data, size);
    text[sizeof root - 1 + size] = '\0';
    check_report_bytes(text, size + sizeof root - 1);
    free(text);
    return 0;
}
