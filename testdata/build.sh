#!/bin/sh
# Compiles every kernel of src/ for each target, unoptimised and optimised,
# into co/NAME.TARGET.OPT.co. The objects depend on the compiler alone: names
# of files are relative, and nothing of the machine goes into them, so the
# same compiler makes the same bytes anywhere.
#
#   usage: build.sh [OUTPUT-FOLDER [NAME…]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ $# -gt 0 ] && shift
clang=${CLANG:-clang-22}

cd "$here/src"
[ $# -gt 0 ] || set -- $(ls *.hip *.cl | sed 's/\.[a-z]*$//')

# The compiler warns of LDS in a function that is no kernel: it means the body
# that it splits off an OpenCL kernel and, in optimised objects, never calls.

# No fused operation that the source does not ask for: the CPU reference
# rounds where the source says so.
common="-g -ffp-contract=off -nogpulib -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
hip="-x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -fuse-cuid=none
     -fno-offload-uniform-block -std=c++20 -c"
opencl="-x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa"

for name; do
  for target in gfx900 gfx90a gfx942; do
    for opt in O0 O2; do
      object=$out/$name.$target.$opt.co
      if [ -f "$name.hip" ]; then
        "$clang" $hip --offload-arch=$target $common -$opt "$name.hip" -o "$object"
      else
        "$clang" $opencl -mcpu=$target $common -$opt "$name.cl" -o "$object"
      fi
      chmod 644 "$object"
    done
  done
done
