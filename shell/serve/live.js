/* The page of `serve`: it asks what there is, and shows what changed. It follows the session until a version of the tree is
 * picked. Nothing is sent but the names of what is to be read. */
(function () {
    "use strict";
    const OFTEN = 500, HIDDEN = 3000, one = s => document.querySelector(s), all = s => [...document.querySelectorAll(s)];
    const tree = one(".tree"), shown = one("#shown"), plots = one("#plots"), follow = one("#follow"), gone = one("#gone");
    let state = {tree: "", plot: ""}, place = "", failures = 0;

    let pick = "";                       /* the version that was picked; "": that of the session */
    function read_address() {            /* links to cards and to nodes of a term pick none */
        const id = location.hash.slice(1);
        if (!id || /^v\d+$/.test(id)) pick = id;
    }
    const text = (selector, what) => { const e = one(selector); if (e.textContent !== what) e.textContent = what; };

    async function get(name) {
        const got = await fetch(name, {cache: "no-store"});
        if (got.status === 404) return null;           /* not yet */
        if (!got.ok) throw new Error(got.status);
        return got.text();
    }

    /* ---- the tree ---- */

    function mark(id) {
        all(".tree a[aria-current]").forEach(a => a.removeAttribute("aria-current"));
        const link = all(".tree a").find(a => a.hash === "#" + id);
        if (!link) return;
        link.setAttribute("aria-current", "step");
        for (let d = link.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
        link.scrollIntoView({block: "nearest"});
    }
    async function showTree(now) {
        const got = now.tree !== state.tree ? await get("tree") : null;
        if (got === null) return;
        const folded = new Set(all(".tree details").filter(d => !d.open).map(d => d.dataset.of));
        tree.innerHTML = got;
        name_folds(folded);
        state.tree = now.tree;
        place = "";
    }
    /* A branch is known by the version behind it, as long as it is there. */
    function name_folds(folded) {
        all(".tree details").forEach(d => {
            const first = d.querySelector("a");
            d.dataset.of = first ? first.hash : "";
            d.open = folded ? !folded.has(d.dataset.of) : false;
        });
    }

    /* ---- the version ---- */

    async function showVersion(now) {
        const id = pick || now.current, wanted = id + " " + (pick ? now.all : now.section);
        follow.hidden = !pick;
        if (wanted === place) return;
        const got = await get(id);
        if (got === null) {              /* it is made where the session waits for a command */
            const section = one("#shown section");
            return text("#note", section && section.id === id ? "" : id.replace("v", "@") + " is being made");
        }
        const same = one("#shown section") && one("#shown section").id === id;
        const open = same ? all("#shown details").map(d => d.open) : null;
        shown.innerHTML = got;
        all("#shown details").forEach((d, i) => { d.open = open && i < open.length ? open[i] : d.classList.contains("kernels"); });
        if (!same) scrollTo(0, 0);
        cards.hide();
        mark(id);
        text("#note", "");
        place = wanted;
    }

    /* ---- plots of searches: what each kernel reaches of the best, and the best so far ---- */

    const svg = (kind, attributes, parent, content) => {
        const e = document.createElementNS("http://www.w3.org/2000/svg", kind);
        for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
        if (content !== undefined) e.textContent = content;
        return parent.appendChild(e);
    };
    const time = ns => ns < 1e3 ? ns.toPrecision(4) + " ns" : ns < 1e6 ? (ns / 1e3).toPrecision(4) + " µs" : (ns / 1e6).toPrecision(4) + " ms";
    function plot(data) {
        const W = 640, H = 300, L = 46, R = 12, T = 30, B = 34, n = data.ns.length, times = data.ns.filter(t => t > 0);
        const best = Math.min(...times), x = i => L + (W - L - R) * (i + 0.5) / Math.max(n, 1), y = share => H - B - (H - T - B) * share;
        const picture = svg("svg", {viewBox: `0 0 ${W} ${H}`, role: "img"}, plots), failed = n - times.length;
        const title = data.device + ": " + n + (n === 1 ? " trial" : " trials") + (failed ? ", " + failed + " without a time" : "")
            + (times.length ? ", best " + time(best) : "");
        svg("title", {}, picture, title);
        svg("text", {x: L, y: 18}, picture, title);
        for (const share of [0, 0.5, 1]) {
            svg("line", {class: "rule", x1: L, x2: W - R, y1: y(share), y2: y(share)}, picture);
            svg("text", {class: "end", x: L - 6, y: y(share) + 4}, picture, share * 100 + " %");
        }
        svg("text", {x: L, y: H - 8}, picture, "evaluations");
        svg("text", {class: "end", x: W - R, y: H - 8}, picture, n);
        const radius = n > 2000 ? 1 : n > 300 ? 1.8 : 3.5;
        let least = Infinity, line = "";
        data.ns.forEach((t, i) => {
            if (t > 0) svg("circle", {class: "ok", cx: x(i), cy: y(best / t), r: radius}, picture);
            else svg("path", {class: "bad", d: `M${x(i) - radius} ${y(0) + 3}l${2 * radius} ${2 * radius}m0 ${-2 * radius}l${-2 * radius} ${2 * radius}`}, picture);
            if (t > 0 && t < least) {
                line += line ? `H${x(i)}V${y(best / t)}` : `M${x(i)} ${y(best / t)}`;
                least = t;
            }
        });
        if (line) svg("path", {class: "best", d: line + `H${x(n - 1)}`}, picture);
    }
    async function showPlots(now) {
        const got = now.plot !== state.plot ? await get("plot") : null;
        if (got === null) return;
        plots.replaceChildren();
        JSON.parse(got).forEach(plot);
        state.plot = now.plot;
    }

    /* ---- again and again ---- */

    async function look() {
        const got = await get("state"), now = got === null ? null : JSON.parse(got);
        if (!now) throw new Error("closed");
        document.title = now.title;
        text("nav h1", now.title);
        text("#progress", now.progress);
        document.body.classList.toggle("searching", now.progress !== "");
        document.body.classList.toggle("lecture", now.lecture);
        await showTree(now);
        await showPlots(now);
        await showVersion(now);
    }
    async function watch() {
        try {
            await look();
            failures = 0;
        } catch (e) {
            failures++;
        }
        gone.hidden = failures < 3;
        setTimeout(watch, document.hidden || failures >= 3 ? HIDDEN : OFTEN);
    }

    const now = () => look().catch(() => {});
    addEventListener("hashchange", () => { read_address(); now(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) now(); });
    follow.addEventListener("click", () => { location.hash = ""; });
    addEventListener("keydown", e => {
        if (e.ctrlKey || e.altKey || e.metaKey) return;
        if (e.key === "f") location.hash = "";
        else if (e.key === "t") document.body.classList.toggle("bare");
        else if (e.key === "o") { const d = all("#shown details"), open = !d.every(f => f.open); d.forEach(f => { f.open = open; }); }
        else if (e.key === "Escape") cards.hide();
    });
    document.body.classList.add("js");
    name_folds(null);
    all("#shown details").forEach(d => { d.open = d.classList.contains("kernels"); });
    read_address();
    watch();
})();
