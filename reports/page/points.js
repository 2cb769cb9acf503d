"use strict";
/* The points of the front: their columns, the filter and the selection. */
page.points = (() => {
    const state = { view: null, selected: 0, filters: new Map(), ranges: new Map(), compared: [],
        visible: [] };
    const COMPARED = 4;
    const metrics = page.data.metrics;

    const value = (metric, point) => state.view.points.metrics[metric][point];
    const knobText = (knob, point) => {
        const column = state.view.points.knobs[knob];
        return column.at[point] < 0 ? null : column.values[column.at[point]];
    };

    const passes = (point) => {
        for (const [knob, allowed] of state.filters)
            if (allowed.size > 0 && !allowed.has(state.view.points.knobs[knob].at[point])) return false;
        for (const [metric, { least, most }] of state.ranges) {
            const at = value(metric, point);
            if (at === null || at < least || at > most) return false;
        }
        return true;
    };

    const refresh = () => {
        state.visible = [];
        for (let point = 0; point < state.view.points.ids.length; point++)
            if (passes(point)) state.visible.push(point);
        page.tell("filtered");
    };

    const show = (index) => {
        state.view = page.data.views[index];
        state.filters.clear();
        state.ranges.clear();
        state.compared = [];
        state.selected = state.view.chosen;
        state.visible = state.view.points.ids.map((_, i) => i);
        page.tell("view");
        page.tell("filtered");
        page.tell("selected");
        page.tell("compared");
    };

    const select = (point) => {
        if (point === state.selected) return;
        state.selected = point;
        page.tell("selected");
    };

    const filter = (knob, valueIndex, on) => {
        if (!state.filters.has(knob)) state.filters.set(knob, new Set());
        const allowed = state.filters.get(knob);
        if (on) allowed.add(valueIndex); else allowed.delete(valueIndex);
        refresh();
    };

    /* Keeps the designs whose metric is in the range; infinite ends keep all. */
    const range = (metric, least, most) => {
        if (least === -Infinity && most === Infinity) state.ranges.delete(metric); else state.ranges.set(metric, { least, most });
        refresh();
    };

    const clear = () => { state.filters.clear(); state.ranges.clear(); refresh(); };

    /* Adds a design to the comparison, or removes it. */
    const compare = (point) => {
        const at = state.compared.indexOf(point);
        if (at >= 0) state.compared.splice(at, 1);
        else if (state.compared.length < COMPARED) state.compared.push(point);
        page.tell("compared");
    };
    const canCompare = (point) => state.compared.includes(point) || state.compared.length < COMPARED;

    /* Metrics that the designs have. */
    const listed = () => metrics.map((metric, index) => ({ metric, index }))
        .filter(({ index }) => state.view.points.metrics[index].some((one) => one !== null));

    const corners = (point, word = "title") => state.view.corners.filter((corner) => corner.point === point).map((corner) => corner[word]);

    /* The measured quality of a design, or null. */
    const measured = (point) => {
        const quality = metrics.findIndex((metric) => metric.key === "quality"), { std, n, error } = state.view.points.measured;
        return quality < 0 || n[point] === null ? null
            : { mean: value(quality, point), std: std[point], n: n[point], error: error[point] };
    };

    /* Knobs in which a design differs from the chosen one: "nee.lanes 256, not 1024". */
    const distinct = (point) => varied().map(({ knob, index }) => [knob.name, knobText(index, point), knobText(index, state.view.chosen)])
        .filter(([, own, chosen]) => own !== chosen)
        .map(([name, own, chosen]) => `${name} ${own === null ? "\u2013" : own}` + (chosen === null ? "" : `, not ${chosen}`));

    /* The band of a metric: the models' validated error, or twice the standard error of a measured quality. */
    const band = (design, metric) => {
        if (metric.key === "quality")
            return design.measured && design.measured.error !== null ? `${(design.measured.mean - 2 * design.measured.error).toFixed(3)} \u2013 ` +
                `${(design.measured.mean + 2 * design.measured.error).toFixed(3)} (two standard errors)` : "";
        const low = design.low[metric.key], high = design.high[metric.key];
        return low === undefined ? "" : low === null ? "unknown" : `${page.metricText(metric, low)} \u2013 ${page.metricText(metric, high)}`;
    };

    /* Knobs whose values differ over the front, with the number of designs per value. */
    const varied = () => page.data.knobs.map((knob, index) => {
        const column = state.view.points.knobs[index];
        const counts = new Array(column.values.length).fill(0);
        for (const at of column.at) if (at >= 0) counts[at]++;
        return { knob, index, values: column.values, counts };
    }).filter((entry) => entry.values.length > 1);

    /* A design of the front, from its columns, in the form of the baseline. */
    const design = (point) => {
        const columns = state.view.points;
        const engines = page.data.engines.map((engine, e) => {
            const found = { name: engine.name, title: engine.title };
            for (const [key, rows] of Object.entries(columns.engines)) found[key] = rows[e][point];
            return found;
        });
        const total = {}, low = {}, high = {};
        metrics.forEach((metric, m) => {
            total[metric.key] = columns.metrics[m][point];
            if (columns.low[metric.key]) {
                low[metric.key] = columns.low[metric.key][point];
                high[metric.key] = columns.high[metric.key][point];
            }
        });
        const limits = {};
        for (const [key, row] of Object.entries(columns.limits)) limits[key] = row[point];
        const config = {};
        page.data.knobs.forEach((knob, k) => { config[knob.name] = knobText(k, point); });
        return { total, low, high, engines, measured: measured(point), limits, config, bottleneck: page.data.engines[columns.bottleneck[point]].name };
    };

    /* A metric of the baseline: the reference figure (the published one if there is one), and both figures in words. */
    const baseline = (metric) => {
        const { paper, baseline: of } = state.view;
        if (!paper) return { value: undefined, text: "" };
        const published = of.published[metric.key] ?? null, modelled = paper.total[metric.key];
        const on = published !== null && of.modelled.on ? ` ${of.modelled.on}` : "";
        return { value: published ?? modelled, text: (published === null ? "" : `baseline (published) ${page.metricText(metric, published)}; `) +
            `baseline (modelled${on}) ${page.metricText(metric, modelled)}` };
    };

    const name = (point) => `#${state.view.points.ids[point]}`;

    return { state, value, knobText, show, select, filter, range, clear, compare, canCompare, listed, corners, measured, distinct, band,
        varied, design, baseline, name };
})();
