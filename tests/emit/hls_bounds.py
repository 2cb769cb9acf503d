"""Emitted designs meet their claims by the checker's bounds, and changes that break a claim are found.

usage: hls_bounds.py PROGRAM [designs]: exit 77 where the checker or clang is not installed."""
import json
import os
import shutil
import sys
import tempfile

from folders import VENDOR, changed, checked, has, run

PROGRAM = os.path.realpath(sys.argv[1])
DESIGNS = [  # options of train, knobs of the hardware
    (['--form', 'streamed', '--precision', 'fp32'], ['lshu.pe=8', 'mphe.lookups=4', 'hue.pe=2', 'kse.pe=4', 'nee.ports=2',
                                                       'nee.port_bits=256']),
    (['--form', 'resident', '--precision', 'int8'], ['place.p=uram', 'lshu.pe=1', 'mphe.lookups=8', 'kse.pe=16']),
    (['--form', 'factored'], ['nee.lanes=48', 'lshu.balance=pl', 'lshu.pe=4']),
    (['--precision', 'int4', '--prototype-bits', '32'], ['place.h=ddr', 'kse.pe=64', 'nee.lanes=10', 'sce.bits=48']),
    (['--codes', 'tuple', '--precision', 'fp16'], ['lshu.balance=none', 'mphe.lookups=2', 'place.codebook=uram']),
    (['--precision', 'binary', '--prototype-bits', '4'], ['nee.ports=2', 'sce.pe=one', 'clock_mhz=200']),
    (['--preset', 'best'], ['lshu.pe=8', 'nee.lanes=256', 'nee.codes=8', 'lshu.balance=none', 'clock_mhz=400']),
    (['--preset', 'best', '--prototype-bits', '1'], ['lshu.pe=16', 'nee.lanes=16', 'nee.codes=2', 'sce.pe=one']),
    (['--preset', 'best', '--center-bits', '4'], ['lshu.pe=4', 'nee.lanes=64', 'nee.codes=4', 'nee.merge=32', 'clock_mhz=400']),
    (['--codes', 'tuple', '--form', 'direct', '--prototypes', 'ridge', '--prototype-bits', '32'], ['nee.codes=16', 'lshu.balance=pl']),
    (['--preset', 'best'], ['lshu.pe=4', 'nee.lanes=64', 'nee.codes=4', 'lshu.balance=none', 'overlap=graphs']),
    (['--preset', 'best', '--table', '1024'], ['lshu.pe=4', 'nee.lanes=64', 'nee.codes=4', 'nee.merge=32']),
    (['--form', 'factored'], ['nee.lanes=48', 'overlap=queue']),
    (['--codes', 'wl', '--form', 'factored', '--prototypes', 'adaptive', '--retrain', '3'], ['mphe.lookups=4', 'lshu.pe=1']),
]
CHANGES = [  # fault, pattern in the emitted header (or in a file), replacement
    ('hypervector unpartitioned', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=hypervector [^)]*\)', ''),
    ('copies of neighbour in one memory', 'nysx_config.h',
     r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=graph.neighbour [^)]*\)', ''),
    ('half the banks of h_entries', 'nysx_config.h', r'variable=nysx_h_entries type=complete dim=1',
     'variable=nysx_h_entries type=block factor=1 dim=1'),
    ('nee_sums in memories', 'nysx_config.h', r'variable=nee_sums type=complete dim=0',
     'variable=nee_sums type=cyclic factor=2 dim=2'),
    ('a FIFO below its burst', 'nysx_config.h', r'variable=nee_fifo depth=\w+', 'variable=nee_fifo depth=3'),
    ('an interface too small', 'nysx_config.h', r'(port=p0 [^)]*depth=)\d+', r'\g<1>100'),
    ('query too small', 'nysx_config.h', r'(port=query [^)]*depth=)\d+', r'\g<1>3'),
    ('a ROM in URAM', 'nysx_config.h', r'(variable=nysx_mph_rank type=\w+ impl=)\w+', r'\g<1>uram'),
    ('bundles merged', 'nysx_config.h', r'bundle=gmem_p0', 'bundle=gmem_query'),
    ('a FIFO read twice', 'hue.c', r'(            word = NYSX_TAKE\(bins, w\);\n)', r'\g<1>            word.lane[0] += bins[w + 1].lane[0];\n'),
    ('a FIFO read in two passes', 'hue.c', r'(NYSX_LABEL\(hue_updates\)\n)',
     r'    for (int32_t v = 0; v < nodes; v++)\n        trip = bins[v].lane[0] > 3;\n\g<1>'),
    ('fewer trips than an addition takes', 'nysx_config.h', r'(#define NYSX_LSHU_CONTEXTS )\d+', r'\g<1>3'),
    ('counts not handed on', 'nysx_config.h', r'(#define NYSX_HUE_RECENT )\d+', r'\g<1>1'),
    ('codes not handed on', 'nysx_config.h', r'(#define NYSX_MERGE_RECENT )\d+', r'\g<1>1'),
    ('weights in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=nysx_code_weights type=complete dim=1\)', ''),
    ('merged codes in one bank', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=item_code [^)]*\)', ''),
    ('a lookup that waits for the last one', 'mphe.c', r'(        nysx_codes_t word = NYSX_TAKE\(codes, w\);\n)',
     r'\g<1>        static int64_t before;\n        word.lane[0] ^= before;\n        before = nysx_codebook_code[word.lane[0] & 1];\n'),
    ('a second process at a FIFO', 'top.c', r'(    nysx_hue\(lookup_bins, nodes, hue_private\);)', r'\g<1>\n\g<1>'),
    ('a reader before its writer', 'top.c', r'(    nysx_mphe\([^;]*;\n)(    nysx_hue\([^;]*;\n)', r'\g<2>\g<1>'),
    ('a FIFO read backwards', 'hue.c', r'word = NYSX_TAKE\(bins, w\);', 'word = bins[nodes - w];'),
    ('words left in a FIFO', 'p_streamed.c', r'next_word\+\+;', 'next_word += 2;'),
    ('no FIFO any more', 'nysx_config.h', r'NYSX_PRAGMA\(HLS STREAM variable=lookup_bins [^)]*\)', ''),
    ('no processes any more', 'nysx_config.h', r'(NYSX_DATAFLOW_LOOKUP) NYSX_PRAGMA\(HLS DATAFLOW\)', r'\g<1>'),
    ('a loop slower than expected', 'nysx_config.h', r'(NYSX_PIPELINE_KSE_SLOTS NYSX_PRAGMA\(HLS PIPELINE II=)\d+', r'\g<1>2'),
    ('a loop without PIPELINE', 'nysx_config.h', r'(NYSX_PIPELINE_KSE_SLOTS) NYSX_PRAGMA\(HLS PIPELINE II=\d+\)', r'\g<1>'),
    ('one port of a ROM', 'nysx_config.h', r'variable=nysx_mph_words type=\w+', 'variable=nysx_mph_words type=rom_1p'),
    ('the wrong dimension', 'nysx_config.h', r'variable=hue_private type=complete dim=1', 'variable=hue_private type=cyclic factor=2 dim=2'),
    ('a dimension that is not there', 'nysx_config.h', r'variable=kse_sums type=complete dim=2', 'variable=kse_sums type=complete dim=4'),
    ('blocks in place of trips', 'nysx_config.h', r'variable=hypervector type=cyclic', 'variable=hypervector type=block'),
    ('one bank of a FIFO', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=nee_fifo [^)]*\)', ''),
    ('a remainder in a trip', 'hue.c', r'trip = trip == TRIPS - 1 \? 0 : trip \+ 1;', 'trip = (trip * 3 + nodes) % (nodes | 1);'),
    ('a sum each iteration', 'nee.c', r'NYSX_NEE_INTERLEAVE - 1\]\[l\]\) \+ product_of', '0][l]) + product_of'),
    ('an inner loop of unknown length', 'kse.c', r'(    NYSX_LABEL\(kse_pes\)\n)',
     r'        for (uint32_t q = 0; q < slot; q++)\n            kse_row[0] += (nysx_kernel_t)nysx_h_begin[q & 1];\n\g<1>'),
    ('a query read by what it says', 'query.c', r'NYSX_READ_QUERY\(word, first \+ w\);', 'NYSX_READ_QUERY(word, (int32_t)(last & 15));'),
    ('two words of a port', 'p_streamed.c', r'(        NYSX_READ_P\(word, w\);)', r'\g<1>\n        NYSX_READ_P(word, w + 1 < NYSX_P_PORT_WORDS ? w + 1 : w);'),
    ('merged histograms in one bank', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=hue_merged [^)]*\)', ''),
    ('resident words in parts', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_RESHAPE variable=nysx_p_resident [^)]*\)', ''),
    ('a dependence denied that is there', 'nysx_config.h', r'NYSX_PIPELINE_SCE_WORDS NYSX_PRAGMA\(HLS PIPELINE II=(?!1\))\d+\)',
     'NYSX_PIPELINE_SCE_WORDS NYSX_PRAGMA(HLS PIPELINE II=1) NYSX_PRAGMA(HLS DEPENDENCE variable=sums type=inter dependent=false)'),
    ('a clock three times as fast', 'hls_config.cfg', r'clock=\d+', 'clock=900'),
    ('entries of H side by side by slot', 'nysx_config.h', r'variable=nysx_h_entries type=complete dim=1', 'variable=nysx_h_entries type=complete dim=2'),
    ('words of a prototype in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=nysx_prototypes type=complete dim=3\)', ''),
    ('rows of a trip in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=graph.slot_begin [^)]*\)', ''),
    ('the stream of P without processes', 'nysx_config.h', r'(NYSX_DATAFLOW_ENCODE) NYSX_PRAGMA\(HLS DATAFLOW\)', r'\g<1>'),
    ('a word of a vector in parts', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_RESHAPE variable=lshu_even [^)]*\)', ''),
    ('a memory between two processes, a bin a word', 'nysx_config.h', r'NYSX_PRAGMA\(HLS STREAM variable=lookup_bins [^)]*\)', '',
     r'define NYSX_MPHE_LOOKUPS 1\b'),
    ('a memory between two processes, not counted on', 'nysx_config.h', r'NYSX_PRAGMA\(HLS STREAM variable=lookup_bins [^)]*\)', '',
     r'define NYSX_MPHE_LOOKUPS 1\b', ('directives.tcl', 'expected.json')),
    ('elements in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=elements [^)]*\)', ''),
    ('half the banks of elements', 'nysx_config.h', r'variable=elements type=complete', 'variable=elements type=cyclic factor=2'),
    ('sums of the PEs in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=kse_row [^)]*\)', ''),
    ('signs of a word of codes in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=direct_signs [^)]*\)', ''),
    ('codes of a trip in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=trip_codes [^)]*\)', '',
     r'define NYSX_LSHU_PE (4|8|16)\b'),
    ('elements of a word of codes in one memory', 'nysx_config.h', r'NYSX_PRAGMA\(HLS ARRAY_PARTITION variable=lshu_elements [^)]*\)', ''),
    ('a FIFO of one burst', 'nysx_config.h', r'variable=nee_fifo depth=\w+', 'variable=nee_fifo depth=NYSX_P_BURST_WORDS'),
    ('bursts of two words', 'nysx_config.h', r'(port=p0 [^)]*max_read_burst_length=)\d+', r'\g<1>2'),
    ('a burst at a time', 'nysx_config.h', r'(port=p0 [^)]*num_read_outstanding=)\d+', r'\g<1>1'),
    ('a port without INTERFACE', 'nysx_config.h', r'(NYSX_INTERFACE_QUERY) NYSX_PRAGMA\(HLS INTERFACE [^)]*\)', r'\g<1>'),
    ('an answer by a port of memory', 'nysx_config.h', r'(NYSX_INTERFACE_ANSWER) NYSX_PRAGMA\(HLS INTERFACE [^)]*\)', r'\g<1>'),
    ('a loop that was unrolled', 'nysx_config.h', r'(NYSX_UNROLL_SCE_CLEAR) NYSX_PRAGMA\(HLS UNROLL\)', r'\g<1>'),
    ('a slower clock', 'hls_config.cfg', r'clock=\d+', 'clock=90'),
    ('another device', 'hls_config.cfg', r'part=\S+', 'part=xck26-sfvc784-2LV-c'),
    ('a wider margin of the clock', 'hls_config.cfg', r'(clock=\S+)', r'\g<1>\nclock_uncertainty=80%'),
    ('another clock of the IP', 'ip_config.cfg', r'clock=\d+', 'clock=90'),
    ('a source that the IP has not', 'ip_config.cfg', r'syn.file=kse.c\n', ''),
    ('a port in another memory', 'link_config.cfg', r'(sp=\w+\.p0:)\S+', r'\g<1>DDR[9]'),
    ('two ports in one memory', 'link_config.cfg', r'(sp=\w+\.query:)\S+', r'\g<1>HP0'),
    ('a port in no memory', 'link_config.cfg', r'sp=\w+\.query:\S+\n', ''),
    ('a port that is none', 'link_config.cfg', r'(sp=\w+\.)query(:\S+\n)', r'\g<1>query\g<2>\g<1>answer\g<2>'),
    ('another kernel', 'link_config.cfg', r'nk=\w+', 'nk=other_top'),
    ('a unit more', 'link_config.cfg', r'(nk=\w+:)\d+', r'\g<1>3'),
    ('another clock on the platform', 'link_config.cfg', r'freqHz=\d+', 'freqHz=90000000'),
    ('no clock on the platform', 'link_config.cfg', r'freqHz=\S+\n', ''),
    ('fewer trips than counted', 'p_streamed.c', r'k < NYSX_P_GATHERS', 'k < NYSX_P_GATHERS - 3'),
    ('a memory slower than counted', 'nysx_config.h', r'(BIND_STORAGE variable=nysx_mph_rank [^)]*)\)', r'\g<1> latency=3)'),
    ('a directive beside the source', 'hls_config.cfg', r'(syn.top=)', r'syn.directive.pipeline=nysx_kse/kse_slots II=8\n\g<1>'),
    ('a port without a place', 'nysx_config.h', r'port=query offset=slave', 'port=query offset=off'),
    ('a kernel that nothing starts', 'nysx_config.h', r'mode=s_axilite port=return', 'mode=ap_ctrl_none port=return'),
    ('a number that is a wire of the IP', 'nysx_config.h', r' NYSX_PRAGMA\(HLS INTERFACE mode=s_axilite port=command\)', ''),
    ('a hop less', 'top.c', r't < NYSX_PASSES / NYSX_LSHU_DRAWS', r'\g<0> - 1'),
    ('a port that nothing reads', 'nysx_config.h', r'\(to\)\[1\] = p1\[at\]', '(to)[1] = p0[at]'),
    ('a narrower sum', 'nysx_config.h', r'typedef \w+ nysx_sum_t', 'typedef int16_t nysx_sum_t'),
    ('no kernel', 'hls_config.cfg', r'flow_target=vitis', 'flow_target=vivado'),
    ('a word wider than its type', 'nysx_config.h', r'typedef ap_uint<\w+> (nysx_query_word_t)', r'typedef ap_uint<64> \g<1>'),
    ('a list that all graphs share', 'top.c', r'        NYSX_LOCAL (uint32_t code_list)', r'        static \g<1>', r'define NYSX_OVERLAP NYSX_OVERLAP_GRAPHS'),
    ('a step before what it takes', 'top.c', r'(        nysx_list_codes\([^;]*;\n#endif\n)(        nysx_decide\([^;]*;\n)', r'\g<2>\g<1>',
     r'define NYSX_OVERLAP NYSX_OVERLAP_GRAPHS'),
    ('a list that two steps write', 'top.c', r'(        nysx_decide\([^;]*;\n)', r'        nysx_list_codes(&graph, brought, &listed_nodes, &listed NYSX_AND_LIST);\n\g<1>',
     r'define NYSX_OVERLAP NYSX_OVERLAP_GRAPHS'),
    ('a stage twice', 'top.c', r'(        nysx_kse\(t, [^;]*;\n)', r'\g<1>\g<1>'),
    ('a merge twice', 'top.c', r'(        nysx_hue_merge\([^;]*;\n)', r'\g<1>\g<1>'),
    ('a class found twice', 'top.c', r'return (nysx_sce\(hypervector\);)', r'(void)\g<1>\n    return \g<1>'),
    ('a memory cleared for each query', 'top.c', r'static (nysx_histogram_t hue_private\[NYSX_HUE_PE\]\[NYSX_HISTOGRAM_WORDS\]);', r'\g<1> = {{0}};'),
    ('a memory set', 'top.c', r'(NYSX_LABEL\(all_hops\)\n)', r'    __builtin_memset(kse_sums, 0, sizeof kse_sums);\n\g<1>'),
    ('a memory copied', 'top.c', r'(        nysx_kse\(t, )', r'        __builtin_memcpy(hue_merged[0], hue_private[0], sizeof hue_merged[0]);\n\g<1>'),
    ('a memory cleared by a loop', 'top.c', r'(NYSX_LABEL\(all_hops\)\n)', r'    for (int32_t i = 0; i < NYSX_HISTOGRAM_WORDS; i++)\n        hue_private[0][i] = 0;\n\g<1>'),
    ('a slower addition', 'hls_config.cfg', r'(syn.top=)', r'syn.op=op=fadd impl=fabric latency=25\n\g<1>'),
    ('a slower multiplication', 'hls_config.cfg', r'(syn.top=)', r'syn.op=op=fmul impl=dsp latency=25\n\g<1>', '', ('directives.tcl', 'ip_config.cfg')),
    ('a multiplication by its name alone', 'hls_config.cfg', r'(syn.top=)', r'syn.op=fmul latency=25\n\g<1>', '', ('directives.tcl', 'ip_config.cfg')),
    ('a quicker multiplication', 'hls_config.cfg', r'(syn.top=)', r'syn.op=op=mul latency=1\n\g<1>', '', ('directives.tcl', 'ip_config.cfg')),
    ('an operator of the IP alone', 'ip_config.cfg', r'(syn.top=)', r'syn.op=op=fadd impl=fabric latency=4\n\g<1>'),
]


