/* Constants of the CDMA's transfers that no document states. GAT_SETUP_US is processor time per transfer (PYNQ's call, a Python function that
 * polls). GAT_FIRST_US is the extra time of a graph's first load. They are fitted to the Cora row of Table 6.2 (fitted.c), and are part of the
 * micro-architecture. Models and simulation use both, but GAT_SETUP_US only with `rtl=thesis`, because the host path counts the starts of the
 * emitted kernel. */
#pragma once

#define GAT_SETUP_US 152.2
#define GAT_FIRST_US 7266.0
