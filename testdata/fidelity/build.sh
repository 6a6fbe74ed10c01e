#!/bin/sh
# Compiles src/inexact.cl, unoptimised and optimised, with clang 22:
#
#   inexact.LEVEL.co    gfx90a
#   inexact.LEVEL.ptx   PTX
#
# The sources are compiled in SOURCES, a folder of this name on any machine.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
sources=${SOURCES:-/kernels/fidelity}
mkdir -p "$sources"
cp "$here"/src/* "$sources"
cd "$sources"

clang=${CLANG:-clang-22}
common="-x cl -cl-std=CL2.0 -g -ffp-contract=off -nogpulib -cl-fp32-correctly-rounded-divide-sqrt
        -fdebug-compilation-dir=. -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
for level in O0 O2; do
  "$clang" $common -target amdgcn-amd-amdhsa -mcpu=gfx90a -$level inexact.cl -o "$out/inexact.$level.co"
  "$clang" $common -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S -$level \
    inexact.cl -o "$out/inexact.$level.ptx"
done
chmod 644 "$out"/inexact.*
