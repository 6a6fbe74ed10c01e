#!/bin/sh
# Assembles exec.asm, or NAME.asm if a name is given, lines of "NAME: INSTRUCTION", with iga64 into lines of
# "NAME HEX" on standard output.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while IFS= read -r line; do
	name=${line%%: *}
	printf '%s\nnop\nnop\nnop\nnop\n' "${line#*: }" >"$work/one.asm" # room for jumps
	iga64 -a -p=9 "$work/one.asm" -o "$work/one" 2>"$work/log" || { echo "$line" >&2; cat "$work/log" >&2; exit 1; }
	echo "$name $(od -An -v -tx1 -N16 "$work/one" | tr -d ' \n')"
done <"$(dirname "$0")/${1:-exec}.asm"
