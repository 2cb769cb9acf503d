#include "xrt_mock.h"
