"""usage: browser.py TEST_PROGRAM PROGRAM [--shots FOLDER] [--page FILE.html] [--times]
The page of a study in a headless Chromium: it renders without errors, fetches nothing, and hover, selection, filters, keyboard, dark mode,
narrow windows and print work; ten thousand points are drawn. --times checks response times, which depend on the machine's load; --shots saves
pictures; --page takes them of another page."""
import argparse
import base64
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import devtools

HOSTILE = "</script><script>window.broken=1</script>"
SKIPPED = 77
HOVER_MS, REDRAW_MS, LOAD_MS = 30, 1500, 15000  # for 10,000 points, with a margin for slow machines: checked only with --times

failures = []


def check(what, holds, seen=""):
    if not holds:
        failures.append(f"{what}: {seen}")
        print(f"FAILED {what}: {seen}")


def plot_position(browser, point):
    return browser.value("(() => { document.getElementById('plot').scrollIntoView({block: 'center', behavior: 'instant'});"
                         " const box = document.getElementById('plot').getBoundingClientRect();"
                         f" const at = page.scatter.positionOf({point});"
                         " return {x: box.left + 1 + at.x, y: box.top + 1 + at.y}; })()")


def test_rendering(browser):
    check("no complaints", browser.complaints() == [], browser.complaints())
    check("names are text", browser.value("window.broken === undefined && document.querySelector('h1').textContent")
          .startswith(HOSTILE), browser.value("document.querySelector('h1').innerHTML"))
    check("every point is drawn", browser.value("page.scatter.drawn()") == 200)
    inked = browser.value("(() => { const c = document.getElementById('scatter'); const p = c.getContext('2d')"
                          ".getImageData(0, 0, c.width, c.height).data; let n = 0;"
                          " for (let i = 3; i < p.length; i += 4) n += p[i] > 0; return n; })()")
    check("the scatter has ink", inked > 2000, inked)
    check("the roofline is a picture", browser.value("document.querySelector('#roofline img').naturalWidth") > 100)
    for table in ("metrics", "engine-table", "config", "costs", "inputs", "space"):
        check(f"table {table}", browser.value(f"document.getElementById('{table}').rows.length") > 2)


def test_hover_and_choice(browser):
    at = plot_position(browser, 17)
    browser.mouse("mouseMoved", at["x"], at["y"])
    found = browser.value("page.scatter.hovered()")
    check("hover finds a point there", found >= 0, found)
    tip = browser.value("document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent")
    check("hover shows it", f"#{found + 1}" in tip and "latency" in tip, tip)
    browser.click(at["x"], at["y"])
    chosen = browser.value("page.points.state.selected")
    check("a click chooses", chosen == found, (chosen, found))
    check("the design below is that", browser.value("document.getElementById('design-name').textContent").startswith(
        f"Design #{chosen + 1},"))
    check("commands name it", browser.value("document.getElementById('commands').textContent").count(f"study.db:{chosen + 1} ") == 1)
    browser.mouse("mouseMoved", 2, 2)
    check("hover ends", browser.value("document.getElementById('tip').hidden"))
    browser.value("document.getElementById('back-to-chosen').click()")
    check("back to the chosen one", browser.value("page.points.state.selected === page.points.state.view.chosen"))


def test_filter(browser):
    check("knobs fold up", browser.value("document.querySelectorAll('#filters details:not([open])').length") > 10)
    box = "document.querySelector('input[data-knob=\"hue.pe\"][value=\"2\"]')"
    expected = browser.value("(() => { const k = page.data.knobs.findIndex((knob) => knob.name === 'hue.pe');"
                             " let n = 0; for (let i = 0; i < 200; i++) n += page.points.knobText(k, i) === '2'; return n; })()")
    browser.value(f"{box}.click()")
    drawn = browser.value("page.scatter.drawn()")
    check("a filter keeps those with the value", drawn == expected and 0 < drawn < 200, (drawn, expected))
    check("the count says so", browser.value("document.getElementById('count').textContent") == f"{expected} of 200 designs")
    check("so does the knob", browser.value(f"{box}.closest('details').querySelector('summary').textContent") == "hue.pe: 2")
    browser.value("document.getElementById('reset').click()")
    check("filters clear", browser.value(f"page.scatter.drawn() === 200 && !{box}.checked"))


