/* Rooflines as figures: log axes, roofs labelled at the right edge, slopes along their lines, points by name. */
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "reports/roofline.h"

#define LEFT 128.0
#define RIGHT 285.0
#define TOP 64.0
#define BOTTOM 84.0
#define TEXT 17.0
#define BOX_MAX 1024

struct rgb {
    double r, g, b;
};

/* Colours that stay apart for colour-blind eyes (Okabe and Ito); shape tells designs apart besides. */
static const struct rgb palette[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
                                     {0.80, 0.47, 0.65}, {0.34, 0.34, 0.34}, {0.90, 0.62, 0.00}};
#define PALETTE (sizeof palette / sizeof *palette)
static const struct rgb ink = {0.13, 0.13, 0.13}, grey = {0.45, 0.45, 0.45}, faint = {0.88, 0.88, 0.88};

struct box {
    double x0, y0, x1, y1;
};

struct side_label {
    double y, at; /* where the roof is; where the label goes */
    char text[128];
    struct rgb colour;
};

struct figure {
    cairo_t *cr;
    double width, height; /* of a board's panel, in the units in which the text is TEXT high */
    double x0, x1, y0, y1; /* decades: log10 of the axes' ends */
    struct box boxes[BOX_MAX];
    size_t box_count;
    struct side_label labels[128];
    size_t label_count;
    const struct dse_machines *machines; /* may be NULL */
};

static double x_of(const struct figure *f, double intensity)
{
    return LEFT + (log10(intensity) - f->x0) / (f->x1 - f->x0) * (f->width - LEFT - RIGHT);
}

static double y_of(const struct figure *f, double performance)
{
    return f->height - BOTTOM - (log10(performance) - f->y0) / (f->y1 - f->y0) * (f->height - TOP - BOTTOM);
}

static void colour(struct figure *f, struct rgb c)
{
    cairo_set_source_rgb(f->cr, c.r, c.g, c.b);
}

static void text_at(struct figure *f, double x, double y, const char *text)
{
    cairo_move_to(f->cr, x, y);
    cairo_show_text(f->cr, text);
}

/* Over lines: with a white rim, so that they do not strike it through. */
static void text_over(struct figure *f, double x, double y, const char *text, struct rgb c)
{
    cairo_save(f->cr);
    cairo_move_to(f->cr, x, y);
    cairo_text_path(f->cr, text);
    cairo_set_source_rgb(f->cr, 1.0, 1.0, 1.0);
    cairo_set_line_width(f->cr, 5.0);
    cairo_set_line_join(f->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(f->cr);
    cairo_restore(f->cr);
    colour(f, c);
    text_at(f, x, y, text);
}

static const char *rate_text(char *text, size_t size, double operations_per_s)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    int step = 0;
    for (; operations_per_s >= 999.5 && step < 6; step++)
        operations_per_s /= 1000.0;
    snprintf(text, size, "%.3g %sop/s", operations_per_s, prefixes[step]);
    return text;
}

static double text_width(struct figure *f, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(f->cr, text, &extents);
    return extents.x_advance;
}

/* ---- places that are taken ---- */

static void take(struct figure *f, struct box box)
{
    if (f->box_count < BOX_MAX)
        f->boxes[f->box_count++] = box;
}

static bool is_free(const struct figure *f, struct box box)
{
    if (box.x0 < LEFT || box.x1 > f->width - RIGHT || box.y0 < TOP || box.y1 > f->height - BOTTOM)
        return false;
    for (size_t i = 0; i < f->box_count; i++)
        if (box.x0 < f->boxes[i].x1 && box.x1 > f->boxes[i].x0 && box.y0 < f->boxes[i].y1 && box.y1 > f->boxes[i].y0)
            return false;
    return true;
}

/* ---- axes ---- */

static void widen(double value, double *least, double *most)
{
    if (isfinite(value) && value > 0.0) {
        *least = fmin(*least, log10(value));
        *most = fmax(*most, log10(value));
    }
}

static double shown_intensity(const struct dse_roofline_point *point)
{
    return point->bytes > 0.0 ? point->intensity : point->on_chip_intensity;
}

static bool is_drawn(const struct dse_roofline_point *point)
{
    return point->operations > 0.0 && point->performance > 0.0 && isfinite(shown_intensity(point));
}

