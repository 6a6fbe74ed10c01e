#!/bin/sh
# Compiles the modules that tests run, from src/ into the folder of this script or another:
#
#   NAME.Od.spv    GLSL or HLSL with NonSemantic.Shader.DebugInfo.100, nothing optimised
#   NAME.O.spv     the same after spirv-opt -O
#   NAME.10.spv    SPIR-V 1.0 for Vulkan 1.0, where the source needs no more
#   NAME.none.spv  without debug information
#   NAME.g.spv     with OpLine and OpName only
#   NAME.cl.spv    OpenCL C, or C++ for OpenCL, by clang 15 and llvm-spirv 15, with OpenCL.DebugInfo.100; NAME.clO2.spv optimised
#   NAME.spv       by hand, by spirv-as
#
# Names of files are relative, so that the same tools make the same bytes anywhere.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$here/src"

glsl() { glslangValidator -V "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }; }

for f in *.comp; do
  n=${f%.comp}
  glsl --target-env vulkan1.2 -gVS -Od "$f" -o "$out/$n.Od.spv"
  # Debug information that names no type or a specialised size is refused by the validator inside spirv-opt.
  case $n in
    nodes) ;;
    spec | speclayout) spirv-opt --skip-validation --target-env=vulkan1.2 -O "$out/$n.Od.spv" -o "$out/$n.O.spv" ;;
    *) spirv-opt --target-env=vulkan1.2 -O "$out/$n.Od.spv" -o "$out/$n.O.spv" ;;
  esac
  case $n in
    arith | control | layout | shared | calls) glsl --target-env vulkan1.0 -gVS -Od "$f" -o "$out/$n.10.spv" ;;
  esac
  case $n in
    mandel | matmul | nbody | spec) glsl --target-env vulkan1.2 "$f" -o "$tmp/k.spv"
      spirv-opt --target-env=vulkan1.2 -O "$tmp/k.spv" -o "$out/$n.none.spv" ;;
  esac
done
glsl --target-env vulkan1.1 -g control.comp -o "$out/control.g.spv"
for f in *.hlsl; do
  n=${f%.hlsl}
  glsl -D --target-env vulkan1.2 -gVS -S comp -e main "$f" -o "$out/$n.Od.spv"
  spirv-opt --skip-validation --target-env=vulkan1.2 -O "$out/$n.Od.spv" -o "$out/$n.O.spv"
done
for f in *.cl; do
  n=${f%.cl}
  for o in O0 O2; do
    clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown -g -$o \
      -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" -emit-llvm -c "$f" -o "$tmp/k.bc"
    case $o in O0) v=cl ;; *) v=clO2 ;; esac
    if ! llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/$n.$v.spv" 2>"$tmp/log"; then
      rm -f "$out/$n.$v.spv"
      [ $v = clO2 ] || { cat "$tmp/log" >&2; exit 1; } # some optimised input is more than llvm-spirv 15 takes
    fi
  done
done
for f in *.clcpp; do
  clang-15 -x clcpp -cl-std=clc++2021 -Xclang -finclude-default-header --target=spir64-unknown-unknown -g -O0 \
    -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" -emit-llvm -c "$f" -o "$tmp/k.bc"
  llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/${f%.clcpp}.cl.spv"
done
for f in *.spvasm; do
  case $f in ops.spvasm | floats.spvasm) env=spv1.4 ;; *) env=spv1.3 ;; esac
  spirv-as --target-env $env "$f" -o "$out/${f%.spvasm}.spv"
done
chmod 644 "$out"/*.spv