def test_axes(browser):
    change = ("((id, name) => { const s = document.getElementById(id); s.selectedIndex = [...s.options].findIndex((o) =>"
              " o.textContent === name); s.dispatchEvent(new Event('change')); })")
    before = browser.value("page.scatter.positionOf(3)")
    browser.value(f"{change}('axis-x', 'LUT')")
    after = browser.value("page.scatter.positionOf(3)")
    check("axes can be chosen", before["x"] != after["x"] and before["y"] == after["y"], (before, after))
    browser.value(f"{change}('mark', 'hue.pe')")
    check("marks can be chosen", browser.value("Chart.getChart('scatter').data.datasets.length") >= 3)
    browser.value(f"{change}('mark', 'nothing')")
    browser.value(f"{change}('axis-x', 'latency')")
    browser.value(f"{change}('view', [...document.getElementById('view').options][1].textContent)")
    check("views can be changed", browser.value("page.scatter.drawn()") == 21)
    browser.value(f"{change}('view', [...document.getElementById('view').options][0].textContent)")


CHANGE = ("((id, name) => { const s = document.getElementById(id); s.selectedIndex = [...s.options].findIndex((o) =>"
          " o.textContent === name); s.dispatchEvent(new Event('change')); })")


def saved_name(browser, ending):
    return re.sub(r"[^A-Za-z0-9.-]+", "_", browser.value("page.data.views[0].dataset") + "-zcu104") + ending


def ends(browser):
    return browser.value("page.scatter.ends()")


def test_zoom(browser):
    whole, all_of_them = ends(browser), browser.value("page.scatter.inSight()")
    at = plot_position(browser, browser.value("page.points.state.view.chosen"))
    area = browser.value("(() => { const a = Chart.getChart('scatter').chartArea, b = document.getElementById('plot')"
                         ".getBoundingClientRect(); return {l: b.left + 1 + a.left, r: b.left + 1 + a.right, t: b.top + 1 + a.top,"
                         " b: b.top + 1 + a.bottom}; })()")
    chosen = browser.value("page.points.state.selected")
    x, y = (area["l"] + area["r"]) / 2, (area["t"] + area["b"]) / 2
    browser.drag(area["l"] + 20, area["t"] + 20, x, y)
    box = ends(browser)
    check("a drag zooms to its box", whole["x"][0] < box["x"][0] < box["x"][1] < whole["x"][1]
          and whole["y"][0] < box["y"][0] < box["y"][1] < whole["y"][1], (whole, box))
    check("and chooses nothing", browser.value("page.points.state.selected") == chosen)
    check("what is outside is not drawn", browser.value("page.scatter.inSight()") < all_of_them)
    check("its command has the range", "--range x=" in browser.value("document.getElementById('selection-commands').textContent"))
    browser.drag(x, y, x - 60, y, modifiers=8)
    moved = ends(browser)
    check("Shift and drag move", moved["x"][0] > box["x"][0] and abs(moved["y"][1] / box["y"][1] - 1) < 1e-9, (box, moved))
    browser.click(x, y, clicks=2)
    check("a double click shows the whole front", ends(browser) == whole, (ends(browser), whole))
    browser.mouse("mouseWheel", x, y, modifiers=2, deltaX=0, deltaY=-100)
    browser.settle()
    wheel = ends(browser)
    check("Ctrl and the wheel zoom", wheel["x"][1] - wheel["x"][0] < whole["x"][1] - whole["x"][0], wheel)
    browser.value("document.getElementById('zoom-out').click()")
    check("a button zooms out", ends(browser)["x"][1] > wheel["x"][1])
    browser.value("document.getElementById('zoom-in').click(); document.getElementById('zoom-all').click()")
    check("a button shows all", ends(browser) == whole)
    browser.value("document.getElementById('plot').focus()")
    browser.press("+", text="+")
    keyed = ends(browser)
    check("a key zooms", keyed["x"][1] < whole["x"][1] and "Shown:" in browser.value("document.getElementById('spoken').textContent"))
    browser.press("ArrowRight", modifiers=8)
    check("Shift and an arrow move", ends(browser)["x"][0] > keyed["x"][0])
    browser.press("0", text="0")
    check("0 shows all", ends(browser) == whole)
    browser.value("document.getElementById('zoom-paper').click()")
    paper = browser.value("page.points.state.view.paper.total.latency_s")
    check("the baseline can be shown", ends(browser)["x"][0] <= paper <= ends(browser)["x"][1])
    browser.value("document.getElementById('zoom-all').click()")


