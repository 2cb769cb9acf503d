"use strict";
/* Chooses the first view, and follows the colour scheme and the printer. */
(() => {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    const views = page.data.views;
    page.byId("views").hidden = views.length < 2;
    page.options("view", views.map((view) => `${view.board.name}, ${view.dataset}`), 0);
    page.byId("view").addEventListener("change", (event) => page.points.show(Number(event.target.value)));
    page.cueWide();
    page.points.show(0);
    const follow = () => page.tell("theme");
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow);
    const fit = () => { page.scatter.resize(); page.design.resize(); follow(); };
    window.addEventListener("beforeprint", fit);
    window.addEventListener("afterprint", fit);
    matchMedia("print").addEventListener("change", fit);
})();
