#!/bin/sh
# export: what `export script` writes gives the same terms in a fresh lathe; files, pages and pictures. Usage: export.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"

fail() {
    echo "export: $1"
    [ ! -f "$scratch/out" ] || tail -5 "$scratch/out"
    bad=1
}

run() { "$lathe" --no-init --set verbose=0 "$@" >"$scratch/out" 2>&1; }

# hash_of SCRIPT: of the version that is current after it
hash_of() { "$lathe" --no-init --set verbose=0 -f "$1" -e 'info /' 2>/dev/null | sed -n 's/^  hash  *//p'; }

# again NAME: scripts exported after $scratch/NAME.lathe, with macros and with their inner steps, come to the same hash
again() {
    want=$(hash_of "$scratch/$1.lathe")
    [ -n "$want" ] || fail "$1 does not run"
    for flag in '' --expand; do
        made=$scratch/$1$flag-made.lathe
        run -f "$scratch/$1.lathe" -e "export script $made $flag" || fail "$1 $flag is not exported"
        [ "$(tail -1 "$made" | sed 's/^tag .*//')" = "expect $want" ] || grep -q "^expect $want" "$made" || fail "$1 $flag does not expect its hash"
        run -f "$made" || fail "$1 $flag does not repeat"
        [ "$(hash_of "$made")" = "$want" ] || fail "$1 $flag comes to another hash"
    done
}

for name in register-blocking mm-cpu mm-gpu combined dot-gpu asum-fused gemv-gpu; do
    echo "source scripts/derivations/$name.lathe" >"$scratch/$name.lathe"
    again $name
done

cat >"$scratch/edited.lathe" <<'EOF'
let twice (xs: [N]f32) = map (\x -> x * 2.0) xs
apply mapGlobal(0)
lua t.code{source = "kernel void twice_k0(const global float *restrict xs, global float *restrict out)\n{\n\n    out[get_global_id(0)] = 2 * xs[get_global_id(0)];\n}"}
EOF
again edited

# the same under other settings, and for other sizes than there are in the end
cat >"$scratch/settings.lathe" <<'EOF'
let twice (xs: [N]f32) = map (\x -> x * 2.0) xs
data N = 64
apply mapGlobal(0)
set sync paranoid
set local 32
set sizes argument
lua t.code{source = (t.code().source:gsub("2%.0f", "4.0f"))}
EOF
again settings
cp "$scratch/settings.lathe" "$scratch/sizes.lathe"
cat >>"$scratch/sizes.lathe" <<'EOF'
goto @1
set sizes constant
lua t.code{source = (t.code().source:gsub("2%.0f", "6.0f"))}
data N = 128
EOF
again sizes

cat >"$scratch/params.lathe" <<'EOF'
load tests/programs/mm.fun
data N = 512
data A = iota
apply splitJoin
apply mapInterchange at /in/f/body
param s0 = 8
apply splitJoin at /in/f/body/in as tiles
param s1 = ?
param s0 = 16
lower
EOF
again params

cat >"$scratch/inner.lathe" <<'EOF'
load tests/programs/mm.fun
rule half(n): map f x => join (map (map f) (split n x)) when n divides (length x)
macro halves(k) = half(k) * topdown(reduceSeq) * half(2) ^ 0
apply halves(4)
goto @1.1
apply topdown(reduceSeq) * everywhere(reduceMapFusion)
EOF
again inner

# a step that drifts is named, with exit code 7
sed 's/splitJoin(4)/splitJoin(8)/' "$scratch/register-blocking-made.lathe" >"$scratch/drift.lathe"
code=0
run -f "$scratch/drift.lathe" || code=$?
[ $code -eq 7 ] && grep -q '^E40 mm@1 .*splitJoin(8)' "$scratch/out" || fail "a drifted step is not found (code $code)"

