// The same question from C++: the designs of the front, one a line.
#include <nysxdse.h>

#include <cstdio>
#include <memory>
#include <string>

int main(int argc, char **argv)
{
    dse_request words;
    dse_request_init(&words);
    std::unique_ptr<dse_request, decltype(&dse_request_free)> request(&words, dse_request_free);
    dse_explored answers = {};
    dse_terms terms;
    dse_error err = {};
    const std::string dataset = argc > 1 ? argv[1] : "MUTAG";
    if (dse_request_add(&words, "dataset", dataset.c_str(), &err) != DSE_OK ||
        dse_terms_read(&words, false, DSE_DEFAULT_OBJECTIVES, &terms, &err) != DSE_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    std::unique_ptr<dse_explored, decltype(&dse_explored_free)> explored(&answers, dse_explored_free);
    if (dse_explore(&words, &terms, "ask", nullptr, nullptr, &answers, &err) != DSE_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (size_t i = 0; i < answers.count; i++)
        for (size_t p = 0; p < answers.each[i].answer.front_count; p++) {
            const double *metrics = answers.each[i].answer.front[p].metrics;
            std::printf("%.17g,%.17g,%.17g\n", metrics[DSE_METRIC_LATENCY], metrics[DSE_METRIC_ENERGY],
                        metrics[DSE_METRIC_BRAM18]);
        }
    return answers.answered > 0 ? 0 : 1;
}
