"use strict";
/* Shared by all parts of the page: the data, DOM elements, and formatted quantities. */
const page = { data: JSON.parse(document.getElementById("data").textContent) };
for (const { paper } of page.data.views) /* a number, like the other metrics of the baseline */
    if (paper) paper.total.quality = paper.total.quality && paper.total.quality.mean;

page.byId = (id) => document.getElementById(id);

/* An element with attributes and children. Text is never parsed as markup. */
page.make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
        else if (value === true) element.setAttribute(key, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
};

page.fill = (id, ...children) => page.byId(id).replaceChildren(...children);

const significant = (value, digits) => String(Number(value.toPrecision(digits)));

page.count = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");

const scaled = (value, unit, prefixes, base) => {
    let step = prefixes.indexOf("");
    let size = Math.abs(value);
    while (size >= base && step < prefixes.length - 1) { size /= base; value /= base; step++; }
    while (size > 0 && size < 1 && step > 0) { size *= base; value *= base; step--; }
    return significant(value, 4) + "\u00a0" + prefixes[step] + unit;
};

const SI = ["p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P"];
const UNITS = { time: "s", energy: "J", power: "W", frequency: "Hz" };

/* "15.3 µs", "1.2 MiB", "495": a number with the unit of its quantity. */
page.quantity = (value, dimension) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return "\u2013";
    if (dimension === "bytes") return scaled(value, "B", ["", "Ki", "Mi", "Gi", "Ti"], 1024);
    if (dimension === "bandwidth") return scaled(value, "B/s", SI, 1000);
    if (dimension === "rate") return scaled(value, "op/s", SI, 1000);
    if (UNITS[dimension]) return scaled(value, UNITS[dimension], SI, 1000);
    if (Number.isInteger(value)) return page.count(value);
    return significant(value, 4);
};

page.metricText = (metric, value) =>
    metric.key === "throughput_hz" && Number.isFinite(value) ? page.count(Number(value.toPrecision(4))) + "\u00a0" + page.data.items + "/s"
        : page.quantity(value, metric.dimension);

/* Parses "20us", "1.2 ms", "3k", "85%" into the metric's unit without prefix; NaN for anything else. */
page.parse = (text, dimension) => {
    const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\S*)\s*$/i.exec(text.replaceAll(",", "").replace("\u03bc", "\u00b5"));
    if (found === null) return NaN;
    const value = Number(found[1]), unit = UNITS[dimension] || (dimension === "bytes" ? "B" : "");
    let prefix = found[2];
    if (prefix === "%") return unit === "" ? value / 100 : NaN;
    if (unit !== "" && prefix.endsWith(unit)) prefix = prefix.slice(0, -unit.length);
    const binary = ["", "Ki", "Mi", "Gi", "Ti"].indexOf(prefix);
    if (dimension === "bytes" && binary >= 0) return value * 1024 ** binary;
    const step = SI.indexOf(prefix === "u" ? "\u00b5" : prefix);
    return step < 0 ? NaN : value * 10 ** (3 * (step - SI.indexOf("")));
};

/* A number of SI units as the program reads it: "0.65us". */
page.typed = (value, dimension) => {
    const unit = UNITS[dimension];
    if (!unit || value === 0) return significant(value, 6);
    const step = Math.max(0, Math.min(SI.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3) + SI.indexOf("")));
    return significant(value / 10 ** (3 * (step - SI.indexOf(""))), 6) + SI[step].replace("\u00b5", "u") + unit;
};

/* Ticks of an axis with their labels ("" for none). A logarithmic axis has ticks at 1 to 9 of each decade; as many get a label as fit
 * into `room` pixels at `label` pixels each. Other axes have even steps. */
page.ticks = (least, most, log, room, label, text) => {
    const ticks = [];
    if (log && most > 6 * least) {
        const decade = room / Math.log10(most / least), shown = decade * 0.046 > label ? [1, 2, 3, 4, 5, 6, 7, 8, 9]
            : decade * 0.09 > label ? [1, 2, 3, 4, 6, 8] : decade * 0.3 > label ? [1, 2, 5] : [1];
        const every = Math.max(1, Math.ceil(label / decade)), first = Math.floor(Math.log10(least));
        for (let exponent = first; 10 ** exponent <= most; exponent++)
            for (let digit = 1; digit < 10; digit++) {
                const value = Number(`${digit}e${exponent}`);
                if (value >= least && value <= most)
                    ticks.push({ value, label: shown.includes(digit) && (exponent - first) % every === 0 ? text(value) : "" });
            }
        return ticks;
    }
    const rough = (most - least) / Math.max(2, Math.floor(room / label)), power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9));
    for (let i = Math.ceil(least / step - 1e-9); i * step <= most * (1 + 1e-12) && ticks.length < 200; i++)
        ticks.push({ value: i * step, label: text(Number((i * step).toPrecision(12))) });
    return ticks;
};

