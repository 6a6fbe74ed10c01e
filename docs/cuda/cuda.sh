#!/bin/sh
# Compiles a CUDA program with clang, without anything of NVIDIA's: its kernels to PTX, and the host's side with
# that in it. The program runs under `simtgdb exec`.
#
#   usage: cuda.sh FILE.cu [-o PROGRAM] [FLAGS OF CLANG…]
#
# ARCH is the compute capability that kernels are compiled for, sm_80 if it is not given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 out=a.out
shift
if [ "${1:-}" = -o ]; then
  out=$2
  shift 2
fi
clang=${CLANG:-clang++-22}
common="-x cuda --cuda-gpu-arch=${ARCH:-sm_80} -nocudainc -nocudalib -I $here/../../stub/compile/include/cuda"
common="$common -include cuda_runtime.h -Wno-unknown-cuda-version"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A program's own folders come before the headers here: CUB and Thrust bring parts of libcu++ of their own. What makes
# clang take some versions of those comes before them.
set -- -I "$here/../../stub/compile/include/cccl" "$@"
$clang "$@" $common --cuda-device-only -Xclang -target-feature -Xclang +ptx78 \
  -S "$source" -o "$work/kernels.ptx"
printf '\0' >>"$work/kernels.ptx" # the end of a text in memory
# The launch that clang writes is that of CUDA 9.2 and later.
$clang "$@" $common --cuda-host-only -Xclang -target-sdk-version=12.3 -Xclang -fcuda-include-gpubinary \
  -Xclang "$work/kernels.ptx" -c "$source" -o "$work/host.o"
# simtgdb exec has the library; to link, one that has the functions that are called is enough.
readelf -Ws "$work/host.o" | sed -n 's/^.* UND \(_*cuda[A-Za-z0-9_]*\|cu[A-Z][A-Za-z0-9_]*\|cublas[A-Z][A-Za-z0-9_]*\|nvrtc[A-Z][A-Za-z0-9]*\)$/void \1(void) {}/p' >"$work/runtime.c"
$clang -x c -w -shared -fPIC -Wl,-soname,libcudart.so.12 "$work/runtime.c" -o "$work/libcudart.so"
$clang "$work/host.o" -L"$work" -lcudart -o "$out"