# files: an existing one stays unless forced; --restricted writes none
echo kept >"$scratch/there"
if run tests/programs/scal.fun -e "export md $scratch/there"; then fail "an existing file was written over"; fi
[ "$(cat "$scratch/there")" = kept ] || fail "an existing file was changed"
run tests/programs/scal.fun -e "export md $scratch/there --force" || fail "--force does not write"
grep -q '^# scal' "$scratch/there" || fail "the page is not there"
if run --restricted tests/programs/scal.fun -e "export md $scratch/no"; then fail "--restricted writes files"; fi
if run tests/programs/scal.fun -e "export md $scratch/no/such/folder"; then fail "a folder that does not exist"; fi

# pages: well-formed, complete, alone, escaped, the same each time
page() { run --set times=off -f "$scratch/page.lathe" -e "export html $scratch/$1.html $2" || fail "no page $1"; }
cat >"$scratch/page.lathe" <<'EOF'
let odd (xs: [N]f32) = map (\x -> if x < 1.0 && x > 0.0 then x * 2.0 else 0.5) xs
data N = 256
rule twice: map f x => map id (map f x)
apply twice as first
undo
apply splitJoin(4) ; apply everywhere(mapSeq)
goto @0
apply mapGlobal(0)
lua t.code{source = "kernel void odd_k0(const global float *restrict xs, global float *restrict out)\n{\n    /* <b>&amp;\001\255 */\n    out[get_global_id(0)] = 1 < 2 && xs[0] > 0;\n}"}
undo
run
EOF
page one ''
page two ''
page inner --expand
cmp -s "$scratch/one.html" "$scratch/two.html" || fail "a page is not the same each time"
for file in one inner; do
    html=$scratch/$file.html
    if grep -q 'https\?://' "$html"; then fail "a page refers to the network"; fi
    for v in 0 1 2 3 4 5; do
        grep -q "<section id=\"v$v\"" "$html" && grep -q "href=\"#v$v\"" "$html" || fail "@$v is not on the page $file"
    done
    if command -v xmllint >/dev/null; then xmllint --noout "$html" >"$scratch/out" 2>&1 || fail "$file is not well-formed"; fi
    command -v python3 >/dev/null || continue
    python3 -c 'import sys, xml.dom.minidom