def test_ticks(browser):
    labels = "Chart.getChart('scatter').scales.x.ticks.filter((tick) => tick.label !== '').length"
    for log in (True, False):
        browser.value(f"(() => {{ const box = document.getElementById('log-x'); if (box.checked !== {str(log).lower()}) box.click(); }})()")
        for _ in range(7):
            shown = browser.value(labels)
            check(f"an axis has marks, log {log}", 2 <= shown <= 12, (shown, ends(browser)))
            browser.value("document.getElementById('zoom-in').click()")
        browser.value("document.getElementById('zoom-all').click()")
    for least, most in ((1e-9, 1e-3), (1e-6, 9e-6), (6.5e-7, 8.5e-7), (1, 1e12)):
        marks = browser.value(f"page.ticks({least}, {most}, true, 600, 80, String).filter((tick) => tick.label !== '').length")
        check(f"marks from {least} to {most}", 2 <= marks <= 9, marks)


def test_marks(browser):
    browser.value(f"{CHANGE}('mark', 'energy')")
    sets = browser.value("Chart.getChart('scatter').data.datasets.filter((s) => s.label.startsWith('energy')).map((s) => s.data.length)")
    check("a metric colours in fifths", len(sets) == 5 and sum(sets) == 200 and max(sets) - min(sets) <= 2, sets)
    legend = browser.value("Chart.getChart('scatter').legend.legendItems.map((item) => item.text)")
    check("the legend has them and the baseline", len(legend) == 6 and "baseline" in legend, legend)
    browser.value(f"{CHANGE}('mark', 'nothing')")
    ringed = browser.value("page.scatter.labels().map((label) => label.text)")
    check("corners are named", set(ringed) <= {"balanced", "fastest, least energy", "smallest"} and len(ringed) >= 2, ringed)
    over = browser.value("page.scatter.labels().filter((label) => Array.from({length: 200}, (_, i) => page.scatter.positionOf(i))"
                         ".some((p) => p.x > label.left && p.x < label.left + label.wide && p.y > label.top && p.y < label.top + 16)).length")
    check("no name lies over a point", over == 0, over)


def test_tip(browser):
    at = plot_position(browser, 17)
    browser.mouse("mouseMoved", at["x"], at["y"])
    tip = browser.value("document.getElementById('tip').textContent")
    differs = browser.value("page.points.distinct(page.scatter.hovered())[0]")
    check("the tip says what distinguishes a design", differs is not None and differs in tip and ", not " in tip, (differs, tip))
    browser.mouse("mouseMoved", 2, 2)


def type_into(browser, selector, text):
    browser.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.closest('details').open = true; e.value = ''; e.focus(); }})()")
    browser.call("Input.insertText", text=text)
    browser.press("Tab")


def test_metric_filter(browser):
    most = browser.value("[...page.points.state.view.points.metrics[page.data.metrics.findIndex((m) => m.key === 'latency_s')]]"
                         ".sort((a, b) => a - b)[49]")
    field = "input[data-metric='latency_s'][aria-label$='most']"
    type_into(browser, field, f"{most * 1e6:.12g}us")
    check("a metric filters", 49 <= browser.value("page.scatter.drawn()") <= 50, browser.value("page.scatter.drawn()"))
    check("and says so", browser.value(f"document.querySelector({json.dumps(field)}).closest('details').querySelector('summary').className") == "active")
    type_into(browser, field, "soon")
    check("nonsense is marked", browser.value(f"document.querySelector({json.dumps(field)}).getAttribute('aria-invalid')") == "true")
    browser.value("document.getElementById('reset').click()")
    check("it clears", browser.value("page.scatter.drawn()") == 200)
    read = [browser.value(f"page.parse({json.dumps(text)}, {json.dumps(unit)})") for text, unit in
            (("1.5 ms", "time"), ("20us", "time"), ("2e-6", "time"), ("3 KiB", "bytes"), ("85%", ""), ("12k", ""), ("1,234", ""))]
    check("quantities are read", all(abs(a - b) < 1e-12 * b for a, b in zip(read, (1.5e-3, 2e-5, 2e-6, 3072, 0.85, 12000, 1234))), read)


