/* The processors that the NysX paper compares with: its Table 5 ("Specifications of Baseline Platforms"), as printed. */
#include "roofline/roofline.h"

const struct dse_reference_roof dse_reference_roofs[] = {
    {"CPU Ryzen 5 5625U", 2.4e12, 50e9, "NysX paper, Table 5: 2.4 TFLOPS (FP32), 50 GB/s (DDR4)"},
    {"GPU RTX A4000", 19.2e12, 448e9, "NysX paper, Table 5: 19.2 TFLOPS (FP32), 448 GB/s (GDDR6)"},
};

const size_t dse_reference_roof_count = sizeof dse_reference_roofs / sizeof *dse_reference_roofs;
