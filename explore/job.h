/* Jobs: measurements of a setting (a training run or its workload) with everything that the result depends on. Any thread, or any
 * process with the same data, can do a job. The requester keeps the results; a worker keeps only the data, opened once. */
#pragma once

#include "core/peers.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "executor/executor.h"
#include "explore/request.h"

struct dse_job {
    const struct dse_executor *executor;
    const struct dse_dataset *data;
    const char *word, *data_dir;        /* what another process finds the same data by */
    const struct dse_setting *setting;  /* in full */
    struct dse_run run;                 /* its seed, its part of the data, who listens; with one job */
    bool workload;                      /* that is asked for, and no training */
};

/* The result; the caller's (dse_workload_clear). */
struct dse_job_result {
    struct dse_training training; /* without figures */
    struct dse_workload workload;
};

/* Who does jobs: threads of this process, and other processes (NULL: none), each one at a time. */
struct dse_crew {
    size_t jobs;
    struct dse_peers *peers;
};

/* The request's threads and processes; with other processes one thread alone, where nobody says how many: they stand in for cores. */
struct dse_crew dse_request_crew(const struct dse_request *request);

/* The number of threads to hand jobs out by: for dse_parallel_for. */
size_t dse_crew_size(const struct dse_crew *crew);

/* Does a job on thread `thread` of dse_crew_size(): those beyond the jobs ask another process each and wait; where that is lost they
 * ask the next, and where all are they do it. Errors as of training; those of another process name its rank. */
enum dse_status dse_crew_do(const struct dse_crew *crew, size_t thread, const struct dse_job *job, struct dse_job_result *out,
                            struct dse_error *err);

/* Does jobs for rank 0 until it says that this is the end. Interrupted by the monitor it does none any more, and waits for the end. */
void dse_jobs_serve(struct dse_peers *peers, const struct dse_monitor *monitor);
