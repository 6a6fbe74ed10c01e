#!/bin/sh
# Compiles struct.cu, unoptimised, optimised, and optimised with whole debugging information, into this folder or
# the one given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
clang=${CLANG:-clang-22}
cd "$here"
flags="-x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -S -g -fdebug-compilation-dir=.
       -Xclang -target-feature -Xclang +ptx78"
"$clang" $flags -O0 struct.cu -o "$out/struct.O0.ptx"
"$clang" $flags -O2 struct.cu -o "$out/struct.O2.ptx"
"$clang" $flags -O2 --cuda-noopt-device-debug struct.cu -o "$out/struct.O2d.ptx"