elements = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("*")
ids = [e.getAttribute("id") for e in elements if e.hasAttribute("id")]
links = {e.getAttribute("href")[1:] for e in elements if e.hasAttribute("href")}
assert len(ids) == len(set(ids)), "an id is there twice"
assert links <= set(ids), "links to nowhere: %s" % (links - set(ids))' "$html" >"$scratch/out" 2>&1 || fail "$file: not well-formed"
done
# text on what it stands on, in the light page and the dark one (WCAG 2: 4.5 to 1)
! command -v python3 >/dev/null || python3 - "$scratch/one.html" <<'END' || fail "a colour of the page is too pale"
import re, sys
page = open(sys.argv[1]).read()
def light(h):
    h = "".join(c * 2 for c in h) if len(h) == 3 else h
    v = [int(h[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    v = [x / 12.92 if x <= .03928 else ((x + .055) / 1.055) ** 2.4 for x in v]
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]
def ratio(a, b):
    a, b = sorted((light(a), light(b)))
    return (b + .05) / (a + .05)
roots = [dict(re.findall(r"--([a-z-]+): #([0-9a-f]+)", r)) for r in re.findall(r":root \{(.*?)\}", page, re.S)]
assert len(roots) == 2 and "prefers-color-scheme: dark" in page, len(roots)
for c in roots[0], {**roots[0], **roots[1]}:
    for text, grounds in ("ink", "paper pale old old-word new new-word"), ("soft", "paper pale"), ("new-line", "paper pale"):
        for ground in grounds.split():
            assert ratio(c[text], c[ground]) >= 4.5, (text, ground, ratio(c[text], c[ground]))
END
grep -q '&lt;b&gt;&amp;amp;' "$scratch/one.html" || fail "kernels are not escaped"
grep -q 'x &lt; 1' "$scratch/one.html" || fail "terms are not escaped"
grep -q '<td class="figure">-</td>' "$scratch/one.html" || fail "a page shows times with set times off"
grep -q '<article class="card" id="rule-splitJoin">' "$scratch/one.html" || fail "a page has no cards of rules"
grep -q '<section id="v4" class="way">' "$scratch/one.html" || fail "the way is not marked"
if grep -q '<section id="v3" class="way">' "$scratch/one.html"; then fail "a branch is on the way"; fi
grep -q '<a href="#v4-1">1</a>' "$scratch/one.html" || fail "no links from lines of kernels to the term"
run --set view=lecture -f "$scratch/page.lathe" -e "export html $scratch/lecture.html" || fail "no page of a lecture"
grep -q '<body class="lecture">' "$scratch/lecture.html" || fail "a lecture's page is like any other"
if grep -q 'hash <code>' "$scratch/lecture.html"; then fail "a lecture's page has hashes"; fi

if command -v dot >/dev/null; then
    run tests/programs/mm.fun -e 'apply splitJoin' -e "export dot \"$scratch/a tree.svg\"" -e "export dot $scratch/term.png --term" || fail "no pictures"
    grep -q '<svg' "$scratch/a tree.svg" || fail "the tree is no SVG"
    [ "$(head -c 4 "$scratch/term.png" | tail -c 3)" = PNG ] || fail "the term is no PNG"
fi
if command -v pdflatex >/dev/null; then
    run -f "$scratch/inner.lathe" -e "export tex $scratch/chain.tex" || fail "no LaTeX"
    (cd "$scratch" && pdflatex -interaction=nonstopmode -halt-on-error chain.tex >out 2>&1) || fail "LaTeX does not take the chain"
fi

# ---- a tuning problem: where its conditions hold, and nowhere else, the source has a kernel, whose group is what LocalSize says ----
if command -v python3 >/dev/null && command -v cpp >/dev/null; then
    cat >"$scratch/t1.lathe" <<'END'
let scal (alpha: f32) (xs: [N]f32) = map (\x -> let s0 = alpha * x in s0 * s0) xs
data N = 64
apply splitJoin
apply splitJoin at /in/f/body
lower
END
    run -f "$scratch/t1.lathe" -e "export t1 $scratch/scal.json" || fail "no T1"
    python3 - "$scratch/scal.json" <<'END' || fail "T1 and its source disagree"
import itertools, json, os, re, subprocess, sys
t1 = json.load(open(sys.argv[1]))
space, kernel = t1["ConfigurationSpace"], t1["KernelSpecification"]
assert type(t1["General"]["FormatVersion"]) is int
source = os.path.join(os.path.dirname(sys.argv[1]), kernel["KernelFile"])
names = [p["Name"] for p in space["TuningParameters"]]
points = 0
for values in itertools.product(*[eval(p["Values"]) for p in space["TuningParameters"]]):
    at = dict(zip(names, values))
    legal = all(eval(c["Expression"], {}, at) for c in space["Conditions"])
    made = subprocess.run(["cpp", "-P", *[f"-D{n}={v}" for n, v in at.items()], source], capture_output=True, text=True)
    assert legal == (made.returncode == 0), (at, legal, made.stderr)
    if not legal: continue
    points += 1
    assert "float s0 = " in made.stdout, made.stdout      # a word of the kernels, like the parameter
    assert len(re.findall("kernel void " + kernel["KernelName"] + r"\b", made.stdout)) == 1, made.stdout
    group = [int(n) for n in re.search(r"reqd_work_group_size\((\d+), (\d+), (\d+)\)", made.stdout).groups()]
    assert group == [eval(kernel["LocalSize"][d], {}, at) for d in "XYZ"], (at, group)
    total = [eval(kernel["GlobalSize"].get(d, "1"), {}, at) for d in "XYZ"]
    assert all(n % g == 0 for n, g in zip(total, group)), (at, total, group)
assert points == 28, points
END
fi
exit $bad
