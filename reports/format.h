/* The form of a result. */
#ifndef DSE_REPORTS_FORMAT_H
#define DSE_REPORTS_FORMAT_H

enum dse_format { DSE_FORMAT_TABLE, DSE_FORMAT_JSON, DSE_FORMAT_CSV };

#endif
