#!/bin/sh
# derivations: the scripts of scripts/derivations run and verify at small sizes. Usage: derivations.sh LATHE
# Of those marked `all`, every version on the way does: it is lowered as it stands and run. Then programs after a macro.
set -eu
. "$(dirname "$0")/alone.sh"
options='--no-init --set verbose=0 --set trials=1 --set warmup=0 --set seeds=1 --set repeats=1 --set run_timeout=60'
code=0
"$lathe" $options tests/programs/scal.fun -e lower -e run >/dev/null 2>&1 || code=$?
[ $code -ne 6 ] || exit 77      # no device
. tests/sections.sh

# sizes NAME=VALUE...: as commands
sizes() { for size; do echo "data ${size%=*} = ${size#*=}"; done; }

# derivation all|last NAME SIZE...
derivation() {
    which=$1 name=$2
    shift 2
    list=$(sed -n 's/^@\([0-9]*\) .*/\1/p' "$scratch/made.$name")
    if [ "$which" = all ]; then list="0 $list"; else list=$(echo "$list" | tail -1); fi
    section "$name" "$(echo $list | wc -w)" . "source scripts/derivations/$name.lathe" "$(sizes "$@")" \
        "$(for v in $list; do printf 'goto @%s\nlower\nrun\n' "$v"; done)"
}

# macro PROGRAM 'STRATEGY [at PLACE]; ...' SIZE...
macro() {
    program=$1 steps=$2
    shift 2
    section "$program $steps" 1 . "load tests/programs/$program.fun" "$(echo "$steps" | tr ';' '\n' | sed 's/^ */apply /')" "$(sizes "$@")" lower run
}

# one PROGRAM 'STRATEGY': after it the program is one kernel
one() { section "$1 $2, one kernel" 0 '^kernel void' "load tests/programs/$1.fun" "apply $2" code; }

# part PROGRAM PART SIZE...: the program is lowered by default, has then that part, and runs
part() {
    program=$1 part=$2
    shift 2
    section "$program" 1 "$part" "let $program" "$(sizes "$@")" lower show run
}

# the kernel's text, names numbered as they come, without white space
kernel() {
    awk '
        /^__attribute__/ { on = 1 }
        on {
            line = $0
            while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
                word = substr(line, RSTART, RLENGTH)
                if (!(word in number)) number[word] = "v" ++count
                printf "%s%s", substr(line, 1, RSTART - 1), number[word]
                line = substr(line, RSTART + RLENGTH)
            }
            print line
        }' "$scratch/$1" | tr -d ' \n'
}

# reaches SCRIPT PROGRAM SIZE...: the script ends at the very kernel that the typed-in program gives
reaches() {
    script=$1 program=$2
    shift 2
    section "$script" 0 '^kernel void' "source scripts/derivations/$script.lathe" "$(sizes "$@")" code
    section "$program" 0 '^kernel void' "load tests/programs/$program.fun" "$(sizes "$@")" code
    echo "$script $program $sections" >>"$scratch/reached"
}

# ---- what the scripts make; saved, opened by another lathe and saved again it is the same file ----

