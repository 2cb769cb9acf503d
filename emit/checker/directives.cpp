// The directives of the source against those of directives.tcl, which older tools read instead. If they differ, there are two designs.
#include <fstream>
#include <sstream>

#include "checker.h"

namespace checker {

// The words of a line of Tcl; quotes and braces enclose one word.
static std::vector<std::string> words_of(const std::string &line)
{
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string word; in >> word;) {
        size_t first = word.find_first_not_of("\"{"), last = word.find_last_not_of("\"}");
        out.push_back(first == std::string::npos ? "" : word.substr(first, last - first + 1));
    }
    return out;
}

// A directive in one spelling: its kind, its target, its options by name.
static std::string spelled(const Pragma &pragma, const std::string &target)
{
    std::string out = pragma.kind + (target.empty() ? "" : " " + target);
    for (const auto &option : pragma.options)
        out += " " + option.first + (option.second.empty() ? "" : "=" + option.second);
    return out;
}

std::string Directives::spelling(Pragma pragma, const std::string &label)
{
    std::string target = pragma.option("variable", pragma.option("port", pragma.option("instances")));
    for (const char *name : {"variable", "port", "instances", "function"})
        pragma.options.erase(name);
    bool of_loop = pragma.kind == "PIPELINE" || pragma.kind == "UNROLL" || pragma.kind == "LOOP_TRIPCOUNT";
    return spelled(pragma, of_loop ? label : target);
}

// "set_directive_stream -depth 16 "nysx_lookup" lookup_bins": first the place, "function" or "function/label", then a variable.
static std::string spelling_of_tcl(const std::vector<std::string> &words)
{
    static const std::string command = "set_directive_";
    std::string text = words[0].substr(command.size()), label;
    std::vector<std::string> places;
    for (size_t i = 1; i < words.size(); i++) {
        bool option = words[i].size() > 1 && words[i][0] == '-';
        if (!option)
            places.push_back(words[i]);
        else if (words[i] == "-off")
            text += " off";
        else if (i + 1 < words.size()) {
            text += words[i] != "-type" || words[i + 1] != "function" ? " " + words[i].substr(1) + "=" + words[i + 1] : "";
            i++;
        }
    }
    if (places.size() > 1)
        text += (words[0] == command + "interface" ? " port=" : " variable=") + places[1];
    else if (!places.empty() && places[0].find('/') != std::string::npos)
        label = places[0].substr(places[0].find('/') + 1);
    return Directives::spelling(parse_pragma(text), label);
}

void Directives::add(const Place &place, const std::string &text, const std::string &label)
{
    if (seen.insert({place.file, place.line, text}).second)
        counts[spelling(parse_pragma(text), label)]++;
}

void Directives::check_interfaces(std::vector<std::string> &errors) const
{
    for (const auto &[file, line, text] : seen) {
        Pragma pragma = parse_pragma(text);
        if (pragma.kind != "INTERFACE")
            continue;
        std::string at = Place{file, line}.text() + ": port " + pragma.option("port") + ": ", mode = pragma.option("mode");
        bool memory = mode == "m_axi" || pragma.options.count("m_axi") != 0, control = pragma.option("port") == "return";
        if (memory ? control : !(control && mode == "ap_ctrl_chain") && mode != "s_axilite" && pragma.options.count("s_axilite") == 0)
            errors.push_back(at + (mode.empty() ? "no mode" : mode) + ": " + (control ? "a host starts the kernel by s_axilite" : "a platform connects m_axi and s_axilite"));
        if (memory && pragma.option("offset", "slave") != "slave")
            errors.push_back(at + "offset=" + pragma.option("offset") + ": no host can say where its memory lies");
    }
}

void Directives::compare(const std::string &folder, std::vector<std::string> &errors, std::vector<std::string> &unanalysed) const
{
    std::ifstream in(folder + "/directives.tcl");
    if (!in) {
        unanalysed.push_back("directives.tcl: not there: no second text holds the source's directives");
        return;
    }
    std::map<std::string, int> left = counts;
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> words = words_of(line);
        if (!words.empty() && words[0].rfind("set_directive_", 0) == 0 && words[0] != "set_directive_top")
            left[spelling_of_tcl(words)]--;
    }
    for (const auto &entry : left)
        if (entry.second != 0)
            errors.push_back("directives.tcl " + std::string(entry.second > 0 ? "has not, as the source has: " : "has, and the source has not: ") +
                             entry.first);
}

} // namespace checker
