"use strict";
/* Parts that do not depend on the selection: request, summary, roofline, sources, commands, design space. */
page.facts = (() => {
    const { state } = page.points;
    const data = page.data;

    const tile = (name, value, ...remarks) => page.make("div", { class: "tile" }, page.make("span", { class: "dim" }, name),
        page.make("b", {}, value), ...remarks);

    const drawAnswer = () => {
        const view = state.view, design = page.points.design(view.chosen);
        const measured = () => {
            const own = page.points.measured(view.chosen), paper = view.measured.paper, majority = view.measured.chosen?.majority;
            if (own === null) return ""; // of several data sets together
            const of = (one) => `${one.mean.toFixed(3)} \u00b1 ${one.error.toFixed(3)} (standard error, n = ${one.n})`;
            const { text, verdict } = page.told(paper, own);
            return page.make("span", { class: verdict || null }, of(own) + (paper ? `, baseline ${of(paper)}: ${text}` : "") +
                (majority === null || majority === undefined ? "" : `; constant prediction  ${majority.toFixed(3)}` +
                (own.mean > majority ? "" : ": no better")));
        };
        const band = (metric) => {
            const text = page.points.band(design, metric);
            return text === "" ? null : page.make("span", { class: "dim small band" }, `models' error: ${text}`);
        };
        page.fill("tiles", ...view.objectives.map((m) => {
            const metric = data.metrics[m], from = page.points.baseline(metric);
            const change = page.change(from.value, design.total[metric.key], metric);
            if (metric.key === "quality") return tile(metric.heading, page.metricText(metric, design.total[metric.key]), measured());
            return tile(metric.heading, page.metricText(metric, design.total[metric.key]), view.paper
                ? page.make("span", { class: change.verdict || null }, `${change.text}: ${from.text}`)
                : "", band(metric));
        }), tile("designs on the front", page.count(view.points.ids.length),
            page.make("span", { class: "dim" }, view.proven ? "proven to be all" : "not proven to be all")));
        page.byId("answer-note").textContent = `The chosen design is ${page.points.name(view.chosen)}: ${view.chosen_because}.` +
            (view.remark.trim() ? ` ${view.remark}` : "");
        page.byId("front-note").textContent = (view.proven ? "No design of the space is better" : "No design found is better") +
            " than one of these in every objective. Point at a design to read it; click it (or press Enter) to see all of it below.";
        page.byId("lead").textContent = `${data.family.title} on ${view.board.title} with ${view.dataset}`;
    };

    const drawQuestion = () => {
        const view = state.view;
        const rows = [["objectives", view.objectives.map((m) =>
            `${data.metrics[m].higher ? "more" : "less"} ${data.metrics[m].heading}`).join(", ")],
        ["board", `${view.board.title} (${view.board.part})`], ["data set", view.dataset], ...data.question,
        ["visited", `${page.count(view.evaluated)} designs evaluated, ${page.count(view.feasible)} feasible, in ${page.quantity(view.seconds, "time")}`]];
        page.fill("question", ...rows.flatMap(([name, value]) => [page.make("dt", {}, name), page.make("dd", {}, value)]));
        page.byId("space-size").textContent = `${page.count(view.space_size)} designs.`;
    };

    const drawRoofline = () => {
        const view = state.view;
        page.fill("roofline", page.make("img", { src: "data:image/svg+xml;base64," + view.roofline_svg, width: 1200, height: 840,
            alt: `Rooflines of ${view.board.title} and the engines of the chosen design and of the baseline; the table below has the numbers.` }));
        const rows = view.rooflines.flatMap((one) => one.points.map((point) => ({ cells: [point.name, one.title,
            page.quantity(point.operations_per_s, "rate"), page.quantity(point.attainable_operations_per_s, "rate"),
            point.intensity === null ? "\u2013" : page.quantity(point.intensity), page.quantity(point.on_chip_intensity), point.bound] })));
        page.table("roofline-table", "Operational intensity (op/byte), of external memory and on chip.", [{ text: "engine" },
            { text: "design" }, { text: "achieved", number: true }, { text: "attainable", number: true }, { text: "op/byte", number: true },
            { text: "op/byte on chip", number: true }, { text: "waits for" }], rows);
    };

    const factors = (low, high) => low === 1 && high === 1 ? "exact" : `\u00d7\u00a0${low} \u2013 ${high}`;

    const drawCosts = () => {
        const view = state.view;
        page.byId("bands-note").textContent = data.bands_note;
        page.table("costs", `Library ${view.cost_library}` + (view.calibration ? `, calibrated by ${view.calibration}` : ", not calibrated"),
            [{ text: "entry" }, { text: "known from" }, { text: "LUT" }, { text: "FF" }, { text: "DSP" }, { text: "BRAM18" }, { text: "source" }],
            view.costs.map((cost) => ({ cells: [cost.entry, cost.level, factors(...cost.lut), factors(...cost.ff), factors(...cost.dsp),
                factors(...cost.bram18), cost.source] })));
    };

    const drawCommands = () => {
        const own = page.points.state.view.points.ids[page.points.state.selected];
        const commands = [...data.commands, ...data.commands_of_design.map((entry) =>
            ({ what: entry.what, command: entry.command.replaceAll("@ID@", own) }))];
        page.fill("commands", ...commands.map(page.command));
    };

    const drawInputs = () => page.table("inputs", "", [{ text: "input" }, { text: "name" }, { text: "from" }, { text: "hash" }],
        data.inputs.map((input) => ({ cells: [input.kind, input.name, input.source, page.make("code", {}, input.hash)] })));

    const drawSpace = () => page.table("space", "", [{ text: "knob" }, { text: "kind" }, { text: "published design" },
        { text: "a sweep visits" }, { text: "meaning" }], data.knobs.map((knob) => ({ cells: [knob.name, knob.kind, knob.default,
        knob.domain.join(" "), knob.title + (knob.when ? ` (depends on ${knob.when})` : "")] })));

    page.on("view", () => { drawAnswer(); drawQuestion(); drawRoofline(); drawCosts(); });
    page.on("selected", drawCommands);
    drawInputs();
    drawSpace();
    page.byId("program").textContent = data.program;
})();
