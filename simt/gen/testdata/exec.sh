#!/bin/sh
# Assembles exec.asm, or NAME.asm if a name is given, lines of "NAME: INSTRUCTION", with iga64 into lines of
# "NAME HEX" on standard output. All are assembled at once; where that fails, one by one, to tell which is wrong.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lines=$(dirname "$0")/${1:-exec}.asm

# Four instructions of 16 bytes after each leave room for jumps.
sed 's/^[^:]*: //; s/$/\nnop\nnop\nnop\nnop/' "$lines" >"$work/all.asm"
if ! iga64 -a -p=9 "$work/all.asm" -o "$work/all" 2>"$work/log"; then
	while IFS= read -r line; do
		printf '%s\nnop\nnop\nnop\nnop\n' "${line#*: }" >"$work/one.asm"
		iga64 -a -p=9 "$work/one.asm" -o "$work/one" 2>"$work/log" || { echo "$line" >&2; cat "$work/log" >&2; exit 1; }
	done <"$lines"
	cat "$work/log" >&2
	exit 1
fi
[ "$(wc -c <"$work/all")" -eq $(($(wc -l <"$lines") * 80)) ] || { echo "not all instructions have 16 bytes" >&2; exit 1; }
od -An -v -tx1 -w80 "$work/all" | tr -d ' ' | cut -c 1-32 >"$work/hex"
sed 's/: .*//' "$lines" | paste -d ' ' - "$work/hex"