def test_exports(browser, folder):
    browser.downloads(folder)
    browser.value("document.querySelector('input[data-knob=\"hue.pe\"][value=\"2\"]').click()")
    count = browser.value("page.scatter.drawn()")
    browser.value("document.getElementById('save-csv').click()")
    text = browser.saved(folder / saved_name(browser, ".csv")).decode()
    rows = list(csv.DictReader(text.splitlines()))
    check("the CSV has the selection", len(rows) == count and {row["hue.pe"] for row in rows} == {"2"}, (len(rows), count))
    first = browser.value("page.points.value(page.data.metrics.findIndex((m) => m.key === 'latency_s'), page.points.state.visible[0])")
    check("with its numbers", float(rows[0]["latency_s"]) == first, rows[0])
    commands = browser.value("document.getElementById('selection-commands').textContent")
    listed = [part.split("-") for part in commands.split("--points ")[1].split(" ")[0].split(",")]
    ids = [i for part in listed for i in range(int(part[0]), int(part[-1]) + 1)]
    check("the command has the same designs", ids == [int(row["id"]) for row in rows], commands)
    browser.value("document.getElementById('reset').click(); document.getElementById('save-png').click()")
    png = browser.saved(folder / saved_name(browser, ".png"))
    check("the PNG is one", png.startswith(b"\x89PNG") and len(png) > 5000, len(png))


def test_words(browser):
    """The word for a change: measured means count as changed only beyond twice their standard errors; times are faster or slower."""
    told = lambda a, b: browser.value(f"page.told({{mean: {a}, error: 0.02}}, {{mean: {b}, error: 0.015}}).text")
    check("no significant change", told(0.70, 0.749) == told(0.70, 0.651) == "no significant change", (told(0.70, 0.749), told(0.70, 0.651)))
    check("better and worse beyond", told(0.70, 0.751) == "+0.051 (better)" and told(0.70, 0.649) == "\u22120.051 (worse)", (told(0.70, 0.751), told(0.70, 0.649)))
    changed = browser.value("[page.change(1e-3, 1.65e-5, {dimension: 'time'}).text, page.change(1e-3, 2e-3, {dimension: 'time'}).text,"
                            " page.change(200, 100, {dimension: '', higher: false}).text]")
    check("faster and slower", changed == ["60.6\u00a0\u00d7 faster", "2\u00a0\u00d7 slower", "2\u00a0\u00d7 lower (better)"], changed)


def test_copy(browser):
    """Each command's button copies the command exactly."""
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    buttons = browser.value("document.querySelectorAll('.commands button').length")
    check("every command has a button", buttons == browser.value("document.querySelectorAll('.commands code').length") and buttons >= 4, buttons)
    for index in range(buttons):
        at = browser.value("(() => { const b = document.querySelectorAll('.commands button')[%d]; b.scrollIntoView({block: 'center', behavior: 'instant'});"
                           " const r = b.getBoundingClientRect(); return {x: r.left + r.width / 2, y: r.top + r.height / 2}; })()" % index)
        browser.click(at["x"], at["y"])
        browser.settle()
        wanted = browser.value(f"document.querySelectorAll('.commands code')[{index}].textContent")
        seen = browser.value("navigator.clipboard.readText()")
        check("a button copies its command", seen == wanted, (seen, wanted))
    check("and says so", browser.value("[...document.querySelectorAll('.commands button')].every((b) => b.textContent === 'Copied')"))
    browser.value("new Promise((done) => setTimeout(done, 2200))")
    check("for a while", browser.value("[...document.querySelectorAll('.commands button')].every((b) => b.textContent === 'Copy')"))


