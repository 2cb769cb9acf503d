#include "devices/vivado_dram.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PART_MAX 64
#define BITS_MAX ((int64_t)1 << 50)

/* Speed grades in Micron's part numbers (DDR3 and DDR4 data sheets): the clock period of components, or the transfer rate of modules, in MT/s. */
static const struct {
    const char *grade;
    double mtps;
} grades[] = {
    {"-3G2", 3200}, {"-2G9", 2933}, {"-2G6", 2667}, {"-2G4", 2400}, {"-2G3", 2400}, {"-2G1", 2133},
    {"-1G9", 1866}, {"-1G6", 1600}, {"-1G4", 1333}, {"-1G1", 1066}, {"-062", 3200}, {"-068", 2933},
    {"-075", 2667}, {"-083", 2400}, {"-093", 2133}, {"-107", 1866}, {"-125", 1600}, {"-187", 1066},
    {"-15E", 1333}, {"-25E", 800},
};

/* Technologies by the first letters of part numbers (the makers' numbering guides): components, then modules. */
static const struct {
    const char *letters, *technology;
} part_families[] = {
    {"MT40A", "DDR4"},   {"MT41J", "DDR3"},   {"MT41K", "DDR3L"},  {"MT46H", "LPDDR"},  {"MT47H", "DDR2"},
    {"MT52", "LPDDR3"},  {"MT53", "LPDDR4"},  {"MT60B", "DDR5"},   {"MT62", "LPDDR5"},  {"MTA", "DDR4"},
    {"K4A", "DDR4"},     {"K4B", "DDR3"},     {"K4F", "LPDDR4"},   {"K4U", "LPDDR4"},   {"K3L", "LPDDR5"},
    {"H5AN", "DDR4"},    {"H5TQ", "DDR3"},    {"H5TC", "DDR3L"},   {"NT5AD", "DDR4"},   {"NT5CB", "DDR3"},
    {"NT5CC", "DDR3L"},  {"EDY4", "DDR4"},    {"IS43QR", "DDR4"},  {"IS43TR", "DDR3"},  {"IS46TR", "DDR3"},
};

/* The rates that memories are sold by. */
static const double sold_mtps[] = {400,  533,  667,  800,  1066, 1333, 1600, 1866, 2133,
                                   2400, 2667, 2933, 3200, 3733, 4267, 5600, 6400};

double dse_dram_rate(double transfers_hz)
{
    for (size_t i = 0; i < sizeof sold_mtps / sizeof *sold_mtps; i++)
        if (fabs(transfers_hz / (sold_mtps[i] * 1e6) - 1) < 0.003)
            return sold_mtps[i] * 1e6;
    return transfers_hz;
}

/* Letters in upper case without white space. */
static void squeeze(const char *text, char out[PART_MAX])
{
    size_t length = 0;
    for (; *text != '\0' && length < PART_MAX - 1; text++)
        if (!isspace((unsigned char)*text))
            out[length++] = (char)toupper((unsigned char)*text);
    out[length] = '\0';
}

/* Digits at `*text`, at most six; -1 if there are none. */
static int64_t take_number(const char **text)
{
    if (!isdigit((unsigned char)**text))
        return -1;
    int64_t value = 0;
    for (int i = 0; i < 6 && isdigit((unsigned char)**text); i++, (*text)++)
        value = value * 10 + (**text - '0');
    return value;
}

static int64_t prefix_factor(char letter)
{
    switch (letter) {
    case 'K': return (int64_t)1 << 10;
    case 'M': return (int64_t)1 << 20;
    case 'G': return (int64_t)1 << 30;
    case 'T': return (int64_t)1 << 40;
    default: return 0;
    }
}

static bool plausible_width(int64_t width)
{
    return width == 4 || width == 8 || width == 16 || width == 32 || width == 64 || width == 72;
}

/* Depth times width of a module: "51264" is 512M x 64, "2G72" is 2G x 72. ECC bits are subtracted. */
static bool decode_module(const char *text, struct dse_dram *out)
{
    int64_t depth, width;
    const char *rest = text;
    int64_t number = take_number(&rest);
    if (number < 0)
        return false;
    if (*rest == 'G') {
        rest++;
        depth = number << 30;
        width = take_number(&rest);
    } else {
        depth = (number / 100) << 20;
        width = number % 100;
    }
    if (depth <= 0 || (width != 64 && width != 72))
        return false;
    *out = (struct dse_dram){.capacity_bits = depth * 64, .width_bits = 64, .module = true};
    return true;
}

/* "512M16" after the family letters of a Micron component. */
static bool decode_component(const char *text, struct dse_dram *out)
{
    for (const char *p = text; *p != '\0' && *p != '-'; p++) {
        const char *rest = p;
        int64_t depth = take_number(&rest);
        int64_t factor = depth > 0 ? prefix_factor(*rest) : 0;
        if (factor < (int64_t)1 << 20 || factor > (int64_t)1 << 30 || depth > 4096)
            continue;
        rest++;
        int64_t width = take_number(&rest);
        if (!plausible_width(width))
            continue;
        *out = (struct dse_dram){.capacity_bits = depth * factor * width, .width_bits = width};
        return true;
    }
    return false;
}

