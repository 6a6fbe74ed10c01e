#!/bin/sh
# Compiles every program of src/ for Gen9, Gen11, Gen12LP, Xe-HPG and Xe-HPC with IGC, unoptimised and at the
# default level, and writes what the kernels of kernels.txt compute:
#
#   build.sh [OUTPUT-FOLDER [PROGRAM...]]        (default: this folder, and all of it)
#
# With PROGRAMs it makes only zebin/ and text/ of those.
#
#   zebin/PROGRAM-O0.zebin, -O2     the programs, without debug information; in gen11/ for Gen11, and
#                                   so on
#   zebin/256/PROGRAM.zebin         some for Xe-HPC with 256 registers
#   zebin/xe/PROGRAM.zebin          some of src/xe/ for what one generation alone has
#   zebin/stateful/NAME-PROGRAM.zebin   some that reach buffers through a binding table, on Xe-HPC by surface states
#   patch/GENERATION/PROGRAM.bin    some in the older container, of patch tokens, at the default level; patch/stateful/
#                                   without the option for 64-bit addresses
#   text/PROGRAM-O0.txt.gz, -O2     their code sections as iga64 prints them, each behind a line "== SECTION"
#   expect/PROGRAM.KERNEL.bin       the buffers that PoCL leaves, see oracle.c
#   debug/PROGRAM-O0.zebin, -O2     the programs of debug/src/, with debug information: IGC writes it where a
#                                   program has one kernel
#   debug/PROGRAM-O0.dbg, -O2       their vISA tables
#   debug/patch/                    some in the older container, and their tables
#   debug/plain, debug/bare         one of them without tables, and without .debug_frame either
#   bench/bench-O2.zebin            what is measured, and
#   bench/bench.gfx900.co           the same for AMD's gfx900
#
# Needs ocloc (Debian package intel-opencl-icd), iga64 (libigc-tools), a C
# compiler, libOpenCL.so.1 and PoCL (pocl-opencl-icd), clang-22 and AMD's
# device libraries (rocm-device-libs). The same compiler makes the same bytes
# but for the order of symbols: sources are compiled in SOURCES, a folder of
# this name on any machine. With ORACLE=no it leaves expect/ and
# bench/bench.gfx900.co out, and needs ocloc and iga64 alone.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
[ $# -gt 0 ] && shift
chosen=$*
sources=${SOURCES:-/kernels}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in gen8 gen11 gen12lp xe-hpg xe-hpc; do
	mkdir -p "$out/zebin/$folder" "$out/text/$folder" "$out/debug/$folder"
done
mkdir -p "$out/expect" "$out/bench" "$sources"
out=$(cd "$out" && pwd)
cp "$here"/src/*.cl "$sources"

# text FILE PLATFORM: iga64's text of every code section.
text() {
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] *\(\.text\.[^ ]*\) *PROGBITS *[0-9a-f]* *\([0-9a-f]*\) *\([0-9a-f]*\) .*/\1 \2 \3/p' |
		while read -r name offset size; do
			echo "== $name"
			tail -c +$((0x$offset + 1)) "$1" | head -c $((0x$size)) >"$work/section"
			iga64 -d -n "-p=$2" -Xprint-hex-floats "$work/section" 2>/dev/null
		done
}

cd "$sources"
for source in "$here"/src/*.cl; do
	program=$(basename "$source" .cl)
	case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
	for target in bdw.Gen8core.8.gen8/ skl.Gen9core.9. icllp.Gen11lp.11.gen11/ tgllp.Gen12LPlp.12p1.gen12lp/ \
		dg2-g10.XE_HPG_COREdg2.12p71.xe-hpg/ pvc.XE_HPC_COREpvc.12p72.xe-hpc/; do
		case "$target $program" in pvc*) ;; */\ types) continue ;; esac # they have no doubles
		case "$target $program" in bdw*\ basic | bdw*\ groups | bdw*\ shared) ;; bdw*) continue ;; esac
		echo "$target" | tr . ' ' | {
			read -r device core platform folder
			for level in O0 O2; do
				if [ $device$level = bdwO0 ]; then continue; fi # it has instructions that iga64 does not know
				options="-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required"
				if [ "$device" = pvc ]; then # IGC's header wants images in OpenCL 3, and no thread has 8 lanes
					options="-cl-std=CL2.0 -DNARROW=16 -cl-intel-greater-than-4GB-buffer-required"
				fi
				if [ $level = O0 ]; then options="-cl-opt-disable $options"; fi
				ocloc compile -q -file "$program.cl" -device "$device" --format zebin -options "$options" \
					-out_dir "$work/$level" >"$work/log" || { cat "$work/log" >&2; exit 1; }
				object=$out/zebin/$folder$program-$level.zebin
				cp "$work/$level/${program}_$core.bin" "$object"
				chmod 644 "$object"
				text "$object" "$platform" | gzip -9n >"$out/text/$folder$program-$level.txt.gz"
			done
		}
	done
