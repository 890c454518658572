#!/bin/sh
# machine: no transcript knows the machine that it was written on: the make of its processor, its names, its folders, how long things
# took there. (Under the sanitizers the transcripts meet another processor: LATHE_WORKER_DEVICE.) Usage: machine.sh
set -u
bad=0
complain() { [ -z "$2" ] || { echo "machine: $1:"; echo "$2"; bad=1; }; }
# FILE:LINE:TEXT of all transcripts: tests/cases/*.t, and what pages have in blocks.
shown() {
    grep -n '' tests/cases/*.t
    for page in README.md shell/help/*.md scripts/lessons/*/*.md tests/lessons/*.md tests/lessons/*/*.md; do
        [ -f "$page" ] && awk -v page="$page" '/^```/ { on = !on; next } on { print page ":" FNR ":" $0 }' "$page"
    done
}
all=$(mktemp)
trap 'rm -f "$all"' EXIT
shown >"$all"

complain "a make" "$(grep -E '\b(AMD|EPYC|Ryzen|Intel|Xeon|Core\(TM\)|Apple M[0-9]|Neoverse|Cortex|Graviton|GeForce|Tesla|Radeon)\b' "$all"
    grep -iE '(skylake|haswell|broadwell|icelake|cascadelake|sapphirerapids|znver[0-9]|\bavx|\bsse[0-9])' "$all")"
# Short names of folders and machines are words, too.
for folder in "$PWD" "${HOME:-}" "${TMPDIR:-}"; do
    case $folder in /*/*) complain "a folder of this machine" "$(grep -F "$folder/" "$all")" ;; esac
done
complain "a folder" "$(grep -E '(^|[^A-Za-z0-9_.}])/(work|home|root|tmp|mnt|media|srv|Users)/' "$all")"
host=$(uname -n)
case $host in localhost* | ??????? | ?????? | ????? | ???? | ??? | ?? | ?) ;; *) complain "this machine's name" "$(grep -wF "$host" "$all")" ;; esac
# What 0/0 or inf - inf gives is negative on one processor and positive on another.
complain "the sign of a NaN" "$(grep -E '^[^:]*\.t:[0-9]+:.*-nan' "$all")"
# What pages show of a run is an example; where it is compared (*.t), it is what `set times off` prints.
complain "a time" "$(grep -E '^[^:]*\.t:[0-9]+:(  (build|time) .*[0-9] ms|.*\b(took|in) [0-9.]+ (s|ms|us)\b)' "$all"
    grep -E '^[^:]*\.t:[0-9]+:.*(20[2-9][0-9]-[01][0-9]-[0-3][0-9]|\b[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\b)' "$all" | grep -v ':> ')"

[ $bad -eq 0 ] && echo "machine: all as it should be"
exit $bad
