"use strict";
/* The front as a scatter. Chart.js draws the points; hover, selection and the keyboard work on a grid of their pixels and
 * draw on a canvas above, so that ten thousand points cost no more than ten. */
page.scatter = (() => {
    const { state } = page.points;
    const metrics = page.data.metrics;
    const plot = page.byId("plot"), overlay = page.byId("overlay"), tip = page.byId("tip");
    const SHAPES = ["circle", "triangle", "rect", "rectRot", "star", "cross", "crossRot", "dash"];
    const CELL = 16, REACH = 24;
    let chart = null, axisX = 0, axisY = 0, mark = -1, hovered = -1;
    let grid = new Map(), pixels = { x: new Float64Array(0), y: new Float64Array(0) };
    let drawable = [];

    const axes = () => metrics.map((metric, index) => ({ metric, index }))
        .filter(({ index }) => state.view.points.metrics[index].some((value) => value !== null));
    const logX = page.byId("log-x"), logY = page.byId("log-y");

    const positive = (index) => state.view.points.metrics[index].every((value) => value === null || value > 0);
    const wide = (index) => {
        const column = state.view.points.metrics[index].filter((value) => value !== null);
        let least = Infinity, most = -Infinity;
        for (const value of column) { least = Math.min(least, value); most = Math.max(most, value); }
        return positive(index) && most > 10 * least;
    };

    const xy = (point) => ({ x: page.points.value(axisX, point), y: page.points.value(axisY, point) });
    const paperXY = () => state.view.paper && {
        x: state.view.paper.total[metrics[axisX].key], y: state.view.paper.total[metrics[axisY].key] };

    /* A data set a value of the knob that marks, those beyond the shapes together. */
    const groups = () => {
        if (mark < 0) return [{ label: "front", points: drawable, style: 0 }];
        const column = state.view.points.knobs[mark];
        const found = column.values.map((value, i) => ({ label: `${page.data.knobs[mark].name} ${value}`, points: [],
            style: Math.min(i, SHAPES.length - 1) }));
        const idle = { label: `${page.data.knobs[mark].name} does not matter`, points: [], style: SHAPES.length - 1 };
        for (const point of drawable) (column.at[point] < 0 ? idle : found[column.at[point]]).points.push(point);
        return [...found, idle].filter((group) => group.points.length > 0);
    };

    const datasets = () => {
        const sets = groups().map((group) => ({
            label: group.label, data: group.points.map(xy), pointStyle: SHAPES[group.style], pointRadius: 4,
            pointBackgroundColor: page.colour("c" + group.style), pointBorderColor: page.colour("c" + group.style),
            borderColor: page.colour("c" + group.style), backgroundColor: page.colour("c" + group.style),
            pointBorderWidth: group.style >= 4 ? 1.6 : 0 }));
        const paper = paperXY();
        if (paper && Number.isFinite(paper.x) && Number.isFinite(paper.y))
            sets.push({ label: "the paper's design", data: [paper], pointStyle: "rectRot", pointRadius: 8,
                pointBackgroundColor: page.colour("other"), pointBorderColor: page.colour("paper"), pointBorderWidth: 1.5,
                borderColor: page.colour("other"), backgroundColor: page.colour("other") });
        return sets;
    };

    /* A log axis ends where the points do, and names as many of each decade as there is room for: `few` pixels are too few
     * for 1, 2 and 5. */
    const span = (index) => {
        let least = Infinity, most = -Infinity;
        const values = drawable.map((point) => page.points.value(index, point));
        if (state.view.paper) values.push(state.view.paper.total[metrics[index].key]);
        for (const value of values) if (value > 0) { least = Math.min(least, value); most = Math.max(most, value); }
        return least <= most ? { min: least / 1.2, max: most * 1.2 } : {};
    };
    const tickText = (metric, log, room, few) => (value, _, ticks) => {
        const mantissa = Number(value.toExponential().split("e")[0]);
        const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
        const shown = room / decades < few ? [1] : room / decades < 4.5 * few ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
        return log && !shown.includes(mantissa) ? null : page.metricText(metric, value);
    };

    const axis = (index, log, room, few) => ({
        type: log ? "logarithmic" : "linear", ...(log ? span(index) : {}),
        title: { display: true, text: metrics[index].heading, color: page.colour("ink") },
        grid: { color: page.colour("grid") },
        ticks: { color: page.colour("dim"), maxRotation: 0, autoSkip: !log, autoSkipPadding: 14,
            callback: tickText(metrics[index], log, room, few) } });

    const options = () => ({
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true, events: [],
        scales: { x: axis(axisX, logX.checked, plot.clientWidth, 200), y: axis(axisY, logY.checked, plot.clientHeight, 60) },
        plugins: { tooltip: { enabled: false },
            legend: { display: mark >= 0 || state.view.paper !== null,
                labels: { color: page.colour("ink"), usePointStyle: true, boxHeight: 8 } } } });

    /* Where each point is, and which points each cell holds. */
    const locate = () => {
        pixels = { x: new Float64Array(state.view.points.ids.length), y: new Float64Array(state.view.points.ids.length) };
        grid = new Map();
        for (const point of drawable) {
            const at = xy(point);
            pixels.x[point] = chart.scales.x.getPixelForValue(at.x);
            pixels.y[point] = chart.scales.y.getPixelForValue(at.y);
            const key = Math.floor(pixels.x[point] / CELL) * 65536 + Math.floor(pixels.y[point] / CELL);
            if (!grid.has(key)) grid.set(key, []);
            grid.get(key).push(point);
        }
    };

    const nearest = (x, y) => {
        let best = -1, least = REACH * REACH;
        const cells = Math.ceil(REACH / CELL), cx = Math.floor(x / CELL), cy = Math.floor(y / CELL);
        for (let i = cx - cells; i <= cx + cells; i++)
            for (let j = cy - cells; j <= cy + cells; j++)
                for (const point of grid.get(i * 65536 + j) || []) {
                    const dx = pixels.x[point] - x, dy = pixels.y[point] - y, distance = dx * dx + dy * dy;
                    if (distance < least) { least = distance; best = point; }
                }
        return best;
    };

    const ring = (context, point, radius, colour, width) => {
        if (point < 0 || !drawable.includes(point)) return;
        context.beginPath();
        context.arc(pixels.x[point], pixels.y[point], radius, 0, 2 * Math.PI);
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
    };

    const drawOver = () => {
        const ratio = window.devicePixelRatio || 1;
        overlay.width = plot.clientWidth * ratio;
        overlay.height = plot.clientHeight * ratio;
        overlay.style.width = plot.clientWidth + "px";
        overlay.style.height = plot.clientHeight + "px";
        const context = overlay.getContext("2d");
        context.scale(ratio, ratio);
        ring(context, state.selected, 9, page.colour("ink"), 2.5);
        ring(context, hovered, 7, page.colour("accent"), 2.5);
    };

    const lines = (point) => {
        const shown = [...new Set([axisX, axisY, ...state.view.objectives])];
        return [page.points.name(point) + (point === state.view.chosen ? " (chosen)" : ""),
            ...shown.map((m) => `${metrics[m].heading} ${page.metricText(metrics[m], page.points.value(m, point))}`)];
    };

    const showTip = (point) => {
        tip.hidden = point < 0;
        if (point < 0) return;
        tip.replaceChildren(...lines(point).map((line, i) => page.make(i === 0 ? "b" : "div", {}, line)));
        const right = pixels.x[point] > plot.clientWidth / 2, low = pixels.y[point] > plot.clientHeight / 2;
        tip.style.left = right ? "" : pixels.x[point] + 14 + "px";
        tip.style.right = right ? plot.clientWidth - pixels.x[point] + 14 + "px" : "";
        tip.style.top = low ? "" : pixels.y[point] + 10 + "px";
        tip.style.bottom = low ? plot.clientHeight - pixels.y[point] + 10 + "px" : "";
    };

    const hover = (point) => {
        if (point === hovered) return;
        hovered = point;
        drawOver();
        showTip(point);
    };

    const draw = () => {
        drawable = state.visible.filter((point) => {
            const at = xy(point);
            return at.x !== null && at.y !== null && (!logX.checked || at.x > 0) && (!logY.checked || at.y > 0);
        });
        hovered = -1;
        showTip(-1);
        if (chart === null) {
            chart = new Chart(page.byId("scatter"), { type: "scatter", data: { datasets: datasets() }, options: options() });
        } else {
            chart.options = options();
            chart.data.datasets = datasets();
            chart.update("none");
        }
        locate();
        drawOver();
    };

    /* ---- keyboard ---- */

    const step = (sign, coordinate) => {
        const ordered = [...drawable].sort((a, b) => pixels[coordinate][a] - pixels[coordinate][b] || a - b);
        if (ordered.length === 0) return;
        const at = ordered.indexOf(hovered < 0 ? state.selected : hovered);
        const next = ordered[Math.max(0, Math.min(ordered.length - 1, at < 0 ? 0 : at + sign))];
        hover(next);
        page.byId("spoken").textContent = lines(next).join(", ").replace(/\u00a0/g, " ");
    };

    const keys = {
        ArrowRight: () => step(1, "x"), ArrowLeft: () => step(-1, "x"), ArrowUp: () => step(-1, "y"),
        ArrowDown: () => step(1, "y"), Home: () => step(-1e9, "x"), End: () => step(1e9, "x"),
        Escape: () => hover(-1),
        Enter: () => { if (hovered >= 0) page.points.select(hovered); },
        " ": () => { if (hovered >= 0) page.points.select(hovered); } };

    plot.addEventListener("keydown", (event) => {
        if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        keys[event.key]();
    });
    const local = (event) => {
        const box = plot.getBoundingClientRect();
        return nearest(event.clientX - box.left - plot.clientLeft, event.clientY - box.top - plot.clientTop);
    };
    plot.addEventListener("pointermove", (event) => hover(local(event)));
    plot.addEventListener("pointerleave", () => hover(-1));
    plot.addEventListener("click", (event) => { const point = local(event); if (point >= 0) page.points.select(point); });

    /* ---- controls ---- */

    const choose = (which, log) => {
        log.disabled = !positive(which);
        log.checked = wide(which);
    };

    const setUp = () => {
        const listed = axes();
        const names = listed.map(({ metric }) => metric.heading);
        const objectives = state.view.objectives.filter((m) => listed.some(({ index }) => index === m));
        axisX = objectives[0];
        axisY = objectives.length > 1 ? objectives[1] : listed.find(({ index }) => index !== axisX).index;
        page.options("axis-x", names, listed.findIndex(({ index }) => index === axisX));
        page.options("axis-y", names, listed.findIndex(({ index }) => index === axisY));
        const markable = page.points.varied();
        page.fill("mark", page.make("option", { value: -1 }, "nothing"),
            ...markable.map((entry) => page.make("option", { value: entry.index }, entry.knob.name)));
        mark = -1;
        choose(axisX, logX);
        choose(axisY, logY);
    };

    page.byId("axis-x").addEventListener("change", (event) => { axisX = axes()[event.target.value].index; choose(axisX, logX); draw(); });
    page.byId("axis-y").addEventListener("change", (event) => { axisY = axes()[event.target.value].index; choose(axisY, logY); draw(); });
    page.byId("mark").addEventListener("change", (event) => { mark = Number(event.target.value); draw(); });
    logX.addEventListener("change", draw);
    logY.addEventListener("change", draw);
    new ResizeObserver(() => { if (chart !== null) { chart.resize(); draw(); } }).observe(plot);
    page.on("view", setUp);
    page.on("filtered", draw);
    page.on("selected", drawOver);
    page.on("theme", draw);

    return { positionOf: (point) => ({ x: pixels.x[point], y: pixels.y[point] }), hovered: () => hovered, drawn: () => drawable.length,
        resize: () => { if (chart !== null) chart.resize(); } };
})();
