// Runs of clang over many sources at once: it takes longer to start than to read one of them.
#include <algorithm>
#include <cstdio>

#include "checker.h"

namespace checker {

std::string quoted(const std::string &text)
{
    std::string out = "'";
    for (char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// Appends the output of a command; false if it fails.
static bool output_of(const Options &options, const std::string &command, std::string &out)
{
    FILE *pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        throw Failure{4, options.clang + ": cannot be run"};
    char buffer[65536];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        out.append(buffer, n);
    return pclose(pipe) == 0;
}

// Splits the driver's line that runs the compiler into words. Each word is in double quotes, with \\ before quotes and backslashes.
static std::vector<std::string> words_of(const std::string &line)
{
    std::vector<std::string> words;
    bool inside = false;
    for (size_t i = 0; i < line.size(); i++) {
        if (line[i] == '"') {
            inside = !inside;
            if (inside)
                words.emplace_back();
        } else if (inside) {
            i += line[i] == '\\' && i + 1 < line.size();
            words.back() += line[i];
        }
    }
    return words;
}

// With -### clang's driver prints the compiler call for one file, whose path is last. That compiler takes any number of files.
static bool run_over(const Options &options, const std::string &driver, const std::vector<std::string> &paths, bool loud, std::string &out)
{
    std::string said, command;
    output_of(options, options.clang + " -### " + driver + " " + quoted(paths[0]) + " 2>&1", said);
    size_t compiler = said.rfind("\"-cc1\"");
    if (compiler == std::string::npos)
        return false;
    size_t begin = said.rfind('\n', compiler) + 1;
    std::vector<std::string> words = words_of(said.substr(begin, said.find('\n', compiler) - begin));
    words.pop_back();
    auto place = std::find(words.begin(), words.end(), "-o");
    if (place != words.end() && place + 1 != words.end() && place[1] != "-")
        words.erase(place, place + 2); // beside each source
    words.insert(words.end(), paths.begin(), paths.end());
    for (const std::string &word : words)
        command += quoted(word) + " ";
    return output_of(options, command + (loud ? "" : "2>/dev/null"), out);
}

std::string clang_over(const Options &options, const std::string &driver, const std::vector<std::string> &paths, const std::vector<std::string> &files,
                       const std::string &why)
{
    std::string out;
    if (run_over(options, driver, paths, false, out))
        return out;
    for (size_t i = 0; i < paths.size(); i++)
        if (std::string alone; !run_over(options, driver, {paths[i]}, true, alone))
            throw Failure{3, options.folder + "/" + files[i] + ": " + options.clang + " rejects it" + why};
    throw Failure{3, options.folder + ": " + options.clang + " rejects its sources" + why};
}

} // namespace checker
