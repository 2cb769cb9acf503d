"use strict";
/* Up to four designs side by side: metrics, the knobs in which they differ, and their engines. */
page.compare = (() => {
    const { state } = page.points;
    const drawBars = page.design.bars("compare-engines");

    const drawTable = () => {
        const designs = state.compared.map(page.points.design), { paper } = state.view;
        const remove = (point) => page.make("span", {}, page.points.name(point) + " ", page.make("button", { type: "button",
            "aria-label": `Take ${page.points.name(point)} out of the comparison`, on: { click: () => page.points.compare(point) } }, "\u00d7"));
        const columns = [{ text: "" }, ...state.compared.map((point) => ({ text: remove(point), number: true })),
            ...(paper ? [{ text: "baseline (modelled)", number: true }] : [])];
        const named = state.compared.some((point) => page.points.corners(point).length > 0) ? [{ cells: ["called",
            ...state.compared.map((point) => page.points.corners(point).join(", ")), ...(paper ? [""] : [])] }] : [];
        const best = (metric) => {
            const values = designs.map((design) => design.total[metric.key]).filter((value) => value !== null && value !== undefined);
            return new Set(values).size < 2 ? null : metric.higher ? Math.max(...values) : Math.min(...values);
        };
        const cell = (metric, design) => {
            const value = design.total[metric.key], measured = metric.key === "quality" ? design.measured : null;
            const text = page.metricText(metric, value) + (measured ? ` \u00b1 ${measured.error.toFixed(3)} (SE, n = ${measured.n})` : "");
            return value === best(metric) ? page.make("b", { title: "best of the compared designs" }, text) : text;
        };
        const rows = page.points.listed().map(({ metric }) => ({ cells: [metric.heading, ...designs.map((design) => cell(metric, design)),
            ...(paper ? [page.metricText(metric, paper.total[metric.key])] : [])] }));
        const text = (value) => value === null || value === undefined ? "\u2013" : String(value);
        const knobs = page.data.knobs.map((knob) => [knob.name, ...designs.map((design) => text(design.config[knob.name])),
            ...(paper ? [text(paper.config[knob.name])] : [])]).filter(([, ...values]) => new Set(designs.length > 1 ? values.slice(0, designs.length) : values).size > 1);
        page.table("compare-table", "Bold: the best of the compared designs. Below: the knobs in which they differ.", columns,
            [...named, ...rows, ...knobs.map((cells) => ({ cells, class: "knob" }))]);
    };

    const draw = () => {
        page.byId("comparison").hidden = state.compared.length === 0;
        const button = page.byId("compare"), there = state.compared.includes(state.selected);
        button.textContent = there ? "Remove from the comparison" : "Compare";
        button.disabled = !page.points.canCompare(state.selected);
        page.byId("compare-note").textContent = state.compared.length === 0 ? ""
            : `${state.compared.length} of at most four in the comparison: ${state.compared.map(page.points.name).join(", ")}.`;
        if (state.compared.length === 0) return;
        drawTable();
        drawBars(state.compared.map((point) => [page.points.name(point), page.points.design(point).engines]));
    };

    page.byId("compare").addEventListener("click", () => page.points.compare(state.selected));
    page.byId("compare-clear").addEventListener("click", () => { state.compared.length = 0; page.tell("compared"); });
    for (const event of ["compared", "selected", "theme", "engines"]) page.on(event, draw);
})();
