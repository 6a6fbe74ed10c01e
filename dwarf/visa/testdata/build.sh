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
# The same for the programs with stack calls, compiled to zebin files, whose ABI
# is another one, in zebin/DEVICE.
#
# The environment may name other devices in DEVICES, and may ask for the .gen of
# every program with UNWOUND=all.
#
# A .gen line is: offset (hexadecimal), instruction, and iga64's description of
# the message of a send.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/igc}
devices=${DEVICES:-skl icllp tgllp dg2 pvc}
unwound="mutual-O2 nested-O2 recurse-O2 recurse-O0"
unwound_skl="mutual-O0 nested-O0"
unwound_tgllp="nested-O0" # a leaf function restores its frame by a mov there
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build DEVICES FOLDER OPTION PROGRAMS: the programs for devices, into a folder
# for each, with an option of ocloc.
build() {
	for device in $1; do
		case $device in # iga64's name of the platform
		skl) platform=9 ;;
		icllp) platform=11 ;;
		tgllp) platform=12p1 ;;
		dg2) platform=12p71 ;;
		pvc) platform=12p72 ;;
		*) echo "unknown device $device" >&2; exit 2 ;;
		esac
		folder=$2/$device
		mkdir -p "$folder"
		for program in $4; do
			for mode in O0 O2; do
				case $mode in
				O0) options="-g -cl-opt-disable" ;;
				O2) options="-g" ;;
				esac
				dump=$work/$(basename "$2")-$device-$program-$mode
				mkdir "$dump"
				(
					cd "$here/src"
					IGC_ShaderDumpEnable=1 IGC_ShaderDumpPidDisable=1 IGC_DumpToCustomDir=$dump \
						ocloc compile -q -file "$program.cl" -device "$device" $3 \
						-options "$options" -out_dir "$dump/out" >"$dump/log" 2>&1
				) || { cat "$dump/log" >&2; exit 1; }
				for table in "$dump"/*_entry_*.dbg; do
					kernel=$(echo "$table" | sed -E 's/.*_entry_0*([0-9]+)\.dbg$/\1/')
					suffix=
					if [ -e "$dump"/*_entry_0002.dbg ]; then suffix=-$kernel; fi
					cp "$table" "$folder/$program-$mode$suffix.dbg"
				done
				wanted=$unwound
				case $device in
				skl) wanted="$wanted $unwound_skl" ;;
				tgllp) wanted="$wanted $unwound_tgllp" ;;
				esac
				case "${UNWOUND:-} $wanted " in
				all* | *" $program-$mode "*)
					# A program of several kernels has its calls in the last one.
					kernel=$(ls "$dump"/*_entry_*.dat | wc -l)
					suffix=
					if [ "$kernel" -gt 1 ]; then suffix=-$kernel; fi
					# iga64 warns of forms that IGC encodes differently from itself.
					iga64 -d -n -p=$platform -Xprint-pc "$dump"/*_entry_000$kernel.dat 2>/dev/null |
						sed -E 's#^/\* \[([0-9A-F]+)\] *\*/#\1#; s#\{[^}]*\}##; s# +# #g; s# $##' \
							>"$folder/$program-$mode$suffix.gen"
					;;
				esac
			done
		done
	done
}

build "$devices" "$out" "" "$(cd "$here/src" && ls *.cl | sed 's/\.cl$//')"
if [ -z "${DEVICES:-}" ]; then
	build skl "$(dirname "$out")/zebin" "--format zebin" "mutual nested recurse"
fi