names=$(cd scripts/derivations && ls ./*.lathe | sed 's|./||; s|\.lathe$||')
for name in $names; do
    printf 'lua print("== %s")\nopen %s/empty.session --force\nsource scripts/derivations/%s.lathe\nsave %s/%s.a.session\n' \
        "$name" "$scratch" "$name" "$scratch" "$name"
done >"$scratch/make.lathe"
for name in $names; do printf 'open %s/%s.a.session --force\nsave %s/%s.b.session\n' "$scratch" "$name" "$scratch" "$name"; done >"$scratch/keep.lathe"
for step in make keep; do "$lathe" $options "$scratch/$step.lathe" >"$scratch/$step" 2>&1 || fail "scripts cannot be kept" $step; done
parts "$scratch/make" "$scratch/made"
for name in $names; do cmp -s "$scratch/$name.a.session" "$scratch/$name.b.session" || fail "$name is not kept" "made.$name"; done
grep -q '^[0-9]* rewrites in 13 steps to @13$' "$scratch/made.combined" || fail 'combined is not counted' made.combined

{
derivation all register-blocking N=8 K=4 M=4
derivation all tiling N=8 K=8 M=16
derivation all combined N=16 K=8 M=16
derivation last asum-fused N=1024
derivation last asum-nvidia N=524288
derivation last asum-amd N=1048576
derivation last asum-intel N=65536
derivation last mm-cpu N=256 K=256 M=32
derivation last mm-gpu N=64 K=16 M=128
derivation last mm-amd N=32 K=8 M=16
derivation last mm-mali N=8 K=8 M=4
derivation last mm-tensor N=128 K=32 M=128
derivation last mm-kepler N=64 K=16 M=128
derivation last scal-cpu N=65536
derivation last scal-gpu N=1024
derivation last asum-cpu N=65536
derivation last asum-gpu N=16777216
derivation last dot-cpu N=65536
derivation last dot-gpu N=16777216
derivation last gemv-cpu N=64 M=64
derivation last gemv-gpu N=2 M=256
derivation last attention N=64 M=24
derivation last attention-parts N=128 M=64

# a named array that is computed where it is read: said once
section 'a virtual array' 1 '^ *warning s is computed again at each of its 2 uses' \
    'let p (xs: [N]f32) = map (\x -> let s = generate 4 (\i -> x * f32 i) in reduce (+) 0 s + reduce max 0 s) xs' lower run

for mode in clamp mirror wrap; do
    part "p (xs: [N]f32) = map (\\nb -> reduce (+) 0 nb) (slide 4 1 (pad 2 1 $mode xs))" 'take 2' N=4096
    part "p (xs: [N]f32) = map (\\nb -> reduce (+) 0 nb) (slide 4 1 (pad 2 1 $mode xs))" 'take 2' N=5003
done
part 'p (xs: [N]f32) = map (\nb -> nb[0] - nb[2]) (slide 3 1 (padConst 2 0 5 xs))' 'take 2' N=100003
part 'p (xs: [N]f32) = map (\nb -> nb[0] - nb[2]) (slide 3 1 (pad 0 2 clamp xs))' 'drop' N=4099
part 'p (xs: [N]f32) = map (\nb -> nb[0] - nb[3]) (slide 4 2 (pad 1 1 clamp xs))' 'take 1' N=8198
part 'p (xs: [N]f32) = map (\nb -> nb[0] - nb[3]) (slide 4 2 xs)' 'mapWorkgroup 0' N=8198
part 'p (xs: [N]f32) (ys: [N]f32) = map (\(nb, y) -> y - nb[2]) (zip (slide 3 1 (pad 1 1 clamp xs)) ys)' 'take 1' N=4099
part 'p (xs: [N](f32, f32)) = map (\nb -> (nb[0].0 - nb[2].1, nb[1].0)) (slide 3 1 (pad 1 1 clamp xs))' 'take 1' N=4096
part 'p (xs: [N]f32) = map (\nb -> map (\y -> y * nb[1]) nb) (slide 3 1 (pad 1 1 clamp xs))' 'take 1' N=4099
part 'p (xs: [N]f32) = let s = \x -> map (\nb -> reduce (+) 0 nb) (slide 3 1 (pad 1 1 clamp x)) in s (s (map abs xs))' 'take 1' N=65537
part 'p (x: [N][M]f32) = map (\r -> map (\nb -> reduce max 0 nb) (slide 3 1 (pad 1 1 clamp r))) x' 'take 1' N=67 M=131
part 'p (x: [L][N][M]f32) = map (map (map (\nb -> nb[0] + nb[2]))) (map (map (slide 3 1)) (map (map (pad 1 1 mirror)) x))' 'take 1' \
    L=11 N=17 M=33

# every transposition, on both kinds of device; sizes that no tile divides; alpha and beta; the forms typed in
cpu='gemmCpu{mb=16, nb=8, kb=8, mr=4, w=4}' gpu='gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=2, w=2}'
for program in mm mm_tn mm_nt mm_tt; do
    macro $program "$cpu" N=32 K=16 M=48
    macro $program "$gpu" N=32 K=16 M=48
    macro $program 'gemmGpu{mb=16, nb=16, kb=8, mr=4, nr=4, w=2}' N=32 K=16 M=48
    macro $program "padNest(16, 8, 8); $cpu" N=20 K=13 M=45
    macro $program "padNest(16, 16, 8); $gpu" N=20 K=13 M=45
done
for program in gemm gemm_tn gemm_nt gemm_tt; do
    for strategy in "$cpu" "$gpu"; do
        one $program "$strategy"
        macro $program "$strategy" N=32 K=16 M=48
        macro $program "padNest(16, 16, 8); $strategy" N=20 K=13 M=45
    done
done
macro blur 'stencilGroups2{u=4, v=8}' N=8 M=16
macro blur 'tileStencil2(4, 8)' N=8 M=16
macro smooth 'stencilGroups(16)' N=64
macro blur 'stencilCpu{n=4}' N=12 M=17
macro blur 'peelEdges(2, 3)' N=7 M=9
macro smooth 'stencilCpu{n=16}' N=64
# lower by the shape of the program, where sizes are known
for program in asum dot scal; do macro $program id N=65536; done
macro gemv id N=64 M=64
for n in 4096 4099 65537 300007; do macro smooth id N=$n; done
macro blur id N=16 M=32
macro blur id N=64 M=65
macro blur id N=67 M=131
macro blur id N=1021 M=8
macro blur id N=8 M=1031
for program in mm mm_tt gemm gemm_tn; do macro $program id N=36 K=64 M=48; done
macro mm_amd id N=32 K=8 M=16
macro mm_mali id N=8 K=8 M=4
macro mm_nvidia id N=64 K=16 M=128
macro mm_kepler id N=64 K=16 M=128
reaches mm-amd mm_amd N=32 K=8 M=16
reaches mm-mali mm_mali N=8 K=8 M=4
reaches mm-gpu mm_nvidia N=64 K=16 M=128
reaches mm-kepler mm_kepler N=64 K=16 M=128
} | type_sections
check_sections
while read -r script program n; do
    kernel "out.$((n - 1))" >"$scratch/derived"
    kernel "out.$n" >"$scratch/typed"
    [ -s "$scratch/typed" ] && cmp -s "$scratch/derived" "$scratch/typed" || fail "$script does not reach $program" "out.$n"
done <"$scratch/reached"
exit $bad