def test_compare(browser):
    at = plot_position(browser, 20)
    browser.click(at["x"], at["y"], modifiers=2)
    check("Ctrl and a click compare", browser.value("page.points.state.compared.length") == 1)
    browser.value("document.getElementById('plot').focus()")
    browser.press("End")
    browser.press("c", text="c")
    browser.value("document.getElementById('compare').click()")
    browser.value("document.getElementById('rows').open = true")
    browser.settle()
    browser.value("document.querySelectorAll('#front-table input:not(:checked)')[5].click()")
    compared = browser.value("page.points.state.compared")
    check("keys, the button and rows too", len(set(compared)) == 4, compared)
    check("four are enough", browser.value("document.querySelectorAll('#front-table input:not(:checked):not(:disabled)').length") == 0)
    check("they stand side by side", browser.value("!document.getElementById('comparison').hidden &&"
                                                   " document.querySelectorAll('#compare-table thead th').length") == 6)
    latency = browser.value("document.querySelector('#compare-table tbody tr:nth-child(2)').textContent")
    check("with their figures", latency.startswith("latency") or latency.startswith("p99"), latency)
    best = browser.value("[...document.querySelectorAll('#compare-table tbody tr')].find((r) => r.cells[0].textContent === 'latency').querySelector('b').textContent")
    least = browser.value(f"page.quantity(Math.min(...{json.dumps(compared)}.map((p) => page.points.design(p).total.latency_s)), 'time')")
    check("the best is bold", best == least, (best, least))
    check("bars of each and the paper's", browser.value("Chart.getChart('compare-engines').data.labels.length") == 5)
    browser.value("document.getElementById('engine-shares').click()")
    check("bars come to the sums", browser.value("Chart.getChart('compare-engines').data.datasets[0].data[0]") ==
          browser.value(f"page.points.design({compared[0]}).engines[0].latency_s"))
    browser.value("document.getElementById('engine-shares').click(); document.querySelector('#compare-table thead button').click()")
    check("one can be taken out", browser.value("page.points.state.compared.length") == 3)
    browser.value("document.getElementById('compare-clear').click(); document.getElementById('rows').open = false")
    check("and all", browser.value("document.getElementById('comparison').hidden"))


def test_wide_tables(browser):
    browser.call("Emulation.setDeviceMetricsOverride", width=500, height=900, deviceScaleFactor=1, mobile=False)
    browser.settle()
    browser.settle()
    silent = browser.value("[...document.querySelectorAll('.wide')].filter((w) => w.scrollWidth > w.clientWidth + 1 &&"
                           " w.closest('details:not([open])') === null && (w.previousElementSibling.hidden || w.tabIndex !== 0 || !w.getAttribute('aria-label'))).length")
    browser.value("document.getElementById('space').closest('details').open = true")
    browser.settle()
    browser.settle()
    check("also when they are opened", browser.value("document.getElementById('space').parentNode.tabIndex === 0"))
    over = browser.value("[...document.querySelectorAll('.wide.over')].length")
    check("tables that scroll say so at 500 px", over >= 2 and silent == 0, (over, silent))
    browser.value("document.getElementById('metrics').parentNode.focus()")
    browser.press("ArrowRight")
    browser.value("new Promise((done) => setTimeout(done, 400))")
    check("keys scroll them", browser.value("document.getElementById('metrics').parentNode.scrollLeft") > 0)
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.settle()


