#!/usr/bin/env python3
"""Emitted designs of the families whose test cases are calls of the kernel (executor/calls.h), drawn at random over precisions, forms and boards:
each folder compiles as C99 and C++17 by GCC and Clang without a warning, and as C++17 with the vendor's types (headers of tests/emit/mock/vendor).
Its C simulation under sanitizers gives the executor's answers, and the checker finds no violated claim.
--whole: `make csim` on the test parts of the real data sets, if available. --mutants: the C simulation or the checker must find each change of the
emitted source.

usage: hls_families.py PROGRAM FAMILY [--designs N] [--first I] [--seed N] [--whole] [--mutants] [--no-check] [--no-compile]"""
import argparse
import array
import itertools
import json
import os
import random
import re
import shutil
import sys
import tempfile

from folders import CPP, VENDOR, changed, claims, compile_all, has, run, simulate, sources_of

LANGUAGES = [('clang', '-std=c99'), ('clang++', *CPP, '-Wno-deprecated'), ('gcc', '-std=c11')]
SIMULATED = [['gcc', '-std=c99'], ['g++', *CPP, VENDOR]]
HERE = os.path.dirname(os.path.realpath(__file__))

# Of each family: options of train that take turns, those that are drawn, knobs that are drawn, and real sets with what a whole run takes.
FAMILIES = {
    'hydraf': {
        'forms': [['--precision', p, '--batch', b, '--clusters', k] for p in ('int8', 'int16', 'fp32') for b, k in (('8', '8'), ('1', '3'), ('5', '2'), ('4', '16'), ('12', '1'))],
        'trained': {'--dim': ['64', '200', '512', '1000'], '--sharing': ['equal', 'confidence'], '--cluster-loss': ['plain', 'relative'],
                    '--cluster-weight': ['one', 'confidence'], '--rounding': ['nearest', 'stochastic'], '--bias': ['yes', 'no'], '--rate': ['0.5', '1', '20'],
                    '--epochs': ['1', '6']},
        'knobs': {'chunk': [2, 4, 8, 16, 32, 64, 128], 'systolic.pipelined': ['yes', 'yes', 'no'], 'update': ['coo', 'dense'],
                  'encoding': ['off-chip', 'on-chip'], 'encoder.features': [1, 2, 4, 16], 'axi.bits': [32, 64, 128, 256, 512], 'task': ['infer', 'train'],
                  'clock_mhz': [100, 137, 150, 200, 250], 'units': [1, 2]},
        'data': lambda draw, path: table(draw, path),
        'real': {'airfoil': 301, 'ccpp': 1914, 'wine': 320},
        'whole': ['--dim', '512', '--epochs', '3'], 'loops': 8,
        'mutated': [(['--precision', 'int8'], ['chunk=8', 'axi.bits=64']),
                    (['--precision', 'int16'], ['chunk=8', 'encoding=on-chip', 'encoder.features=2', 'update=dense', 'axi.bits=64'])],
        'small': ['--dim', '76', '--batch', '4', '--clusters', '4', '--epochs', '3', '--seed', '2'],
        'mutants': [  # fault, file, pattern, replacement
            ('a word of a row left out', 'port.c', r'i % WORDS_A_ROW == WORDS_A_ROW - 1', 'i % WORDS_A_ROW == 0 && i > 0'),
            ('no skew of rows', 'arrays.c', r'return j > k \? j : k;', 'return 0;'),
            ('a product less at the chunk\'s end', 'arrays.c', r'HYDRAF_CHUNK \+ \(rows >', 'HYDRAF_CHUNK - 2 + (rows >'),
            ('predictions from the clusters', 'arrays.c', r'products\(array_rows\[j\], array_models\[k\]', 'products(array_rows[j], array_clusters[k]'),
            ('the last of equals', 'softmax.c', r'ordered\(sum\) > ordered\(largest\)', 'ordered(sum) >= ordered(largest) - 40000'),
            ('no weights', 'softmax.c', r'power \* part : weighted', 'part : weighted'),
            ('another step of the exponential', 'softmax.c', r'92\.33\d*f', '92.5f'),
            ('a gain four more', 'update.c', r'gain \* power \+ 0\.5f', 'gain * power + 4.5f'),
            ('a shift four less', 'update.c', r'HYDRAF_ELEMENT_BITS - 2 - ', 'HYDRAF_ELEMENT_BITS - 6 - '),
            ('the same random numbers for both', 'update.c', r'seed \+ 0x9e3779b9u', 'seed'),
            ('two rounds of the xorshift', 'update.c', r'trip < 3', 'trip < 2'),
            ('the select matrix of one row', 'update.c', r'j < rows \? \(change_t\)gains->select', 'j < 1 ? (change_t)gains->select'),
            ('another cluster\'s list', 'update.c', r'k == gains->index\[row\]', 'k == 0'),
            ('a feature without its half', 'encoder.c', r'>= 0\.5f', '> 0.75f'),
            ('half a cluster loaded', 'port.c', r'clusters\[chunk\]\[hypervector < HYDRAF_CLUSTERS \? hypervector : 0\]\[t\] =', 'clusters[chunk][hypervector < HYDRAF_CLUSTERS ? hypervector / 2 : 0][t] ='),
            ('clusters in one memory', 'hydraf_config.h', r'HYDRAF_PRAGMA\(HLS ARRAY_PARTITION variable=clusters type=complete dim=3\)', ''),
            ('a loop without PIPELINE', 'hydraf_config.h', r'(HYDRAF_PIPELINE_UPDATE_STEPS) HYDRAF_PRAGMA\(HLS PIPELINE II=\w+\)', r'\g<1>'),
            ('a slower softmax', 'hydraf_config.h', r'(HYDRAF_PIPELINE_SOFTMAX_ENTRIES HYDRAF_PRAGMA\(HLS PIPELINE II=)\d+', r'\g<1>4'),
            ('no FIFO any more', 'hydraf_config.h', r'HYDRAF_PRAGMA\(HLS STREAM variable=encoded [^)]*\)', ''),
            ('a FIFO of two rows', 'hydraf_config.h', r'(define HYDRAF_ROW_QUEUE )\d+', r'\g<1>2'),
            ('gains in one memory', 'hydraf_config.h', r'HYDRAF_PRAGMA\(HLS ARRAY_PARTITION variable=gains.model [^)]*\)', ''),
            ('an answer in another memory', 'link_config.cfg', r'(sp=\w+\.answers:)\S+', r'\g<1>DDR[9]'),
            ('a call in the slot before its own', 'queue.c', r'RUN\(\(first \+ i\)', 'RUN((first + i + 127)'),
            ('a descriptor in the slot behind', 'queue.c', r'begin = \(first \+ i\)', 'begin = (first + i + 1)'),
            ('rows read over', 'arrays.c', r'taken\+\+;', 'taken += 2;')]},
    'gat': {
        'forms': [['--arithmetic', a, '--precision', p, '--channels', c, '--heads', h] for a in ('layerbreak', 'streamline') for p, c, h in
                  (('int8', '16', '1'), ('int8', '3', '2'), ('int4', '8', '4'), ('int8', '1', '1'), ('int4', '5', '3'))],
        'trained': {'--epochs': ['1', '15'], '--rate': ['0.01', '1'], '--dropout-hidden': ['0', '0.6']},
        'knobs': {'spmm.pe': [1, 2, 4, 8, 16, 32], 'subgraphs': [1, 1, 2, 3, 5], 'h_data.memory': ['bram', 'uram'], 'capacity': ['data', 'data', 'thesis'],
                  'task': ['execute', 'whole', 'transfer', 'transfer-1'], 'clock_mhz': [100, 150, 200, 225, 250, 300, 350], 'units': [1, 2]},
        'follows': lambda train: ['approach=' + train[1]],
        'data': lambda draw, path: citations(draw, path),
        'real': {'Cora': 1000},
        'whole': [], 'loops': 9,
        'mutated': [(['--arithmetic', 'layerbreak', '--rate', '3', '--decay', '0'], ['approach=layerbreak', 'spmm.pe=4']),
                    (['--arithmetic', 'streamline', '--heads', '2', '--channels', '5'], ['approach=streamline', 'subgraphs=3', 'h_data.memory=uram'])],
        'small': ['--epochs', '20', '--seed', '2'],
        'mutants': [
            ('entries of h_data on one another', 'cdma.c', r'\[i % GAT_H_SIDE\]', '[0]'),
            ('a row of the attention vector in W', 'cdma.c', r'behind = remain <= 2', 'behind = remain <= 1'),
            ('halves of the attention vector swapped', 'loader.c', r'attention\[k\]\[half\]', 'attention[k][1 - half]'),
            ('a row of W not loaded', 'loader.c', r'r < rows; r\+\+', 'r < rows - 1; r++'),
            ('an entry of each row left out', 'spmm.c', r'ends = left <= 1', 'ends = left <= 2'),
            ('a row without entries reads one', 'spmm.c', r'there = length > 0', 'there = 1'),
            ('every lane from the first row on', 'spmm.c', r'node_info\[first \+ row\]', 'node_info[row]'),
            ('the first lane\'s features for all nodes', 'dispatcher.c', r'gat_lane_of\(node, places\)', '0'),
            ('sums go on from row to row', 'spmm.c', r'entry == 0 \? 0 : spmm_sums', 'entry < 0 ? 0 : spmm_sums'),
            ('the first pass\'s columns in all', 'spmm.c', r'weight = p != pass', 'weight = p != 0'),
            ('the other half for source nodes', 'dmvm.c', r'of_source \? factor : other', 'of_source ? other : factor'),
            ('the first head\'s source for all', 'dmvm.c', r'dmvm_source\[head\] \+ sum', 'dmvm_source[0] + sum'),
            ('no ReLU of exponents', 'dmvm.c', r'sum > 0 \? sum : 0', 'sum < 0 ? -sum : sum'),
            ('exponents up to 63', 'dmvm.c', r'e < GAT_EXPONENT_MOST \? \(uint32_t\)e : GAT_EXPONENT_MOST', 'e < 63 ? (uint32_t)e : 63'),
            ('a sum of 128 bits', 'softmax.c', r'PARTS - 1\) = carry;', 'PARTS - 1) = 0;'),
            ('a bit of the quotient less', 'softmax.c', r'bit <= GAT_ALPHA_BITS', 'bit < GAT_ALPHA_BITS'),
            ('a sum goes on in the next subgraph', 'softmax.c', r'last \? 0 : softmax_digits\[h\]\[d\]', 'softmax_digits[h][d]'),
            ('no ReLU behind layer 1', 'aggregator.c', r'layer == 0 && aggregator_sums\[0\] < 0 \? 0 : ', ''),
            ('products of all heads so far', 'aggregator.c', r'head == k / GAT_CHANNELS', 'head >= k / GAT_CHANNELS'),
            ('a bit of the fraction handed on', 'dispatcher.c', r'feature >> GAT_ALPHA_BITS', 'feature >> (GAT_ALPHA_BITS - 1)'),
            ('the last feature not handed on', 'dispatcher.c', r'GAT_OUTPUTS % 2 == 0 \|\| !ends', '!ends'),
            ('the end of the graph not seen', 'dispatcher.c', r'last = \(int32_t\)\(place & 1\)', 'last = 0'),
            ('rows read over', 'aggregator.c', r'taken\+\+;', 'taken += 2;'),
            ('columns in one memory', 'gat_config.h', r'GAT_PRAGMA\(HLS ARRAY_PARTITION variable=weights_1 [^)]*\)', ''),
            ('a loop without PIPELINE', 'gat_config.h', r'(GAT_PIPELINE_SPMM_STEPS) GAT_PRAGMA\(HLS PIPELINE II=\w+\)', r'\g<1>'),
            ('a slower divider', 'gat_config.h', r'(GAT_PIPELINE_SOFTMAX_DIVIDE GAT_PRAGMA\(HLS PIPELINE II=)\d+', r'\g<1>4'),
            ('no FIFO any more', 'gat_config.h', r'GAT_PRAGMA\(HLS STREAM variable=alphas [^)]*\)', ''),
            ('WH of two rows', 'gat_config.h', r'(define GAT_WH_ROWS )\d+', r'\g<1>2'),
            ('one port of h_data', 'gat_config.h', r'(variable=h_data type=)ram_t2p', r'\g<1>ram_1p'),
            ('layers after one another, each engine too', 'gat_config.h', r'(GAT_DATAFLOW_LAYER) GAT_PRAGMA\(HLS DATAFLOW\)', r'\g<1>'),
            ('an answer in another memory', 'link_config.cfg', r'(sp=\w+\.features_out:)\S+', r'\g<1>DDR[9]')]},
    'hdreason': {
        'forms': [['--precision', p, '--direction', d, '--batch', b] for p in ('fix16', 'fix8', 'fix4') for d, b in (('double', '16'), ('single', '7'), ('double', '1'), ('double', '33'))],
        'trained': {'--dim': ['8', '40', '64', '200', '256'], '--embedding': ['5', '16'], '--epochs': ['0', '2'], '--memory': ['sum', 'mean'],
                    '--kept_dims': ['0', '0', '5', '8'], '--gradient': ['paper', 'exact'], '--loss': ['softmax', 'bce'], '--optimizer': ['adam', 'sgd']},
        'knobs': {'score.lanes': [1, 2, 4, 8, 16, 32, 64, 128], 'hbm.channels': [2, 4, 8, 16, 32], 'axi.bits': [64, 128, 256, 512, 1024], 'task': ['infer', 'train', 'fit'],
                  'clock_mhz': [100, 150, 200, 250, 300], 'units': [1, 2], 'cache.uram': [0, 0, 1, 8, 64], 'cache.policy': ['lru', 'lfu', 'random'],
                  'schedule': ['arrival', 'density'], 'memorise.ips': [1, 3, 4, 16], 'memorise.lanes': [1, 8, 32], 'encoder.products': [16, 64, 256], 'train.products': [16, 96], 'train.chunk': [1, 3, 8, 16], 'backward': ['after', 'after', 'forward']},
        'data': lambda draw, path: triples(draw, path),
        'real': {'FB15K-237': 1000, 'WN18RR': 500}, 'cases': {'FB15K-237': 1000, 'WN18RR': 500},  # an answer has all entities: 120 to 330 KB per triple
        'whole': ['--epochs', '0'], 'loops': 7,
        'mutated': [(['--precision', 'fix16', '--batch', '9'], ['score.lanes=8', 'hbm.channels=4', 'axi.bits=128', 'cache.uram=32']),
                    (['--precision', 'fix4', '--kept_dims', '66', '--direction', 'single', '--batch', '6'], ['score.lanes=64', 'hbm.channels=2', 'axi.bits=64', 'cache.uram=0']),
                    (['--precision', 'fix16', '--batch', '5'], ['task=train', 'backward=after', 'score.lanes=4', 'hbm.channels=4', 'axi.bits=128', 'cache.uram=32', 'train.chunk=3']),
                    (['--precision', 'fix8', '--gradient', 'paper', '--loss', 'bce', '--batch', '6'], ['task=fit', 'backward=after', 'score.lanes=32', 'hbm.channels=2', 'axi.bits=64'])],
        'always': ['task=infer', 'memorise.lanes=8', 'memorise.ips=4', 'encoder.products=64', 'train.products=96'],
        'small': ['--dim', '70', '--embedding', '8', '--epochs', '3', '--seed', '2'],
        'rejected': ['task=train backward=forward', 'task=fit backward=forward', 'precision=fp32', 'hbm.channels=12', 'score.lanes=256'],
        'mutants': [
            ('the first port\'s words in all', 'memory.c', r'word\[i / \(HDREASON_AXI_BITS / 32\)\]', 'word[0]'),
            ('relations from the entities\' rows', 'memory.c', r'vector % 2 != 0 \? HDREASON_ENTITIES : 0', '0'),
            ('a vector begins a beat late', 'memory.c', r'row \* HDREASON_BEATS', 'row * HDREASON_BEATS + 1'),
            ('the same vector for all queries', 'memory.c', r'ids\[vector\]', 'ids[vector % 2]'),
            ('beats of a chunk on one another', 'chunks.c', r'i / HDREASON_BEAT_PARTS == place', 'i / HDREASON_BEAT_PARTS == 0'),
            ('what a chunk has left stays in the next', 'chunks.c', r'place == 0 \? 0 : held.part', 'held.part'),
            ('a beat\'s first chunk in all', 'chunks.c', r'held = next_chunk\(held\);\n        }\n        if \(completes\(trip\)\) \{\n            HDREASON_PUT', '}\n        if (completes(trip)) {\n            HDREASON_PUT'),
            ('a vector ends an iteration early', 'chunks.c', r'ends = trip == HDREASON_TRIPS - 1', 'ends = trip == (HDREASON_TRIPS > 1 ? HDREASON_TRIPS - 2 : 0)'),
            ('elements without their sign', 'hdreason.h', r'\(int32_t\)\(part << ', '(int32_t)(part << 1 << '),
            ('no saturation', 'score.c', r'sum > HDREASON_LARGEST \? HDREASON_LARGEST', 'sum > 2 * HDREASON_LARGEST ? HDREASON_LARGEST'),
            ('saturation at one end', 'score.c', r'sum < -HDREASON_LARGEST \? -HDREASON_LARGEST', 'sum < -2 * HDREASON_LARGEST ? -HDREASON_LARGEST'),
            ('differences with their sign', 'score.c', r'query > memory \? query - memory : memory - query', 'query - memory'),
            ('a sum goes on in the next entity', 'score.c', r'step == 0 \? 0 : score_sums', 'score_sums'),
            ('a chunk of the memory read twice', 'score.c', r'score_memory\[l\] = hdreason_element\(chunk, l\)', 'score_memory[l] = hdreason_element(chunk, l / 2)'),
            ('the words of the first entity in all', 'host.c', r'if \(word == 0\)', 'if (word == 0 && i == 0)'),
            ('a query\'s number lost', 'host.c', r'ids\[i\] = \(int32_t\)id\[0\]', 'ids[i] = (int32_t)id[0] & 31'),
            ('an element of the embeddings twice', 'encoder.c', r'element_of\(word, k % HOST_ELEMENTS\)', 'element_of(word, k % HOST_ELEMENTS / 2)'),
            ('sums go on from group to group', 'encoder.c', r'sweep == 0 \? 0 : encoder_sums', 'sweep < 0 ? 0 : encoder_sums'),
            ('half a step less in tanh\'s address', 'encoder.c', r'\(halves \+ 1\) >> 1', 'halves >> 1'),
            ('tanh of a size', 'encoder.c', r'!= 0 \? -word : word', '!= 0 ? word : word'),
            ('the first table\'s word in all', 'encoder.c', r'tanh_words\[column % HDREASON_TANH_TABLES\]', 'tanh_words[0]'),
            ('a group of dimensions in the last one\'s place', 'encoder.c', r'k / HDREASON_ENCODER_WIDTH == group', 'k / HDREASON_ENCODER_WIDTH == 0'),
            ('relations in their own steps', 'encoder.c', r'relation >= 0 \? rounded : write_parts', 'relation >= 0 ? write_parts[p] : write_parts'),
            ('the bindings of the next relation', 'encoder.c', r'bindings\[place\] = next', 'bindings[place > 0 ? place - 1 : 0] = next'),
            ('H over M', 'encoder.c', r'relation < 0 \? HDREASON_H_BEGIN', 'relation < 0 ? 0'),
            ('products without rounding', 'memorise.c', r'\+ \(CUT > 0\)\) >>', '+ 0) >>'),
            ('a vertex\'s sum goes on', 'memorise.c', r'ip_sums\[n\]\[0\]\[l\] & now_keeps\[n\]', 'ip_sums[n][0][l]'),
            ('chunks of all vertices in one place', 'memorise.c', r'now_place\[n\] = ip_slot\[n\]', 'now_place[n] = 0'),
            ('IPs leave in another order', 'memorise.c', r'n == leaves && ip_full', 'n == HDREASON_MEMORISE_IPS - 1 - leaves && ip_full'),
            ('no wait for the IP', 'memorise.c', r'ip_wanted\[n\] & \(ip_busy\[n\] \^ 1\)', 'ip_wanted[n]'),
            ('the cache keeps nothing', 'memorise.c', r'cache\[now.place\] = vertex', 'cache[0] = vertex'),
            ('one binding for all', 'memorise.c', r'relation = bindings\[now.row\]', 'relation = bindings[0]'),
            ('a share more', 'memorise.c', r'PART_VERTEX\(next, 1\) & 0xffff', 'PART_VERTEX(next, 1) & 0x7fff'),
            ('elements that the score does not read', 'memorise.c', r'\+ k < HDREASON_SCORE_DIM \?', '+ k >= 0 ?'),
            ('weights without their sign', 'training.c', r'\(int32_t\)\(part << \(16 - b % 2 \* 16\)\) >> 16', '(int32_t)(part >> (b % 2 * 16) & 0xffff)'),
            ('equal elements count as less', 'training.c', r'query >= memory', 'query > memory'),
            ('signs of the subjects alone', 'training.c', r'sum = subject \+ relation', 'sum = subject'),
            ('queries\' sums of one chunk', 'training.c', r'signs_sums\[step\]\[b\]\[l\] = base', 'signs_sums[0][b][l] = base'),
            ('the first query\'s sums for all', 'training.c', r'signs_sums\[step\]\[b < HDREASON_BATCH - 1 \? b \+ 1 : b\]', 'signs_sums[step][b]'),
            ('a word of the weights over another', 'training.c', r'p \+ HDREASON_HOST_PARTS - WEIGHT_PARTS', 'p + 1 - WEIGHT_PARTS'),
            ('a chunk of sums twice', 'training.c', r'k / HDREASON_SCORE_LANES == place', 'k / HDREASON_SCORE_LANES == 0'),
            ('all sums go on', 'training.c', r'\(flags & BEGINS\) != 0 \? 0 : sums_whole', '(flags & BEGINS) > 99 ? 0 : sums_whole'),
            ('a factor is held for one row', 'training.c', r'-\(int32_t\)\(flags & HOLDS\)', '-1'),
            ('the factor\'s chunks in one place', 'training.c', r'sums_factor\[LAST_CHUNK\]\[l\] = first', 'sums_factor[0][l] = first'),
            ('products by the number', 'training.c', r'\(flags & BY_ROW\) != 0 \?', '0 ?'),
            ('tanh\'s derivative left out', 'training.c', r'derives \? derived', '0 ? derived'),
            ('H of the last row', 'training.c', r'if \(step <= 1\)', 'if (step == 0)'),
            ('relations\' H of the first one', 'training.c', r'bindings\[relation < HDREASON_RELATIONS \? relation : 0\]', 'bindings[0]'),
            ('another word of H^B', 'training.c', r'sweep \* HDREASON_DIM \+ at', 'at'),
            ('rows of the block before', 'training.c', r'\(1 - bank\) \* HDREASON_IP_STEPS', 'bank * HDREASON_IP_STEPS'),
            ('a row of each block lost', 'training.c', r'left = ends \? block_rows', 'left = ends ? block_rows - 1'),
            ('sums leave without rounding', 'training.c', r'\(halves \+ 1\) >> 1', 'halves >> 1'),
            ('sums of SA2 go on', 'training.c', r'at == 0 \? 0 : train_sums', 'at < 0 ? 0 : train_sums'),
            ('words of a gradient on one another', 'training.c', r'gradients\[i\] = out', 'gradients[i / 2] = out'),
            ('gradients over the memories', 'memorise.c', r'row < HDREASON_STORED', 'row < HDREASON_ENTITIES'),
            ('sums of signs in one memory', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS ARRAY_PARTITION variable=signs_sums [^\n]*', ''),
            ('sums of signs kept for longer', 'hdreason_config.h', r'(variable=signs_sums type=inter distance=)\w+', r'\g<1>4096'),
            ('SA2 a product a cycle', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS ARRAY_PARTITION variable=hdreason_base_turned [^\n]*', ''),
            ('a slower SA2', 'hdreason_config.h', r'(HDREASON_PIPELINE_TRAINING_STEPS) HDREASON_PRAGMA\(HLS PIPELINE II=\w+\)', r'\g<1>'),
            ('an IP\'s registers in one memory', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS ARRAY_PARTITION variable=ip_sums [^\n]*', ''),
            ('products of H^B in one memory', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS ARRAY_PARTITION variable=hdreason_base [^\n]*', ''),
            ('words in one memory', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS ARRAY_PARTITION variable=subjects [^\n]*', ''),
            ('a loop without PIPELINE', 'hdreason_config.h', r'(HDREASON_PIPELINE_SCORE_STEPS) HDREASON_PRAGMA\(HLS PIPELINE II=\w+\)', r'\g<1>'),
            ('a FIFO that holds no burst', 'hdreason_config.h', r'(variable=beats depth=)\d+', r'\g<1>2'),
            ('no FIFO any more', 'hdreason_config.h', r'HDREASON_PRAGMA\(HLS STREAM variable=sums [^)]*\)', ''),
            ('processes after one another', 'hdreason_config.h', r'(HDREASON_DATAFLOW_PASS) HDREASON_PRAGMA\(HLS DATAFLOW\)', r'\g<1>'),
            ('an answer in another memory', 'link_config.cfg', r'(sp=\w+\.distances:)\S+', r'\g<1>DDR[9]')]},
}


def triples(draw, path):
    """A knowledge graph with hubs, entities without an object, and repeated triples."""
    os.makedirs(path)
    names, relations = [f'e{i}' for i in range(70)], [f'r{i}' for i in range(5)]
    known = [(names[draw.randrange(60)], draw.choice(relations), names[draw.randrange(70) if draw.random() < 0.6 else draw.randrange(6)]) for _ in range(400)]
    known += [(names[i], relations[0], names[(i + 1) % 70]) for i in range(0, 70, 2)] + known[:5] + [(name, relations[1], names[0]) for name in names]
    parts = {'train': known, 'valid': [], 'test': []}
    for n in range(40):
        parts['valid' if n % 4 == 0 else 'test'].append((names[draw.randrange(70)], draw.choice(relations), names[draw.randrange(70)]))
    for part, rows in parts.items():
        with open(f'{path}/{part}.txt', 'w', encoding='utf-8') as out:
            out.writelines('\t'.join(row) + '\n' for row in rows)
    return path


def citations(draw, path):
    """A labelled graph with hubs, isolated nodes and nodes without features."""
    nodes, words = 90, 40
    os.makedirs(path)
    path += '/data'
    kind = [draw.randrange(3) for _ in range(nodes)]
    with open(path + '.content', 'w', encoding='utf-8') as out:
        for n in range(nodes):
            row = [int(n % 17 != 0 and draw.random() < (0.35 if w % 3 == kind[n] else 0.05)) for w in range(words)]
            out.write(f'p{n} {" ".join(map(str, row))} {"abc"[kind[n]]}\n')
    with open(path + '.cites', 'w', encoding='utf-8') as out:
        for n in range(nodes):
            for other in ([0] if n % 5 == 1 else []) + ([draw.randrange(nodes) for _ in range(draw.randrange(4))] if n % 7 else []):
                if other != n:
                    out.write(f'p{n} p{other}\n')
    return os.path.dirname(path)


def table(draw, path):
    """A table of numbers whose target needs several clusters."""
    with open(path + '.csv', 'w', encoding='utf-8') as out:
        out.write('a,b,c,d,y\n')
        for _ in range(120):
            row = [draw.uniform(-3, 3) for _ in range(4)]
            out.write(','.join(f'{x:.5f}' for x in row) + f',{2 * row[0] - abs(row[2]) * 3 + row[1] * 0.3:.5f}\n')
    return path + '.csv'


class Bench:
    def __init__(self, program, family, folder, seed):
        self.program, self.family, self.folder, self.seed = program, family, folder, seed
        self.of = FAMILIES[family]
        listed = run([program, 'boards', 'list', '--format', 'csv']).stdout.split('\n')[1:]
        self.boards = [line.split(',')[0] for line in listed if line]
        self.data = self.of['data'](random.Random(seed), f'{folder}/data')

    def emit(self, number):
        """Folder and words of a design, drawn until it can be built on the board and has a source."""
        draw = random.Random(f'{self.seed} {number}')
        for _ in range(60):
            model, out = f'{self.folder}/m.npz', f'{self.folder}/design{number}'
            train = list(self.of['forms'][number % len(self.of['forms'])])
            for option, values in self.of['trained'].items():
                train += [option, draw.choice(values)]
            done = run([self.program, 'train', '--family', self.family, '--dataset', self.data, '--seed', draw.randrange(99), '-o', model, '-q', *train])
            assert done.returncode == 0, done.stderr
            knobs = [f'{knob}={draw.choice(values)}' for knob, values in self.of['knobs'].items()] + self.of.get('follows', lambda _: [])(train)
            board = draw.choice(self.boards)
            words = ['--family', self.family, '--board', board, '--dataset', self.data, '--model', model, '--batch', (200, 1, 3)[number % 3]]  # launches of the host: a queue
            for knob in knobs:
                words += ['--set', knob]
            shutil.rmtree(out, ignore_errors=True)
            emitted = run([self.program, 'emit', *words, '--cases', 20, '--force', '-q', '-o', out])
            if emitted.returncode == 0:
                return out, ' '.join([board, *train, *knobs]), words
            assert emitted.returncode in (1, 2), f'{emitted.returncode}: {emitted.stderr}'
        return None, 'nothing that can be built was drawn', None


def synthesisable(folder):
    """Constructs that Vitis HLS rejects (hls_check.py), in the text that synthesis sees."""
    os.makedirs(f'{folder}/synthesis', exist_ok=True)
    for name in sources_of(folder):
        if name != 'testbench.c':
            text = run(['gcc', '-std=c99', '-E', '-D__SYNTHESIS__', '-I.', name], folder)
            with open(f'{folder}/synthesis/{name}', 'w', encoding='utf-8') as out:
                out.write(text.stdout)
    done = run([sys.executable, '-B', f'{HERE}/hls_check.py', *[f'{folder}/synthesis/{n}' for n in sorted(os.listdir(f'{folder}/synthesis'))],
                '--directives', f'{folder}/directives.tcl'])
    if done.returncode != 0:
        yield done.stdout[-600:] + done.stderr[-300:]


def check(bench, folder):
    return itertools.chain(*(claims(bench.program, folder, bench.of['loops']) or ()))


TRAINED_WHOLE = 'hdreason', 'hydraf'  # task=fit: as many steps of task=train
PASSES = 1000  # a whole training that is long enough for its blocks' whole cycles, of which there are 4,096ths (models/hdreason/microarchitecture.md)


def runs_of(folder, family):
    """Of the test cases: how many calls answer an item together, and whether a queue takes them (executor/calls.h)."""
    with open(f'{folder}/{family}_config.h', encoding='utf-8') as file:
        header = file.read()
    with open(f'{folder}/{family}_cases.bin', 'rb') as file:
        words = array.array('I', file.read())
    registers, at, calls, found = int(re.search(r'_CALL_REGISTERS (\d+)', header)[1]), 2, 0, set()
    for _ in range(words[1]):
        items, at = words[at], at + 1 + registers
        for array_at in (3, None):  # writes, of which an array's words lie elsewhere; expectations
            lists, at = words[at], at + 1
            for _ in range(lists):
                length, follows = words[at + 2], array_at is None or words[at + array_at] == 0
                at += (3 if array_at is None else 4) + (length if follows else 0)
        calls += items > 0
        if items > 0 and items >> 31 == 0:
            found.add(calls)
            calls = 0
    return found, '_RING_SLOTS' in header


def starts(bench, folder, words):
    """The models count an item's starts by the host like its calls: one per launch if a queue takes them; for a whole training run, a number per step."""
    words = words[:words.index('--model')] + words[words.index('--model') + 2:]
    of = lambda task, *more: json.loads(run([bench.program, 'estimate', *[f'task={task}' if word in ('task=train', 'task=fit') else word for word in words], *more,
                                             '--format', 'json', '-q']).stdout)['total']
    (made, queued), step = runs_of(folder, bench.family), of('train')
    counted = step['host']['starts']
    if {counted} != ({1} if queued else made):
        yield f'{counted} starts by the models, but items take {made} calls{", queued" if queued else ""}'
    if bench.family not in TRAINED_WHOLE or not {'task=train', 'task=fit'} & set(words):
        return
    one, fit = [of('fit', '--set', f'epochs={passes}') for passes in (1, PASSES)]
    runs = fit['host']['starts'] / max(made)
    if abs(fit['latency_s'] / step['latency_s'] / runs - 1) > 0.001 or fit['host']['starts'] != PASSES * one['host']['starts']:
        yield f'{fit["host"]["starts"]} starts of a whole training by the models, {runs} steps of {max(made)} calls, but {fit["latency_s"] / step["latency_s"]} steps by its time'


def reject(bench):
    """A design without a source is rejected before training, naming its last knob."""
    for knobs in bench.of.get('rejected', []):
        done = run([bench.program, 'emit', '--family', bench.family, '--dataset', bench.data, '--train', '--force', *sets(bench, knobs.split()), '-o', f'{bench.folder}/rejected'])
        if done.returncode != 1 or knobs.split()[-1] not in done.stderr or 'trained on' in done.stderr or os.path.exists(f'{bench.folder}/rejected'):
            yield f'{knobs}: exit {done.returncode}: {done.stderr}'


def whole(bench):
    """The test part of each real set by `make csim`."""
    for data, items in bench.of['real'].items():
        model, out = f'{bench.folder}/{data}.npz', f'{bench.folder}/{data}'
        trained = run([bench.program, 'train', '--family', bench.family, '--dataset', data, '--seed', 1, '-q', '-o', model, *bench.of['whole']])
        if trained.returncode != 0:
            print(f'hls_families: SKIPPED {data}: {trained.stderr.strip()[:100]}')
            continue
        emitted = run([bench.program, 'emit', '--family', bench.family, '--dataset', data, '--model', model, '--cases', bench.of.get('cases', {}).get(data, 1000000),
                       '--force', '-q', '-o', out, *[w for k in bench.of.get('always', []) for w in ('--set', k)]])
        done = run(['make', 'csim'], out) if emitted.returncode == 0 else emitted
        last = (done.stdout + done.stderr).strip().split('\n')[-1]
        print(f'{data}: {last}', flush=True)
        if done.returncode != 0 or last != f'{items} items: equal':
            yield f'{data}: {done.stdout[-500:]}{done.stderr[-500:]}'


def sets(bench, knobs):
    """Words of knobs, plus those that are always set unless they are among them."""
    given = {knob.split('=')[0] for knob in knobs}
    return [word for knob in knobs + [k for k in bench.of.get('always', []) if k.split('=')[0] not in given] for word in ('--set', knob)]


def mutate(bench):
    """Each change of the emitted source must be found by the C simulation, or by the checker without directives.tcl."""
    designs = []
    for number, (train, knobs) in enumerate(bench.of['mutated']):
        model, out = f'{bench.folder}/mutated{number}.npz', f'{bench.folder}/mutated{number}'
        words = ['--family', bench.family, '--dataset', bench.data]
        trained = run([bench.program, 'train', *words, *bench.of['small'], *train, '-q', '-o', model])
        assert trained.returncode == 0, trained.stderr
        emitted = run([bench.program, 'emit', *words, '--model', model, '--batch', 12, '--cases', 12, '--force', '-q', '-o', out, *sets(bench, knobs)])
        assert emitted.returncode == 0, emitted.stderr
        designs.append(out)
        yield from simulate(out, SIMULATED)
        yield from check(bench, out)
    for what, name, pattern, instead in bench.of['mutants']:
        bad, found = f'{bench.folder}/bad', ''
        if not any(has(good, name, pattern) for good in designs):
            yield f'{what}: changes nothing'
            continue
        for good in designs:  # a fault may show only in one of the designs
            if found or not has(good, name, pattern):
                continue
            changed(good, bad, name, pattern, instead)
            done = run(['make', 'csim'], bad)
            found = 'by the C simulation' if done.returncode != 0 else ''
            if not found and run([bench.program, 'emit', '--check', bad]).returncode == 1:
                found = 'by the checker'
        print(f'{what}: {found or "NOT FOUND"}', flush=True)
        if not found:
            yield what


def main():
    options = argparse.ArgumentParser()
    options.add_argument('program')
    options.add_argument('family')
    options.add_argument('--designs', type=int, default=3)
    options.add_argument('--first', type=int, default=0)
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--whole', action='store_true')
    options.add_argument('--mutants', action='store_true')
    options.add_argument('--no-check', action='store_true')
    options.add_argument('--no-compile', action='store_true')
    options.add_argument('--keep', action='store_true')
    given = options.parse_args()
    failures = 0
    folder = tempfile.mkdtemp()
    bench = Bench(os.path.realpath(given.program), given.family, folder, given.seed)
    for number in range(given.first, given.first + given.designs):
        out, said, words = bench.emit(number)
        wrong = [said] if out is None else [*starts(bench, out, words), *([] if given.no_compile else compile_all(out, LANGUAGES)), *simulate(out, SIMULATED), *synthesisable(out),
                                             *([] if given.no_check else check(bench, out))]
        print(f'{number}: {said}: {"well" if not wrong else "WRONG"}', *wrong, sep='\n    ' if wrong else '', flush=True)
        failures += len(wrong) > 0
        if out is not None and not (wrong and given.keep):
            shutil.rmtree(out)
    for wrong in itertools.chain(reject(bench), whole(bench) if given.whole else [], mutate(bench) if given.mutants else []):
        print(wrong)
        failures += 1
    if given.keep and failures:
        print(folder)
    else:
        shutil.rmtree(folder)
    sys.exit(failures > 0)


if __name__ == '__main__':
    main()