static void fit_axes(struct figure *f, const struct dse_roofline_report *reports, size_t count)
{
    double x0 = -1.0, x1 = 2.0, y0 = 9.0, y1 = 10.0;
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        widen(roofline->ridge, &x0, &x1);
        for (size_t p = 0; p < roofline->point_count; p++)
            if (is_drawn(&roofline->points[p])) {
                widen(shown_intensity(&roofline->points[p]), &x0, &x1);
                widen(roofline->points[p].performance, &y0, &y1);
            }
        for (size_t r = 0; r < roofline->roof_count; r++)
            if (roofline->roofs[r].kind == DSE_ROOF_COMPUTE && strcmp(roofline->roofs[r].level, "limits") == 0)
                widen(roofline->roofs[r].height, &y0, &y1);
    }
    for (size_t i = 0; f->machines != NULL && i < f->machines->count; i++)
        widen(f->machines->items[i].peak_flops, &y0, &y1);
    f->x0 = floor(x0 - 0.1);
    f->x1 = ceil(x1 + 0.1);
    f->y0 = floor(y0 - 0.1);
    f->y1 = ceil(y1 + 0.1);
}

static void draw_line(struct figure *f, double xa, double ya, double xb, double yb)
{
    cairo_move_to(f->cr, xa, ya);
    cairo_line_to(f->cr, xb, yb);
    cairo_stroke(f->cr);
}

static void tick_text(double decade, bool operations, char *text, size_t size)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    int power = (int)decade;
    if (operations && power >= 0 && power < 21)
        snprintf(text, size, "%g %sop/s", pow(10.0, power % 3), prefixes[power / 3]);
    else
        snprintf(text, size, "%g", pow(10.0, power));
}

static void draw_axes(struct figure *f)
{
    char text[32];
    cairo_set_line_width(f->cr, 1.0);
    for (double d = f->x0; d <= f->x1 + 0.01; d += 1.0) {
        double x = x_of(f, pow(10.0, d));
        colour(f, faint);
        draw_line(f, x, TOP, x, f->height - BOTTOM);
        tick_text(d, false, text, sizeof text);
        colour(f, ink);
        text_at(f, x - text_width(f, text) / 2.0, f->height - BOTTOM + 24.0, text);
    }
    for (double d = f->y0; d <= f->y1 + 0.01; d += 1.0) {
        double y = y_of(f, pow(10.0, d));
        colour(f, faint);
        draw_line(f, LEFT, y, f->width - RIGHT, y);
        tick_text(d, true, text, sizeof text);
        colour(f, ink);
        text_at(f, LEFT - 8.0 - text_width(f, text), y + 6.0, text);
    }
    static const char axis[] = "operations a byte: external (filled), on chip (hollow); dotted: memories' preset and nominal rates";
    text_at(f, LEFT + (f->width - LEFT - RIGHT - text_width(f, axis)) / 2.0, f->height - BOTTOM + 52.0, axis);
    static const char up[] = "performance: operations a second";
    cairo_save(f->cr);
    cairo_translate(f->cr, 20.0, (TOP + f->height - BOTTOM + text_width(f, up)) / 2.0);
    cairo_rotate(f->cr, -1.5707963267948966);
    text_at(f, 0.0, 0.0, up);
    cairo_restore(f->cr);
    cairo_rectangle(f->cr, LEFT, TOP, f->width - LEFT - RIGHT, f->height - TOP - BOTTOM);
    cairo_stroke(f->cr);
}

/* ---- roofs ---- */

static void add_side_label(struct figure *f, double height, const char *text, struct rgb c)
{
    if (f->label_count == sizeof f->labels / sizeof *f->labels)
        return;
    struct side_label *label = &f->labels[f->label_count++];
    *label = (struct side_label){.y = y_of(f, height), .colour = c};
    snprintf(label->text, sizeof label->text, "%s", text);
}

/* From the slope's foot in the plot to where it meets `top`. */
static bool slope_ends(const struct figure *f, double slope, double top, double ends[4])
{
    double from = fmax(pow(10.0, f->x0), pow(10.0, f->y0) / slope);
    double to = fmin(fmin(pow(10.0, f->x1), top / slope), pow(10.0, f->y1) / slope);
    if (from >= to)
        return false;
    ends[0] = x_of(f, from);
    ends[1] = y_of(f, from * slope);
    ends[2] = x_of(f, to);
    ends[3] = y_of(f, to * slope);
    return true;
}

