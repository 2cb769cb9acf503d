/* SPDX-License-Identifier: MIT */ // Options, files and times of this folder's host program, host.cpp. Written by nysx-dse @VERSION@.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Options {
    std::string xclbin = "@FAMILY@.xclbin", unit, model = "@FAMILY@_model.bin", cases = "@FAMILY@_cases.bin";
    unsigned device = 0, repeat = 1;
};

// The unit that --unit names, or all.
inline std::vector<std::string> units_of(const Options &options)
{
    std::vector<std::string> units;
    for (unsigned unit = 1; options.unit.empty() && unit <= @UNITS@; unit++)
        units.push_back("@TOP@:{@TOP@_" + std::to_string(unit) + "}");
    return options.unit.empty() ? units : std::vector<std::string>{options.unit};
}

inline std::vector<uint32_t> read_words(const std::string &path)
{
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in)
        throw std::runtime_error(path + ": cannot be read");
    std::vector<uint32_t> words(static_cast<size_t>(in.tellg()) / 4);
    in.seekg(0);
    if (!in.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(words.size() * 4)))
        throw std::runtime_error(path + ": cannot be read to its end");
    return words;
}

using Clock = std::chrono::steady_clock;

inline double microseconds(Clock::duration time)
{
    return std::chrono::duration<double, std::micro>(time).count();
}

inline Options options_of(int argc, char **argv)
{
    Options out;
    const std::map<std::string, std::string *> texts = {
#ifdef HOST_LINUX
        {"--wait", &uio::wait},
#endif
        {"--xclbin", &out.xclbin}, {"--unit", &out.unit}, {"--model", &out.model}, {"--cases", &out.cases}};
    const std::map<std::string, unsigned *> numbers = {{"--device", &out.device}, {"--repeat", &out.repeat}};
    for (int i = 1; i < argc; i += 2) {
        auto text = texts.find(argv[i]);
        auto number = numbers.find(argv[i]);
        if (i + 1 == argc || (text == texts.end() && number == numbers.end()))
            throw std::runtime_error(std::string(argv[i]) + ": no such option, or it needs a value; see the top of host.cpp");
        if (text != texts.end())
            *text->second = argv[i + 1];
        else
            *number->second = static_cast<unsigned>(std::stoul(argv[i + 1]));
    }
    return out;
}

inline void print_times(const char *what, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    double sum = 0.0;
    for (double time : times)
        sum += time;
    auto at = [&](double share) { return times[static_cast<size_t>(share * static_cast<double>(times.size() - 1))]; };
    std::printf("%-36s mean %.1f µs, least %.1f, median %.1f, p99 %.1f\n", what, sum / static_cast<double>(times.size()),
                times.front(), at(0.5), at(0.99));
}

// Exit code of a program that runs its cases by `run`: 2, with the reason, on an error.
inline int host_main(int argc, char **argv, int (*run)(const Options &))
{
    try {
        return run(options_of(argc, argv));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "@FAMILY@_host: %s\n", error.what());
        return 2;
    }
}