KEPT = [  # changes without effect on bounds that contradict directives.tcl (the other changes are made without that file)
    ('a module of its own no more', 'nysx_config.h', r'(NYSX_INLINE_PROPAGATE) NYSX_PRAGMA\(HLS INLINE off\)', r'\g<1>'),
    ('a module for each call', 'nysx_config.h', r'(instances=propagate limit=)1', r'\g<1>2'),
    ('a table in another memory', 'nysx_config.h', r'(variable=nysx_codebook_bin type=\w+ impl=)bram', r'\g<1>lutram'),
    ('graphs one after another', 'nysx_config.h', r'(NYSX_DATAFLOW_QUEUE_GRAPHS) NYSX_PRAGMA\(HLS DATAFLOW\)', r'\g<1>'),
    ('a queue that nothing chains', 'nysx_config.h', r' NYSX_PRAGMA\(HLS INTERFACE mode=ap_ctrl_chain port=return\)', ''),
    ('iterations of another graph', 'nysx_config.h', r'(LOOP_TRIPCOUNT min=1 max=)\d+', r'\g<1>7'),
]


LISTED = [  # constructs that the checker cannot judge must be reported: pattern, change and message
    ('an unrolling that leaves some over', 'nysx_config.h', r'(NYSX_UNROLL_LSHU_PES NYSX_PRAGMA\(HLS UNROLL factor=)\w+', r'\g<1>3', 'UNROLL factor=3 of 8'),
    ('words of a port held to 32 bits', 'nysx_config.h', r'(port=p0 [^)]*)\)', r'\g<1> max_widen_bitwidth=32)', 'max_widen_bitwidth'),
    ('another host program', 'host/host.cpp', r'nysx_top', 'nysx_bottom', 'host/host.cpp: changed'),
    ('another test', 'testbench.c', r'return ', 'return 0 * ', 'testbench.c: changed'),
    ('a setting of the tool', 'hls_config.cfg', r'(syn.top=)', r'syn.dataflow.default_channel=pingpong\n\g<1>', 'a setting that no rule looks at'),
    ('an option of the compiler', 'hls_config.cfg', r'(syn.top=)', r'syn.cflags=-DWIDE -Wl,-v -fplugin=./wide.so\n\g<1>', '-fplugin=./wide.so of syn.cflags'),
    ('a directive of another kind', 'nysx_config.h', r'(NYSX_PIPELINE_KSE_SLOTS NYSX_PRAGMA)', r'NYSX_PIPELINE_KSE_SLOTS NYSX_PRAGMA(HLS EXPRESSION_BALANCE off) NYSX_PRAGMA', 'EXPRESSION_BALANCE'),
]


