/* The emitted accelerator over one training step: its seven calls (models/hdreason/microarchitecture.md, "The emitted source"), each stepped item by item. */
#pragma once

#include "models/hdreason/executor/machine.h"

/* Fills in the stages of a training step besides `score`. O(edges · memorisation IPs + entities). */
void hdr_step_machine_run(const struct hdr_hardware *hardware, const struct hdr_graph *graph, struct hdr_record *record);
