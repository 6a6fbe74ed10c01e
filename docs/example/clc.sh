#!/bin/sh
# Compiles OpenCL C with clang 22 and the device libraries of rocm-device-libs.
#
#   usage: clc.sh PROCESSOR FILE.cl OUTPUT.co [OPTIONS OF CLANG…]
#
# In two steps: the compiler turns a printf that it does not know into stores to a
# buffer; in one step it would find that of the libraries, which prints nothing. The
# libraries are named one by one, since clang leaves out the one that says whether
# denormals are flushed, and knows none for processors later than they are.
set -eu
processor=$1 source=$2 output=$3
shift 3
clang=${CLANG:-clang-22}
lib=${DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
isa=${processor#gfx}
[ -e "$lib/oclc_isa_version_$isa.bc" ] || isa=90a
links=
for name in opencl ocml ockl oclc_isa_version_$isa oclc_abi_version_500 oclc_daz_opt_off oclc_finite_only_off \
    oclc_unsafe_math_off oclc_correctly_rounded_sqrt_on oclc_wavefrontsize64_on; do
  links="$links -Xclang -mlink-builtin-bitcode -Xclang $lib/$name.bc"
done
target="-target amdgcn-amd-amdhsa -mcpu=$processor -mcode-object-version=5 -nogpulib -g"
case " $* " in *" -O"*) ;; *) target="$target -O0" ;; esac
# Without -fgnu89-inline, plain inline functions are nowhere at -O0.
"$clang" -x cl $target -Xclang -fgnu89-inline "$@" -emit-llvm -c "$source" -o "$output.bc"
"$clang" -x ir $target $(for o in "$@"; do case $o in -O*) echo "$o" ;; esac; done) $links "$output.bc" -o "$output"
rm "$output.bc"