def emit(folder, number, train, knobs):
    model, out = f'{folder}/m{number}.npz', f'{folder}/d{number}'
    data = ['--dataset', f'{folder}/data']
    trained = run([PROGRAM, 'train', *data, '--landmarks', 24, '--hops', 3, '--dim', 1000, '--seed', 1, '-o', model, '-q', *train])
    assert trained.returncode == 0, trained.stderr
    sets = [word for knob in knobs for word in ('--set', knob)]
    emitted = run([PROGRAM, 'emit', '--board', 'zcu104', *data, '--model', model, '--cases', 2, '-o', out, '--force', '-q', *sets])
    assert emitted.returncode == 0, emitted.stderr
    return out


def check(folder):
    code, report = checked(PROGRAM, folder)
    if code is None:
        print('emit_hls_bounds: SKIPPED:', report)
        sys.exit(77)
    assert code in (0, 1), report['errors']
    return code, report


def changed_copy(folder, what, name, pattern, instead, where='', without=('directives.tcl',)):
    """The first design with the pattern and with `where` in its header, with the pattern replaced and some files omitted."""
    good = next((d for d in (f'{folder}/d{n}' for n in range(len(DESIGNS))) if has(d, name, pattern) and has(d, 'nysx_config.h', where)), f'{folder}/d0')
    assert changed(good, f'{folder}/bad', name, pattern, instead, without) > 0, f'{what}: changes nothing'
    return f'{folder}/bad'


