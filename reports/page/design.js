"use strict";
/* The selected design beside the published baseline: metrics, resources, engines, configuration. */
page.design = (() => {
    const { state } = page.points;
    const MEASURES = [["latency_s", "latency", "time"], ["dynamic_energy_j", "dynamic energy", "energy"], ["bram18", "BRAM18", ""],
        ["uram", "URAM", ""], ["dsp", "DSP", ""], ["lut", "LUT", ""], ["ff", "FF", ""], ["ddr_bytes", "external memory", "bytes"]];
    const charts = [];
    let measure = 0;

    const paperTotal = (key) => state.view.paper ? state.view.paper.total[key] : undefined;
    const verdict = (change) => page.make("span", { class: change.verdict || null },
        change.text);

    /* A measured quality is compared by its standard error, other metrics by their ratio. */
    const changeOf = (metric, from, to) => metric.key === "quality" && state.view.measured.paper && page.points.measured(state.selected)
        ? page.told(state.view.measured.paper, page.points.measured(state.selected)) : page.change(from, to, metric);

    const drawMetrics = (design) => page.table("metrics", "", [{ text: "" }, { text: "baseline" },
        { text: page.points.name(state.selected), number: true }, { text: "change" }, { text: "band: validated error" }],
    page.points.listed().map(({ metric }) => {
        const { value: from, text } = page.points.baseline(metric), to = design.total[metric.key];
        return { cells: [metric.heading, metric.key === "quality" ? page.metricText(metric, from) : text, page.metricText(metric, to),
            verdict(changeOf(metric, from, to)), page.points.band(design, metric)] };
    }));

    const drawResources = (design) => {
        const rows = page.data.metrics.filter((metric) => metric.resource && design.limits[metric.key] > 0).map((metric) => {
            const used = design.total[metric.key], limit = design.limits[metric.key], share = used / limit;
            const paper = paperTotal(metric.key);
            const track = page.make("div", { class: "track", "aria-hidden": "true" },
                page.make("div", { class: share > 1 ? "fill over" : "fill" }));
            track.firstChild.style.width = 100 * Math.min(1, share) + "%";
            if (paper !== undefined) {
                const line = page.make("div", { class: "mark" });
                line.style.left = `calc(${100 * Math.min(1, paper / limit)}% - 1.5px)`;
                track.append(line);
            }
            return page.make("div", { class: "resource" }, page.make("span", {}, metric.heading), track,
                page.make("span", { class: "figure" }, `${page.count(used)} of ${page.count(limit)} (${page.percent(share)})` +
                    (share > 1 ? ", over" : "")));
        });
        page.fill("resources", ...rows);
    };

    const sharesOf = (engines, key) => {
        const whole = engines.reduce((sum, engine) => sum + (engine[key] || 0), 0);
        return engines.map((engine) => whole > 0 ? (engine[key] || 0) / whole : 0);
    };

    /* Bars on a canvas, one per design of [name, engines], the baseline last; as shares or absolute figures. */
    const bars = (id) => {
        let chart = null;
        charts.push(() => chart);
        return (designs) => {
            const [key, , dimension] = MEASURES[measure], shares = page.byId("engine-shares").checked;
            const sides = state.view.paper ? [...designs, ["baseline (modelled)", state.view.paper.engines]] : designs;
            const rows = sides.map(([, engines]) => shares ? sharesOf(engines, key).map((share) => 100 * share)
                : engines.map((engine) => engine[key] || 0));
            const text = (value) => shares ? significant(value, 3) + " %" : page.quantity(value, dimension);
            const datasets = page.data.engines.map((engine, e) => ({ label: engine.name, data: rows.map((row) => row[e]),
                backgroundColor: page.colour("c" + e % 8), borderColor: page.colour("paper"), borderWidth: 1 }));
            const options = { animation: false, responsive: true, maintainAspectRatio: false, indexAxis: "y",
                scales: { x: { stacked: true, ...(shares ? { max: 100 } : {}), grid: { color: page.colour("grid") },
                    ticks: { color: page.colour("dim"), maxRotation: 0, callback: text } },
                y: { stacked: true, grid: { display: false }, ticks: { color: page.colour("ink") } } },
                plugins: { legend: { labels: { color: page.colour("ink"), boxWidth: 14 } },
                    tooltip: { callbacks: { label: (item) => `${item.dataset.label} ${text(item.parsed.x)}` } } } };
            const data = { labels: sides.map(([label]) => label), datasets };
            page.byId(id).parentNode.style.height = 6.5 + 2.9 * sides.length + "rem";
            if (chart === null) {
                chart = new Chart(page.byId(id), { type: "bar", data, options });
            } else {
                chart.data = data;
                chart.options = options;
                chart.resize();
                chart.update("none");
            }
        };
    };
    const drawOwn = bars("engines");
    const drawBars = (design) => drawOwn([["this design", design.engines]]);

    const drawEngines = (design) => {
        drawBars(design);
        const shown = MEASURES.filter(([key]) => design.engines.some((engine) => engine[key] > 0) ||
            (state.view.paper && state.view.paper.engines.some((engine) => engine[key] > 0)));
        const paper = (e, key, dimension) => state.view.paper ? ` (${page.quantity(state.view.paper.engines[e][key], dimension)})` : "";
        page.table("engine-table", state.view.paper ? "In brackets: the baseline (modelled)." : "",
            [{ text: "engine" }, ...shown.map(([, text]) => ({ text, number: true }))],
            design.engines.map((engine, e) => ({ cells: [page.make("abbr", { title: engine.title },
                engine.name + (engine.name === design.bottleneck ? " \u2190 bottleneck" : "")),
            ...shown.map(([key, , dimension]) => page.quantity(engine[key], dimension) + paper(e, key, dimension))] })));
    };

    const text = (value) => value === null || value === undefined ? "\u2013" : String(value);

    const drawConfig = (design) => {
        const rows = page.data.knobs.map((knob) => {
            const own = text(design.config[knob.name]);
            const paper = state.view.paper ? text(state.view.paper.config[knob.name]) : "";
            const same = own === paper;
            return { cells: [knob.name, paper, own + (same || paper === "" ? "" : " \u25c2"), knob.title], class: same ? "same" : null };
        });
        page.table("config", "\u25c2 differs from the baseline; \u2013 has no effect in that design.",
            [{ text: "knob" }, { text: "baseline" }, { text: page.points.name(state.selected) }, { text: "meaning" }], rows);
    };

    const draw = () => {
        const design = page.points.design(state.selected);
        const chosen = state.selected === state.view.chosen;
        page.byId("design-name").textContent = `Design ${page.points.name(state.selected)}` +
            (chosen ? ", the chosen design" : ", selected on the front") +
            (page.points.corners(state.selected).length > 0 ? ` (${page.points.corners(state.selected).join(", ")})` : "") + `; its bottleneck is ${design.bottleneck}.`;
        page.byId("back-to-chosen").hidden = chosen;
        drawMetrics(design);
        drawResources(design);
        drawEngines(design);
        drawConfig(design);
    };

    page.options("engine-measure", MEASURES.map(([, name]) => name), 0);
    page.byId("engine-measure").addEventListener("change", (event) => {
        measure = Number(event.target.value);
        page.tell("engines");
    });
    page.byId("engine-shares").addEventListener("change", () => page.tell("engines"));
    page.on("engines", () => drawBars(page.points.design(state.selected)));
    page.byId("back-to-chosen").addEventListener("click", () => page.points.select(state.view.chosen));
    page.on("selected", draw);
    page.on("theme", () => drawBars(page.points.design(state.selected)));
    return { bars, resize: () => { for (const chart of charts) if (chart() !== null) chart().resize(); } };
})();
