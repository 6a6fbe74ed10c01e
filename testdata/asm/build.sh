#!/bin/sh
# Assembles every kernel of this folder for gfx90a, where a wave reaches its
# private memory through a buffer descriptor, and for gfx942, where the hardware
# knows where it is, into co/NAME.TARGET.co; and for gfx90a once more with the
# call frame information in .eh_frame, into co/NAME.gfx90a.eh.co. The objects
# depend on assembler and linker alone.
#
#   usage: build.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/co}
mkdir -p "$out"
out=$(cd "$out" && pwd)
mc=${LLVM_MC:-llvm-mc-22}
lld=${LLD:-ld.lld-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$here"
for source in *.s; do
  name=${source%.s}
  # Each line of code, or of which a macro makes code, gets a row of the line
  # table, and labels that begin a line a symbol for theirs, LINE_label.
  awk '
    /^\.macro/ { macro = 1 }
    /^\.endm/ { macro = 0 }
    /^\t\.(text|section)/ { code = $1 == ".text" }
    code && !macro && /^\t(s_|v_|load|store|address_of|kernel_(start|values|end))/ { print "\t.loc 1 " NR (/prologue ends/ ? " prologue_end" : "") }
    /^[a-z_]+:/ { label = $1; sub(/:.*/, "", label); print "\t.set LINE_" label ", " NR }
    { print }' "$source" >"$work/$name.s"
  for object in gfx90a:0:0: gfx942:1:0: gfx90a:0:1:.eh; do
    IFS=: read -r cpu flat eh suffix <<END
$object
END
    "$mc" -triple=amdgcn-amd-amdhsa -mcpu="$cpu" -filetype=obj --defsym FLAT="$flat" --defsym EH="$eh" \
      "$work/$name.s" -o "$work/$name.o"
    "$lld" -shared --discard-all "$work/$name.o" -o "$out/$name.$cpu$suffix.co"
    chmod 644 "$out/$name.$cpu$suffix.co"
  done
done
