#!/bin/sh
# Compiles kernels.hip and kernels.cl for the device: the first into offload bundles, kernels.O0.hipfb,
# kernels.O3.hipfb and, for later processors, kernels.later.hipfb, what clang puts into a host program; the second into kernels.co; granule.cl into granule.co
# and granule.spv; library.cl, special.spvasm, life.spvasm, calls.spvasm, part.spvasm and the shaders
# scale.comp, race.comp, halve.comp, blocks.comp, planes.comp and texels.comp, and images.cl into SPIR-V. It needs clang-22, clang-15, llvm-spirv-15, clang-tools-22, lld-22, rocm-device-libs,
# spirv-tools, glslang-tools and the headers of libamdhip64-dev, in HIP_INCLUDE if they are not installed.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
out=$(cd "$out" && pwd)
include=${HIP_INCLUDE:-/usr/include}
cd "$here"
# hip NAME FOLDER-OF-DEVICE-LIBRARIES LANES OPTIONS… compiles kernels.hip into kernels.NAME.hipfb.
hip() {
  name=$1 libs=$2 lanes=$3
  shift 3
  "${CLANG:-clang-22}" -x hip --cuda-device-only "$@" -mcode-object-version=5 \
    -D__AMDGCN_WAVEFRONT_SIZE=$lanes -fuse-cuid=none --hip-path="$(dirname "$include")" \
    --rocm-device-lib-path="$libs" ${HIP_INCLUDE:+-isystem "$HIP_INCLUDE"} \
    -include ../../docs/example/hip_debian.h -w -g -fdebug-compilation-dir=. \
    -ffile-prefix-map=/usr/= -ffile-prefix-map="$("${CLANG:-clang-22}" -print-resource-dir)=clang" \
    -ffile-prefix-map="$include/hip=hip/hip" \
    -c kernels.hip -o "$out/kernels.$name.hipfb"
}
for opt in O0 O3; do
  hip $opt /usr/lib/x86_64-linux-gnu/amdgcn/bitcode 64 --offload-arch=gfx90a -$opt
done
later=$(mktemp -d)
trap 'rm -rf "$later"' EXIT
../../docs/example/device_libs.sh "$later"
hip later "$later" 32 --offload-arch=gfx1100 --offload-arch=gfx1200 -O3
# kernels.cl and granule.cl into code objects, in two steps for printf's sake.
flags="-target amdgcn-amd-amdhsa -mcpu=gfx90a -mcode-object-version=5 -g -O2"
for name in kernels granule; do
  "${CLANG:-clang-22}" -x cl -cl-std=CL1.2 $flags -nogpulib -fdebug-compilation-dir=. -emit-llvm \
    -c $name.cl -o "$out/$name.bc"
  "${CLANG:-clang-22}" -x ir $flags --rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode \
    "$out/$name.bc" -o "$out/$name.co"
  rm "$out/$name.bc"
done
"${CLANG:-clang-22}" -x cl -cl-std=CL1.2 -target spirv64 -O2 -c granule.cl -o "$out/granule.spv"
for opt in O0 O2; do
  "${CLANG:-clang-22}" -x cl -cl-std=CL1.2 -target spirv64 -$opt -c library.cl -o "$out/library.$opt.spv"
done
for name in special life calls part; do
  spirv-as --target-env spv1.2 $name.spvasm -o "$out/$name.spv"
done
for shader in scale race halve blocks planes texels; do
  glslangValidator -V --target-env vulkan1.2 -gVS -Od $shader.comp -o "$out/$shader.spv" >/dev/null
done
# images.cl by clang-15 and llvm-spirv-15, which have all functions of images.
clang-15 -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64 -O0 -emit-llvm -c images.cl \
  -o "$later/images.bc"
llvm-spirv-15 "$later/images.bc" -o "$out/images.spv"
# It by Intel's compiler for two generations, where ocloc is.
if command -v ocloc >/dev/null; then
  for device in skl.Gen9core.gen9 dg2-g10.XE_HPG_COREdg2.xe-hpg; do
    echo "$device" | tr . ' ' | {
      read -r device core name
      ocloc compile -q -file images.cl -device "$device" --format zebin -out_dir "$later/$name" \
        -options "-cl-std=CL1.2 -cl-intel-greater-than-4GB-buffer-required" >/dev/null
      install -m 644 "$later/$name/images_$core.bin" "$out/images.$name.zebin"
    }
  done
fi
