/* The page of `export html`: one step at a time, keys, search; with cards.js. Without it everything is visible in order. */
(function () {
    "use strict";
    const all = (s, top) => [...(top || document).querySelectorAll(s)], one = (s, top) => (top || document).querySelector(s);
    const body = document.body, sections = all("main > section"), way = sections.filter(s => s.classList.contains("way"));
    const links = new Map(all(".tree a").map(a => [a.hash.slice(1), a]));
    const input = one("#search input"), count = one("#search output");
    let shown = null, found = [];

    /* ---- one step at a time ---- */

    function select(section) {
        const link = links.get(section.id);
        if (shown) shown.classList.remove("on");
        all(".tree a[aria-current]").forEach(a => a.removeAttribute("aria-current"));
        shown = section;
        section.classList.add("on");
        if (!link) return;
        link.setAttribute("aria-current", "step");
        for (let d = link.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
        link.scrollIntoView({block: "nearest"});
    }
    function follow() {
        const id = decodeURIComponent(location.hash.slice(1)), target = id && document.getElementById(id);
        const section = target && target.closest("main > section");
        cards.hide();
        select(section || way[0]);
        if (target && target !== section) target.scrollIntoView({block: "center"});
        else scrollTo(0, 0);
    }
    function go(section) {
        if (!section) return;
        location.hash = section.id;
        follow();                                      /* the event comes later */
    }
    /* Along the way; from a version beside it along the tree. */
    function step(by) {
        const i = way.indexOf(shown);
        if (i >= 0) return go(way[i + by]);
        along(by);
    }
    function along(by) {
        const list = [...links.keys()], i = list.indexOf(shown.id);
        go(document.getElementById(list[i < 0 ? 0 : i + by]));
    }
    /* A page that goes on is scrolled first. */
    function turn(by) {
        const end = by > 0 ? scrollY + innerHeight >= document.documentElement.scrollHeight - 2 : scrollY <= 0;
        if (end) step(by);
        else scrollBy(0, by * innerHeight * .85);
    }

    /* ---- search ---- */

    function search() {
        const word = input.value.trim().toLowerCase();
        found = word ? sections.filter(s => s.textContent.toLowerCase().includes(word)) : [];
        links.forEach((a, id) => a.classList.toggle("off", word !== "" && !found.some(s => s.id === id)));
        count.textContent = word ? found.length + " of " + sections.length + ", Enter: next" : "";
    }
    function next(back) {
        const i = found.indexOf(shown), n = found.length;
        if (n) go(found[i < 0 ? 0 : (i + (back ? n - 1 : 1)) % n]);
    }

    /* ---- folding: everything is open on paper and without this script ---- */

    const folds = all("details");
    let kept = [];
    addEventListener("beforeprint", () => { kept = folds.map(d => d.open); folds.forEach(d => { d.open = true; }); });
    addEventListener("afterprint", () => folds.forEach((d, i) => { d.open = kept[i]; }));

    /* ---- keys ---- */

    const keys = {
        ArrowRight: () => step(1), ArrowLeft: () => step(-1), PageDown: () => turn(1), PageUp: () => turn(-1),
        Home: () => go(way[0]), End: () => go(way[way.length - 1]),
        "/": () => { body.classList.remove("bare"); input.focus(); input.select(); },
        t: () => body.classList.toggle("bare"),
        o: () => { const d = all("details", shown), open = !d.every(x => x.open); d.forEach(x => { x.open = open; }); },
        Escape: cards.hide,
    };
    const tree = {ArrowDown: 1, ArrowUp: -1};          /* only there: elsewhere they scroll */
    addEventListener("keydown", e => {
        if (e.ctrlKey || e.altKey || e.metaKey) return;
        if (e.target === input) {
            if (e.key === "Enter") next(e.shiftKey);
            else if (e.key === "Escape") { input.value = ""; search(); input.blur(); }
            else return;
        } else if (tree[e.key] && e.target.closest("nav")) {
            along(tree[e.key]);
            if (links.has(shown.id)) links.get(shown.id).focus();
        } else if (keys[e.key]) keys[e.key]();
        else return;
        e.preventDefault();
    });

    input.addEventListener("input", search);
    one("#search").addEventListener("submit", e => e.preventDefault());
    addEventListener("hashchange", follow);

    body.classList.add("js");
    all("[hidden]").forEach(x => { if (x.id !== "card") x.hidden = false; });
    folds.forEach(d => { if (!d.classList.contains("kernels")) d.open = false; });
    follow();
})();
