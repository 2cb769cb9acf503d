"use strict";
/* Check boxes for the knobs that differ over the front, folded up a knob: none ticked means all. */
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

    page.on("view", () => {
        groups.length = 0;
        const varied = page.points.varied();
        page.fill("filters", page.make("p", { class: "small dim" }, varied.length > 0 ? "Filter by knob"
            : "Every design of the front has the same knobs."), ...varied.map(make));
    });
    page.on("filtered", () => {
        const { view, visible } = page.points.state;
        page.byId("count").textContent = visible.length === view.points.ids.length
            ? `${page.count(visible.length)} designs` : `${page.count(visible.length)} of ${page.count(view.points.ids.length)} designs`;
    });
    page.byId("reset").addEventListener("click", () => {
        for (const group of groups) {
            for (const box of group.boxes) box.checked = false;
            title(group);
        }
        page.points.clear();
    });
})();