static void dash(struct figure *f, double on, double off)
{
    double lengths[] = {on, off};
    cairo_set_dash(f->cr, lengths, on > 0.0 ? 2 : 0, 0.0);
}

static void draw_slope(struct figure *f, double slope, double top, struct rgb c, double on, double off)
{
    double ends[4];
    if (!slope_ends(f, slope, top, ends))
        return;
    colour(f, c);
    dash(f, on, off);
    draw_line(f, ends[0], ends[1], ends[2], ends[3]);
    dash(f, 0.0, 0.0);
}

/* Boxes along a text that runs at an angle from (x, y). */
static bool try_slanted(struct figure *f, double x, double y, double dx, double dy, double length, double off, bool claim)
{
    size_t steps = (size_t)(length / 10.0) + 1;
    for (size_t i = 0; i <= steps; i++) {
        double cx = x + dx * length * (double)i / (double)steps + dy * off;
        double cy = y + dy * length * (double)i / (double)steps - dx * off;
        struct box box = {cx - 9.0, cy - 9.0, cx + 9.0, cy + 9.0};
        if (claim)
            take(f, box);
        else if (!is_free(f, box))
            return false;
    }
    return true;
}

/* The label goes above its line, or below, at the first place along it that is free; false where none is. */
static bool label_slope(struct figure *f, double slope, double top, const char *text, bool below, struct rgb c)
{
    double ends[4];
    if (!slope_ends(f, slope, top, ends))
        return true;
    double run = hypot(ends[2] - ends[0], ends[3] - ends[1]), length = text_width(f, text);
    double dx = (ends[2] - ends[0]) / run, dy = (ends[3] - ends[1]) / run;
    double off = below ? -12.0 : 12.0;
    for (double at = 14.0; at + length + 6.0 < run; at += 12.0) {
        double x = ends[0] + dx * at, y = ends[1] + dy * at;
        if (!try_slanted(f, x, y, dx, dy, length, off, false))
            continue;
        try_slanted(f, x, y, dx, dy, length, off, true);
        cairo_save(f->cr);
        cairo_translate(f->cr, x, y);
        cairo_rotate(f->cr, atan2(dy, dx));
        text_over(f, 0.0, below ? 18.0 : -6.0, text, c);
        cairo_restore(f->cr);
        return true;
    }
    return false;
}

static double top_of(const struct dse_roofline *roofline)
{
    double top = 0.0;
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (roofline->roofs[i].kind == DSE_ROOF_COMPUTE && strcmp(roofline->roofs[i].level, "limits") == 0)
            top = fmax(top, roofline->roofs[i].height);
    return top;
}

static double slope_named(const struct dse_roofline *roofline, const char *name, const char *level)
{
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (strcmp(roofline->roofs[i].name, name) == 0 && strcmp(roofline->roofs[i].level, level) == 0)
            return roofline->roofs[i].height;
    return 0.0;
}

static void draw_peaks(struct figure *f, const struct dse_roofline *roofline, struct rgb c)
{
    for (size_t i = 0; i < roofline->roof_count; i++) {
        const struct dse_roof *roof = &roofline->roofs[i];
        bool chip = strcmp(roof->level, "chip") == 0;
        if (roof->kind != DSE_ROOF_COMPUTE || (chip && strcmp(roof->name, "fp32") != 0) ||
            log10(roof->height) < f->y0 || log10(roof->height) > f->y1)
            continue;
        char text[128], rate[32];
        snprintf(text, sizeof text, "%s%s %s", roof->name, chip ? " chip" : "", rate_text(rate, sizeof rate, roof->height));
        colour(f, c);
        dash(f, chip ? 3.0 : 0.0, 4.0);
        draw_line(f, LEFT, y_of(f, roof->height), f->width - RIGHT, y_of(f, roof->height));
        dash(f, 0.0, 0.0);
        add_side_label(f, roof->height, text, c);
    }
}

