#!/bin/sh
# package: what `cpack -G DEB` made is installed in a fresh Debian, with what it depends on and nothing else, and works there: a derivation, a kernel on
# PoCL, a lesson, the manual page. By hand, as root, it takes minutes and the network: debootstrap. Usage: package.sh PACKAGE.deb
set -eu
package=$(realpath "$1")
root=$(mktemp -d)
trap 'umount "$root/sys" "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase bookworm "$root" >"$root.log" 2>&1 || { tail -3 "$root.log"; exit 1; }
rm -f "$root.log"
mount -t proc proc "$root/proc"                # a program finds its files beside itself, and PoCL the processor
mount -t sysfs sys "$root/sys"
cp "$package" "$root/lathe.deb"
chroot "$root" sh -euc '
    apt-get install -y --no-install-recommends /lathe.deb pocl-opencl-icd >/log 2>&1 || { tail -3 /log; exit 1; }
    cd /tmp
    export LANG=C.UTF-8
    lathe --version
    lathe -q -e "load tests/programs/mm.fun; data N = 64, K = 64, M = 64; lower; run" >said 2>&1 || true
    grep -q "verify  OK" said || { cat said; echo "package: no kernel runs"; exit 1; }
    lathe -q -e "source scripts/derivations/mm-cpu.lathe" >/dev/null
    lathe -q -e "list lessons" | grep -q terms
    ! lathe --jupyter-install 2>said && grep -q python3-ipykernel said
    lathe --editor-install vim >/dev/null
    [ -s /usr/share/man/man1/lathe.1 ] || ls /usr/share/man/man1/lathe.1.gz
'
echo "package: works in a fresh Debian"
