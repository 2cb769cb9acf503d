"use strict";
/* The front as a scatter plot. Chart.js draws the points. Hover, selection and the keyboard use a grid of the points' pixels and
 * draw on a canvas above, so their cost does not depend on the number of points. `zoom` is the visible range of the axes, in the
 * scales' units (Debian has no zoom plug-in of Chart.js, and two ranges need none). */
page.scatter = (() => {
    const { state } = page.points;
    const metrics = page.data.metrics;
    const plot = page.byId("plot"), overlay = page.byId("overlay"), tip = page.byId("tip");
    const SHAPES = ["circle", "triangle", "rect", "rectRot", "star", "cross", "crossRot", "dash"];
    const CELL = 16, REACH = 24, FIFTHS = 5, DRAG = 8;
    let chart = null, axisX = 0, axisY = 0, mark = "", hovered = -1, drag = null;
    let zoom = null; /* {x: [least, most], y: …}; null: all points */
    let grid = new Map(), pixels = { x: new Float64Array(0), y: new Float64Array(0) };
    let drawable = [], labels = [], arrow = null;

    const logX = page.byId("log-x"), logY = page.byId("log-y");

    const positive = (index) => state.view.points.metrics[index].every((value) => value === null || value > 0);
    const ends = (values) => {
        let least = Infinity, most = -Infinity;
        for (const value of values)
            if (value !== null && Number.isFinite(value)) { least = Math.min(least, value); most = Math.max(most, value); }
        return [least, most];
    };
    const spread = (index) => { /* as in the program's pictures */
        const [least, most] = ends(state.view.points.metrics[index]);
        return positive(index) && most > 3 * least;
    };

    const xy = (point) => ({ x: page.points.value(axisX, point), y: page.points.value(axisY, point) });
    const paperXY = () => {
        const paper = state.view.paper && { x: state.view.paper.total[metrics[axisX].key], y: state.view.paper.total[metrics[axisY].key] };
        return paper && Number.isFinite(paper.x) && Number.isFinite(paper.y) ? paper : null;
    };

    /* ---- marks ---- */

    /* One data set per value of the knob; values beyond the number of shapes share one. */
    const groupsOfKnob = (knob) => {
        const column = state.view.points.knobs[knob], name = page.data.knobs[knob].name;
        const found = column.values.map((value, i) => ({ label: `${name} ${value}` +
            (i >= SHAPES.length - 1 && column.values.length > SHAPES.length ? " and more" : ""), points: [],
            shape: Math.min(i, SHAPES.length - 1), colour: "c" + Math.min(i, SHAPES.length - 1) }));
        const kept = found.slice(0, SHAPES.length);
        const neutral = { label: `${name} has no effect`, points: [], shape: SHAPES.length - 1, colour: "dim" };
        for (const point of drawable)
            (column.at[point] < 0 ? neutral : kept[Math.min(column.at[point], kept.length - 1)]).points.push(point);
        return [...kept, neutral];
    };

    /* Fifths of the designs by a metric, along a ramp of colours from low to high. */
    const groupsOfMetric = (index) => {
        const metric = metrics[index], value = (point) => page.points.value(index, point);
        const values = [...new Set(state.visible.map(value).filter((one) => one !== null))].sort((a, b) => a - b);
        const steps = Math.min(FIFTHS, values.length);
        const found = Array.from({ length: steps }, (_, i) => ({ points: [], shape: 0,
            colour: "r" + (steps > 1 ? Math.round(i * (FIFTHS - 1) / (steps - 1)) : FIFTHS - 1),
            least: values[Math.floor(i * values.length / steps)], most: values[Math.floor((i + 1) * values.length / steps) - 1] }));
        for (const group of found)
            group.label = `${metric.heading} ${page.metricText(metric, group.least)}` +
                (group.most > group.least ? ` to ${page.metricText(metric, group.most)}` : "");
        for (const point of drawable) found.find((group) => value(point) <= group.most)?.points.push(point);
        return found;
    };

    const groups = () => (mark === "" ? [{ label: "front", points: drawable, shape: 0, colour: "c0" }]
        : mark[0] === "k" ? groupsOfKnob(Number(mark.slice(1))) : groupsOfMetric(Number(mark.slice(1))))
        .filter((group) => group.points.length > 0);

    const datasets = () => {
        const sets = groups().map((group) => {
            const colour = page.colour(group.colour);
            return { label: group.label, data: group.points.map(xy), pointStyle: SHAPES[group.shape], pointRadius: 4,
                pointBackgroundColor: colour, borderColor: colour, backgroundColor: colour,
                pointBorderColor: group.colour[0] === "r" ? page.colour("dim") : colour,
                pointBorderWidth: group.shape >= 4 ? 1.6 : group.colour[0] === "r" ? 0.7 : 0 };
        });
        const paper = paperXY(), other = page.colour("other");
        if (paper) /* on top of the others */
            sets.unshift({ label: "baseline", data: [paper], pointStyle: "rectRot", pointRadius: 8,
                pointBackgroundColor: other, pointBorderColor: page.colour("paper"), pointBorderWidth: 1.5,
                borderColor: other, backgroundColor: other });
        return sets;
    };

    /* ---- visible range of the axes ---- */

    const room = (least, most, log) => {
        if (!(least <= most)) return [log ? 1 : 0, log ? 10 : 1];
        if (log) { const part = Math.max(1.03, (most / least) ** 0.06); return [least / part, most * part]; }
        const part = most > least ? 0.06 * (most - least) : Math.abs(most) * 0.05 || 1;
        return [least - part, most + part];
    };

    const whole = (withPaper) => {
        const paper = withPaper ? paperXY() : null;
        const along = (index, log, own) => room(...ends([...drawable.map((point) => page.points.value(index, point)),
            ...(own === undefined ? [] : [own])].filter((value) => !log || value > 0)), log);
        return { x: along(axisX, logX.checked, paper ? paper.x : undefined), y: along(axisY, logY.checked, paper ? paper.y : undefined) };
    };

    /* Zooms the scales by a factor around a place (in shares of the plot), then shifts them. */
    const scaledEnds = ([least, most], log, at, factor, shift) => {
        const to = log ? Math.log : (value) => value, from = log ? Math.exp : (value) => value;
        const low = to(least), width = to(most) - low, centre = low + at * width;
        const next = [centre - at * width * factor + shift * width, centre + (1 - at) * width * factor + shift * width];
        return next[1] - next[0] > 1e-9 * Math.max(Math.abs(next[0]), Math.abs(next[1]), log ? 1 : 0) ? next.map(from) : [least, most];
    };
    const change = (factor, at, shift) => {
        const shown = zoom || whole(false), moved = shift || { x: 0, y: 0 };
        zoom = { x: scaledEnds(shown.x, logX.checked, at.x, factor, moved.x), y: scaledEnds(shown.y, logY.checked, at.y, factor, moved.y) };
        draw();
        say(`Shown: ${rangeText(axisX, zoom.x)}, ${rangeText(axisY, zoom.y)}`);
    };
    const rangeText = (index, [least, most]) =>
        `${metrics[index].heading} ${page.metricText(metrics[index], least)} to ${page.metricText(metrics[index], most)}`;
    const say = (text) => { page.byId("spoken").textContent = text.replace(/\u00a0/g, " "); };
    const MIDDLE = { x: 0.5, y: 0.5 };

    const axis = (index, log, shown, pixelsLong, label) => ({
        type: log ? "logarithmic" : "linear", min: shown[0], max: shown[1],
        title: { display: true, text: metrics[index].heading + (log ? " (log)" : ""), color: page.colour("ink") },
        grid: { color: page.colour("grid") },
        afterBuildTicks: (scale) => { scale.ticks = page.ticks(scale.min, scale.max, log, pixelsLong, label,
            (value) => page.metricText(metrics[index], value)); },
        ticks: { color: page.colour("dim"), maxRotation: 0, autoSkip: false, callback: (value, i, ticks) => ticks[i].label } });

    const options = () => {
        const shown = zoom || whole(false);
        return { animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true, events: [],
            scales: { x: axis(axisX, logX.checked, shown.x, plot.clientWidth - 90, 82),
                y: axis(axisY, logY.checked, shown.y, plot.clientHeight - 90, 30) },
            plugins: { tooltip: { enabled: false }, legend: { display: mark !== "" || paperXY() !== null,
                labels: { color: page.colour("ink"), usePointStyle: true, boxHeight: 8,
                    filter: (item) => item.text !== "front" || mark === "" } } } };
    };

    /* ---- positions ---- */

    const inside = (x, y) => {
        const area = chart.chartArea;
        return x >= area.left - 1 && x <= area.right + 1 && y >= area.top - 1 && y <= area.bottom + 1;
    };

    /* The pixel position of each point, and the points of each cell of the grid. */
    const locate = () => {
        pixels = { x: new Float64Array(state.view.points.ids.length).fill(NaN), y: new Float64Array(state.view.points.ids.length).fill(NaN) };
        grid = new Map();
        for (const point of drawable) {
            const at = xy(point), x = chart.scales.x.getPixelForValue(at.x), y = chart.scales.y.getPixelForValue(at.y);
            if (!inside(x, y)) continue;
            pixels.x[point] = x;
            pixels.y[point] = y;
            const key = Math.floor(x / CELL) * 65536 + Math.floor(y / CELL);
            if (!grid.has(key)) grid.set(key, []);
            grid.get(key).push(point);
        }
    };

    const near = function* (left, top, right, bottom) {
        for (let i = Math.floor(left / CELL); i <= Math.floor(right / CELL); i++)
            for (let j = Math.floor(top / CELL); j <= Math.floor(bottom / CELL); j++) yield* grid.get(i * 65536 + j) || [];
    };

    const nearest = (x, y) => {
        let best = -1, least = REACH * REACH;
        for (const point of near(x - REACH, y - REACH, x + REACH, y + REACH)) {
            const dx = pixels.x[point] - x, dy = pixels.y[point] - y, distance = dx * dx + dy * dy;
            if (distance < least) { least = distance; best = point; }
        }
        return best;
    };

    /* ---- the canvas above the chart ---- */

    const ring = (context, point, radius, colour, width) => {
        if (point < 0 || Number.isNaN(pixels.x[point])) return;
        context.beginPath();
        context.arc(pixels.x[point], pixels.y[point], radius, 0, 2 * Math.PI);
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
    };

    const HIGH = 16; /* height of a text, in pixels */

    /* Whether a text fits there: inside the plot, over no point or ring, over no other text. */
    const free = (left, top, wide, found) => {
        const area = chart.chartArea;
        return left > area.left && left + wide < area.right && top > area.top && top + HIGH < area.bottom &&
            ![...near(left - 8, top - 6, left + wide + 8, top + HIGH + 6)].some((other) => pixels.x[other] > left - 8 &&
                pixels.x[other] < left + wide + 8 && pixels.y[other] > top - 6 && pixels.y[other] < top + HIGH + 6) &&
            !found.some((other) => other.left < left + wide + 4 && left < other.left + other.wide + 4 &&
                Math.abs(other.top - top) < HIGH + 2);
    };

    /* If the baseline is outside the plot: an arrow at the edge towards it, with the longest text that fits beside, below or above it. */
    const placeArrow = (context) => {
        const paper = paperXY(), area = chart.chartArea;
        if (!paper || (logX.checked && paper.x <= 0) || (logY.checked && paper.y <= 0)) return null;
        const toX = chart.scales.x.getPixelForValue(paper.x), toY = chart.scales.y.getPixelForValue(paper.y);
        if (inside(toX, toY)) return null;
        const x = Math.max(area.left + 14, Math.min(area.right - 14, toX)), y = Math.max(area.top + 14, Math.min(area.bottom - 14, toY));
        const arrow = { x, y, angle: Math.atan2(toY < area.top ? -1 : toY > area.bottom ? 1 : 0, toX < area.left ? -1 : toX > area.right ? 1 : 0),
            left: x - 14, top: y - HIGH / 2, wide: 28 };
        const whole = `baseline: ${page.metricText(metrics[axisX], paper.x)}, ${page.metricText(metrics[axisY], paper.y)}`;
        for (const text of [whole, "baseline"])
            for (const shift of [0, HIGH + 6, -HIGH - 6]) {
                const wide = context.measureText(text).width, room = shift === 0 ? 18 : -10;
                const left = x > (area.left + area.right) / 2 ? x - wide - room : x + room, top = y - HIGH / 2 + shift;
                if (free(left, top, wide, [])) return { ...arrow, words: { text, left, top, wide } };
            }
        return arrow;
    };

    /* The corners' names where neither a point nor another text is. A corner without such a place is named only in its tooltip. */
    const placeLabels = (context) => {
        const found = [], taken = arrow === null ? [] : [arrow, ...(arrow.words ? [arrow.words] : [])];
        const points = [...new Set(state.view.corners.map((corner) => corner.point))].filter((point) => !Number.isNaN(pixels.x[point]));
        for (const point of points) {
            const text = page.points.corners(point).join(", "), wide = context.measureText(text).width;
            for (let reach = 12, placed = false; reach < 130 && !placed; reach += 14)
                for (let turn = 0; turn < 12 && !placed; turn++) {
                    const angle = (turn * 5 % 12) * Math.PI / 6 - Math.PI / 6, dx = Math.cos(angle), dy = Math.sin(angle);
                    const x = pixels.x[point] + reach * dx, y = pixels.y[point] + reach * dy;
                    const left = dx >= 0 ? x : x - wide, top = y - HIGH / 2;
                    placed = free(left, top, wide, [...taken, ...found]);
                    if (placed) found.push({ point, text, left, top, wide, x, y });
                }
        }
        return found;
    };

    const drawLabels = (context) => {
        context.textBaseline = "middle";
        for (const label of labels) {
            context.strokeStyle = context.fillStyle = page.colour("ink");
            context.lineWidth = 1;
            context.beginPath();
            context.moveTo(pixels.x[label.point], pixels.y[label.point]);
            context.lineTo(label.x, label.y);
            context.stroke();
            context.fillText(label.text, label.left, label.top + 8);
            ring(context, label.point, 6, page.colour("ink"), 1.2);
        }
    };

    const drawPaperArrow = (context) => {
        if (arrow === null) return;
        context.save();
        context.translate(arrow.x, arrow.y);
        context.rotate(arrow.angle);
        context.fillStyle = page.colour("other");
        context.beginPath();
        for (const [dx, dy] of [[10, 0], [-4, -6], [-4, 6]]) context.lineTo(dx, dy);
        context.fill();
        context.restore();
        context.fillStyle = page.colour("other");
        if (arrow.words) context.fillText(arrow.words.text, arrow.words.left, arrow.words.top + HIGH / 2);
    };

    const drawOver = () => {
        const ratio = window.devicePixelRatio || 1;
        overlay.width = plot.clientWidth * ratio;
        overlay.height = plot.clientHeight * ratio;
        overlay.style.width = plot.clientWidth + "px";
        overlay.style.height = plot.clientHeight + "px";
        const context = overlay.getContext("2d");
        context.scale(ratio, ratio);
        context.font = `12px ${Chart.defaults.font.family}`;
        context.textBaseline = "middle";
        if (labels === null) {
            arrow = placeArrow(context);
            labels = placeLabels(context);
        }
        drawLabels(context);
        drawPaperArrow(context);
        for (const point of state.compared) ring(context, point, 11, page.colour("good"), 2);
        ring(context, state.selected, 9, page.colour("ink"), 2.5);
        ring(context, hovered, 7, page.colour("accent"), 2.5);
        if (drag && drag.box) {
            context.strokeStyle = page.colour("accent");
            context.setLineDash([4, 3]);
            context.lineWidth = 1.5;
            context.strokeRect(drag.x, drag.y, drag.toX - drag.x, drag.toY - drag.y);
        }
    };

    /* ---- the tooltip ---- */

    const lines = (point) => {
        const marked = mark[0] === "m" ? [Number(mark.slice(1))] : [];
        const shown = [...new Set([axisX, axisY, ...state.view.objectives, ...marked])];
        const names = [...(point === state.view.chosen ? ["chosen"] : []), ...page.points.corners(point, "meaning")];
        const distinct = page.points.distinct(point), measured = page.points.measured(point);
        return [page.points.name(point) + (names.length > 0 ? ` (${names.join(", ")})` : ""),
            ...shown.map((m) => `${metrics[m].heading} ${page.metricText(metrics[m], page.points.value(m, point))}` +
                (metrics[m].key === "quality" && measured ? ` \u00b1 ${measured.error.toFixed(3)} (SE, n = ${measured.n})` : "")),
            ...distinct.slice(0, 7), ...(distinct.length > 7 ? [`and ${distinct.length - 7} knobs more`] : [])];
    };

    const showTip = (point) => {
        tip.hidden = point < 0 || Number.isNaN(pixels.x[point]);
        if (tip.hidden) return;
        const values = lines(point).length - page.points.distinct(point).length;
        tip.replaceChildren(...lines(point).map((line, i) => page.make(i === 0 ? "b" : "div", { class: i >= values ? "dim" : null }, line)));
        const right = pixels.x[point] > plot.clientWidth / 2, low = pixels.y[point] > plot.clientHeight / 2;
        tip.style.left = right ? "" : pixels.x[point] + 14 + "px";
        tip.style.right = right ? plot.clientWidth - pixels.x[point] + 14 + "px" : "";
        tip.style.top = low ? "" : pixels.y[point] + 10 + "px";
        tip.style.bottom = low ? plot.clientHeight - pixels.y[point] + 10 + "px" : "";
        tip.style.maxWidth = (right ? pixels.x[point] : plot.clientWidth - pixels.x[point]) - 18 + "px";
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
        labels = null;
        drawOver();
        page.tell("drawn");
    };

    /* ---- keyboard ---- */

    const step = (sign, coordinate) => {
        const ordered = drawable.filter((point) => !Number.isNaN(pixels.x[point]))
            .sort((a, b) => pixels[coordinate][a] - pixels[coordinate][b] || a - b);
        if (ordered.length === 0) return;
        const at = ordered.indexOf(hovered < 0 ? state.selected : hovered);
        const next = ordered[Math.max(0, Math.min(ordered.length - 1, at < 0 ? 0 : at + sign))];
        hover(next);
        say(lines(next).join(", "));
    };

    const reset = () => { zoom = null; draw(); say("The whole front is shown."); };
    const keys = {
        ArrowRight: () => step(1, "x"), ArrowLeft: () => step(-1, "x"), ArrowUp: () => step(-1, "y"),
        ArrowDown: () => step(1, "y"), Home: () => step(-1e9, "x"), End: () => step(1e9, "x"),
        Escape: () => { if (drag) { drag = null; drawOver(); } else hover(-1); },
        "+": () => change(1 / 1.5, MIDDLE), "=": () => change(1 / 1.5, MIDDLE), "-": () => change(1.5, MIDDLE), "0": reset,
        c: () => { if (hovered >= 0) page.points.compare(hovered); },
        Enter: () => { if (hovered >= 0) page.points.select(hovered); },
        " ": () => { if (hovered >= 0) page.points.select(hovered); } };
    const pans = { ArrowRight: [0.2, 0], ArrowLeft: [-0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] };

    plot.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const pan = event.shiftKey && pans[event.key];
        if (!pan && !keys[event.key]) return;
        event.preventDefault();
        if (pan) change(1, MIDDLE, { x: pan[0], y: pan[1] }); else keys[event.key]();
    });

    /* ---- pointer: click selects, drag zooms to its box, Shift and drag moves, Ctrl and wheel zooms ---- */

    const local = (event) => {
        const box = plot.getBoundingClientRect();
        return { x: event.clientX - box.left - plot.clientLeft, y: event.clientY - box.top - plot.clientTop };
    };
    const shares = (at) => {
        const area = chart.chartArea;
        return { x: (at.x - area.left) / (area.right - area.left), y: (area.bottom - at.y) / (area.bottom - area.top) };
    };
    const valueAt = (scale, a, b) => [scale.getValueForPixel(a), scale.getValueForPixel(b)].sort((one, other) => one - other);

    plot.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.pointerType === "touch") return;
        const at = local(event);
        drag = { ...at, toX: at.x, toY: at.y, box: false, moves: event.shiftKey, shown: zoom || whole(false) };
        plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", (event) => {
        const at = local(event);
        if (!drag) { hover(nearest(at.x, at.y)); return; }
        drag.toX = at.x;
        drag.toY = at.y;
        drag.box = drag.box || Math.hypot(at.x - drag.x, at.y - drag.y) > DRAG;
        hover(-1);
        if (drag.moves) {
            const from = shares(drag), to = shares(at);
            zoom = drag.shown;
            change(1, MIDDLE, { x: from.x - to.x, y: from.y - to.y });
            return;
        }
        drawOver();
    });
    plot.addEventListener("pointerup", () => {
        const done = drag;
        drag = null;
        if (!done || !done.box) return;
        plot.dataset.dragged = "yes"; /* the next click event ends the drag and selects nothing */
        if (done.moves) return;
        zoom = { x: valueAt(chart.scales.x, done.x, done.toX), y: valueAt(chart.scales.y, done.y, done.toY) };
        if (zoom.x[0] === zoom.x[1] || zoom.y[0] === zoom.y[1]) zoom = null;
        draw();
    });
    plot.addEventListener("pointercancel", () => { drag = null; drawOver(); });
    plot.addEventListener("pointerleave", () => hover(-1));
    plot.addEventListener("click", (event) => {
        if (plot.dataset.dragged) { delete plot.dataset.dragged; return; }
        const at = local(event), point = nearest(at.x, at.y);
        if (point < 0) return;
        if (event.ctrlKey || event.metaKey) page.points.compare(point); else page.points.select(point);
    });
    plot.addEventListener("dblclick", reset);
    plot.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        change(event.deltaY < 0 ? 1 / 1.25 : 1.25, shares(local(event)));
    }, { passive: false });

    /* ---- controls ---- */

    const choose = (which, log) => {
        log.disabled = !positive(which);
        log.checked = spread(which);
    };

    const setUp = () => {
        const listed = page.points.listed();
        const names = listed.map(({ metric }) => metric.heading);
        const objectives = state.view.objectives.filter((m) => listed.some(({ index }) => index === m));
        axisX = objectives[0];
        axisY = objectives.length > 1 ? objectives[1] : listed.find(({ index }) => index !== axisX).index;
        page.options("axis-x", names, listed.findIndex(({ index }) => index === axisX));
        page.options("axis-y", names, listed.findIndex(({ index }) => index === axisY));
        page.fill("mark", page.make("option", { value: "" }, "nothing"),
            page.make("optgroup", { label: "knobs" }, ...page.points.varied().map((entry) =>
                page.make("option", { value: "k" + entry.index }, entry.knob.name))),
            page.make("optgroup", { label: "metrics" }, ...listed.map(({ metric, index }) =>
                page.make("option", { value: "m" + index }, metric.heading))));
        mark = "";
        zoom = null;
        choose(axisX, logX);
        choose(axisY, logY);
    };

    const anew = () => { zoom = null; draw(); };
    page.byId("axis-x").addEventListener("change", (event) => { axisX = page.points.listed()[event.target.value].index; choose(axisX, logX); anew(); });
    page.byId("axis-y").addEventListener("change", (event) => { axisY = page.points.listed()[event.target.value].index; choose(axisY, logY); anew(); });
    page.byId("mark").addEventListener("change", (event) => { mark = event.target.value; draw(); });
    logX.addEventListener("change", anew);
    logY.addEventListener("change", anew);
    page.byId("zoom-in").addEventListener("click", () => change(1 / 1.5, MIDDLE));
    page.byId("zoom-out").addEventListener("click", () => change(1.5, MIDDLE));
    page.byId("zoom-all").addEventListener("click", reset);
    page.byId("zoom-paper").addEventListener("click", () => { zoom = whole(true); draw(); say("The front and the baseline are shown."); });
    new ResizeObserver(() => { if (chart !== null) { chart.resize(); draw(); } }).observe(plot);
    page.on("view", () => { setUp(); page.byId("zoom-paper").hidden = state.view.paper === null; });
    page.on("filtered", draw);
    page.on("selected", drawOver);
    page.on("compared", drawOver);
    page.on("theme", draw);

    /* The picture's settings, for its command: metrics, the knob or metric of the marks, and the chosen ranges of the axes. */
    const shown = () => ({ x: metrics[axisX], y: metrics[axisY], xIndex: axisX, yIndex: axisY, zoom,
        by: mark === "" ? null : mark[0] === "k" ? page.data.knobs[Number(mark.slice(1))].name : metrics[Number(mark.slice(1))].name });

    return { positionOf: (point) => ({ x: pixels.x[point], y: pixels.y[point] }), hovered: () => hovered, drawn: () => drawable.length,
        inSight: () => drawable.filter((point) => !Number.isNaN(pixels.x[point])).length, labels: () => labels, shown,
        ends: () => ({ x: [chart.scales.x.min, chart.scales.x.max], y: [chart.scales.y.min, chart.scales.y.max] }),
        resize: () => { if (chart !== null) chart.resize(); } };
})();
