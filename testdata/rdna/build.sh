#!/bin/sh
# Compiles programs of ../src for processors of gfx10 to gfx12 as ../build.sh does, into
# co/NAME.PROCESSOR.OPT.co with waves of 32 lanes, and co/NAME.PROCESSOR.OPT.w64.co of 64.
#
#   usage: build.sh [OUTPUT-FOLDER [all]]
#
# With "all" it compiles every program of ../src, and ../bench, for every generation: what `make later` runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
cd "$here/../src"
common="-g -ffp-contract=off -nogpulib -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"

# make NAME PROCESSOR OPT SUFFIX [OPTION…]; NAME may be that of a folder's program.
make() {
  name=$1 target=$2 opt=$3 object=$out/$(basename "$1").$2.$3$4.co
  shift 4
  if [ -f "$name.hip" ]; then
    "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -fuse-cuid=none \
      -fno-offload-uniform-block -std=c++20 -c --offload-arch=$target $common "$@" -$opt "$name.hip" -o "$object"
  else
    "$clang" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$target $common "$@" -$opt "$name.cl" -o "$object"
  fi
  chmod 644 "$object"
}

if [ "${2:-}" = all ]; then
  for opt in O0 O2; do
    for name in $(ls *.hip *.cl | sed 's/\.[a-z]*$//') ../bench/bench; do
      contract=-ffp-contract=off
      [ $name = ../bench/bench ] && contract=-ffp-contract=on # as ../bench/build.sh has it
      for target in gfx1010 gfx1030 gfx1100 gfx1150 gfx1200 gfx1250; do
        make $name $target $opt "" -w $contract
        [ $target = gfx1250 ] || make $name $target $opt .w64 -w $contract -mwavefrontsize64
      done
    done
  done
  exit
fi

for target in gfx1030 gfx1100 gfx1200; do
  for opt in O0 O2; do
    for name in atomics calls matmul_cl private_array recursion reduce_cl types; do
      make $name $target $opt ""
    done
    make lanes $target $opt .w64 -mwavefrontsize64
  done
done
for opt in O0 O2; do
  for name in atomics calls private_array reduce_cl types ../rdna/src/pressure; do
    make $name gfx1250 $opt "" # whose waves have 32 lanes alone
  done
done
for name in atomics types; do
  make $name gfx1010 O2 ""
  make $name gfx1150 O2 ""
done
