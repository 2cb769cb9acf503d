"use strict";
/* Exports of the scatter plot: the filtered designs as CSV, the picture as PNG, and the commands that make both from the study. */
page.exports = (() => {
    const { state } = page.points;

    const field = (text) => /[",\r\n]/.test(text) || /^[=+@\t-]/.test(text) && Number.isNaN(Number(text))
        ? `"${text.replaceAll("\"", "\"\"")}"` : text;

    /* A line per design: its ID, metrics in SI units, and knobs. A knob that does not matter is empty. */
    const csv = () => {
        const listed = page.points.listed();
        const rows = state.visible.map((point) => [state.view.points.ids[point],
            ...listed.map(({ index }) => page.points.value(index, point)), ...page.data.knobs.map((_, k) => page.points.knobText(k, point))]);
        return [["id", ...listed.map(({ metric }) => metric.key), ...page.data.knobs.map((knob) => knob.name)], ...rows]
            .map((row) => row.map((value) => value === null || value === undefined ? "" : field(String(value))).join(",") + "\n").join("");
    };

    /* The chart and the canvas above it, on the page's background. */
    const picture = () => {
        const chart = page.byId("scatter"), made = document.createElement("canvas");
        made.width = chart.width;
        made.height = chart.height;
        const context = made.getContext("2d");
        context.fillStyle = page.colour("paper");
        context.fillRect(0, 0, made.width, made.height);
        context.drawImage(chart, 0, 0);
        context.drawImage(page.byId("overlay"), 0, 0, made.width, made.height);
        return made;
    };

    /* "3-9,12": IDs, ascending. */
    const spans = (ids) => {
        const found = [];
        for (const id of [...ids].sort((a, b) => a - b)) {
            const last = found[found.length - 1];
            if (last && last[1] === id - 1) last[1] = id; else found.push([id, id]);
        }
        return found.map(([from, to]) => from === to ? from : `${from}-${to}`).join(",");
    };

    const commands = () => {
        const { x, y, by, zoom } = page.scatter.shown(), study = page.data.study;
        const several = page.data.views.length > 1;
        const which = several ? ` --board ${page.quoted(state.view.board.name)} --dataset ${page.quoted(state.view.dataset)}` : "";
        const range = (name, metric, ends) => ` --range ${name}=${page.typed(ends[0], metric.dimension)}:${page.typed(ends[1], metric.dimension)}`;
        const whole = state.visible.length === state.view.points.ids.length && !several;
        const ids = state.visible.map((point) => state.view.points.ids[point]);
        return [{ what: "This picture, without the filters", command: `nysx-dse plot front --study ${study}${which} --x ${x.name} --y ${y.name}` +
            (by ? ` --by ${by}` : "") + (zoom ? range("x", x, zoom.x) + range("y", y, zoom.y) : "") + " -o front.png" },
        ...(ids.length > 0 ? [{ what: "These designs, with all digits",
            command: `nysx-dse study export ${study} --format csv${whole ? "" : " --points " + spans(ids)} -o selection.csv` }] : [])];
    };

    const name = (ending) => `${state.view.dataset}-${state.view.board.name}`.replace(/[^A-Za-z0-9.-]+/g, "_") + ending;

    const draw = () => { if (page.data.study !== null) page.fill("selection-commands", ...commands().map(page.command)); };

    page.byId("save-csv").addEventListener("click", () => page.save(name(".csv"), new Blob([csv()], { type: "text/csv" })));
    page.byId("save-png").addEventListener("click", () => picture().toBlob((blob) => page.save(name(".png"), blob), "image/png"));
    page.on("drawn", draw);
    return { csv, commands };
})();
