// hls_config.cfg, ip_config.cfg and link_config.cfg: the design's settings for v++.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "checker.h"

namespace checker {

namespace {

// A line "key=value" under "[section]"; keys before the first section have none.
struct Setting {
    std::string key, value; // key: "section.key" if there is a section
    Place place;
};

bool read_settings(const std::string &folder, const std::string &file, std::vector<Setting> &out, std::vector<std::string> &unanalysed)
{
    std::ifstream in(folder + "/" + file);
    std::string line, section;
    std::regex setting("^\\s*([^=\\s]+)\\s*=\\s*(.*?)\\s*$"), heading("^\\s*\\[([^\\]]*)\\]\\s*$"), nothing("^\\s*(#.*)?$");
    std::smatch match;
    for (unsigned at = 1; std::getline(in, line); at++) {
        Place place{file, at};
        if (std::regex_match(line, nothing))
            continue;
        if (std::regex_match(line, match, heading))
            section = match[1].str() + ".";
        else if (std::regex_match(line, match, setting))
            out.push_back({section + match[1].str(), match[2], place});
        else
            unanalysed.push_back(place.text() + ": neither a section nor a setting");
    }
    return in.eof();
}

std::vector<std::string> words_of(const std::string &text, const char *separators)
{
    std::vector<std::string> out;
    for (size_t from = 0; (from = text.find_first_not_of(separators, from)) != std::string::npos;) {
        size_t end = text.find_first_of(separators, from);
        out.push_back(text.substr(from, end - from));
        from = end;
    }
    return out;
}

// "250MHz", "0.25GHz", "4ns", "4": in megahertz; 0 for any other text.
double clock_of(const std::string &value)
{
    char *end;
    double number = std::strtod(value.c_str(), &end);
    std::string unit = end;
    return !(number > 0) ? 0 : unit == "MHz" ? number : unit == "GHz" ? 1e3 * number : unit == "ns" || unit.empty() ? 1e3 / number : 0;
}

// "27%", "1.2ns", "1.2": as a share of the period; below 0 for any other text.
double uncertainty_of(const std::string &value, double clock_mhz)
{
    char *end;
    double number = std::strtod(value.c_str(), &end);
    std::string unit = end;
    return end == value.c_str() ? -1 : unit == "%" ? number / 100 : unit == "ns" || unit.empty() ? number * clock_mhz / 1e3 : -1;
}

void not_looked_at(const Setting &setting, std::vector<std::string> &unanalysed)
{
    unanalysed.push_back(setting.place.text() + ": " + setting.key + "=" + setting.value + ": a setting that no rule looks at");
}

// Options that the preprocessor may get, "-DNAME" or "-D NAME". Nothing else reaches the compiler: it has options that write files and load code.
void read_flags(const Setting &setting, std::vector<std::string> &out, std::vector<std::string> &unanalysed)
{
    std::vector<std::string> words = words_of(setting.value, " \t");
    for (size_t i = 0; i < words.size(); i++) {
        std::string flag = words[i];
        bool known = flag.size() >= 2 && flag[0] == '-' && std::string("IDU").find(flag[1]) != std::string::npos;
        if (known && flag.size() == 2 && i + 1 < words.size())
            flag += words[++i];
        if (known && flag.size() > 2)
            out.push_back(flag);
        else
            unanalysed.push_back(setting.place.text() + ": " + flag + " of syn.cflags: only -I, -D and -U are looked at");
    }
}

// "op=fadd impl=fabric latency=8", or its first word alone for the operator; -1 is the tool's own choice.
void read_operator(const Setting &setting, std::map<std::string, Configuration::Given> &operators, std::vector<std::string> &unanalysed)
{
    static const std::map<std::string, std::string> names = {{"fadd", "fadd"}, {"fsub", "fadd"}, {"fmul", "fmul"}, {"fdiv", "fdiv"}, {"dadd", "dadd"},
                                                             {"dsub", "dadd"}, {"dmul", "dmul"}, {"ddiv", "ddiv"}, {"mul", "multiply"}};
    Pragma pragma = parse_pragma("OP " + setting.value);
    auto found = names.find(pragma.option("op", setting.value.substr(0, setting.value.find_first_of(" \t"))));
    long latency = pragma.number("latency", -1);
    if (found == names.end())
        unanalysed.push_back(setting.place.text() + ": syn.op=" + setting.value + ": the cycles of this operator are the tool's own");
    else if (latency >= 0 && static_cast<double>(latency) >= operators[found->second].cycles)
        operators[found->second] = {static_cast<double>(latency), setting.place};
}

// Keys without effect on the checked bounds.
const std::set<std::string> indifferent = {"hls.tb.file", "hls.tb.cflags"};

Configuration read_hls(const std::string &folder, const std::string &file, std::vector<std::string> &errors, std::vector<std::string> &unanalysed)
{
    std::vector<Setting> settings;
    Configuration out;
    if (!read_settings(folder, file, settings, unanalysed))
        throw Failure{3, folder + "/" + file + ": cannot be read; the folder must hold an HLS source that emit wrote, not only a header or SystemVerilog (`make sim`)"};
    std::string uncertainty;
    for (const Setting &setting : settings) {
        const std::string &key = setting.key, &value = setting.value;
        if (key == "part")
            out.part = value;
        else if (key == "hls.syn.file")
            out.files.push_back(value);
        else if (key == "hls.syn.top")
            out.top = value;
        else if (key == "hls.flow_target")
            out.flow = value;
        else if (key == "hls.package.output.format")
            out.format = value;
        else if (key == "hls.syn.cflags")
            read_flags(setting, out.flags, unanalysed);
        else if (key == "freqhz")
            out.clock_mhz = std::strtod(value.c_str(), nullptr) / 1e6;
        else if (key == "hls.clock" || key == "clock")
            out.clock_mhz = clock_of(value);
        else if (key == "hls.clock_uncertainty")
            uncertainty = value;
        else if (key == "hls.syn.op")
            read_operator(setting, out.operators, unanalysed);
        else if (key.rfind("hls.syn.directive", 0) == 0)
            errors.push_back(setting.place.text() + ": " + key + "=" + value + ": a directive that the source has not");
        else if (indifferent.count(key) == 0)
            not_looked_at(setting, unanalysed);
    }
    if (!(out.clock_mhz > 0))
        throw Failure{3, folder + "/" + file + ": the clock is no number of MHz or ns"};
    if (!uncertainty.empty())
        out.uncertainty = uncertainty_of(uncertainty, out.clock_mhz);
    if (!(out.uncertainty >= 0 && out.uncertainty < 1))
        throw Failure{3, folder + "/" + file + ": clock_uncertainty=" + uncertainty + ": must be a share or a time below the period"};
    return out;
}

static bool same_operators(const Configuration &a, const Configuration &b)
{
    return std::equal(a.operators.begin(), a.operators.end(), b.operators.begin(), b.operators.end(),
                      [](const auto &one, const auto &other) { return one.first == other.first && one.second.cycles == other.second.cycles; });
}

// The key whose value differs between two configurations, or "".
std::string difference_of(const Configuration &a, const Configuration &b)
{
    return a.part != b.part ? "part" : a.top != b.top ? "syn.top" : a.files != b.files ? "syn.file" : a.flags != b.flags ? "syn.cflags"
           : std::fabs(a.clock_mhz - b.clock_mhz) > 1e-6 * b.clock_mhz || a.uncertainty != b.uncertainty ? "clock"
           : same_operators(a, b) ? "" : "syn.op";
}

// The result must be of the kind that its user needs: v++ links kernels, Vivado integrates IP.
void check_package(const std::string &file, const Configuration &configuration, const char *flow, const char *format, std::vector<std::string> &errors)
{
    if (configuration.flow != flow || configuration.format != format)
        errors.push_back(file + ": flow_target=" + configuration.flow + " and package.output.format=" + configuration.format + ": must be " + flow + " and " + format);
}

// link_config.cfg: the compute units of the kernel, the memory that each of their ports is connected to, and their clock.
class Link {
public:
    Link(const Configuration &configuration_, const Expected &expected_, std::vector<std::string> &errors_, std::vector<std::string> &unanalysed_)
        : configuration(configuration_), expected(expected_), errors(errors_), unanalysed(unanalysed_)
    {
    }
    void read(const Setting &setting);
    void compare(const std::set<std::string> &ports);

private:
    void error(const Place &place, const std::string &text)
    {
        errors.push_back((place.line > 0 ? place.text() : place.file) + ": " + text);
    }
    void read_units(const Setting &setting);

