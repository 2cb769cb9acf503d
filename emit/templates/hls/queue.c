/* SPDX-License-Identifier: MIT */ /* The kernel: runs the calls of a ring of descriptors, in order. A descriptor holds the registers of a call and is read while
 * the previous call runs. Each slot has its own words in the ports' memories. Written by nysx-dse @VERSION@. */
#include "@FAMILY@_kit.h"

static void @FAMILY@_next(@PREFIX@_PARAMETERS_RING, uint32_t first, uint32_t i, uint32_t queued[@PREFIX@_CALL_REGISTERS])
{
    const uint32_t begin = (first + i) % @PREFIX@_RING_SLOTS * @PREFIX@_CALL_REGISTERS;
@PREFIX@_LABEL(queue_words)
    for (uint32_t w = 0; w < @PREFIX@_CALL_REGISTERS; w++) {
        @PREFIX@_PIPELINE_QUEUE_WORDS
        @FAMILY@_ring_t word[1];
        @PREFIX@_READ_RING(word, begin + w);
        queued[w] = (uint32_t)word[0];
    }
}

static void @FAMILY@_serve(@PREFIX@_PARAMETERS_CALLED, uint32_t first, uint32_t i, const uint32_t queued[@PREFIX@_CALL_REGISTERS])
{
    @PREFIX@_RUN((first + i) % @PREFIX@_RING_SLOTS, queued);
}

static void @FAMILY@_queue(@PREFIX@_PARAMETERS_CALLED, @PREFIX@_PARAMETERS_RING, uint32_t first, uint32_t count)
{
@PREFIX@_LABEL(queue_calls)
    for (uint32_t i = 0; i < count; i++) {
        @PREFIX@_DATAFLOW_QUEUE_CALLS
        uint32_t queued[@PREFIX@_CALL_REGISTERS];
        @PREFIX@_ARRAY_PARTITION_QUEUED
        @FAMILY@_next(@PREFIX@_ARGUMENTS_RING, first, i, queued);
        @FAMILY@_serve(@PREFIX@_ARGUMENTS_CALLED, first, i, queued);
    }
}

void @TOP@(@PREFIX@_PARAMETERS_CALLED, @PREFIX@_PARAMETERS_RING, uint32_t first, uint32_t count)
{
    @PREFIX@_INTERFACES
    @FAMILY@_queue(@PREFIX@_ARGUMENTS_CALLED, @PREFIX@_ARGUMENTS_RING, first, count);
}
