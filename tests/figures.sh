#!/bin/sh
# figures: every figure of the papers at tiny sizes: made, drawn, and opened in a browser where there is one; what was measured is drawn again
# without a device, and read from another folder. Usage: figures.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
export LATHE="$lathe"
command -v gnuplot >/dev/null || skip "no gnuplot"
[ "$("$lathe" --no-init --json -e device 2>/dev/null | grep -c '"id":"pocl0"')" -gt 0 ] || skip "no PoCL"

scripts/figures -o "$scratch/out" --small --device pocl0 all >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "not all were made"; }
"$lathe" --no-init -q tests/figures/figures.lua list >"$scratch/list"
drawn=0
while IFS='	' read -r name benches _; do
    # a benchmark may have no rival here, and is not built everywhere
    before=$drawn
    for picture in "$scratch/out/$name".svg "$scratch/out/$name"-*.svg; do
        [ -e "$picture" ] || continue
        drawn=$((drawn + 1))
        grep -q '</svg>' "$picture" || fail "$picture is no picture"
    done
    [ -n "$benches" ] || [ "$drawn" -gt "$before" ] || fail "$name has no picture: $(grep "$name" "$scratch/log")"
    [ ! -e "$scratch/out/$name.tsv" ] || [ "$(wc -l <"$scratch/out/$name.tsv")" -gt 1 ] || fail "$name.tsv is empty"
done <"$scratch/list"
! grep -l '	wrong	' "$scratch"/out/*.tsv || fail "a kernel is wrong"
[ "$(cut -f 2,6 "$scratch/out/icfp15-1.tsv" | grep -c 'form	ok')" -eq 3 ] || fail "not every cell of figure 1 ran: $(cat "$scratch/out/icfp15-1.tsv")"

# the same again reads what is there; so does another folder, for which no device is there
before=$(cksum <"$scratch/out/icfp15-1.tsv")
scripts/figures -o "$scratch/out" --small --device pocl0 icfp15-1 >"$scratch/log" 2>&1 || fail "again: $(cat "$scratch/log")"
[ "$(cksum <"$scratch/out/icfp15-1.tsv")" = "$before" ] || fail "it was measured again"
scripts/figures -o "$scratch/read" --small --from "$scratch/out" fusion-4 gpgpu16-12 >"$scratch/log" 2>&1 || fail "--from: $(cat "$scratch/log")"
cmp "$scratch/out/fusion-4.tsv" "$scratch/read/fusion-4.tsv" || fail "--from read something else"
grep -q "Read from what was recorded" "$scratch/read/index.html" || fail "the page does not say what was read"
! scripts/figures -o "$scratch/none" icfp15-99 >"$scratch/log" 2>&1 || fail "there is no figure 99"
grep -q "no figure is called icfp15-99" "$scratch/log" || fail "figure 99: $(cat "$scratch/log")"

# devices of several places; one that there is not is said
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$scratch/ssh"
chmod +x "$scratch/ssh"
scripts/figures -o "$scratch/places" --small --launcher "$scratch/ssh %h" --device pocl0,pocl0@a icfp15-1 >"$scratch/log" 2>&1 || fail "two places: $(cat "$scratch/log")"
[ "$(cut -f 5 "$scratch/places/icfp15-1.tsv" | sort -u | grep -cx 'pocl0\(@a\)\?')" -eq 2 ] || fail "two places: $(cat "$scratch/places/icfp15-1.tsv")"
! scripts/figures -o "$scratch/none" --small --device pocl0,nosuch icfp15-1 >"$scratch/log" 2>&1 || fail "there is no device nosuch"
grep -q "no device is called nosuch" "$scratch/log" || fail "nosuch: $(cat "$scratch/log")"

# as a browser has it
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -n "$browser" ]; then
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" --dump-dom \
        "file://$scratch/out/index.html" >"$scratch/dom" 2>"$scratch/log" || fail "the browser: $(tail -3 "$scratch/log")"
    [ "$(grep -o '<section' "$scratch/dom" | wc -l)" -eq "$(wc -l <"$scratch/list")" ] || fail "the page has $(grep -o '<section' "$scratch/dom" | wc -l) figures"
    [ "$(grep -o '<svg' "$scratch/dom" | wc -l)" -eq "$drawn" ] || fail "of $drawn pictures the page has $(grep -o '<svg' "$scratch/dom" | wc -l)"
    ! grep -q 'parsererror' "$scratch/dom" || fail "the page has an error"
fi
[ $bad -eq 0 ] && echo "figures: $drawn pictures of $(wc -l <"$scratch/list") figures"
exit $bad
