#!/bin/sh
# Compiles the programs of this folder, unoptimised, for this machine, where gdb steps
# each lane through its kernel: NAME.lines (native.py says what is in it).
#
#   usage: native.sh [OUTPUT-FOLDER [NAME…]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ $# -gt 0 ] && shift
clang=${CLANG:-clang-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here"
[ $# -gt 0 ] || set -- $(ls *.hip | sed 's/\.hip$//')
for name; do
  "$clang" -x c++ -std=c++20 -fno-exceptions -g -O0 -w "$name.hip" host/main.cpp -o "$work/$name"
  gdb -nx -batch -ex 'set startup-with-shell off' -ex 'set confirm off' -ex "python OUT = '$out/$name.lines'" \
    -x native.py "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
