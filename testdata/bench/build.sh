#!/bin/sh
# Compiles bench.cl for the simulated GPUs: bench.gfx*.co and bench.ptx by clang 22, bench.spv by
# clang 15 and llvm-spirv 15, bench.zebin by IGC for Gen9, gen/ for Gen9 unoptimised and other
# generations at both levels. The objects depend on the compilers alone; IGC's on the
# folder that it compiles in too, SOURCES, which is one of this name on any machine.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
out=$(cd "$out" && pwd)
cd "$here"
for target in gfx900 gfx90a gfx1100; do
  "${CLANG:-clang-22}" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$target -O2 -nogpulib \
    -fdebug-compilation-dir=. bench.cl -o "$out/bench.$target.co"
  chmod 644 "$out/bench.$target.co"
done

"${CLANG:-clang-22}" -x cl -cl-std=CL2.0 -target nvptx64-nvidia-cuda -march=sm_80 -O2 -nogpulib -S \
  -Xclang -target-feature -Xclang +ptx78 -fdebug-compilation-dir=. bench.cl -o "$out/bench.ptx"
chmod 644 "$out/bench.ptx"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown -O2 \
  -fdebug-compilation-dir=. -emit-llvm -c bench.cl -o "$work/bench.bc"
llvm-spirv-15 "$work/bench.bc" -o "$out/bench.spv"
chmod 644 "$out/bench.spv"

sources=${SOURCES:-/kernels}
mkdir -p "$sources"
cp bench.cl "$sources"
cd "$sources"
mkdir -p "$out/gen"
for target in bdw.Gen8core.gen8 skl.Gen9core.gen9 icllp.Gen11lp.gen11 tgllp.Gen12LPlp.gen12lp \
  dg2-g10.XE_HPG_COREdg2.xe-hpg pvc.XE_HPC_COREpvc.xe-hpc; do
  device=${target%%.*} name=${target##*.} core=${target#*.}
  for level in O0 O2; do
    options="-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required"
    if [ $level = O0 ]; then options="$options -cl-opt-disable"; fi
    ocloc compile -q -file bench.cl -device "$device" --format zebin -out_dir "$work/$level" \
      -options "$options" >"$work/log" || { cat "$work/log" >&2; exit 1; }
    cp "$work/$level/bench_${core%.*}.bin" "$out/gen/$name-$level.zebin"
    chmod 644 "$out/gen/$name-$level.zebin"
  done
done
mv "$out/gen/gen9-O2.zebin" "$out/bench.zebin"