    const Configuration &configuration;
    const Expected &expected;
    std::vector<std::string> &errors, &unanalysed;
    std::vector<std::string> units;
    std::map<std::string, std::pair<std::string, Place>> connected; // "unit.port": memory
    std::map<std::string, double> clocks_mhz;                       // clock per unit; "" for all others
};

// "kernel:2" or "kernel:2:first.second".
void Link::read_units(const Setting &setting)
{
    std::vector<std::string> words = words_of(setting.value, ":");
    long count = words.size() > 1 ? std::strtol(words[1].c_str(), nullptr, 10) : 1;
    if (words.empty() || words[0] != configuration.top)
        return error(setting.place, "nk=" + setting.value + ": the kernel of hls_config.cfg is " + configuration.top);
    std::vector<std::string> names = words.size() > 2 ? words_of(words[2], ".,") : std::vector<std::string>();
    for (long i = 0; i < count && i < 4096; i++)
        units.push_back(static_cast<size_t>(i) < names.size() ? names[static_cast<size_t>(i)] : configuration.top + "_" + std::to_string(i + 1));
}

void Link::read(const Setting &setting)
{
    size_t colon = setting.value.find(':');
    std::string before = setting.value.substr(0, colon), behind = colon == std::string::npos ? "" : setting.value.substr(colon + 1);
    if (setting.key == "connectivity.nk")
        read_units(setting);
    else if (setting.key == "connectivity.sp" && !connected.insert({before, {behind, setting.place}}).second)
        error(setting.place, before + " is connected to " + connected[before].first + " already");
    else if (setting.key == "clock.freqHz")
        clocks_mhz[behind] = std::strtod(before.c_str(), nullptr) / 1e6;
    else if (setting.key == "clock.defaultFreqHz")
        clocks_mhz[""] = std::strtod(setting.value.c_str(), nullptr) / 1e6;
    else if (setting.key != "connectivity.sp")
        not_looked_at(setting, unanalysed);
}

void Link::compare(const std::set<std::string> &ports)
{
    Place file{"link_config.cfg"};
    if (static_cast<long>(units.size()) != expected.units)
        error(file, std::to_string(units.size()) + " units of " + configuration.top + ", and expected.json counts on " + std::to_string(expected.units));
    for (size_t u = 0; u < units.size(); u++) {
        auto clock = clocks_mhz.count(units[u]) != 0 ? clocks_mhz.find(units[u]) : clocks_mhz.find("");
        if (clock == clocks_mhz.end())
            error(file, units[u] + " has no clock");
        else if (std::fabs(clock->second - configuration.clock_mhz) > 1e-6 * configuration.clock_mhz)
            error(file, units[u] + " has a clock of " + std::to_string(clock->second) + " MHz, and hls_config.cfg has " +
                            std::to_string(configuration.clock_mhz));
        for (const std::string &port : ports) {
            auto sp = connected.find(units[u] + "." + port);
            auto counted = expected.memories.find(port);
            if (sp == connected.end()) {
                error(file, units[u] + "." + port + " is connected to no memory");
                continue;
            }
            if (counted == expected.memories.end() || u >= counted->second.size())
                error(sp->second.second, sp->first + " is a port that expected.json does not count on");
            else if (sp->second.first != counted->second[u])
                error(sp->second.second, sp->first + " is connected to " + sp->second.first + ", and expected.json counts on " + counted->second[u]);
            connected.erase(sp);
        }
        clocks_mhz.erase(units[u]);
    }
    for (const auto &left : connected)
        error(left.second.second, left.first + " is no port to memory of a unit");
    for (const auto &left : clocks_mhz)
        if (!left.first.empty())
            error(file, "a clock for " + left.first + ", which is no unit");
}

} // namespace

Configuration read_configuration(const std::string &folder, std::vector<std::string> &errors, std::vector<std::string> &unanalysed)
{
    Configuration out = read_hls(folder, "hls_config.cfg", errors, unanalysed);
    if (out.top.empty() || out.files.empty())
        throw Failure{3, folder + "/hls_config.cfg: no syn.top and syn.file: a folder without the accelerator's source: emit with --model"};
    return out;
}

void check_configurations(const std::string &folder, const Configuration &configuration, const Expected &expected,
                          const std::set<std::string> &ports, size_t wires, std::vector<std::string> &errors, std::vector<std::string> &unanalysed)
{
    if (!expected.part.empty() && configuration.part != expected.part)
        errors.push_back("hls_config.cfg: part=" + configuration.part + ", and expected.json counts on " + expected.part);
    check_package("hls_config.cfg", configuration, "vitis", "xo", errors);
    if (std::ifstream(folder + "/ip_config.cfg")) {
        Configuration ip = read_hls(folder, "ip_config.cfg", errors, unanalysed);
        check_package("ip_config.cfg", ip, "vivado", "ip_catalog", errors);
        std::string difference = difference_of(ip, configuration);
        if (!difference.empty())
            errors.push_back("ip_config.cfg: " + difference + " is not what hls_config.cfg has");
        if (wires > 0)
            errors.push_back("ip_config.cfg: " + std::to_string(wires) + " numbers among the kernel's arguments have no INTERFACE: in an IP they are wires, which no host can set");
    } else {
        unanalysed.push_back("ip_config.cfg: not there: packaging as Vivado IP is not compared; your own source has none");
    }
    std::vector<Setting> settings;
    if (!read_settings(folder, "link_config.cfg", settings, unanalysed)) {
        unanalysed.push_back("link_config.cfg: not there: what memory a port is connected to is not known");
        return;
    }
    if (!expected.there)
        return;
    Link link(configuration, expected, errors, unanalysed);
    for (const Setting &setting : settings)
        link.read(setting);
    link.compare(ports);
}

} // namespace checker
