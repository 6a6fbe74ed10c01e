#!/bin/sh
# Compiles src/defects.cl for every machine, unoptimised and optimised, and src/registers.s and
# src/traps.s for gfx90a:
#
#   defects.LEVEL.co      gfx90a, by clang 22
#   defects.LEVEL.ptx     PTX, by clang 22
#   defects.LEVEL.spv     SPIR-V for OpenCL, by clang 15 and llvm-spirv 15
#   defects.LEVEL.zebin   Gen9, by ocloc
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
  "$clang" $common -target amdgcn-amd-amdhsa -mcpu=gfx90a -$level defects.cl -o "$out/defects.$level.co"
  "$clang" $common -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S -$level \
    defects.cl -o "$out/defects.$level.ptx"
  # Of optimised variables llvm-spirv 15 cannot say where they are.
  case $level in O0) debug=-g ;; *) debug=-gline-tables-only ;; esac
  clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown $debug -$level \
    -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" \
    -emit-llvm -c defects.cl -o "$tmp/k.bc"
  llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/defects.$level.spv"
  options="-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"
  if [ $level = O0 ]; then options="-cl-opt-disable $options"; fi
  ocloc compile -q -file defects.cl -device skl --format zebin -options "$options" -out_dir "$tmp/$level" >"$tmp/log" ||
    { cat "$tmp/log" >&2; exit 1; }
  cp "$tmp/$level/defects_Gen9core.bin" "$out/defects.$level.zebin"
done
for name in registers traps; do
  "$clang" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -g -fdebug-compilation-dir=. $name.s \
    -o "$out/$name.co"
done
chmod 644 "$out"/defects.* "$out/registers.co" "$out/traps.co"
