#!/bin/sh
# Compiles the programs of this folder, of whose instructions only gfx950 has all, into co/NAME.O2.co, as
# ../build.sh does.
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
  object=$out/${source%.*}.O2.co
  "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -fuse-cuid=none \
    -fno-offload-uniform-block -std=c++20 -c --offload-arch=gfx950 -O2 -g -ffp-contract=off \
    -fdebug-compilation-dir=. -ffile-prefix-map="$("$clang" -print-resource-dir)"=clang "$source" -o "$object"
  chmod 644 "$object"
done
