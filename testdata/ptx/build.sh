#!/bin/sh
# Compiles kernels to PTX: those of src/, and those of ../src that do not need AMD's machines, which meet the gpu.h of
# this folder. Each is compiled three times, into co/NAME.LEVEL.ptx:
#
#   O0   -O0 -g, for sm_70
#   O2   -O2 -g, which is lines only, for sm_80
#   O2d  -O2 -g --cuda-noopt-device-debug, for sm_90
#
# and one text more, co/nested.inlined.ptx: that of O2 with rows that name the functions that they are inlined from, as
# NVIDIA's compilers and LLVM from 23 on write them; what clang 22 says of them in comments is moved there.
#
# The sources are compiled in a folder of their own, so that nothing of the machine goes into the text.
#
#   usage: build.sh [OUTPUT-FOLDER [NAME…]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ $# -gt 0 ] && shift
clang=${CLANG:-clang-22}

shared="calls demo early_return function_table lds mandelbrot matmul preserved private_array recursion
        reduction saxpy types vecadd wide vecadd_cl matmul_cl reduce_cl"
own=$(cd "$here/src" && ls *.cu *.cl | sed 's/\.[a-z]*$//')
[ $# -gt 0 ] || set -- $shared $own

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/../src/*.hip "$here"/../src/*.cl "$work"
cp "$here"/src/* "$work"
cd "$work"

# No fused operation that the source does not ask for: the CPU reference rounds where the source says so.
common="-S -g -ffp-contract=off -nogpulib -fdebug-compilation-dir=. -Xclang -target-feature -Xclang +ptx78"
cuda="-x cuda --cuda-device-only -nocudainc -nocudalib -std=c++20"
opencl="-x cl -cl-std=CL2.0 -target nvptx64-nvidia-cuda"

compile() { # NAME LEVEL SM FLAGS…
  name=$1 level=$2 sm=$3
  shift 3
  for source in "$name".*; do
    case $source in
    *.cl) "$clang" $opencl -march=$sm -include amdgcn.h $common "$@" "$source" -o "$out/$name.$level.ptx" ;;
    *) "$clang" $cuda --cuda-gpu-arch=$sm $common "$@" "$source" -o "$out/$name.$level.ptx" ;;
    esac
  done
}

for name; do
  compile "$name" O0 sm_70 -O0
  compile "$name" O2 sm_80 -O2
  compile "$name" O2d sm_90 -O2 --cuda-noopt-device-debug
  [ "$name" != nested ] || awk -f "$here/inlined.awk" nested.cu "$out/nested.O2.ptx" >"$out/nested.inlined.ptx"
done
