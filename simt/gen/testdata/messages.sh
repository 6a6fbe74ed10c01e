#!/bin/sh
# Assembles and disassembles messages with iga64: every type and control of the
# gateway, the data caches and the sampler, and descriptors and targets in registers, as
# lines of "HEX TEXT" on standard output, which messages.txt.gz has.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	for kind in 0x02000000 0x02000001 0x02000002 0x02000003 0x02000004 0x02000005 0x02000006 0x02000007; do
		echo "send (8|M0) r10 r12 0x3 $kind"
	done
	for sfid in A C; do
		for type in $(seq 0 31); do
			for control in $(seq 0 63); do
				# payloads of 1 to 4 registers, with and without header, of several surfaces
				set -- 255 254 3
				shift $((control % 3))
				printf 'send (8|M0) r10 r12 0x%s 0x%08X\n' $sfid \
					$(((control % 4 + 1) << 25 | 1 << 20 | control / 4 % 2 << 19 | type << 14 | control << 8 | $1))
			done
		done
	done
	for type in $(seq 0 31); do
		for mode in 0 1 2 3; do
			for bits in 0x04800003 0x44C80503 0x24880FFC; do # with results of 16 bits and a header, and in the high mode
				printf 'send (8|M0) r10 r12 0x2 0x%08X\n' $((bits | type << 12 | mode << 17))
			done
		done
	done
	cat <<'.'
call (8|M0) r127.0 r5.0
calla (8|M0) r127.0 r5.0
brd (8|M0) r5.0
brc (8|M0) r5.0
(f0.0) brd (8|M0) 32
(f0.0) brc (8|M0) 32 48
send (8|M0) r10 r12 0xC a0.0
sends (8|M0) r10 r12 r14 0x4C a0.0
sends (8|M0) r10 r12 r14 a0.2 a0.0
sends (8|M0) r10 r12 r14 a0.4 0x020A02FF
nop
.
} >"$work/asm"
iga64 -a -p=9 "$work/asm" -o "$work/code"
iga64 -d -n -p=9 -Xprint-hex-floats "$work/code" 2>/dev/null >"$work/text"
od -An -v -tx1 -w16 "$work/code" | tr -d ' ' | paste -d ' ' - "$work/text"
