#!/usr/bin/env python3
"""Tests of the checker: code that it must reject, and code that it must accept."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hls_check  # noqa: E402

# A part of the expected finding, and the source.
REJECTED = [
    ('dynamic memory', 'void f(int32_t n)\n{\n    int32_t *p = malloc(n);\n}\n'),
    ('dynamic memory', 'void f(int32_t *p)\n{\n    free(p);\n}\n'),
    ('a system call?', 'void f(int32_t n)\n{\n    printf("%d", n);\n}\n'),
    ('a system call?', 'int32_t f(void)\n{\n    return (int32_t)time(0);\n}\n'),
    ('f: recursion (f -> f)', 'int32_t f(int32_t n)\n{\n    return n < 2 ? 1 : f(n - 1);\n}\n'),
    ('recursion', 'int32_t g(int32_t n);\nint32_t f(int32_t n)\n{\n    return g(n);\n}\n'
                  'int32_t g(int32_t n)\n{\n    return f(n);\n}\n'),
    ('a pointer to a function', 'void f(int32_t (*g)(int32_t))\n{\n    (void)g;\n}\n'),
    ('a call by a pointer', 'typedef int32_t work_t;\nvoid f(work_t g)\n{\n    g(1);\n}\n'),
    ('known at run time only', 'void f(int32_t n)\n{\n    int32_t a[n];\n}\n'),
    ('known at run time only', 'void f(int32_t n)\n{\n    int32_t a[4][2 * n];\n}\n'),
    ('while: a loop without a bound', 'void f(int32_t n)\n{\n    while (n > 0)\n        n--;\n}\n'),
    ('do: a loop without a bound', 'void f(int32_t n)\n{\n    do {\n        n--;\n    } while (n > 0);\n}\n'),
    ('a loop without a bound', 'void f(void)\n{\n    for (;;) {\n    }\n}\n'),
    ('no comparison with a bound', 'void f(int32_t *p)\n{\n    for (int32_t i = 0; p[i]; i++) {\n    }\n}\n'),
    ('goto', 'void f(void)\n{\n    goto out;\nout:\n    return;\n}\n'),
    ('inline assembly', 'void f(void)\n{\n    asm("nop");\n}\n'),
    ('a variable number of arguments', 'void f(int32_t n, ...)\n{\n    (void)n;\n}\n'),
    ('a cast of a pointer', 'int32_t f(float *x)\n{\n    return *(int32_t *)x;\n}\n'),
    ('a cast of a pointer', 'int32_t f(float *x)\n{\n    int32_t *y = (int32_t *)x;\n    return *y;\n}\n'),
    ('a pointer to a pointer', 'void f(int32_t **x)\n{\n    (void)x;\n}\n'),
    ('no C99', 'void f(int32_t a)\n{\n    a = (int32_t)((__int128)a * a);\n}\n'),
    ('a label that f has twice', 'void f(void)\n{\nl:\n    for (int32_t i = 0; i < 4; i++) {\n    }\nl:\n'
                                 '    for (int32_t i = 0; i < 4; i++) {\n    }\n}\n'),
    ('f has no variable b', 'void f(void)\n{\n    int32_t a[4];\n#pragma HLS ARRAY_PARTITION variable=b type=complete dim=1\n}\n'),
    ('f has no variable x', 'void g(void)\n{\n    int32_t x[4];\n}\nvoid f(void)\n{\n#pragma HLS STREAM variable=x depth=4\n}\n'),
    ('s.b', 'struct s { int32_t a[4]; };\nvoid f(void)\n{\n    struct s s;\n'
            '#pragma HLS ARRAY_PARTITION variable=s.b type=complete dim=1\n}\n'),
    ('a has no dimension 2', 'void f(void)\n{\n    int32_t a[4];\n#pragma HLS ARRAY_PARTITION variable=a type=complete dim=2\n}\n'),
    ('a is no array', 'void f(void)\n{\n    int32_t a;\n#pragma HLS BIND_STORAGE variable=a type=ram_2p impl=bram\n}\n'),
    ('a ROM in uram', 'static int32_t a[4];\nvoid f(void)\n{\n#pragma HLS BIND_STORAGE variable=a type=rom_2p impl=uram\n}\n'),
    ('not in the body of a loop', 'void f(void)\n{\n#pragma HLS PIPELINE II=1\n}\n'),
    ('its loop has no label', 'void f(void)\n{\n    for (int32_t i = 0; i < 4; i++) {\n#pragma HLS UNROLL factor=2\n    }\n}\n'),
    ('HLS UNROL: unknown', 'void f(void)\n{\nl:\n    for (int32_t i = 0; i < 4; i++) {\n#pragma HLS UNROL factor=2\n    }\n}\n'),
    ('unknown option fctor', 'void f(void)\n{\nl:\n    for (int32_t i = 0; i < 4; i++) {\n#pragma HLS UNROLL fctor=2\n    }\n}\n'),
    ('has no port q', 'void f(int32_t *p)\n{\n#pragma HLS INTERFACE mode=m_axi port=q bundle=gmem\n    (void)p;\n}\n'),
    ('outside of any function', '#pragma HLS PIPELINE II=1\nvoid f(void)\n{\n}\n'),
]

PASSES = '''
typedef struct {
    uint32_t part[4];
} word_t;
struct graph {
    int32_t nodes, order[8];
};
enum table { ONE, TWO };
static const int32_t table[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static float half(float x)
{
    return floorf(x / 2.0f);
}
void f(const word_t *p0, int32_t answer[1])
{
#pragma HLS INTERFACE mode=m_axi port=p0 offset=slave bundle=gmem depth=4
#pragma HLS INTERFACE mode=s_axilite port=return
    static struct graph graph;
    uint64_t i0 = 0;
    float sums[2][8], *unused = sums[0];
#pragma HLS ARRAY_PARTITION variable=graph.order type=cyclic factor=4 dim=1
#pragma HLS ARRAY_PARTITION variable=sums type=complete dim=2
#pragma HLS BIND_STORAGE variable=table type=rom_2p impl=bram
    (void)unused;
outer:
    for (int32_t i = 0; i < 2; i++) {
    inner:
        for (int32_t j = 0; j < 8 && i < TWO; j++) {
#pragma HLS PIPELINE II=1
            sums[i][j] = half((float)p0[i].part[j % 4]) + (float)table[i][j % 4];
        }
    }
    answer[0] = answer[0] > 2 ? (int32_t)table[0][0] : answer[0] > 1 ? (int32_t)i0 : (int32_t)i0;
    answer[0] = sums[0][0] > 1.0f ? ONE : (int32_t)sizeof(word_t);
}
'''

DIRECTIVES = [
    (None, 'set_directive_pipeline -II 1 "f/inner"'),
    (None, 'set_directive_array_partition -type complete -dim 2 "f" sums'),
    (None, 'set_directive_interface -mode m_axi -bundle gmem "f" p0'),
    ('no function g', 'set_directive_pipeline -II 1 "g/inner"'),
    ('f has no loop innermost', 'set_directive_unroll -factor 4 "f/innermost"'),
    ('f has no variable sum', 'set_directive_array_partition -type complete -dim 1 "f" sum'),
    ('sums has no dimension 3', 'set_directive_array_partition -type complete -dim 3 "f" sums'),
    ('f has no port p1', 'set_directive_interface -mode m_axi "f" p1'),
    ('a ROM in uram', 'set_directive_bind_storage -type rom_2p -impl uram "f" table'),
    ('not understood', 'set_directive_pipeline f/inner'),
]


def main():
    wrong = []
    for expected, source in REJECTED:
        findings = hls_check.check([('case.c', source)])
        if not any(expected in finding for finding in findings):
            wrong.append(f'not rejected for "{expected}":\n{source}found: {findings}')
    findings = hls_check.check([('passes.c', PASSES)])
    if findings:
        wrong.append(f'rejected without reason: {findings}')
    for expected, line in DIRECTIVES:
        with tempfile.NamedTemporaryFile('w', suffix='.tcl') as file:
            file.write(line + '\n')
            file.flush()
            findings = hls_check.check([('passes.c', PASSES)], file.name)
        if (expected is None) != (not findings) or (expected and expected not in findings[0]):
            wrong.append(f'{line}: expected {expected}, found {findings}')
    print('\n\n'.join(wrong) or f'{len(REJECTED)} sources and {len(DIRECTIVES)} directives')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