/* "ps-ddr 12.8 GB/s sustained, 17.1 preset, 19.2 nominal", or without the last two where they are the same or `brief`. */
static void slope_text(const struct dse_roofline *roofline, const struct dse_roof *roof, bool brief, char *text, size_t size)
{
    double preset = slope_named(roofline, roof->name, "preset"), nominal = slope_named(roofline, roof->name, "nominal");
    int used = snprintf(text, size, "%s %.3g GB/s sustained", roof->name, roof->height * 1e-9);
    if (!brief && preset > 0.0 && preset != nominal)
        used += snprintf(text + used, size - (size_t)used, ", %.3g GB/s preset", preset * 1e-9);
    if (!brief && nominal > 0.0)
        snprintf(text + used, size - (size_t)used, ", %.3g GB/s nominal", nominal * 1e-9);
}

static void label_memory(struct figure *f, const struct dse_roofline *roofline, const struct dse_roof *roof, struct rgb c)
{
    char text[160];
    double top = top_of(roofline);
    if (roof->kind == DSE_ROOF_ON_CHIP) {
        snprintf(text, sizeof text, "%s %.4g GB/s", roof->name, roof->height * 1e-9);
        if (!label_slope(f, roof->height, top, text, false, c))
            label_slope(f, roof->height, top, text, true, c);
        return;
    }
    slope_text(roofline, roof, false, text, sizeof text);
    if (label_slope(f, roof->height, top, text, true, c))
        return;
    slope_text(roofline, roof, true, text, sizeof text);
    if (!label_slope(f, roof->height, top, text, true, c))
        label_slope(f, roof->height, top, text, false, c);
    double preset = slope_named(roofline, roof->name, "preset"), nominal = slope_named(roofline, roof->name, "nominal");
    if (preset > 0.0 && preset != nominal)
        snprintf(text, sizeof text, "%.3g GB/s preset, %.3g GB/s nominal", preset * 1e-9, nominal * 1e-9);
    else
        snprintf(text, sizeof text, "%.3g GB/s nominal", nominal * 1e-9);
    label_slope(f, fmax(preset, nominal), top, text, false, c);
}

/* Slopes are drawn before any label is placed, labels after the points: `label` says which pass this is. */
static void do_slopes(struct figure *f, const struct dse_roofline *roofline, struct rgb c, bool label)
{
    double top = top_of(roofline);
    for (size_t i = 0; i < roofline->roof_count; i++) {
        const struct dse_roof *roof = &roofline->roofs[i];
        bool sustained = strcmp(roof->level, "sustained") == 0;
        bool limits = roof->kind == DSE_ROOF_ON_CHIP && strcmp(roof->level, "limits") == 0;
        bool nominal = strcmp(roof->level, "nominal") == 0 || strcmp(roof->level, "preset") == 0;
        if (roof->kind == DSE_ROOF_COMPUTE || !(sustained || limits || nominal))
            continue;
        if (!label)
            draw_slope(f, roof->height, top, c, nominal ? 2.0 : 0.0, 4.0);
        else if (!nominal)
            label_memory(f, roofline, roof, c);
    }
}

static double ports_of(const struct dse_roofline *roofline)
{
    return slope_named(roofline, "ports of the design", "design");
}

/* The slope of the ports that a design has, in its colour; of designs with the same ports once, in grey. */
static void do_ports(struct figure *f, const struct dse_roofline_report *reports, size_t count, size_t design, bool label)
{
    const struct dse_roofline *roofline = reports[design].roofline;
    double slope = ports_of(roofline);
    size_t alike = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = fabs(ports_of(reports[i].roofline) - slope) < 0.01 * slope;
        if (same && i < design)
            return;
        alike += same;
    }
    char text[64];
    struct rgb c = alike > 1 ? grey : palette[design % PALETTE];
    snprintf(text, sizeof text, "%s ports %.3g GB/s", alike > 1 ? "their" : "its", slope * 1e-9);
    if (slope <= 0.0)
        return;
    if (!label)
        draw_slope(f, slope, top_of(roofline), c, 9.0, 5.0);
    else {
        bool below = slope <= slope_named(roofline, roofline->setup->board->memories[0].name, "sustained");
        if (!label_slope(f, slope, top_of(roofline), text, below, c))
            label_slope(f, slope, top_of(roofline), text, !below, c);
    }
}

