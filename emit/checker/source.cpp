// Preprocessing, directives as calls, the names of loops.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "checker.h"

namespace checker {

std::string Pragma::option(const std::string &name, const std::string &otherwise) const
{
    auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
}

long Pragma::number(const std::string &name, long otherwise) const
{
    auto found = options.find(name);
    return found == options.end() ? otherwise : std::strtol(found->second.c_str(), nullptr, 10);
}

static std::string upper(std::string text)
{
    for (char &c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

static std::string lower(std::string text)
{
    for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Options are name=value or a single word ("cyclic", "complete", "inter", "false"), which is its own value.
Pragma parse_pragma(const std::string &text)
{
    std::istringstream words(text);
    Pragma pragma;
    std::string word;
    words >> word;
    pragma.kind = upper(word);
    while (words >> word) {
        size_t equals = word.find('=');
        if (equals == std::string::npos)
            pragma.options[lower(word)] = "";
        else
            pragma.options[lower(word.substr(0, equals))] = word.substr(equals + 1);
    }
    return pragma;
}

std::string Place::text() const
{
    return file + ":" + std::to_string(line);
}

bool is_cpp(const std::string &file)
{
    return file.size() > 4 && file.substr(file.size() - 4) == ".cpp";
}

std::vector<std::string> preprocess(const Options &options, const Configuration &configuration, const std::vector<std::string> &files)
{
    std::vector<std::string> paths, texts;
    for (const std::string &file : files) {
        paths.push_back(options.folder + "/" + file);
        if (!std::ifstream(paths.back()))
            throw Failure{3, paths.back() + ": not there: put the source beside the header, and check the folder again"};
    }
    // The vendor's classes are replaced by plain types with the same meaning.
    std::string driver = std::string("-E -o - ") + (is_cpp(files[0]) ? "-x c++ -std=c++17" : "-x c -std=c99") + " -D__SYNTHESIS__ -D__HLS_CHECKER__ -I " + quoted(options.folder);
    for (const std::string &flag : configuration.flags) // a place is one beside the configuration
        driver += " " + quoted(flag.size() > 2 && flag.rfind("-I", 0) == 0 && flag[2] != '/' ? "-I" + options.folder + "/" + flag.substr(2) : flag);
    std::string all = clang_over(options, driver, paths, files, "");
    const std::string second = "\n# 1 \"<built-in>\" 1\n"; // the second line of each text
    std::vector<size_t> begins;
    for (size_t at = all.find(second); at != std::string::npos; at = all.find(second, at + 1))
        begins.push_back(all.rfind('\n', at - 1) + 1);
    if (begins.size() != files.size())
        throw Failure{4, options.clang + ": of " + std::to_string(files.size()) + " sources it preprocesses " + std::to_string(begins.size())};
    for (size_t i = 0; i < begins.size(); i++)
        texts.push_back(all.substr(begins[i], (i + 1 < begins.size() ? begins[i + 1] : all.size()) - begins[i]));
    return texts;
}

static std::string escaped(const std::string &text)
{
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

// Directive options that are used, or that have no effect on the checked bounds.
static const std::map<std::string, std::set<std::string>> known_options = {
    {"PIPELINE", {"ii", "off"}}, {"UNROLL", {"factor"}}, {"DATAFLOW", {}}, {"LOOP_TRIPCOUNT", {"min", "max", "avg"}},
    {"INLINE", {"off"}}, {"ALLOCATION", {"function", "instances", "limit"}}, {"AGGREGATE", {"variable"}},
    {"ARRAY_PARTITION", {"variable", "type", "factor", "dim"}}, {"ARRAY_RESHAPE", {"variable", "type", "factor", "dim"}},
    {"DEPENDENCE", {"variable", "type", "dependent", "distance"}}, {"BIND_STORAGE", {"variable", "type", "impl", "latency"}}, {"STREAM", {"variable", "depth"}},
    {"INTERFACE", {"mode", "port", "offset", "bundle", "depth", "max_read_burst_length", "max_write_burst_length",
                   "num_read_outstanding", "num_write_outstanding"}}};

// Lists a directive, or an option of one, that no rule here covers.
static void list_unknown(const std::string &text, const std::string &where, std::vector<std::string> &unanalysed)
{
    Pragma pragma = parse_pragma(text);
    auto kind = known_options.find(pragma.kind);
    if (kind == known_options.end()) {
        unanalysed.push_back(where + ": HLS " + pragma.kind + ": a directive that no rule looks at");
        return;
    }
    for (const auto &option : pragma.options)
        if (kind->second.count(option.first) == 0)
            unanalysed.push_back(where + ": HLS " + pragma.kind + " " + option.first + ": an option that no rule looks at");
}

// A directive as a statement, with `&` before its target: an array is then its own address, and a parameter's array is found later.
static std::string call_of(const std::string &text)
{
    Pragma pragma = parse_pragma(text);
    std::string variable = pragma.option("variable", pragma.option("port"));
    std::string address = variable.empty() || variable == "return" ? "0" : "&(" + variable + ")";
    if (pragma.option("mode") == "s_axilite" && address != "0") // of a pointer (class 5); the address of a number would keep it in memory
        address = "(__builtin_classify_type(" + variable + ") == 5 ? (const void *)" + address + " : 0)";
    return "__hls_pragma(\"" + escaped(text) + "\", (const void *)" + address + ");";
}

// The file's own name, without its folder.
static std::string base_name(const std::string &path)
{
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string carry_pragmas(const std::string &file, const std::string &text, LoopNames &names, std::set<std::string> &included, Directives &directives,
                          std::vector<std::string> &unanalysed)
{
    std::istringstream in(text);
    std::string line, current = file, pending, loop_label, out = std::string(is_cpp(file) ? "extern \"C\" " : "") + "void __hls_pragma(const char *, const void *);\n";
    std::regex marker("^#\\s*(?:line\\s+)?(\\d+)\\s+\"([^\"]*)\".*$"), directive("^\\s*#pragma\\s+HLS\\s+(.*?)\\s*$"),
        label("^\\s*([A-Za-z_][A-Za-z_0-9]*)\\s*:\\s*(.*)$"), loop("\\b(for|while|do)\\b");
    std::smatch match;
    unsigned at = 1;
    int depth = 0;
    while (std::getline(in, line)) {
        if (std::regex_match(line, match, marker)) {
            at = static_cast<unsigned>(std::stoul(match[1]));
            current = base_name(match[2]);
            included.insert(match[2]);
            out += line + "\n";
            continue;
        }
        if (std::regex_match(line, match, directive)) {
            directives.add({current, at}, match[1], loop_label);
            list_unknown(match[1], current + ":" + std::to_string(at), unanalysed);
            if (depth == 0)
                unanalysed.push_back(current + ":" + std::to_string(at) + ": a directive outside of a function: " +
                                     match[1].str());
            else
                line = call_of(match[1]);
        } else if (std::regex_match(line, match, label) && match[1] != "default") {
            pending = match[1];
        }
        if (!pending.empty() && std::regex_search(line, loop)) {
            names[{current, at}] = loop_label = pending;
            pending.clear();
        }
        for (char c : line)
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        out += line + "\n";
        at++;
    }
    return out;
}

// The vendor's classes are replaced by plain types, which must be as wide. Other types are as emitted.
void check_types(const std::set<std::string> &included, const Expected &expected, std::vector<std::string> &errors)
{
    std::regex vendors("^\\s*typedef\\s+ap_u?int<\\s*(\\w+)\\s*>\\s+(\\w+)\\s*;.*$"), parts("^\\s*uint32_t\\s+part\\[(\\d+)\\]\\s*;.*$"),
        word("^\\s*\\}\\s*(\\w+)\\s*;.*$"), plain("^\\s*typedef\\s+(\\w+(?:\\s+\\w+)*|struct \\{[^}]*\\})\\s+(\\w+)\\s*;.*$");
    std::smatch match;
    std::map<std::string, std::string> left = expected.types;
    auto must_be = [&](const std::string &at, const std::string &name, const std::string &is) {
        auto emitted = expected.types.find(name);
        left.erase(name);
        if (emitted != expected.types.end() && emitted->second != is)
            errors.push_back(at + ": " + name + " is " + is + ", and expected.json counts on " + emitted->second);
    };
    for (const std::string &path : included) {
        std::ifstream in(path);
        std::string line, count;
        for (unsigned at = 1; std::getline(in, line); at++) {
            std::string place = Place{base_name(path), at}.text();
            if (std::regex_match(line, match, vendors)) {
                must_be(place, match[2], match[1].str() + " bits");
            } else if (std::regex_match(line, match, parts)) {
                count = std::to_string(32 * std::stol(match[1]));
            } else if (std::regex_match(line, match, word) && !count.empty()) {
                must_be(place, match[1], count + " bits");
                count.clear();
            } else if (std::regex_match(line, match, plain)) {
                must_be(place, match[2], match[1]);
            }
        }
    }
    for (const auto &type : left)
        errors.push_back(type.first + " is no type of the source, and expected.json counts on " + type.second);
}

} // namespace checker