def clocks(folder):
    """The slowest loop keeps its II slightly below its reported clock, and not slightly above."""
    loops = [loop for loop in check(f'{folder}/d0')[1]['loops'] if loop['claimed_ii'] is not None and loop['clock_mhz'] is not None]
    slowest = min(loops, key=lambda loop: loop['clock_mhz'])
    for factor in (0.98, 1.02):
        _, report = check(changed_copy(folder, 'a clock', 'hls_config.cfg', r'clock=\d+', f'clock={round(factor * slowest["clock_mhz"])}'))
        held = all(loop['bound_ii'] <= slowest['claimed_ii'] for loop in report['loops'] if loop['at'] == slowest['at'])
        print(f'{slowest["loop"]}, up to {slowest["clock_mhz"]:.0f} MHz, at {factor} of it: {"held" if held else "not held"}')
        if held != (factor < 1.0):
            return 1
    return 0


def as_cpp(folder):
    """The sources as C++, beside stand-ins for the vendor's headers: the same report, but for the files' names."""
    made = run(['make', '-s', 'cpp'], f'{folder}/d0')
    assert made.returncode == 0, made.stderr
    for name in ('hls_stream.h', 'ap_int.h'):
        shutil.copy(f'{VENDOR[2:]}/{name}', f'{folder}/d0/cpp')
    for name in os.listdir(f'{folder}/d0'):  # texts only in the folder of C sources
        if name.endswith('.tcl') or name in ('emitted.txt', 'ip_config.cfg', 'link_config.cfg'):
            os.remove(f'{folder}/d0/{name}')
    reports = [json.dumps(check(place)).replace('.cpp', '.c') for place in (f'{folder}/d0/cpp', f'{folder}/d0')]
    same = reports[0].replace(f'{folder}/d0/cpp', f'{folder}/d0') == reports[1]
    print('as C++:', 'the same' if same else 'ANOTHER REPORT')
    return not same


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        made = run([PROGRAM, 'datasets', 'generate', '--graphs', 60, '--seed', 3, f'{folder}/data'])
        assert made.returncode == 0, made.stderr
        for number, (train, knobs) in enumerate(DESIGNS):
            design = emit(folder, number, train, knobs)
            code, report = check(design)
            low = [loop for loop in report['loops'] if loop['claimed_ii'] is not None and loop['claimed_ii'] < loop['bound_ii']]
            print(f'design {number}: {len(report["loops"])} loops, exit {code}', *report['errors'], *report['unanalysed'])
            failures += code != 0 or len(report['loops']) < 10
            failures += any('emitted' in line or 'setting' in line or 'not there' in line for line in report['unanalysed'])
            for loop in low:
                print('   ', loop['loop'], 'claims', loop['claimed_ii'], 'bound', loop['bound_ii'], loop['by'])
        for what, *change in CHANGES:
            code, _ = check(changed_copy(folder, what, *change))
            print(f'{what}: exit {code}')
            failures += code != 1
        for what, *change in KEPT:
            code, report = check(changed_copy(folder, what, *change, '', ()))
            told = len(report['errors']) > 0 and all('directives.tcl' in line for line in report['errors'])
            print(f'{what}: exit {code}, {"by directives.tcl" if told else "NOT FOUND"}')
            failures += code != 1 or not told
        for what, name, pattern, instead, said in LISTED:
            bad = changed_copy(folder, what, name, pattern, instead)
            code, report = check(bad)
            told = any(said in line for line in report['unanalysed'])
            print(f'{what}: exit {code}, {"listed" if told else "NOT LISTED"}')
            failures += not told
        failures += clocks(folder)
        failures += as_cpp(folder)
    sys.exit(failures > 0)


main()
