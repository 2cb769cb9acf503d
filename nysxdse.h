/* The umbrella header of the library, for C and C++.
 *
 * A program fills a request in the words of the command line (explore/request.h) and runs it by dse_explore (explore/explore.h).
 * Functions of reports/ turn results into text. A C program may also include single rooms. examples/library/ runs the
 * default search; `pkg-config --cflags --libs nysxdse` says how to build against an installation. */
#pragma once

/* Headers of others that the rooms include stand before extern "C". */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "core/version.h"
#include "datasets/dataset.h"
#include "emit/emission.h"
#include "executor/executor.h"
#include "explore/explore.h"
#include "explore/joint.h"
#include "explore/missing.h"
#include "explore/oracle.h"
#include "explore/point.h"
#include "explore/survey.h"
#include "reports/boards.h"
#include "reports/corners.h"
#include "reports/datasets.h"
#include "reports/joint.h"
#include "reports/optimum.h"
#include "reports/roofline.h"
#include "reports/serve.h"
#include "reports/study.h"
#include "reports/sweep.h"
#include "reports/whatif.h"
#include "reports/why.h"
#include "search/whatif.h"

#ifdef __cplusplus
}
#endif