page.percent = (share) => significant(100 * share, share < 0.1 ? 2 : 3) + "\u202f%";

/* "54.2 × faster" for times, "1.3 × higher (worse)" for other metrics; and whether that is better. */
page.change = (from, to, metric) => {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return { text: "\u2013", verdict: "" };
    if (from === to) return { text: "the same", verdict: "" };
    if (Math.abs(to - from) < 0.005 * Math.abs(from)) return { text: "about the same", verdict: "" };
    const verdict = (to > from) === metric.higher ? "better" : "worse";
    if (from <= 0 || to <= 0) return { text: `from ${page.quantity(from)} to ${page.quantity(to)}`, verdict };
    const [fewer, more] = metric.dimension === "time" ? ["faster", "slower"] : ["lower", "higher"];
    const ratio = significant(Math.max(from / to, to / from), 3);
    return { text: `${ratio}\u00a0\u00d7 ${to < from ? fewer : more}${metric.dimension === "time" ? "" : ` (${verdict})`}`, verdict };
};

/* Whether the first of two measured means is better or worse: they must differ by more than twice their combined standard error. */
page.told = (from, to) => {
    if (!from || !to || from.mean === null || to.mean === null) return { text: "", verdict: "" };
    const far = (to.mean - from.mean) / Math.hypot(from.error || 0, to.error || 0);
    const points = `${to.mean < from.mean ? "\u2212" : "+"}${Math.abs(to.mean - from.mean).toFixed(3)}`;
    if (!(Math.abs(far) > 2)) return { text: "no significant change", verdict: "" };
    return far > 0 ? { text: `${points} (better)`, verdict: "better" } : { text: `${points} (worse)`, verdict: "worse" };
};

/* A table: columns are {text, number}, cells are text or elements, and a row may be {cells, class}. */
page.table = (id, caption, columns, rows) => {
    const head = page.make("tr", {}, ...columns.map((column) =>
        page.make("th", { scope: "col", class: column.number ? "number" : null }, column.text)));
    const body = rows.map((row) => page.make("tr", { class: row.class || null }, ...row.cells.map((cell, i) =>
        page.make(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: columns[i].number ? "number" : null },
            cell === null || cell === undefined ? "" : cell))));
    page.fill(id, page.make("caption", {}, caption), page.make("thead", {}, head), page.make("tbody", {}, ...body));
};

/* Offers a file for download. */
page.save = (name, blob) => {
    const link = page.make("a", { href: URL.createObjectURL(blob), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

/* A word as a shell takes it. */
page.quoted = (text) => /^[A-Za-z0-9_.\/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/* A command with a button that copies it. */
const copy = (text, button) => {
    const done = () => {
        button.textContent = "Copied";
        page.byId("spoken").textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
    };
    if (navigator.clipboard && window.isSecureContext) {
        navigator.clipboard.writeText(text).then(done, () => { button.textContent = "Select it by hand"; });
        return;
    }
    const range = document.createRange();
    range.selectNodeContents(button.previousSibling);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (document.execCommand("copy")) done();
};
page.command = (entry) => {
    const button = page.make("button", { type: "button", "aria-label": `Copy: ${entry.what}`,
        on: { click: () => copy(entry.command, button) } }, "Copy");
    return page.make("li", {}, page.make("div", { class: "dim small" }, entry.what),
        page.make("div", { class: "line" }, page.make("code", {}, entry.command), button));
};

/* An element that is too wide shows a hint and takes the keyboard focus, so that arrow keys scroll it. */
page.cueWide = () => {
    for (const wide of document.querySelectorAll(".wide")) {
        const cue = page.make("p", { class: "cue dim small", hidden: true }, "\u21c4 This table is wider than the page: scroll it, or use \u2190 \u2192.");
        wide.before(cue);
        const fit = () => {
            const over = wide.scrollWidth > wide.clientWidth + 1;
            cue.hidden = !over;
            wide.classList.toggle("over", over);
            if (!over) { for (const name of ["tabindex", "role", "aria-label"]) wide.removeAttribute(name); return; }
            wide.setAttribute("tabindex", 0);
            wide.setAttribute("role", "region");
            wide.setAttribute("aria-label", wide.dataset.name + ", scrolls sideways");
        };
        const watch = new ResizeObserver(fit);
        watch.observe(wide);
        watch.observe(wide.firstElementChild);
    }
};

/* Colours come from the style sheet, so they follow the colour scheme and the printer. */
page.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

page.options = (id, names, selected) => {
    page.fill(id, ...names.map((name, i) => page.make("option", { value: i, selected: i === selected }, name)));
};

/* Events between the parts: "view", "selected", "filtered", "theme". */
const listeners = {};
page.on = (event, call) => { (listeners[event] = listeners[event] || []).push(call); };
page.tell = (event) => { for (const call of listeners[event] || []) call(); };
