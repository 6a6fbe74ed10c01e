#!/bin/sh
# Compiles the kernels of src/ for each target, unoptimised and optimised, into
# co/NAME.TARGET.OPT.co, with ROCm's device libraries (Debian's package
# rocm-device-libs), in the two steps that print for OpenCL C: the compiler
# replaces a printf that it does not know, and in one step the library's stub of
# printf would be linked before that. HIP kernels that print are made twice, for
# hostcalls and for a buffer. hello is the guide's example.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
libraries=${ROCM_DEVICE_LIBS:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names of files in the objects are relative.
cp "$here"/src/* "$here"/../../docs/example/hello.* "$work"
ln -s "$libraries" "$work/lib"
CLANG=$clang "$here/../../docs/example/device_libs.sh" "$work/later" "$libraries"
cd "$work"

common="-nogpulib -mcode-object-version=5 -ffp-contract=off -g -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
opencl="-x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa"
hip="-x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -fuse-cuid=none -std=c++20 -DGPU -c"

lib=lib wide=on
links() {
  for library in "$@" ocml ockl oclc_isa_version_"${target#gfx}" oclc_abi_version_500 oclc_daz_opt_off \
      oclc_unsafe_math_off oclc_finite_only_off oclc_correctly_rounded_sqrt_on oclc_wavefrontsize64_$wide; do
    echo "-Xclang -mlink-builtin-bitcode -Xclang $lib/$library.bc"
  done
}

for target in gfx900 gfx90a; do
  for opt in O0 O2; do
    "$clang" $opencl -mcpu=$target $common -$opt -emit-llvm -c print_cl.cl -o print_cl.bc
    "$clang" -target amdgcn-amd-amdhsa -mcpu=$target $common -$opt $(links opencl) -x ir print_cl.bc \
      -o "$out/print_cl.$target.$opt.co"
    for kind in hostcall buffered; do
      "$clang" $hip --offload-arch=$target $common -$opt -mprintf-kind=$kind $(links opencl) print_hip.hip \
        -o "$out/print_hip.$kind.$target.$opt.co"
    done
    "$clang" $hip --offload-arch=$target $common -$opt $(links) fails.hip -o "$out/fails.$target.$opt.co"
    "$clang" $hip --offload-arch=$target $common -$opt $(links) allocates.hip -o "$out/allocates.$target.$opt.co"
  done
done

# For processors whose waves have 32 lanes.
lib=later wide=off opt=O2
for target in gfx1100 gfx1250; do
  "$clang" $opencl -mcpu=$target $common -$opt -emit-llvm -c print_cl.cl -o print_cl.bc
  "$clang" -target amdgcn-amd-amdhsa -mcpu=$target $common -$opt $(links opencl) -x ir print_cl.bc \
    -o "$out/print_cl.$target.$opt.co"
  for kind in hostcall buffered; do
    "$clang" $hip --offload-arch=$target $common -$opt -mprintf-kind=$kind $(links opencl) print_hip.hip \
      -o "$out/print_hip.$kind.$target.$opt.co"
  done
done
lib=lib wide=on

for opt in O0 O2; do
  target=gfx90a
  "$clang" $opencl -mcpu=$target $common -$opt -emit-llvm -c hello.cl -o hello.bc
  "$clang" -target amdgcn-amd-amdhsa -mcpu=$target $common -$opt $(links opencl) -x ir hello.bc \
    -o "$out/hello_cl.$target.$opt.co"
  "$clang" $hip --offload-arch=$target $common -$opt $(links) hello.hip -o "$out/hello.$target.$opt.co"
done

# Without names of the functions that reach the host.
for name in hello hello_cl; do
  "${STRIP:-llvm-strip-22}" "$out/$name.gfx90a.O2.co" -o "$out/$name.stripped.gfx90a.O2.co"
done

"$clang" $opencl -w -mcpu=gfx90a $common -O2 -emit-llvm -c scribbles.cl -o scribbles.bc
"$clang" -target amdgcn-amd-amdhsa -mcpu=gfx90a $common -O2 $(target=gfx90a links opencl) -x ir scribbles.bc \
  -o "$out/scribbles.gfx90a.O2.co"

# In one step: the printf that is linked is the library's, which prints nothing.
"$clang" $opencl -mcpu=gfx90a $common -O2 $(target=gfx90a links opencl) print_cl.cl -o "$out/stub_cl.gfx90a.O2.co"
chmod 644 "$out"/*.co
