#!/bin/sh
# Compiles bench.cl for the simulated GPU, into bench.TARGET.co. The objects depend on the compiler alone.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
out=$(cd "$out" && pwd)
cd "$here"
for target in gfx900 gfx90a; do
  "${CLANG:-clang-22}" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$target -O2 -nogpulib \
    -fdebug-compilation-dir=. bench.cl -o "$out/bench.$target.co"
  chmod 644 "$out/bench.$target.co"
done
