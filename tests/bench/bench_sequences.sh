#!/bin/sh
# sequences: sequences of BLAS calls as one program each, as `lower` makes them, beside `lower` of each call as a program of its own, added up: with
# the copies that BLAS needs where it overwrites an operand (a scaling stands for one), and without; and on a GPU beside cuBLAS' calls in
# sequence, where python3 has PyTorch (sequences.py). Verified, unless VERIFY=off. DEVICE=cpu|gpu (cpu), SIZES="MATRIX ...": rows and columns,
# as 4096x4096; vectors have as many elements. PROGRAMS="NAME ..." (all).
set -u
device=${DEVICE:-cpu}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/calls.fun" <<'E1'
let dotted (a: [M]f32) (b: [M]f32) = reduce (+) 0 (map (*) (zip a b))
let dot (x: [N]f32) (y: [N]f32) = reduce (+) 0 (map (*) (zip x y))
let add (x: [N]f32) (y: [N]f32) = map (+) (zip x y)
let scal (a: f32) (x: [N]f32) = map (\v -> a * v) x
let axpy (a: f32) (x: [N]f32) (y: [N]f32) = map (\(v, w) -> a * v + w) (zip x y)
let geam (A: [N][M]f32) (B: [N][M]f32) = map (\(r, s) -> map (+) (zip r s)) (zip A B)
let ger (A: [N][M]f32) (u: [N]f32) (v: [M]f32) = map (\(row, p) -> map (\(a, c) -> a + p * c) (zip row v)) (zip A u)
let scales (a: f32) (A: [N][M]f32) = map (\row -> map (\v -> a * v) row) A
let rows (a: f32) (A: [N][M]f32) (x: [M]f32) = map (\row -> a * dotted row x) A
let rowsadd (a: f32) (b: f32) (A: [N][M]f32) (x: [M]f32) (y: [N]f32) = map (\(row, c) -> a * dotted row x + b * c) (zip A y)
let columns (A: [N][M]f32) (y: [N]f32) = map (\col -> reduce (+) 0 (map (*) (zip col y))) (transpose A)
let columnsadd (a: f32) (A: [N][M]f32) (y: [N]f32) (z: [M]f32) = map (\(col, c) -> a * reduce (+) 0 (map (*) (zip col y)) + c) (zip (transpose A) z)
E1
cat >"$scratch/sequences" <<'E2'
axpydot copy:scal axpy dot
vadd copy:scal add add
waxpby copy:scal scal axpy
sscal scal
madd geam
bicgk rows columns
atax rows columns
gesummv rows rowsadd
sgemv rowsadd
sgemvt columnsadd rows
gemver copy:scales ger ger columnsadd rows
E2
vectors=' axpydot vadd waxpby sscal dot add scal axpy '
python=${PYTHON:-python3}
case $device in gpu) "$python" -c 'import torch' 2>/dev/null || python= ;; *) python= ;; esac

# The program in the file, of so many rows and columns, lowered and run
one() { # FILE NAME ROWS COLUMNS
    case $vectors in *" $2 "*) data="data N = $(($3 * $4))" ;; *) data="data N = $3, M = $4" ;; esac
    printf 'load %s\nuse %s\n%s\nlower\nrun -n 20\n' "$1" "$2" "$data"
}
for size in ${SIZES:-1024x1024}; do
    n=${size%x*} m=${size#*x}
    {
        echo "set verify ${VERIFY:-on}"
        while read -r name calls; do
            case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
            [ "$name" = sscal ] || one "tests/programs/$name.fun" "$name" "$n" "$m"
            for call in $calls; do one "$scratch/calls.fun" "${call#copy:}" "$n" "$m"; done
        done <"$scratch/sequences"
        printf 'results --all --sort id --format tsv -o %s/out\n' "$scratch"
    } | awk '/^load/ { file = $0 } /^use/ { skip = seen[$0]++; if (!skip) print file } /^load/ { next } !skip || /^results/' >"$scratch/go.lathe"
    rm -f "$scratch/out"
    build/lathe -q --no-init --results :memory: --device "$device" -f "$scratch/go.lathe" >"$scratch/log" 2>&1 || sed 's/^/sequences: /' "$scratch/log" >&2
    asked=
    while read -r name _; do
        case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
        case $vectors in *" $name "*) asked="$asked $name=$((n * m))" ;; *) asked="$asked $name=$size" ;; esac
    done <"$scratch/sequences"
    # shellcheck disable=SC2086
    [ -z "$python" ] || "$python" tests/bench/sequences.py $asked >"$scratch/cublas"
    touch "$scratch/cublas" "$scratch/out"
    awk -F '\t' -v OFS='\t' -v device="$device" -v size="$size" '
        function line(rival, name, ours, theirs) { print "sequences", device, name " " size, rival, ours, theirs, "ms", ours && theirs ? sprintf("%.2f", theirs / ours) : "-" }
        FILENAME ~ /cublas$/ { cublas[$1] = $2; next }
        FILENAME ~ /out$/ && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        FILENAME ~ /out$/ { if ($at["state"] == "ok") ms[$at["program"]] = $at["ms"]; next }
        { n = split($1, w, " "); copies = calls = missing = 0; own = w[1] == "sscal" ? "scal" : w[1]
          if (!(own in ms)) next
          for (i = 2; i <= n; i++) {
              copy = sub(/^copy:/, "", w[i])
              if (!ms[w[i]]) missing = 1
              if (copy) copies += ms[w[i]]; else calls += ms[w[i]]
          }
          line("a kernel a call", w[1], ms[own], missing ? 0 : calls)
          if (copies) line("a kernel a call and a copy", w[1], ms[own], missing ? 0 : calls + copies)
          if (w[1] in cublas) line("cuBLAS", w[1], ms[own], cublas[w[1]]) }' "$scratch/cublas" "$scratch/out" "$scratch/sequences"
done
