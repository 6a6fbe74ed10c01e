#!/bin/sh
# Compiles src/defects.cl, src/arrays.cl, src/rows.cl, src/members.cl, src/values.cl, src/held.cl, src/lanes.cl,
# src/orders.cl, src/calls.cl, src/exchange.cl, src/more.cl, src/mixed.cl, src/finite.cl, src/masked.cl, src/merged.cl and
# src/parts.cl for every machine, unoptimised and optimised, src/branches.cl for PTX and SPIR-V, src/scopes.cl
# and src/copies.cl for SPIR-V, src/marks.cl and src/halves.cl for gfx90a, src/undef.cl for PTX and Gen9, src/phi.comp for SPIR-V, both optimised, and src/registers.s, src/scalars.s and
# src/traps.s for gfx90a:
#
#   NAME.LEVEL.co      gfx90a, by clang 22
#   NAME.LEVEL.gfx1100.co         gfx1100
#   exchange.PROCESSOR.LEVEL.co   other processors, and with options for how workgroups are laid out
#   NAME.LEVEL.ptx     PTX, by clang 22
#   NAME.LEVEL.spv     SPIR-V for OpenCL, by clang 15 and llvm-spirv 15
#   NAME.LEVEL.zebin   Gen9, by ocloc
#   NAME.LEVEL.xe-hpg.zebin       Xe-HPG
#   phi.KERNEL.spv     SPIR-V for Vulkan, by glslangValidator and spirv-opt
#   NAME.KERNEL.LEVEL.zebin, NAME.KERNEL.LEVEL.xe-hpg.zebin   of one kernel, with debugging information
#
# The sources are compiled in SOURCES, a folder of this name on any machine. Those of one kernel for Gen9 are left out
# with ALONE=no.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
out=$(cd "$out" && pwd)
sources=${SOURCES:-/kernels/check}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$sources"
cp "$here"/src/* "$sources"
cd "$sources"

clang=${CLANG:-clang-22}
common="-x cl -cl-std=CL2.0 -g -ffp-contract=off -nogpulib -fdebug-compilation-dir=.
        -ffile-prefix-map=$("$clang" -print-resource-dir)=clang"
for level in O0 O2; do
  for name in defects arrays rows members values held lanes orders calls exchange more mixed finite masked merged marks parts halves; do
    "$clang" $common -w -target amdgcn-amd-amdhsa -mcpu=gfx90a -$level $name.cl -o "$out/$name.$level.co"
    "$clang" $common -w -target amdgcn-amd-amdhsa -mcpu=gfx1100 -$level $name.cl -o "$out/$name.$level.gfx1100.co"
  done
  # The memory models of the generations differ, and so do those of one with another way to lay out workgroups.
  for processor in gfx942 gfx950 gfx1030 gfx1200 gfx90a-mtgsplit gfx1100-mcumode; do
    mode=${processor#${processor%-m*}}
    "$clang" $common -w -target amdgcn-amd-amdhsa -mcpu=${processor%-m*} $mode -$level exchange.cl \
      -o "$out/exchange.$processor.$level.co"
  done
  for name in defects arrays rows members values held lanes orders calls exchange more mixed finite masked merged parts branches; do
    "$clang" $common -w -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S \
      -$level $name.cl -o "$out/$name.$level.ptx"
  done
  # Of optimised variables llvm-spirv 15 cannot say where they are.
  case $level in O0) debug=-g ;; *) debug=-gline-tables-only ;; esac
  for name in defects arrays rows members values held lanes orders calls exchange more mixed finite masked merged parts branches scopes copies; do
    clang-15 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header --target=spir64-unknown-unknown $debug -$level \
      -ffp-contract=off -fdebug-compilation-dir=. "-ffile-prefix-map=$(clang-15 -print-resource-dir)=clang" \
      -emit-llvm -c $name.cl -o "$tmp/k.bc"
    llvm-spirv-15 --spirv-debug-info-version=ocl-100 "$tmp/k.bc" -o "$out/$name.$level.spv"
  done
done

# zebin SOURCE LEVEL OUTPUT [OPTION...] compiles for Gen9 and Xe-HPG, which has no doubles: without the kernels of them.
zebin() {
  source=$1 level=$2 output=$3
  shift 3
  options="-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required${*:+ $*}"
  if [ $level = O0 ]; then options="-cl-opt-disable $options"; fi
  for target in skl.Gen9core. dg2-g10.XE_HPG_COREdg2.xe-hpg.; do
    rest=${target#*.}
    if [ "$source ${target%%.*}" = "values dg2-g10" ]; then
      sed -i '/^__kernel void wide_/,/^}/s/.*//' $source.cl
    fi
    ocloc compile -q -file $source.cl -device ${target%%.*} --format zebin -options "$options" -out_dir "$tmp/zebin" \
      >"$tmp/log" || { cat "$tmp/log" >&2; exit 1; }
    cp "$tmp/zebin/${source}_${rest%%.*}.bin" "$out/$output.$level.${rest#*.}zebin"
  done
  cp "$here/src/$source.cl" .
}
for name in defects values held lanes orders calls exchange more mixed finite masked merged parts; do
  zebin $name O0 $name
  zebin $name O2 $name
done
zebin undef O2 undef
"$clang" $common -w -target nvptx64-nvidia-cuda -march=sm_70 -Xclang -target-feature -Xclang +ptx78 -S -O2 undef.cl \
  -o "$out/undef.O2.ptx"
for kernel in phi_uninit phi_ok; do
  glslangValidator -V -g -D$kernel phi.comp -o "$tmp/phi.spv" >"$tmp/log" || { cat "$tmp/log" >&2; exit 1; }
  spirv-opt -O "$tmp/phi.spv" -o "$out/phi.$kernel.spv"
done
# alone SOURCE KERNEL leaves one kernel of a source, in its lines, and what is in none.
alone() {
  awk -v kernel="$2" '
    /^__kernel void / { out = $0 !~ "^__kernel void " kernel "\\("; line = /}/ }
    { print out ? "" : $0 }
    /^}/ || line { out = line = 0 }' "$here/src/$1.cl" >"$1.cl"
}
if [ "${ALONE:-yes}" = yes ]; then
  for kernel in far_fault some_barrier called_race; do
    zebin calls O0 calls.$kernel -g -DONE -DKERNEL_$kernel
  done
  for level in O0 O2; do
    for kernel in before_bounds before_ok store_bounds store_ok frame_bounds frame_ok called_bounds; do
      zebin arrays $level arrays.$kernel -g -DONE -DKERNEL_$kernel
    done
    for kernel in column_bounds column_ok plane_bounds plane_ok entry_bounds; do
      zebin rows $level rows.$kernel -g -DONE -DKERNEL_$kernel
    done
    for kernel in member arrow element frame pointer cell called; do
      zebin members $level members.${kernel}_bounds -g -DONE -DKERNEL_${kernel}_bounds
      zebin members $level members.${kernel}_ok -g -DONE -DKERNEL_${kernel}_ok
    done
  done
  for level in O0 O2; do
    for kernel in defects.array_bounds defects.array_ok defects.table_bounds more.line_bounds more.line_ok; do
      alone ${kernel%.*} ${kernel#*.}
      zebin ${kernel%.*} $level $kernel -g
    done
  done
fi
for name in registers scalars traps; do
  "$clang" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -g -fdebug-compilation-dir=. $name.s \
    -o "$out/$name.co"
done
chmod 644 "$out"/*.co "$out"/*.ptx "$out"/*.spv "$out"/*.zebin
