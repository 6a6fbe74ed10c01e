#!/bin/sh
# Compiles the programs of this folder, unoptimised, for gfx90a into co/NAME.co, as
# ../build.sh does, and two for later processors into co/NAME.PROCESSOR.co, whose waves
# have 32 lanes. native.sh makes NAME.lines.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
cd "$here"
# make NAME PROCESSOR OBJECT
make() {
  "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -fuse-cuid=none \
    -fno-offload-uniform-block -std=c++20 -w -c --offload-arch=$2 -g -O0 -ffp-contract=off \
    -fdebug-compilation-dir=. -ffile-prefix-map=$("$clang" -print-resource-dir)=clang "$1.hip" -o "$out/$3"
  chmod 644 "$out/$3"
}
for source in *.hip; do
  name=${source%.hip}
  make $name gfx90a $name.co
done
for name in nested recursion; do
  make $name gfx1100 $name.gfx1100.co
  make $name gfx1250 $name.gfx1250.co
done