static void draw_references(struct figure *f, bool label)
{
    for (size_t i = 0; f->machines != NULL && i < f->machines->count; i++) {
        const struct dse_machine *reference = &f->machines->items[i];
        char text[128];
        if (label) {
            snprintf(text, sizeof text, "%s %.3g GB/s", reference->title, reference->bandwidth_bytes_per_s * 1e-9);
            label_slope(f, reference->bandwidth_bytes_per_s, reference->peak_flops, text, false, grey);
            continue;
        }
        snprintf(text, sizeof text, "%s %.3g Top/s", reference->title, reference->peak_flops * 1e-12);
        draw_slope(f, reference->bandwidth_bytes_per_s, reference->peak_flops, grey, 7.0, 4.0);
        colour(f, grey);
        dash(f, 7.0, 4.0);
        double knee = fmax(reference->peak_flops / reference->bandwidth_bytes_per_s, pow(10.0, f->x0));
        draw_line(f, fmin(x_of(f, knee), f->width - RIGHT), y_of(f, reference->peak_flops), f->width - RIGHT, y_of(f, reference->peak_flops));
        dash(f, 0.0, 0.0);
        add_side_label(f, reference->peak_flops, text, grey);
    }
}

/* Pushes the labels of the right edge apart, from the top down and back from the bottom. */
static void draw_side_labels(struct figure *f)
{
    for (size_t i = 1; i < f->label_count; i++)
        for (size_t j = i; j > 0 && f->labels[j].y < f->labels[j - 1].y; j--) {
            struct side_label swap = f->labels[j];
            f->labels[j] = f->labels[j - 1];
            f->labels[j - 1] = swap;
        }
    double next = TOP, gap = TEXT + 3.0;
    for (size_t i = 0; i < f->label_count; i++) {
        f->labels[i].at = fmax(f->labels[i].y, next);
        next = f->labels[i].at + gap;
    }
    double last = f->height - BOTTOM;
    for (size_t i = f->label_count; i-- > 0;) {
        f->labels[i].at = fmin(f->labels[i].at, last);
        last = f->labels[i].at - gap;
    }
    for (size_t i = 0; i < f->label_count; i++) {
        colour(f, f->labels[i].colour);
        draw_line(f, f->width - RIGHT, f->labels[i].y, f->width - RIGHT + 16.0, f->labels[i].at);
        text_at(f, f->width - RIGHT + 20.0, f->labels[i].at + 6.0, f->labels[i].text);
    }
}

/* ---- points ---- */

/* A circle, square or triangle a design; the whole is the larger one around its slowest engine. */
static void draw_marker(struct figure *f, double x, double y, size_t design, double radius, bool filled)
{
    cairo_new_path(f->cr);
    if (design % 3 == 0)
        cairo_arc(f->cr, x, y, radius, 0.0, 6.2832);
    else if (design % 3 == 1)
        cairo_rectangle(f->cr, x - radius, y - radius, 2.0 * radius, 2.0 * radius);
    else {
        cairo_move_to(f->cr, x, y - 1.3 * radius);
        cairo_line_to(f->cr, x + 1.2 * radius, y + radius);
        cairo_line_to(f->cr, x - 1.2 * radius, y + radius);
        cairo_close_path(f->cr);
    }
    cairo_set_line_width(f->cr, 2.5);
    if (!filled) {
        cairo_set_source_rgb(f->cr, 1.0, 1.0, 1.0);
        cairo_fill_preserve(f->cr);
    }
    colour(f, palette[design % PALETTE]);
    if (filled)
        cairo_fill_preserve(f->cr);
    cairo_stroke(f->cr);
    cairo_set_line_width(f->cr, 1.5);
}

static void claim_points(struct figure *f, const struct dse_roofline *roofline)
{
    for (size_t p = 0; p < roofline->point_count; p++) {
        const struct dse_roofline_point *point = &roofline->points[p];
        if (!is_drawn(point))
            continue;
        double x = x_of(f, shown_intensity(point)), y = y_of(f, point->performance);
        take(f, (struct box){x - 10.0, y - 10.0, x + 10.0, y + 10.0});
    }
}

/* Whether the line to a name leaves the places of others alone; its own marker's, where it begins, is not asked. */
static bool is_clear(const struct figure *f, double xa, double ya, double xb, double yb)
{
    double run = hypot(xb - xa, yb - ya);
    for (double at = 15.0; at < run - 2.0; at += 3.0) {
        double x = xa + (xb - xa) * at / run, y = ya + (yb - ya) * at / run;
        if (!is_free(f, (struct box){x, y, x, y}))
            return false;
    }
    return true;
}

/* The name stands at the nearest free place around its marker, with a line to it when it is far; with `crossing` that line
 * may pass over other names. False where no place is left. */
