"use strict";
/* What every part of the page uses: the data, elements made without markup, and quantities as people read them. */
const page = { data: JSON.parse(document.getElementById("data").textContent) };

page.byId = (id) => document.getElementById(id);

/* An element with attributes and children; text stays text, whatever it holds. */
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

/* "15.3 µs", "1.2 MiB", "495": by what the number measures. */
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
    metric.key === "throughput_hz" && Number.isFinite(value) ? page.count(Number(value.toPrecision(4))) + "\u00a0/s"
        : page.quantity(value, metric.dimension);

page.percent = (share) => significant(100 * share, share < 0.1 ? 2 : 3) + "\u202f%";

/* "54.2 × faster" of times, "1.3 × more, worse" of others, and whether that is better. */
page.change = (from, to, metric) => {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return { text: "\u2013", verdict: "" };
    if (from === to) return { text: "the same", verdict: "" };
    if (Math.abs(to - from) < 0.005 * Math.abs(from)) return { text: "about the same", verdict: "" };
    const verdict = (to > from) === metric.higher ? "better" : "worse";
    if (from <= 0 || to <= 0) return { text: `from ${page.quantity(from)} to ${page.quantity(to)}`, verdict };
    const [fewer, more] = metric.dimension === "time" ? ["faster", "slower"] : ["less", "more"];
    const ratio = significant(Math.max(from / to, to / from), 3);
    return { text: `${ratio}\u00a0\u00d7 ${to < from ? fewer : more}${metric.dimension === "time" ? "" : ", " + verdict}`, verdict };
};

/* A table: columns are {text, number}; cells are text or elements; a row may be {cells, class}. */
page.table = (id, caption, columns, rows) => {
    const head = page.make("tr", {}, ...columns.map((column) =>
        page.make("th", { scope: "col", class: column.number ? "number" : null }, column.text)));
    const body = rows.map((row) => page.make("tr", { class: row.class || null }, ...row.cells.map((cell, i) =>
        page.make(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: columns[i].number ? "number" : null },
            cell === null || cell === undefined ? "" : cell))));
    page.fill(id, page.make("caption", {}, caption), page.make("thead", {}, head), page.make("tbody", {}, ...body));
};

/* Colours are the style sheet's, so that they follow the scheme and the printer. */
page.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

page.options = (id, names, selected) => {
    page.fill(id, ...names.map((name, i) => page.make("option", { value: i, selected: i === selected }, name)));
};

/* What the parts tell one another: "view", "selected", "filtered", "theme". */
const listeners = {};
page.on = (event, call) => { (listeners[event] = listeners[event] || []).push(call); };
page.tell = (event) => { for (const call of listeners[event] || []) call(); };
