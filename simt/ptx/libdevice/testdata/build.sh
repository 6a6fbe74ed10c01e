#!/bin/sh
# Writes libm.txt: what the functions of the host's C library give.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CLANG:-clang-22}" -O1 -fno-builtin -ffp-contract=off libm.c -o "$work/libm" -lm
"$work/libm" >libm.txt
