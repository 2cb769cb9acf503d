/* Constants of the CDMA's transfers that no document gives: the processor's part in each (PYNQ's call, a Python function that polls), and what the
 * first load of a graph takes besides its bytes. Fitted to the Cora row of Table 6.2 (fitted.c), and part of the micro-architecture
 * since: models and simulation have them. */
#pragma once

#define GAT_SETUP_US 152.2
#define GAT_FIRST_US 7266.0
