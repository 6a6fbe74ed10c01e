#!/bin/sh
# Compiles print_hip for NVIDIA's machine: ptx/print_hip.OPT.ptx, by clang-22. Its
# printf is a call of vprintf there.
#
#   usage: ptx.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/ptx}
mkdir -p "$out"
out=$(cd "$out" && pwd)
clang=${CLANG:-clang-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/src/print_hip.hip" "$work/print_hip.cu"
sed -e 's/amdgcn_workgroup_id_x/nvvm_ctaid/; s/amdgcn_workgroup_size_x/nvvm_ntid/; s/amdgcn_workitem_id_x/nvvm_tid/' \
  -e 's/__builtin_nvvm_\([a-z]*\)()/__nvvm_read_ptx_sreg_\1_x()/g' "$here/src/device.h" >"$work/device.h"
cd "$work"
for opt in O0 O2; do
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Xclang -target-feature \
    -Xclang +ptx78 -std=c++20 -DGPU -ffp-contract=off -$opt -S print_hip.cu -o "$out/print_hip.$opt.ptx"
done
