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
    const char *word, *data_dir;        /* identify the data for another process */
    const struct dse_setting *setting;  /* in full */
    struct dse_run run;                 /* seed, split and monitor; with one job */
    bool workload;                      /* compute the workload instead of training */
};

/* The result, owned by the caller (dse_workload_clear). */
struct dse_job_result {
    struct dse_training training; /* without figures */
    struct dse_workload workload;
};

/* Executors of jobs: threads of this process, and other processes (NULL: none); each does one job at a time. */
struct dse_crew {
    size_t jobs;
    struct dse_peers *peers;
};

/* The request's threads and processes; with other processes and no stated number, one thread: processes stand for cores. */
struct dse_crew dse_request_crew(const struct dse_request *request);

/* Number of threads for dse_parallel_for. */
size_t dse_crew_size(const struct dse_crew *crew);

/* Does a job on thread `thread` of dse_crew_size(). Threads beyond the local jobs each delegate to another process and wait. If it is lost, they use
 * the next process; without any, they do the job. Errors as of training; errors of another process name its rank. */
enum dse_status dse_crew_do(const struct dse_crew *crew, size_t thread, const struct dse_job *job, struct dse_job_result *out,
                            struct dse_error *err);

/* Serves jobs for rank 0 until told to stop. After an interruption by the monitor it rejects jobs and waits for the end. */
void dse_jobs_serve(struct dse_peers *peers, const struct dse_monitor *monitor);
