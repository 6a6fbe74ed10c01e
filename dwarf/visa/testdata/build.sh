#!/bin/sh
# Builds the vISA debug tables of the programs in src/ with IGC:
#
#   build.sh [OUTPUT-DIRECTORY]    (default: the igc folder beside this script)
#
# Needs ocloc (Debian package intel-opencl-icd) and iga64 (libigc-tools). For
# each DEVICE, each program and each of the modes O0 (-g -cl-opt-disable) and O2
# (-g) it writes
#
#   DEVICE/PROGRAM-MODE[-KERNEL].dbg   the raw vISA tables; the number of the
#                                      kernel where a program has several
#   DEVICE/PROGRAM-MODE.gen            the Gen code as iga64 disassembles it,
#                                      for the programs that the tests unwind
#
# A .gen line is: offset (hexadecimal), instruction, and iga64's description of
# the message of a send.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/igc}
unwound="mutual-O2 nested-O2 recurse-O2 recurse-O0"
unwound_skl="mutual-O0 nested-O0"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# device:platform name of iga64
for pair in skl:9 icllp:11 tgllp:12p1 dg2:12p71 pvc:12p72; do
	device=${pair%%:*}
	platform=${pair#*:}
	mkdir -p "$out/$device"
	for source in "$here"/src/*.cl; do
		program=$(basename "$source" .cl)
		for mode in O0 O2; do
			case $mode in
			O0) options="-g -cl-opt-disable" ;;
			O2) options="-g" ;;
			esac
			dump=$work/$device-$program-$mode
			mkdir "$dump"
			(
				cd "$here/src"
				IGC_ShaderDumpEnable=1 IGC_ShaderDumpPidDisable=1 IGC_DumpToCustomDir=$dump \
					ocloc compile -q -file "$program.cl" -device "$device" \
					-options "$options" -out_dir "$dump/out" >"$dump/log" 2>&1
			) || { cat "$dump/log" >&2; exit 1; }
			for table in "$dump"/*_entry_*.dbg; do
				kernel=$(echo "$table" | sed -E 's/.*_entry_0*([0-9]+)\.dbg$/\1/')
				suffix=
				if [ -e "$dump"/*_entry_0002.dbg ]; then suffix=-$kernel; fi
				cp "$table" "$out/$device/$program-$mode$suffix.dbg"
			done
			wanted=$unwound
			if [ $device = skl ]; then wanted="$unwound $unwound_skl"; fi
			case " $wanted " in
			*" $program-$mode "*)
				# iga64 warns of forms that IGC encodes differently from itself.
				iga64 -d -n -p=$platform -Xprint-pc "$dump"/*_entry_0001.dat 2>/dev/null |
					sed -E 's#^/\* \[([0-9A-F]+)\] *\*/#\1#; s#\{[^}]*\}##; s# +# #g; s# $##' \
						>"$out/$device/$program-$mode.gen"
				;;
			esac
		done
	done
done
