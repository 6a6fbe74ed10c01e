#!/bin/sh
# Makes PAL pipelines of the modules of src/ for each target: co/NAME.TARGET.o as
# LLPC writes them (ET_REL), and co/NAME.TARGET.co as ld.lld links them (ET_DYN)
# where it can, of most: it does not know the relocations that lead to constants.
# TARGET is a processor, with .w64 for waves of 64 lanes where it could have 32.
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
  module=$work/$1.ll cpu=${3%.w64}
  options="-mcpu=$cpu"
  case $3 in *.w64) options="$options -mattr=+wavefrontsize64" ;; esac
  cp "$here/src/$2.ll" "$module"
  cp "$here/src/$1.pal" "$work"
  # Waves have 32 lanes from gfx10 on, unless the target says w64.
  case $3 in gfx1*.w64) ;; gfx1*) sed -i 's/"\.wavefront_size": 64/".wavefront_size": 32/' "$work/$1.pal" ;; esac
  case $3 in gfx12*) # the hardware has the workgroup in registers of its own
    sed -i -e 's/<3 x i32> inreg noundef %WorkgroupId, i32 inreg noundef %MultiDispatchInfo, //' \
      -e 's/extractelement <3 x i32> %WorkgroupId, i64 0/call i32 @llvm.amdgcn.workgroup.id.x()/' "$module" ;;
  esac
  case $3 in gfx900|gfx10*) ;; *) # local ids come packed in one register
    sed -i -e 's/<3 x i32> noundef %LocalInvocationId/i32 noundef %LocalInvocationId/' \
      -e 's/extractelement <3 x i32> %LocalInvocationId, i64 0/and i32 %LocalInvocationId, 1023/' "$module" ;;
  esac
  python3 "$here/pack.py" "$module" "$work/$1.pal" >"$work/whole.ll"
  # LLPC lowers the pointers to buffers before LLVM does. LLVM's pass leaves a
  # second unit of debugging information, which must be one with the first.
  "$opt" -mtriple=amdgcn--amdpal $options -passes=amdgpu-lower-buffer-fat-pointers "$work/whole.ll" -S -o "$work/lowered.ll"
  unit=$(sed -n 's/^!llvm.dbg.cu = !{\(!.*\)}/\1/p' "$work/lowered.ll")
  [ -z "$unit" ] || sed -i -e "s/unit: ![0-9]*/unit: $unit/" "$work/lowered.ll"
  # Debugging information gives the names that the module has, not this folder's.
  (cd "$work" && "$llc" $options -filetype=obj lowered.ll -o "$out/$1.$3.o")
  case $1.$3 in tables.* | scratch.gfx1* | registers.gfx1*) return ;; esac
  "$lld" -shared "$out/$1.$3.o" -o "$out/$1.$3.co"
  chmod 644 "$out/$1.$3.co"
}

for target in gfx900 gfx90a; do
  for name in hello tables scratch; do
    make $name $name $target
  done
  make registers hello $target
done

# One size of waves each, but for gfx1100: half of them 32 lanes, half 64.
for target in gfx1010.w64 gfx1030 gfx1100 gfx1100.w64 gfx1150 gfx1200.w64 gfx1250; do
  for name in hello tables scratch; do
    make $name $name $target
  done
done
make registers hello gfx1030
