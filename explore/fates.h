/* How the settings of a search ended that nobody had measured, in words. */
#ifndef DSE_EXPLORE_FATES_H
#define DSE_EXPLORE_FATES_H

#include "search/lazy.h"

/* What is not decided was left by the budget. */
struct dse_fates {
    size_t settings, of[DSE_FATE_COUNT], trainings;
    uint64_t crossed; /* that the settings are a sample of; 0: they are all */
};

/* Counts the candidates of a search. */
void dse_fates_count(const struct dse_lazy *lazy, struct dse_fates *out);

/* In words; nothing where there are no settings. */
void dse_fates_write(const struct dse_fates *fates, char *text, size_t size);

#endif
