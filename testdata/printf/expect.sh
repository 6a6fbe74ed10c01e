#!/bin/sh
# Writes what the kernels of src/ must print: expect/print_hip.txt as the same
# source prints on the host, expect/print_cl.txt as it prints with PoCL, each
# ordered by work-item; the texts of one keep their order.
#
#   usage: expect.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/expect}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
c++ -std=c++20 -ffp-contract=off -w -x c++ "$here/host/native.cpp" -o "$work/native"
"$work/native" | LC_ALL=C sort -s -t: -k1,1n >"$out/print_hip.txt"
cc -w "$here/host/pocl.c" -lOpenCL -o "$work/pocl"
"$work/pocl" <"$here/src/print_cl.cl" | LC_ALL=C sort -s -t: -k1,1n >"$out/print_cl.txt"
