"use strict";
/* Check boxes for the knobs that differ over the front, in one collapsed section per knob (none ticked: all values), and a range for
 * each metric. */
page.filters = (() => {
    const groups = [];

    const title = (group) => {
        const ticked = group.boxes.filter((box) => box.checked).map((box) => box.value);
        group.summary.textContent = group.entry.knob.name + (ticked.length > 0 ? ": " + ticked.join(", ") : "");
        group.summary.classList.toggle("active", ticked.length > 0);
    };

    const make = (entry) => {
        const group = { entry, boxes: [], summary: page.make("summary", { title: entry.knob.title }) };
        const labels = entry.values.map((value, i) => {
            const box = page.make("input", { type: "checkbox", "data-knob": entry.knob.name, value,
                on: { change: (event) => { title(group); page.points.filter(entry.index, i, event.target.checked); } } });
            group.boxes.push(box);
            return page.make("label", {}, box, ` ${value} `, page.make("span", { class: "dim" }, `(${entry.counts[i]})`));
        });
        title(group);
        groups.push(group);
        return page.make("details", {}, group.summary,
            page.make("fieldset", {}, page.make("legend", { class: "hidden" }, entry.knob.name), ...labels));
    };

    /* Two fields for quantities, written as on the command line. An invalid one is reported and filters nothing. */
    const makeRange = ({ metric, index }) => {
        const column = page.points.state.view.points.metrics[index].filter((value) => value !== null);
        const least = column.reduce((a, b) => Math.min(a, b)), most = column.reduce((a, b) => Math.max(a, b));
        const group = { boxes: [], fields: [], summary: page.make("summary", {}) };
        const read = (field, open) => {
            const value = field.value.trim() === "" ? open : page.parse(field.value, metric.dimension);
            field.setAttribute("aria-invalid", Number.isNaN(value));
            return value;
        };
        group.title = () => {
            const [from, to] = group.fields.map((field) => field.value.trim());
            group.summary.textContent = metric.heading + (from || to ? `: ${from || "\u2013"} to ${to || "\u2013"}` : "");
            group.summary.classList.toggle("active", from !== "" || to !== "");
        };
        const apply = () => {
            const from = read(group.fields[0], -Infinity), to = read(group.fields[1], Infinity);
            group.title();
            if (!Number.isNaN(from) && !Number.isNaN(to)) page.points.range(index, from, to);
        };
        group.fields = [["at least", least], ["at most", most]].map(([text, value]) => page.make("input", { type: "text", size: 10,
            "data-metric": metric.key, "aria-label": `${metric.heading} ${text}`, placeholder: page.metricText(metric, value), on: { change: apply } }));
        group.title();
        groups.push(group);
        return page.make("details", {}, group.summary, page.make("fieldset", {}, page.make("legend", { class: "hidden" }, metric.heading),
            page.make("label", {}, "at least ", group.fields[0]), page.make("label", {}, "at most ", group.fields[1])));
    };

    page.on("view", () => {
        groups.length = 0;
        const varied = page.points.varied();
        page.fill("filters", page.make("p", { class: "small dim" }, varied.length > 0 ? "Filter by knob"
            : "Every design of the front has the same knobs."), ...varied.map(make),
        page.make("p", { class: "small dim" }, "Filter by metric"), ...page.points.listed().map(makeRange));
    });
    page.on("filtered", () => {
        const { view, visible } = page.points.state;
        page.byId("count").textContent = visible.length === view.points.ids.length
            ? `${page.count(visible.length)} designs` : `${page.count(visible.length)} of ${page.count(view.points.ids.length)} designs`;
    });
    page.byId("reset").addEventListener("click", () => {
        for (const group of groups) {
            for (const box of group.boxes) box.checked = false;
            for (const field of group.fields || []) { field.value = ""; field.removeAttribute("aria-invalid"); }
            if (group.title) group.title(); else title(group);
        }
        page.points.clear();
    });
})();
