#!/bin/sh
# Compiles src/defects.cl, src/arrays.cl and src/lanes.cl for every machine, unoptimised and optimised, and
# src/registers.s, src/scalars.s and src/traps.s for gfx90a:
#
#   NAME.LEVEL.co      gfx90a, by clang 22
#   NAME.LEVEL.ptx     PTX, by clang 22
#   NAME.LEVEL.spv     SPIR-V for OpenCL, by clang 15 and llvm-spirv 15
#   defects.LEVEL.zebin, lanes.LEVEL.zebin   Gen9, by ocloc
#   arrays.KERNEL.LEVEL.zebin   the same of one kernel, with debugging information
#
# The sources are compiled in SOURCES, a folder of this name on any machine.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
sources=${SOURCES:-/kernels/check}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$sources"
cp "$here"/src/* "$sources"
cd "$sources"

clang=${CLANG:-clang-22}
common="-x cl -cl-std=CL2.0 -g -ffp-contract=off -nogpulib -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
for level in O0 O2; do
  for name in defects arrays lanes; do
    "$clang" $common -w -target amdgcn-amd-amdhsa -mcpu=gfx90a -$level $name.cl -o "$out/$name.$level.co"
    "$clang" $common -w -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S \
      -$level $name.cl -o "$out/$name.$level.ptx"
  done
  # Of optimised variables llvm-spirv 15 cannot say where they are.
  case $level in O0) debug=-g ;; *) debug=-gline-tables-only ;; esac
  for name in defects arrays lanes; do
    clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown $debug -$level \
      -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" \
      -emit-llvm -c $name.cl -o "$tmp/k.bc"
    llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/$name.$level.spv"
  done
done

# zebin SOURCE LEVEL OUTPUT [OPTION...] compiles for Gen9.
zebin() {
  source=$1 level=$2 output=$3
  shift 3
  options="-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required${*:+ $*}"
  if [ $level = O0 ]; then options="-cl-opt-disable $options"; fi
  ocloc compile -q -file $source.cl -device skl --format zebin -options "$options" -out_dir "$tmp/zebin" >"$tmp/log" ||
    { cat "$tmp/log" >&2; exit 1; }
  cp "$tmp/zebin/${source}_Gen9core.bin" "$out/$output.$level.zebin"
}
zebin defects O0 defects
zebin defects O2 defects
zebin lanes O0 lanes
zebin lanes O2 lanes
for kernel in before_bounds before_ok; do
  zebin arrays O2 arrays.$kernel -g -DONE -DKERNEL_$kernel
done
for kernel in before_bounds before_ok store_bounds store_ok frame_bounds frame_ok called_bounds; do
  zebin arrays O0 arrays.$kernel -g -DONE -DKERNEL_$kernel
done
for name in registers scalars traps; do
  "$clang" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -g -fdebug-compilation-dir=. $name.s \
    -o "$out/$name.co"
done
chmod 644 "$out"/defects.* "$out"/arrays.* "$out"/lanes.* "$out/registers.co" "$out/scalars.co" "$out/traps.co"
