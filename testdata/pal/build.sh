#!/bin/sh
# Makes PAL pipelines of the modules of src/ for each target: co/NAME.TARGET.o as
# LLPC writes them (ET_REL), and co/NAME.TARGET.co as ld.lld links them (ET_DYN)
# where it can: it does not know the relocations that lead to constants.
# The modules have the shape of what LLPC's lowering leaves for the GLSL beside
# them, and llc is the compiler that LLPC has at its end. Needs llvm-22, lld-22
# and python3.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
llc=${LLC:-llc-22} opt=${OPT:-opt-22} lld=${LLD:-ld.lld-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make() { # name, module, target
  module=$work/$1.ll
  cp "$here/src/$2.ll" "$module"
  cp "$here/src/$1.pal" "$work"
  case $3 in gfx1*) sed -i 's/"\.wavefront_size": 64/".wavefront_size": 32/' "$work/$1.pal" ;; esac
  case $3 in gfx12*) # the hardware has the workgroup in registers of its own
    sed -i -e 's/<3 x i32> inreg noundef %WorkgroupId, i32 inreg noundef %MultiDispatchInfo, //' \
      -e 's/extractelement <3 x i32> %WorkgroupId, i64 0/call i32 @llvm.amdgcn.workgroup.id.x()/' "$module" ;;
  esac
  if [ "$3" != gfx900 ]; then # local ids come packed in one register
    sed -i -e 's/<3 x i32> noundef %LocalInvocationId/i32 noundef %LocalInvocationId/' \
      -e 's/extractelement <3 x i32> %LocalInvocationId, i64 0/and i32 %LocalInvocationId, 1023/' "$module"
  fi
  python3 "$here/pack.py" "$module" "$work/$1.pal" >"$work/whole.ll"
  # LLPC lowers the pointers to buffers before LLVM does. LLVM's pass leaves a
  # second unit of debugging information, which must be one with the first.
  "$opt" -mtriple=amdgcn--amdpal -mcpu="$3" -passes=amdgpu-lower-buffer-fat-pointers "$work/whole.ll" -S -o "$work/lowered.ll"
  unit=$(sed -n 's/^!llvm.dbg.cu = !{\(!.*\)}/\1/p' "$work/lowered.ll")
  [ -z "$unit" ] || sed -i -e "s/unit: ![0-9]*/unit: $unit/" "$work/lowered.ll"
  # Debugging information gives the names that the module has, not this folder's.
  (cd "$work" && "$llc" -mcpu="$3" -filetype=obj lowered.ll -o "$out/$1.$3.o")
  if [ "$1" != tables ]; then
    "$lld" -shared "$out/$1.$3.o" -o "$out/$1.$3.co"
    chmod 644 "$out/$1.$3.co"
  fi
}

for target in gfx900 gfx90a; do
  for name in hello tables scratch; do
    make $name $name $target
  done
  make registers hello $target
done

for target in gfx1100 gfx1250; do
  make hello hello $target
  make tables tables $target
done
