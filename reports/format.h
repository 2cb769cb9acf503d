/* The form of a result. */
#pragma once

enum dse_format { DSE_FORMAT_TABLE, DSE_FORMAT_JSON, DSE_FORMAT_CSV };
