#include "tests/devices/sample.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/file.h"

const char sample_board[] =
    "<board version=\"1\" name=\"tiny\" title=\"Tiny board\" aliases=\"small wee\">\n"
    "<sources>\n"
    "<source id=\"report\" evidence=\"tool-report\">A report</source>\n"
    "<source id=\"guess\" evidence=\"assumed\">Assumed</source>\n"
    "</sources>\n"
    "<part name=\"xc7z020clg400-1\" family=\"zynq-7000\" dsp=\"DSP48E1\" process_nm=\"28\" slrs=\"1\" source=\"report\"/>\n"
    "<resources>\n"
    "<chip bram18=\"280\" uram=\"0\" dsp=\"220\" lut=\"53200\" ff=\"106400\" lutram=\"17400\" source=\"report\">\n"
    "<alternative value=\"53000\" why=\"rounded\" source=\"guess\"/></chip>\n"
    "<platform bram18=\"4\" uram=\"0\" dsp=\"0\" lut=\"2000\" ff=\"4000\" lutram=\"100\" source=\"guess\"/>\n"
    "<headroom bram18=\"0.1\" uram=\"0\" dsp=\"0\" lut=\"0.05\" ff=\"0\" lutram=\"0\" source=\"guess\"/>\n"
    "</resources>\n"
    "<memories>\n"
    "<memory name=\"ps-ddr\" kind=\"ps-ddr\" technology=\"DDR3\" channels=\"1\" width_bits=\"16\" source=\"report\">\n"
    "<rate preset_mtps=\"1050\" nominal_mtps=\"1066\" source=\"report\"/>\n"
    "<efficiency share=\"0.87\" low=\"0.75\" high=\"0.97\" source=\"report\"><note>Mixed</note></efficiency>\n"
    "<latency read_ns=\"250\" low_ns=\"150\" high_ns=\"400\" source=\"guess\"/>\n"
    "<capacity mib=\"512\" source=\"report\"/>\n"
    "<energy pj_per_bit=\"70\" low=\"35\" high=\"90\" source=\"guess\"/>\n"
    "</memory>\n"
    "</memories>\n"
    "<ports>\n"
    "<port name=\"hp\" memory=\"ps-ddr\" count=\"4\" width_bits=\"64\" max_burst_beats=\"16\" source=\"report\"/>\n"
    "</ports>\n"
    "<clocks default_mhz=\"100\" max_mhz=\"200\" source=\"guess\">\n"
    "<input name=\"sys_clock\" mhz=\"125\" source=\"report\"/>\n"
    "<cap mhz=\"100\" bram18=\"0.9\" uram=\"0.9\" dsp=\"0.9\" lut=\"0.85\" ff=\"0.85\" lutram=\"0.85\" source=\"guess\"/>\n"
    "<cap mhz=\"200\" bram18=\"0.6\" uram=\"0.6\" dsp=\"0.6\" lut=\"0.45\" ff=\"0.4\" lutram=\"0.45\" source=\"guess\"/>\n"
    "</clocks>\n"
    "<power>\n"
    "<static w=\"0.13\" low_w=\"0.11\" high_w=\"0.15\" source=\"report\"/>\n"
    "<ps w=\"1.5\" low_w=\"1.3\" high_w=\"1.8\" source=\"report\"/>\n"
    "</power>\n"
    "</board>\n";

char *replaced(const char *text, const char *from, const char *to)
{
    const char *place = strstr(text, from);
    if (place == NULL)
        fail_msg("not in the sample: %s", from);
    size_t head = (size_t)(place - text), cut = strlen(from), put = strlen(to);
    char *copy = malloc(strlen(text) - cut + put + 1);
    assert_non_null(copy);
    memcpy(copy, text, head);
    memcpy(copy + head, to, put);
    strcpy(copy + head + put, place + cut);
    return copy;
}

char *make_folder(void)
{
    const char *base = getenv("TMPDIR");
    char pattern[256];
    snprintf(pattern, sizeof pattern, "%s/nysx-devices-XXXXXX", base != NULL ? base : "/tmp");
    char *folder = strdup(pattern);
    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    return folder;
}

void remove_folder(char *folder)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        char *path = dse_path_join(folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
        free(path);
    }
    closedir(entries);
    rmdir(folder);
    free(folder);
}

char *put_file(const char *folder, const char *name, const char *text)
{
    char *path = dse_path_join(folder, name);
    struct dse_error err = {0};
    assert_non_null(path);
    if (dse_file_write(path, text, strlen(text), &err) != DSE_OK)
        fail_msg("%s", err.message);
    return path;
}