static bool try_point(struct figure *f, const struct dse_roofline_point *point, bool crossing, struct rgb c)
{
    double x = x_of(f, shown_intensity(point)), y = y_of(f, point->performance), width = text_width(f, point->name);
    for (double away = 12.0; away < 160.0; away += 8.0)
        for (int turn = 0; turn < 32; turn++) {
            double angle = (double)turn * 0.19635;
            double cx = x + cos(angle) * (away + width / 2.0), cy = y + sin(angle) * (away + 4.0);
            struct box box = {cx - width / 2.0 - 2.0, cy - 9.0, cx + width / 2.0 + 2.0, cy + 9.0};
            double lx = cx - cos(angle) * width / 2.0, ly = cy - sin(angle) * 8.0;
            bool line = away > 24.0;
            if (!is_free(f, box) || (line && !crossing && !is_clear(f, x, y, lx, ly)))
                continue;
            take(f, box);
            colour(f, c);
            if (line)
                draw_line(f, x, y, lx, ly);
            text_over(f, cx - width / 2.0, cy + 6.0, point->name, c);
            return true;
        }
    return false;
}

static void label_point(struct figure *f, const struct dse_roofline_point *point, struct rgb c)
{
    if (!try_point(f, point, false, c))
        try_point(f, point, true, c);
}

/* Engines that a design leaves as an earlier one has them stand there already. */
static bool stands(const struct dse_roofline_report *reports, size_t design, size_t point)
{
    const struct dse_roofline_point *mine = &reports[design].roofline->points[point];
    for (size_t i = 0; i < design; i++) {
        const struct dse_roofline_point *other = &reports[i].roofline->points[point];
        if (point < reports[i].roofline->point_count && other->performance == mine->performance &&
            shown_intensity(other) == shown_intensity(mine))
            return true;
    }
    return false;
}

static void draw_points(struct figure *f, const struct dse_roofline_report *reports, size_t design)
{
    const struct dse_roofline *roofline = reports[design].roofline;
    for (size_t p = 0; p < roofline->point_count; p++)
        if (is_drawn(&roofline->points[p]) && !stands(reports, design, p))
            label_point(f, &roofline->points[p], palette[design % PALETTE]);
    for (size_t p = roofline->point_count; p-- > 0;) {
        const struct dse_roofline_point *point = &roofline->points[p];
        if (is_drawn(point) && !stands(reports, design, p))
            draw_marker(f, x_of(f, shown_intensity(point)), y_of(f, point->performance), design,
                        p + 1 == roofline->point_count ? 10.0 : 5.0, point->bytes > 0.0);
    }
}

static void draw_legend(struct figure *f, const struct dse_roofline_report *reports, size_t count)
{
    double x = LEFT, y = TOP - 38.0;
    for (size_t i = 0; i < count; i++) {
        char text[256];
        const struct dse_roofline *roofline = reports[i].roofline;
        snprintf(text, sizeof text, "%s, %s %.0f MHz", reports[i].title, roofline->setup->board->name,
                 roofline->clock_hz * 1e-6);
        double width = text_width(f, text) + 48.0;
        if (x > LEFT && x + width > f->width) {
            x = LEFT;
            y += TEXT + 5.0;
        }
        draw_marker(f, x + 8.0, y - 6.0, i, 6.0, true);
        colour(f, ink);
        text_at(f, x + 22.0, y, text);
        x += width;
    }
}

/* One board with its designs. */
static void draw_panel(struct figure *f, const struct dse_roofline_report *reports, size_t count)
{
    draw_axes(f);
    cairo_set_line_width(f->cr, 1.5);
    draw_references(f, false);
    draw_peaks(f, reports[0].roofline, ink);
    do_slopes(f, reports[0].roofline, ink, false);
    for (size_t i = 0; i < count; i++)
        do_ports(f, reports, count, i, false);
    for (size_t i = 0; i < count; i++)
        claim_points(f, reports[i].roofline);
    for (size_t i = 0; i < count; i++) /* their names first: a slope's may stand anywhere along it */
        draw_points(f, reports, i);
    do_slopes(f, reports[0].roofline, ink, true);
    draw_references(f, true);
    for (size_t i = 0; i < count; i++)
        do_ports(f, reports, count, i, true);
    draw_side_labels(f);
    draw_legend(f, reports, count);
}

/* ---- the figure ---- */

