"use strict";
/* The selected design beside the paper's: metrics, resources, engines, configuration. */
page.design = (() => {
    const { state } = page.points;
    const MEASURES = [["latency_s", "latency", "time"], ["dynamic_energy_j", "dynamic energy", "energy"], ["bram18", "BRAM18", ""],
        ["uram", "URAM", ""], ["dsp", "DSP", ""], ["lut", "LUT", ""], ["ff", "FF", ""], ["ddr_bytes", "external memory", "bytes"]];
    let bars = null, measure = 0;

    const paperTotal = (key) => state.view.paper ? state.view.paper.total[key] : undefined;
    const listed = () => page.data.metrics.filter((_, i) => state.view.points.metrics[i].some((value) => value !== null));

    const verdict = (change) => page.make("span", { class: change.verdict || null },
        change.text);

    const band = (design, metric) => {
        const low = design.low[metric.key], high = design.high[metric.key];
        return low === undefined || low === null ? "" : `${page.metricText(metric, low)} \u2013 ${page.metricText(metric, high)}`;
    };

    const drawMetrics = (design) => page.table("metrics", "", [{ text: "" }, { text: "the paper's design", number: true },
        { text: page.points.name(state.selected), number: true }, { text: "change" }, { text: "band of the model" }],
    listed().map((metric) => {
        const from = paperTotal(metric.key), to = design.total[metric.key];
        return { cells: [metric.heading, page.metricText(metric, from), page.metricText(metric, to),
            verdict(page.change(from, to, metric)), band(design, metric)] };
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

    const drawBars = (design) => {
        const [key] = MEASURES[measure];
        const sides = [["this design", design.engines]];
        if (state.view.paper) sides.push(["the paper's", state.view.paper.engines]);
        const shares = sides.map(([, engines]) => sharesOf(engines, key));
        const datasets = page.data.engines.map((engine, e) => ({ label: engine.name, data: shares.map((row) => 100 * row[e]),
            backgroundColor: page.colour("c" + e % 8), borderColor: page.colour("paper"), borderWidth: 1 }));
        const options = { animation: false, responsive: true, maintainAspectRatio: false, indexAxis: "y",
            scales: { x: { stacked: true, max: 100, grid: { color: page.colour("grid") },
                ticks: { color: page.colour("dim"), callback: (value) => value + " %" } },
            y: { stacked: true, grid: { display: false }, ticks: { color: page.colour("ink") } } },
            plugins: { legend: { labels: { color: page.colour("ink"), boxWidth: 14 } },
                tooltip: { callbacks: { label: (item) => `${item.dataset.label} ${item.parsed.x.toPrecision(3)} %` } } } };
        const data = { labels: sides.map(([label]) => label), datasets };
        if (bars === null) {
            bars = new Chart(page.byId("engines"), { type: "bar", data, options });
        } else {
            bars.data = data;
            bars.options = options;
            bars.update("none");
        }
    };

    const drawEngines = (design) => {
        drawBars(design);
        const shown = MEASURES.filter(([key]) => design.engines.some((engine) => engine[key] > 0) ||
            (state.view.paper && state.view.paper.engines.some((engine) => engine[key] > 0)));
        const paper = (e, key, dimension) => state.view.paper ? ` (${page.quantity(state.view.paper.engines[e][key], dimension)})` : "";
        page.table("engine-table", state.view.paper ? "In brackets: the paper's design." : "",
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
        page.table("config", "\u25c2 differs from the paper's design; \u2013 does not matter in that design.",
            [{ text: "knob" }, { text: "the paper's" }, { text: page.points.name(state.selected) }, { text: "what it is" }], rows);
    };

    const draw = () => {
        const design = page.points.design(state.selected);
        const chosen = state.selected === state.view.chosen;
        page.byId("design-name").textContent = `Design ${page.points.name(state.selected)}` +
            (chosen ? ", the chosen one" : ", picked from the front") + `; its bottleneck is ${design.bottleneck}.`;
        page.byId("back-to-chosen").hidden = chosen;
        drawMetrics(design);
        drawResources(design);
        drawEngines(design);
        drawConfig(design);
    };

    page.options("engine-measure", MEASURES.map(([, name]) => name), 0);
    page.byId("engine-measure").addEventListener("change", (event) => {
        measure = Number(event.target.value);
        drawBars(page.points.design(state.selected));
    });
    page.byId("back-to-chosen").addEventListener("click", () => page.points.select(state.view.chosen));
    page.on("selected", draw);
    page.on("theme", () => drawBars(page.points.design(state.selected)));
    return { resize: () => { if (bars !== null) bars.resize(); } };
})();
