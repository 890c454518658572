#!/bin/sh
# drive: the program in `help json` that drives lathe prints what the page says. Usage: drive.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
command -v python3 >/dev/null || skip "no python3"
export PATH="$(dirname "$lathe"):$PATH"
awk '/^```/ { on = $0 == "```python"; next } on' shell/help/json.md >"$scratch/drive.py"
awk '/^It prints/ { said = 1 } /^```/ { on = said && !on; if (!on && said) exit; next } on' shell/help/json.md >"$scratch/want"
[ -s "$scratch/drive.py" ] && [ -s "$scratch/want" ] || { echo "drive: nothing is said in help json"; exit 1; }
timeout 60 python3 "$scratch/drive.py" >"$scratch/got" || { echo "drive: it fails"; exit 1; }
diff "$scratch/want" "$scratch/got"