/* Boards have a panel each, one below the other, on the same axes: the roofs of two would hide one another. */
struct drawing {
    struct dse_roofline_report *reports; /* count, those of a board side by side */
    size_t count, boards;
    double width, height, scale; /* of a panel in its own units, and how large one of them is */
};

static size_t same_board(const struct drawing *drawing, size_t from)
{
    size_t end = from + 1;
    while (end < drawing->count && drawing->reports[end].roofline->setup->board == drawing->reports[from].roofline->setup->board)
        end++;
    return end - from;
}

static void draw_figure(cairo_t *cr, const void *user)
{
    const struct drawing *drawing = user;
    struct figure figure = {.cr = cr, .width = drawing->width, .height = drawing->height, .machines = drawing->reports[0].machines};
    fit_axes(&figure, drawing->reports, drawing->count);
    cairo_scale(cr, drawing->scale, drawing->scale);
    cairo_set_font_size(cr, TEXT);
    for (size_t from = 0; from < drawing->count; from += same_board(drawing, from)) {
        figure.box_count = figure.label_count = 0;
        draw_panel(&figure, &drawing->reports[from], same_board(drawing, from));
        cairo_translate(cr, 0.0, figure.height);
    }
}

/* The reports with those of a board side by side, boards and designs in their order. */
static enum dse_status arrange(const struct dse_roofline_report *reports, size_t count, struct drawing *drawing,
                               struct dse_error *err)
{
    *drawing = (struct drawing){.reports = dse_calloc(count + 1, sizeof *drawing->reports)};
    for (size_t i = 0; i < count; i++) {
        const struct dse_board *board = reports[i].roofline->setup->board;
        bool known = false;
        for (size_t j = 0; j < i; j++)
            known |= reports[j].roofline->setup->board == board;
        drawing->boards += !known;
        for (size_t j = i; j < count && !known; j++)
            if (reports[j].roofline->setup->board == board)
                drawing->reports[drawing->count++] = reports[j];
    }
    return DSE_OK;
}

/* The text's size says how large a panel is in its own units: --text, else 17 a width of 1200, 5 at least. */
static struct dse_drawing lay_out(struct drawing *drawing, const struct dse_chart_style *style, enum dse_figure_form form)
{
    double text = style->text > 0.0 ? style->text : fmax(5.0, fmin(TEXT, style->width * TEXT / 1200.0));
    double pixels = form == DSE_FIGURE_PNG ? style->dpi / 72.0 : 1.0;
    drawing->scale = text / TEXT * pixels;
    drawing->width = style->width * TEXT / text;
    drawing->height = style->height * TEXT / text;
    return (struct dse_drawing){rint(style->width * pixels), rint(style->height * pixels * (double)drawing->boards), TEXT, draw_figure, drawing, style->font};
}

enum dse_status dse_rooflines_render(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                     enum dse_figure_form form, struct dse_strbuf *out, struct dse_error *err)
{
    struct drawing drawing;
    enum dse_status status = arrange(reports, count, &drawing, err);
    struct dse_drawing figure = lay_out(&drawing, style, form);
    if (status == DSE_OK && fmin(drawing.width - LEFT - RIGHT, drawing.height - TOP - BOTTOM) < 8.0 * TEXT)
        status = dse_fail(err, DSE_BAD_USAGE, "--size: a roofline with a text of %.3g points needs %.0fx%.0f points at least", TEXT * style->width / drawing.width,
                          ceil((LEFT + RIGHT + 8.0 * TEXT) * style->width / drawing.width), ceil((TOP + BOTTOM + 8.0 * TEXT) * style->width / drawing.width));
    if (status == DSE_OK)
        status = dse_figure_render(&figure, form, out, err);
    free(drawing.reports);
    return status;
}

enum dse_status dse_rooflines_draw(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                   const char *path, struct dse_error *err)
{
    struct dse_strbuf out = {0};
    int form = dse_figure_form_of(path);
    if (form < 0)
        return dse_fail(err, DSE_BAD_USAGE, "%s: must end in .svg, .pdf or .png", path);
    enum dse_status status = dse_rooflines_render(reports, count, style, (enum dse_figure_form)form, &out, err);
    if (status == DSE_OK)
        status = dse_file_write(path, dse_strbuf_text(&out), out.length, err);
    dse_strbuf_free(&out);
    return status;
}
