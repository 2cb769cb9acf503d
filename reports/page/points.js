"use strict";
/* The points of the front: columns, what is filtered out, which one is selected. */
page.points = (() => {
    const state = { view: null, selected: 0, filters: new Map(), visible: [] };
    const metrics = page.data.metrics;

    const value = (metric, point) => state.view.points.metrics[metric][point];
    const knobText = (knob, point) => {
        const column = state.view.points.knobs[knob];
        return column.at[point] < 0 ? null : column.values[column.at[point]];
    };

    const passes = (point) => {
        for (const [knob, allowed] of state.filters)
            if (allowed.size > 0 && !allowed.has(state.view.points.knobs[knob].at[point])) return false;
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
        state.selected = state.view.chosen;
        state.visible = state.view.points.ids.map((_, i) => i);
        page.tell("view");
        page.tell("filtered");
        page.tell("selected");
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

    const clear = () => { state.filters.clear(); refresh(); };

    /* Knobs whose values differ over the front, with how often each stands there. */
    const varied = () => page.data.knobs.map((knob, index) => {
        const column = state.view.points.knobs[index];
        const counts = new Array(column.values.length).fill(0);
        for (const at of column.at) if (at >= 0) counts[at]++;
        return { knob, index, values: column.values, counts };
    }).filter((entry) => entry.values.length > 1);

    /* A design in the form of the paper's: what the columns hold of it. */
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
        return { total, low, high, engines, limits, config, bottleneck: page.data.engines[columns.bottleneck[point]].name };
    };

    const name = (point) => `#${state.view.points.ids[point]}`;

    return { state, value, knobText, show, select, filter, clear, varied, design, name };
})();
