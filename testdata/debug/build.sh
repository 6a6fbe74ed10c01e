#!/bin/sh
# Compiles the programs of this folder, which gdb scripts alone use, for gfx90a,
# unoptimised and optimised, into co/NAME.OPT.co, as ../build.sh does.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
cd "$here"
common="-g -ffp-contract=off -nogpulib -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
for source in *.hip *.cl; do
  for opt in O0 O2; do
    object=$out/${source%.*}.$opt.co
    case $source in
    *.hip)
      "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -fuse-cuid=none \
        -fno-offload-uniform-block -std=c++20 -w -c --offload-arch=gfx90a $common -$opt "$source" -o "$object" ;;
    *)
      std=CL2.0
      [ "$source" = narrow_pointers.cl ] && std=CL1.2
      "$clang" -x cl -cl-std=$std -target amdgcn-amd-amdhsa -mcpu=gfx90a -w $common -$opt "$source" -o "$object" ;;
    esac
    chmod 644 "$object"
  done
done
