/* --measure: what a profile lacks of a design's algorithmic setting, trained and measured on the data set. */
#ifndef DSE_DSE_MEASURING_H
#define DSE_DSE_MEASURING_H

#include "dse/workbench.h"

/* The options that go with it, for a command's table. */
#define DSE_MEASURING_OPTIONS                                                                                \
    {.name = "measure", .help = "train and measure at settings that the profile lacks; needs the data set"}, \
    {.name = "runs", .argument = "N",                                                                        \
     .help = "with --measure: trainings a setting, with seeds that count up from --seed (default 10)"}

/* Where the profile `index` has no work or no quality for the configuration's algorithmic setting, opens the data set by
 * its name (or the --dataset that leads to it), measures both, and puts the extended profile in the old one's place.
 * DSE_BAD_INPUT where the data are not those of the profile. */
enum dse_status dse_measuring_fill(const struct dse_cli *cli, struct dse_workbench *bench, size_t index,
                                   const struct dse_config *config, struct dse_error *err);

#endif