/* Samsung: K4 and a letter, the density in gigabits, the width. */
static bool decode_samsung(const char *part, struct dse_dram *out)
{
    if (strncmp(part, "K4", 2) != 0 || strlen(part) < 7)
        return false;
    const char *rest = part + 3;
    int64_t gigabits = take_number(&rest);
    int64_t width = *rest == 'G' && rest[1] != '\0' ? (rest[1] - '0') * 10 + (rest[2] - '0') : 0;
    if (gigabits <= 0 || gigabits > 64 || !plausible_width(width))
        return false;
    *out = (struct dse_dram){.capacity_bits = gigabits << 30, .width_bits = width};
    return true;
}

/* ISSI: IS43TR16256A is 16 bits wide and 256M deep. */
static bool decode_issi(const char *part, struct dse_dram *out)
{
    if (strncmp(part, "IS4", 3) != 0)
        return false;
    const char *digits = part + 4;
    while (*digits != '\0' && !isdigit((unsigned char)*digits))
        digits++;
    if (strlen(digits) < 5)
        return false;
    const char *depth_digits = digits + 2;
    int64_t width = strncmp(digits, "16", 2) == 0 ? 16 : strncmp(digits, "08", 2) == 0 ? 8 : 0;
    int64_t depth = take_number(&depth_digits);
    if (width == 0 || depth < 16 || depth > 4096)
        return false;
    *out = (struct dse_dram){.capacity_bits = (depth << 20) * width, .width_bits = width};
    return true;
}

struct dse_dram dse_dram_decode(const char *part)
{
    char name[PART_MAX];
    struct dse_dram dram = {0};
    squeeze(part, name);
    const char *module = strstr(name, "TF");
    if (module == NULL)
        module = strstr(name, "SF");
    bool known = strncmp(name, "MT", 2) == 0 && module != NULL && decode_module(module + 2, &dram);
    if (!known && strncmp(name, "MT", 2) == 0)
        known = decode_component(name + 4, &dram); /* after MT and the two digits of the family */
    if (!known)
        known = decode_samsung(name, &dram) || decode_issi(name, &dram);
    for (size_t i = 0; known && i < sizeof grades / sizeof *grades && dram.transfers_hz == 0; i++)
        if (strstr(name, grades[i].grade) != NULL)
            dram.transfers_hz = grades[i].mtps * 1e6;
    return dram;
}

const char *dse_dram_part_technology(const char *part)
{
    char name[PART_MAX];
    squeeze(part, name);
    for (size_t i = 0; i < sizeof part_families / sizeof *part_families; i++)
        if (strncmp(name, part_families[i].letters, strlen(part_families[i].letters)) == 0)
            return part_families[i].technology;
    return "";
}

/* True for "b", "bit", "Bits", "Mbits"…: a single small b, or the word. */
static bool means_bits(const char *unit)
{
    return strncasecmp(unit, "bit", 3) == 0 || (unit[0] == 'b' && strncasecmp(unit, "byte", 4) != 0);
}

bool dse_dram_size(const char *text, int64_t *bits, bool *in_bits)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end != text && *end == '\0' && number >= 1 << 20 && number < (double)(BITS_MAX / 8)) {
        *bits = (int64_t)number * 8; /* a plain count of bytes */
        *in_bits = false;
        return true;
    }
    if (end == text || !(number > 0) || number > 1e6)
        return false;
    while (isspace((unsigned char)*end))
        end++;
    int64_t factor = prefix_factor((char)toupper((unsigned char)*end));
    if (factor == 0)
        return false;
    end++;
    if (*end == 'i')
        end++;
    while (isspace((unsigned char)*end))
        end++;
    double per_unit = 8;
    *in_bits = means_bits(end);
    if (*in_bits) {
        per_unit = 1;
    } else if (*end == 'x' || *end == 'X') {
        char *last = NULL;
        per_unit = strtod(end + 1, &last);
        *in_bits = true;
        if (last == end + 1 || !(per_unit >= 1) || per_unit > 1024)
            return false;
    } else if (toupper((unsigned char)*end) != 'B') {
        return false;
    }
    double value = number * (double)factor * per_unit;
    if (value > (double)BITS_MAX)
        return false;
    *bits = (int64_t)value;
    return true;
}

const char *dse_dram_technology(const char *text)
{
    static const char *const names[] = {"LPDDR5", "LPDDR4", "LPDDR3", "LPDDR2", "DDR5",
                                        "DDR4",   "DDR3",   "DDR2",   NULL};
    char squeezed[PART_MAX];
    squeeze(text, squeezed);
    for (size_t i = 0; names[i] != NULL; i++) {
        const char *found = strstr(squeezed, names[i]);
        if (found == NULL)
            continue;
        const char *behind = found + strlen(names[i]);
        bool low = strcmp(names[i], "DDR3") == 0 && (*behind == 'L' || strncmp(behind, "(LOW", 4) == 0);
        return low ? "DDR3L" : names[i];
    }
    return "";
}
