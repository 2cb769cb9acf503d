"use strict";
/* The front as a table, fifty rows at a time, sorted by any column. */
page.rows = (() => {
    const ROWS = 50;
    const { state } = page.points;
    let first = 0, sortBy = -1, down = false;

    const columns = () => [...new Set([...state.view.objectives,
        ...page.data.metrics.map((_, i) => i).filter((i) => state.view.points.metrics[i].some((v) => v !== null))])];

    const sorted = () => {
        if (sortBy < 0) return state.visible;
        const column = state.view.points.metrics[sortBy];
        return [...state.visible].sort((a, b) => (down ? column[b] - column[a] : column[a] - column[b]) || a - b);
    };

    const heading = (index) => {
        const metric = page.data.metrics[index];
        const order = index === sortBy ? (down ? "descending" : "ascending") : null;
        return page.make("th", { scope: "col", class: "number", "aria-sort": order }, page.make("button", { type: "button",
            on: { click: () => { down = sortBy === index && !down; sortBy = index; first = 0; draw(); } } },
            metric.heading + (order ? (down ? " \u2193" : " \u2191") : "")));
    };

    const row = (point, shown) => page.make("tr", { class: point === state.selected ? "selected" : null },
        page.make("th", { scope: "row" }, page.make("button", { type: "button", "aria-label": `Choose design ${page.points.name(point)}`,
            on: { click: () => page.points.select(point) } }, page.points.name(point))),
        page.make("td", {}, page.make("input", { type: "checkbox", checked: page.points.state.compared.includes(point),
            disabled: !page.points.canCompare(point), "aria-label": `Compare design ${page.points.name(point)}`,
            on: { change: () => page.points.compare(point) } })),
        ...shown.map((index) => page.make("td", { class: "number" },
            page.metricText(page.data.metrics[index], page.points.value(index, point)))));

    const draw = () => {
        if (!page.byId("rows").open) return;
        const shown = columns(), order = sorted();
        first = Math.max(0, Math.min(first, Math.floor((order.length - 1) / ROWS) * ROWS));
        const some = order.slice(first, first + ROWS);
        page.fill("front-table",
            page.make("caption", { class: "hidden" }, "Designs of the front"),
            page.make("thead", {}, page.make("tr", {}, page.make("th", { scope: "col" }, "design"), page.make("th", { scope: "col" }, "compare"), ...shown.map(heading))),
            page.make("tbody", {}, ...some.map((point) => row(point, shown))));
        page.byId("page-at").textContent = order.length === 0 ? "none" : `${first + 1} to ${first + some.length} of ${order.length}`;
        page.byId("page-back").disabled = first === 0;
        page.byId("page-on").disabled = first + ROWS >= order.length;
    };

    page.byId("rows").addEventListener("toggle", draw);
    page.byId("page-back").addEventListener("click", () => { first -= ROWS; draw(); });
    page.byId("page-on").addEventListener("click", () => { first += ROWS; draw(); });
    page.on("view", () => { first = 0; sortBy = -1; });
    page.on("filtered", draw);
    page.on("selected", draw);
    page.on("compared", draw);
})();
