/* Cards of rules where they are named, and lines of kernels with the nodes they were made for: of each page with terms. */
const cards = (function () {
    "use strict";
    const all = (s, top) => [...(top || document).querySelectorAll(s)], card = document.querySelector("#card");

    function show(link) {
        const at = document.getElementById(link.hash.slice(1)), box = link.getBoundingClientRect();
        if (!at) return;
        card.innerHTML = at.innerHTML;
        card.hidden = false;
        card.style.left = Math.max(8, Math.min(box.left, innerWidth - card.offsetWidth - 8)) + "px";
        const below = box.bottom + 6 + card.offsetHeight < innerHeight || box.top < card.offsetHeight + 8;
        card.style.top = (below ? box.bottom + 6 : box.top - card.offsetHeight - 6) + "px";
        link.setAttribute("aria-describedby", "card");
    }
    function hide() {
        card.hidden = true;
        all("[aria-describedby=card]").forEach(a => a.removeAttribute("aria-describedby"));
    }

    function hit(e) {
        const t = e.target.closest ? e.target.closest("sup, .mapped a") : null;
        all(".hit").forEach(x => x.classList.remove("hit"));
        const id = !t ? null : t.id || t.hash.slice(1), node = id && document.getElementById(id);
        if (!node) return;
        node.classList.add("hit");
        all(".mapped a", node.closest("section")).forEach(a => a.classList.toggle("hit", a.hash.slice(1) === id));
    }

    for (const kind of ["mouseover", "focusin"]) addEventListener(kind, e => {
        const link = e.target.closest ? e.target.closest("a.rule") : null;
        if (link && !link.closest("#card")) show(link);
        else if (kind === "focusin") hide();
        hit(e);
    });
    addEventListener("mouseout", e => { if (e.target.closest && e.target.closest("a.rule")) hide(); });
    return {hide};
})();
