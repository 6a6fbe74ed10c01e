#!/bin/sh
# Compiles OpenCL C with clang 22 and the device libraries of rocm-device-libs.
#
#   usage: clc.sh PROCESSOR FILE.cl OUTPUT.co [OPTIONS OF CLANG…]
#
# In two steps: the compiler turns a printf that it does not know into stores to a
# buffer; in one step it would find that of the libraries, which prints nothing. The
# libraries are named one by one, since clang leaves out the one that says whether
# denormals are flushed, and knows none for gfx942. For gfx11 and later device_libs.sh
# makes a folder of libraries that know them, for DEVICE_LIBS.
set -eu
processor=$1 source=$2 output=$3
shift 3
clang=${CLANG:-clang-22}
lib=${DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
isa=${processor#gfx}
wave64=on
case $processor in gfx1*) wave64=off ;; esac
case " $* " in *" -mwavefrontsize64 "*) wave64=on ;; esac
[ -e "$lib/oclc_isa_version_$isa.bc" ] || isa=90a
links=
for name in opencl ocml ockl oclc_isa_version_$isa oclc_abi_version_500 oclc_daz_opt_off oclc_finite_only_off \
    oclc_unsafe_math_off oclc_correctly_rounded_sqrt_on oclc_wavefrontsize64_$wave64; do
  links="$links -Xclang -mlink-builtin-bitcode -Xclang $lib/$name.bc"
done
target="-target amdgcn-amd-amdhsa -mcpu=$processor -mcode-object-version=5 -nogpulib -g"
case " $* " in *" -O"*) ;; *) target="$target -O0" ;; esac
# Without -fgnu89-inline, plain inline functions are nowhere at -O0.
trap 'rm -f "$output.ll" "$output.all.ll"' EXIT
"$clang" -x cl $target -Xclang -fgnu89-inline "$@" -emit-llvm -S "$source" -o "$output.all.ll"
# clang makes two functions of a kernel. Where it puts one into the other it leaves that
# too, since anybody might call it, and lines of the kernel have two places for breakpoints.
sed 's/^define [^@]*void @__clang_ocl_kern_imp_/define internal void @__clang_ocl_kern_imp_/' \
    "$output.all.ll" >"$output.ll"
level=$(for o in "$@"; do case $o in -O* | -mwavefrontsize64) echo "$o" ;; esac; done)
"$clang" -x ir $target $level $links "$output.ll" -o "$output"
