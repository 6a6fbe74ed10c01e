#!/bin/sh
# Compiles the programs of this folder, unoptimised, for gfx90a into co/NAME.co, as
# ../build.sh does. native.sh makes NAME.lines.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
cd "$here"
for source in *.hip; do
  object=$out/${source%.hip}.co
  "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -fuse-cuid=none \
    -fno-offload-uniform-block -std=c++20 -w -c --offload-arch=gfx90a -g -O0 -ffp-contract=off \
    -fdebug-compilation-dir=. -ffile-prefix-map=$("$clang" -print-resource-dir)=clang "$source" -o "$object"
  chmod 644 "$object"
done
