#!/bin/sh
# Compiles the kernels of libcublas, src/blas.cu, to what is given, src/blas.ptx if nothing is.
set -eu
cd "$(dirname "$0")/src"
include=../../../compile/include/cuda
${CLANG:-clang++-22} -x cuda -nocudainc -nocudalib -I $include -include cuda_runtime.h -Wno-unknown-cuda-version \
  --cuda-device-only --cuda-gpu-arch=sm_75 -Xclang -target-feature -Xclang +ptx64 -O2 -fno-unroll-loops \
  -gline-tables-only -fdebug-compilation-dir=libcublas -S blas.cu -o "${1:-blas.ptx}"
