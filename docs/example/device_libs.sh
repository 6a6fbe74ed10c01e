#!/bin/sh
# Makes a folder of AMD's device libraries for processors that Debian's rocm-device-libs came before: for gfx11,
# gfx12 and gfx1250. Give it to clang with --rocm-device-lib-path=FOLDER.
#
#   usage: device_libs.sh FOLDER [FOLDER-OF-DEBIAN'S]
#
# The functions are the same for all processors but for some that ask which one it is. To these the later ones are
# gfx1010, of whose instructions they have all but those for the time: these become what every processor has.
set -eu
to=$1 from=${2:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
clang="${CLANG:-clang-22} -target amdgcn-amd-amdhsa -nogpulib -Wno-override-module -Xclang -disable-llvm-passes"
mkdir -p "$to"
for file in "$from"/*.bc; do ln -sf "$file" "$to/"; done
rm -f "$to/ockl.bc"
$clang -x ir -emit-llvm -S "$from/ockl.bc" -o "$to/old.ll"
sed -e 's/@llvm\.amdgcn\.s\.memrealtime/@llvm.readsteadycounter/' \
    -e 's/@llvm\.amdgcn\.s\.memtime/@llvm.readcyclecounter/' \
    -e 's/"target-features"="+s-mem[a-z-]*"//' "$to/old.ll" >"$to/new.ll"
$clang -x ir -emit-llvm -c "$to/new.ll" -o "$to/ockl.bc"
rm "$to/old.ll" "$to/new.ll"
for isa in 1100 1101 1102 1103 1150 1151 1152 1153 1200 1201 1250 1251; do
  ln -sf oclc_isa_version_1010.bc "$to/oclc_isa_version_$isa.bc"
done