done

# The same with 256 registers.
for program in calls spills; do
	case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
	ocloc compile -q -file "$program.cl" -device pvc --format zebin -out_dir "$work/256" -options \
		"-cl-std=CL2.0 -DNARROW=16 -cl-intel-256-GRF-per-thread -cl-intel-greater-than-4GB-buffer-required" \
		>"$work/log" || { cat "$work/log" >&2; exit 1; }
	mkdir -p "$out/zebin/256"
	cp "$work/256/${program}_XE_HPC_COREpvc.bin" "$out/zebin/256/$program.zebin"
	chmod 644 "$out/zebin/256/$program.zebin"
done

# Some that one generation alone has instructions for.
mkdir -p "$out/zebin/xe"
cp "$here"/src/xe/*.cl "$sources"
for target in named.pvc.XE_HPC_COREpvc split.dg2-g10.XE_HPG_COREdg2; do
	program=${target%%.*} core=${target##*.} device=${target#*.}
	case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
	ocloc compile -q -file "$program.cl" -device "${device%.*}" --format zebin -out_dir "$work/xe" -options \
		"-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required" >"$work/log" || { cat "$work/log" >&2; exit 1; }
	cp "$work/xe/${program}_$core.bin" "$out/zebin/xe/$program.zebin"
	chmod 644 "$out/zebin/xe/$program.zebin"
done

# Some whose buffers are surfaces of a binding table.
mkdir -p "$out/zebin/stateful"
for target in skl.Gen9core.gen9 dg2-g10.XE_HPG_COREdg2.xe-hpg; do
	device=${target%%.*} name=${target##*.} core=${target#*.}
	for program in basic memory; do
		case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
		ocloc compile -q -file "$program.cl" -device "$device" --format zebin -out_dir "$work/stateful" \
			-options "-cl-std=CL2.0" >"$work/log" || { cat "$work/log" >&2; exit 1; }
		cp "$work/stateful/${program}_${core%.*}.bin" "$out/zebin/stateful/$name-$program.zebin"
		chmod 644 "$out/zebin/stateful/$name-$program.zebin"
	done
done

# One whose buffers are surfaces that are named by where their states are.
for program in basic; do
	case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
	ocloc compile -q -file "$program.cl" -device pvc --format zebin -out_dir "$work/bindless" \
		-options "-cl-std=CL2.0 -DNARROW=16" -internal_options "-cl-intel-use-bindless-buffers" >"$work/log" ||
		{ cat "$work/log" >&2; exit 1; }
	cp "$work/bindless/${program}_XE_HPC_COREpvc.bin" "$out/zebin/stateful/xe-hpc-$program.zebin"
	chmod 644 "$out/zebin/stateful/xe-hpc-$program.zebin"
done

# Some in the container of patch tokens.
for target in skl.Gen9core.gen9 icllp.Gen11lp.gen11 tgllp.Gen12LPlp.gen12lp dg2-g10.XE_HPG_COREdg2.xe-hpg \
	pvc.XE_HPC_COREpvc.xe-hpc; do
	device=${target%%.*} name=${target##*.} core=${target#*.}
	mkdir -p "$out/patch/$name" "$out/patch/stateful"
	for program in memory calls groups; do
		case " $chosen " in "  " | *" $program "*) ;; *) continue ;; esac
		ocloc compile -q -file "$program.cl" -device "$device" -out_dir "$work/patch" -options \
			"-cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required" >"$work/log" || { cat "$work/log" >&2; exit 1; }
		cp "$work/patch/${program}_${core%.*}.bin" "$out/patch/$name/$program.bin"
		chmod 644 "$out/patch/$name/$program.bin"
	done
	ocloc compile -q -file basic.cl -device "$device" -out_dir "$work/patch" -options "-cl-std=CL2.0" \
		>"$work/log" || { cat "$work/log" >&2; exit 1; }
	cp "$work/patch/basic_${core%.*}.bin" "$out/patch/stateful/$name-basic.bin"
	chmod 644 "$out/patch/stateful/$name-basic.bin"
done

if [ -n "$chosen" ]; then exit; fi

cp "$here"/debug/src/*.cl "$sources"
for source in "$here"/debug/src/*.cl; do
	program=$(basename "$source" .cl)
	for level in O0 O2; do
		if [ $program-$level = results-O2 ]; then continue; fi # optimised, its recursions are loops
		options="-g -cl-intel-greater-than-4GB-buffer-required"
		if [ $level = O0 ]; then options="$options -cl-opt-disable"; fi
		for target in skl.Gen9core. icllp.Gen11lp.gen11/ tgllp.Gen12LPlp.gen12lp/ dg2-g10.XE_HPG_COREdg2.xe-hpg/ \
			pvc.XE_HPC_COREpvc.xe-hpc/; do
			case "$program $target $level" in
				pair*) continue ;; scalars\ dg2*O0) ;; scalars*) continue ;; recurse\ * | mutual\ * | *\ skl*) ;; *) continue ;; esac
			device=${target%%.*} folder=${target##*.} core=${target#*.}
			dump=$work/dump-$program-$level-$device
			mkdir "$dump"
			IGC_ShaderDumpEnable=1 IGC_ShaderDumpPidDisable=1 IGC_DumpToCustomDir=$dump \
				ocloc compile -q -file "$program.cl" -device "$device" --format zebin -options "$options" \
				-out_dir "$dump/out" >"$work/log" || { cat "$work/log" >&2; exit 1; }
			cp "$dump/out/${program}_${core%.*}.bin" "$out/debug/$folder$program-$level.zebin"
			cp "$dump"/*_entry_0001.dbg "$out/debug/$folder$program-$level.dbg"
			chmod 644 "$out/debug/$folder$program-$level".*
		done
	done
done

# Some in the container of patch tokens.
mkdir -p "$out/debug/patch"
for target in skl.Gen9core.gen9 icllp.Gen11lp.gen11 tgllp.Gen12LPlp.gen12lp dg2-g10.XE_HPG_COREdg2.xe-hpg \
	pvc.XE_HPC_COREpvc.xe-hpc; do
	device=${target%%.*} name=${target##*.} core=${target#*.}
	for program in recurse print pair; do
		case "$program $target" in recurse\ * | *\ skl*) ;; *) continue ;; esac
		dump=$work/dump-patch-$program-$device
		mkdir "$dump"
		IGC_ShaderDumpEnable=1 IGC_ShaderDumpPidDisable=1 IGC_DumpToCustomDir=$dump \
			ocloc compile -q -file "$program.cl" -device "$device" -out_dir "$dump/out" -options \
			"-g -cl-opt-disable -cl-std=CL2.0 -cl-intel-greater-than-4GB-buffer-required" >"$work/log" ||
			{ cat "$work/log" >&2; exit 1; }
		cp "$dump/out/${program}_${core%.*}.bin" "$out/debug/patch/$program-$name.bin"
		if [ $program = recurse ]; then cp "$dump"/*_entry_0001.dbg "$out/debug/patch/$program-$name.dbg"; fi
		chmod 644 "$out/debug/patch/$program-$name".*
	done
done

# Some of those with 256 registers.
for program in recurse spills; do
	dump=$work/dump-256-$program
	mkdir "$dump"
	options="-g -cl-std=CL2.0 -DNARROW=16 -cl-intel-256-GRF-per-thread -cl-intel-greater-than-4GB-buffer-required"
	if [ $program = recurse ]; then options="$options -cl-opt-disable"; fi
	IGC_ShaderDumpEnable=1 IGC_ShaderDumpPidDisable=1 IGC_DumpToCustomDir=$dump \
		ocloc compile -q -file "$program.cl" -device pvc -out_dir "$dump/out" -options "$options" >"$work/log" ||
		{ cat "$work/log" >&2; exit 1; }
	cp "$dump/out/${program}_XE_HPC_COREpvc.bin" "$out/debug/patch/$program-256.bin"
	if [ $program = recurse ]; then cp "$dump"/*_entry_0001.dbg "$out/debug/patch/$program-256.dbg"; fi
	chmod 644 "$out/debug/patch/$program-256".*
done

# The same program without tables beside it, and without .debug_frame either.
mkdir -p "$out/debug/plain" "$out/debug/bare"
cp "$out/debug/recurse-O0.zebin" "$out/debug/plain"
LC_ALL=C sed 's/\.debug_frame/.other_frame/g' "$out/debug/recurse-O0.zebin" >"$out/debug/bare/recurse-O0.zebin"

cp "$here"/bench/bench.cl "$sources"
ocloc compile -q -file bench.cl -device skl --format zebin -out_dir "$work/bench" \
	-options "-cl-std=CL3.0 -cl-intel-greater-than-4GB-buffer-required" >"$work/log" || { cat "$work/log" >&2; exit 1; }
cp "$work/bench/bench_Gen9core.bin" "$out/bench/bench-O2.zebin"
chmod 644 "$out/bench/bench-O2.zebin"

if [ "${ORACLE:-yes}" = no ]; then exit; fi

libraries=${DEVICE_LIBRARIES:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
"${CLANG:-clang-22}" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx900 -O2 -w -ffp-contract=off \
	-mcode-object-version=5 --rocm-device-lib-path="$libraries" bench.cl -o "$out/bench/bench.gfx900.co"
chmod 644 "$out/bench/bench.gfx900.co"

cd "$here"
${CC:-cc} -O1 -w -fwrapv -frounding-math -ffp-contract=off -o "$work/oracle" oracle.c -l:libOpenCL.so.1 -lm
"$work/oracle" kernels.txt src "$out/expect"
