#!/bin/sh
# Compiles print_cl to SPIR-V: spirv/print_cl.spv. Needs clang-15 and
# llvm-spirv-15.
#
#   usage: spirv.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/spirv}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/src"
clang-15 -w -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown -O0 \
  -ffp-contract=off -emit-llvm -c print_cl.cl -o "$work/print_cl.bc"
llvm-spirv-15 "$work/print_cl.bc" -o "$out/print_cl.spv"