def test_keyboard(browser):
    browser.value("document.querySelector('.skip').focus()")
    reached = []
    for _ in range(20):
        browser.press("Tab")
        browser.settle()
        reached.append(browser.value("document.activeElement.id || document.activeElement.tagName"))
        if reached[-1] == "plot":
            break
    check("Tab reaches the plot", reached[-1] == "plot", reached)
    check("focus is seen", browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    browser.press("ArrowRight")
    first = browser.value("page.scatter.hovered()")
    spoken = browser.value("document.getElementById('spoken').textContent")
    check("an arrow moves and speaks", first >= 0 and f"#{first + 1}" in spoken, spoken)
    browser.press("Home")
    start = browser.value("page.scatter.positionOf(page.scatter.hovered()).x")
    browser.press("ArrowRight")
    check("right is to the right", browser.value("page.scatter.positionOf(page.scatter.hovered()).x") >= start)
    browser.press("Enter", text="\r")
    check("Enter chooses", browser.value("page.points.state.selected === page.scatter.hovered()"))
    browser.value("document.getElementById('rows').open = true")
    browser.settle()
    browser.value("document.querySelector('#front-table tbody button').focus()")
    wanted = int(browser.value("document.activeElement.textContent")[1:]) - 1
    browser.press("Enter", text="\r")
    check("a row chooses", browser.value("page.points.state.selected") == wanted)
    browser.value("document.getElementById('rows').open = false; document.getElementById('back-to-chosen').click()")


def test_names_for_readers(browser):
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    nameless = [node["role"]["value"] for node in tree if not node.get("ignored") and "role" in node
                and node["role"]["value"] in ("button", "combobox", "checkbox", "image", "application", "link", "table")
                and not node.get("name", {}).get("value") and node["role"]["value"] != "table"]
    check("everything that can be used has a name", nameless == [], nameless)
    check("there are controls", sum(node.get("role", {}).get("value") == "checkbox" for node in tree) >= 2)


CONTRAST = """((name, ground) => { const light = (text) => { const c = document.createElement('canvas').getContext('2d');
 c.fillStyle = text; c.fillRect(0, 0, 1, 1); const p = [...c.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255)
 .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]; };
 const a = light(page.colour(name)), b = light(page.colour(ground)); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })"""


def check_contrast(browser, scheme):
    for name in ("ink", "dim", "accent", "other", "good", "bad"):
        ratio = browser.value(f"{CONTRAST}('{name}', 'paper')")
        check(f"{scheme}: contrast of {name}", ratio >= 4.5, ratio)
    for index in range(8):
        ratio = browser.value(f"{CONTRAST}('c{index}', 'paper')")
        check(f"{scheme}: contrast of mark {index}", ratio >= 2, ratio)


def test_dark(browser, shots):
    check_contrast(browser, "light")
    light = browser.value("document.getElementById('scatter').toDataURL()")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.settle()
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    check("dark ground", sum(map(int, ground[4:-1].split(","))) < 150, ground)
    check("charts follow", browser.value("document.getElementById('scatter').toDataURL()") != light)
    check_contrast(browser, "dark")
    picture(browser, shots, "dark")
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.settle()


def test_narrow(browser):
    browser.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
    browser.settle()
    width = browser.value("document.documentElement.scrollWidth")
    wide = browser.value("[...document.querySelectorAll('main *, header *')].filter((e) => e.getBoundingClientRect().right > 360.5"
                         " && !e.closest('.wide')).map((e) => e.tagName + '#' + e.id).slice(0, 5)")
    check("a narrow window needs no sideways scrolling", width <= 360, (width, wide))
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.settle()


def test_print(browser, shots):
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.settle()
    hidden = browser.value("[...document.querySelectorAll('.controls, .filters, button')].every((e) => e.offsetParent === null)")
    check("print has no controls", hidden)
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    check("print is on white", ground == "rgb(255, 255, 255)", ground)
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"])
    check("it prints", pdf.startswith(b"%PDF") and len(pdf) > 20000, len(pdf))
    if shots:
        (shots / "print.pdf").write_bytes(pdf)
    picture(browser, shots, "print")
    browser.call("Emulation.setEmulatedMedia", media="", features=[])


TIMES = """(() => { const box = document.getElementById('plot').getBoundingClientRect(); const times = [];
 for (let i = 0; i < 60; i++) { const at = page.scatter.positionOf((i * 163) % 10000); const begin = performance.now();
  document.getElementById('plot').dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 1 + at.x,
   clientY: box.top + 1 + at.y, bubbles: true})); times.push(performance.now() - begin); }
 times.sort((a, b) => a - b); return times[30]; })()"""
REDRAW = """(() => { const box = document.querySelector('input[data-knob="hue.pe"]'); const times = [];
 for (let i = 0; i < 6; i++) { const begin = performance.now(); box.click(); times.push(performance.now() - begin); }
 times.sort((a, b) => a - b); return times[3]; })()"""


def test_many_points(browser, path, timed):
    browser.open(path)
    check("no complaints of 10,000 points", browser.complaints() == [], browser.complaints())
    check("10,000 points are drawn", browser.value("page.scatter.drawn()") == 10000)
    load = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
    hover, redraw = browser.value(TIMES), browser.value(REDRAW)
    print(f"10,000 points: loaded in {load:.0f} ms, hover {hover:.2f} ms, filter and redraw {redraw:.0f} ms")
    check("hover and filters answer", 0 <= hover < float("inf") and 0 <= redraw < float("inf"), (hover, redraw))
    if timed:
        check("loads in time", load < LOAD_MS, load)
        check("hover responds in time", hover < HOVER_MS, hover)
        check("filters respond in time", redraw < REDRAW_MS, redraw)


def test_real_study(browser, program, folder):
    study, path = folder / "study <b>&'.db", folder / "real.html"
    subprocess.run([program, "sweep", "--dataset", "MUTAG", "--fix", "nee.form", "--objectives", "latency,lut", "--study", study],
                   check=True, capture_output=True)
    subprocess.run([program, "report", "--study", study, "-o", path], check=True, capture_output=True)
    browser.open(path)
    check("no complaints of a real study", browser.complaints() == [], browser.complaints())
    count = browser.value("page.points.state.view.points.ids.length")
    check("its whole front is drawn", count > 5 and browser.value("page.scatter.drawn()") == count, count)
    id = browser.value("page.points.state.view.points.ids[page.points.state.selected]")
    check("its commands can be run", f"study <b>&'\\''.db':{id}" in
          browser.value("document.getElementById('commands').textContent"))
    total = json.loads(subprocess.run([program, "estimate", "--from", f"{study}:{id}", "--format", "json"], check=True,
                                      capture_output=True).stdout)["total"]
    shown = browser.value("page.points.design(page.points.state.selected).total")
    near = all(abs(shown[key] - total[key]) <= 1e-8 * abs(total[key]) for key in ("latency_s", "energy_j", "lut", "bram18"))
    check("and give the same numbers", near, (shown, total))


def picture(browser, shots, name):
    """The whole page, at the widths of a desktop and a phone."""
    for width in (1400, 500) if shots else ():
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        browser.settle()
        browser.settle()
        browser.picture(shots / f"{name}-{width}.png")
    if shots:
        browser.call("Emulation.clearDeviceMetricsOverride")
        browser.settle()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("test_program")
    parser.add_argument("program")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--times", action="store_true")
    asked = parser.parse_args()
    chromium = devtools.find()
    if chromium is None:
        print("SKIPPED: no Chromium is installed (chromium-headless-shell or chromium): the page was not looked at",
              file=sys.stderr)
        return SKIPPED
    if asked.shots:
        asked.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        browser = devtools.Browser(chromium)
        try:
            if asked.page is None:
                subprocess.run([asked.test_program, "reports_page"], env={**os.environ, "NYSX_PAGES": folder}, check=True, capture_output=True)
            browser.open(asked.page or pathlib.Path(folder) / "small.html")
            picture(browser, asked.shots, "light")
            if asked.page is None:
                for test in (test_rendering, test_hover_and_choice, test_filter, test_axes, test_zoom, test_ticks, test_marks, test_tip,
                             test_metric_filter, test_words, test_copy, test_compare, test_wide_tables, test_keyboard, test_names_for_readers):
                    test(browser)
                test_exports(browser, pathlib.Path(folder))
            test_dark(browser, asked.shots)
            test_narrow(browser)
            test_print(browser, asked.shots)
            check("no complaints in the end", browser.complaints() == [], browser.complaints())
            if asked.page is None:
                test_real_study(browser, asked.program, pathlib.Path(folder))
                test_many_points(browser, pathlib.Path(folder) / "large.html", asked.times)
        finally:
            browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
