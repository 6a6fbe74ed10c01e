#!/bin/sh
# Compiles src/inexact.cl, unoptimised and optimised:
#
#   inexact.LEVEL.co             gfx90a, by clang 22
#   inexact.PROCESSOR.O2.co      later processors
#   inexact.LEVEL.ptx            PTX
#   inexact.LEVEL.spv            SPIR-V for OpenCL, by clang 15 and llvm-spirv 15
#   inexact.LEVEL.zebin          Gen9, by ocloc
#   inexact.DEVICE.O2.zebin      Gen12LP and Xe-HPG
#
# The sources are compiled in SOURCES, a folder of this name on any machine.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
sources=${SOURCES:-/kernels/fidelity}
mkdir -p "$sources"
cp "$here"/src/* "$sources"
cd "$sources"

clang=${CLANG:-clang-22}
common="-x cl -cl-std=CL2.0 -g -ffp-contract=off -nogpulib -w -cl-fp32-correctly-rounded-divide-sqrt
        -fdebug-compilation-dir=. -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# zebin LEVEL DEVICE OUTPUT
zebin() {
  options="-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"
  case $1 in O0) options="-cl-opt-disable $options" ;; esac
  rm -rf "$tmp/zebin"
  ocloc compile -q -file inexact.cl -device $2 --format zebin -options "$options" -out_dir "$tmp/zebin" >"$tmp/log" ||
    { cat "$tmp/log" >&2; exit 1; }
  cp "$tmp"/zebin/inexact_*.bin "$out/$3"
}
for level in O0 O2; do
  "$clang" $common -target amdgcn-amd-amdhsa -mcpu=gfx90a -$level inexact.cl -o "$out/inexact.$level.co"
  "$clang" $common -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S -$level \
    inexact.cl -o "$out/inexact.$level.ptx"
  # Of optimised variables llvm-spirv 15 cannot say where they are.
  case $level in O0) debug=-g ;; *) debug=-gline-tables-only ;; esac
  clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown $debug -$level \
    -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" \
    -emit-llvm -c inexact.cl -o "$tmp/k.bc"
  llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/inexact.$level.spv"
  zebin $level skl inexact.$level.zebin
done
for processor in gfx1030 gfx1100 gfx1200 gfx1250; do
  "$clang" $common -target amdgcn-amd-amdhsa -mcpu=$processor -O2 inexact.cl \
    -o "$out/inexact.$processor.O2.co"
done
for device in tgllp dg2; do
  zebin O2 $device inexact.$device.O2.zebin
done
chmod 644 "$out"/inexact.*
