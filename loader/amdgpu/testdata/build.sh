#!/bin/sh
# Builds the test objects of package loader/amdgpu from the sources beside this script.
# Needs clang-22, lld-22, llvm-22 and, for the bundles, clang-offload-bundler-22
# (Debian package clang-tools-22). The results are committed: run it only when a
# source changes.
set -eu
cd "$(dirname "$0")"
bundler=${BUNDLER:-clang-offload-bundler-22}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

hip() { # processor, code object version, output, further options
	target=$1 version=$2 out=$3
	shift 3
	clang-22 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch="$target" \
		-nogpuinc -nogpulib -mcode-object-version="$version" -cuid=loader -fdebug-compilation-dir=. "$@" -c kernels.hip -o "$out"
}
ocl() { # source, then as above
	source=$1 target=$2 version=$3 out=$4
	shift 4
	clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$target" -nogpulib \
		-mcode-object-version="$version" -fdebug-compilation-dir=. "$@" "$source" -o "$out"
}

hip gfx90a 6 hip-gfx90a-O0.co -g -O0
hip gfx900 4 hip-gfx900-O2.co -O2
hip gfx942:sramecc+:xnack- 5 hip-gfx942-O2.co -O2
ocl kernels.cl gfx900 4 ocl-gfx900-v4.co -g -O2 -gz=zlib -cl-kernel-arg-info
ocl kernels.cl gfx90a 5 ocl-gfx90a-v5.co -O0
ocl kernels.cl gfx1030 5 ocl-gfx1030-v5.co -O2
ocl kernels.cl gfx1201 6 ocl-gfx1201-v6.co -O2
ocl kernels.cl gfx9-generic 6 ocl-gfx9-generic-v6.co -O2
ocl kernels.cl gfx900 5 unlinked-gfx900.o -O2 -c
ocl printf.cl gfx900 5 printf-gfx900.co -O2
llvm-objcopy-22 --strip-all ocl-gfx900-v4.co stripped-gfx900.co
llvm-objcopy-22 --strip-sections ocl-gfx900-v4.co no-sections-gfx900.co

clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx90a -mcode-object-version=5 -c bare.s -o "$tmp/bare.o"
ld.lld-22 -shared "$tmp/bare.o" -o bare-gfx90a.co
ld.lld-22 -shared -z rel "$tmp/bare.o" -o bare-gfx90a-rel.co
ld.lld-22 -shared --pack-dyn-relocs=relr "$tmp/bare.o" -o bare-gfx90a-relr.co

hip gfx90a:xnack+ 5 "$tmp/a.co" -O2
hip gfx942 5 "$tmp/b.co" -O2
hip gfx900 5 "$tmp/c.co" -O2
bundle() { # output, options, then pairs of entry ID and file
	out=$1 opts=$2
	shift 2
	targets=host-x86_64-unknown-linux-gnu- inputs=--input=/dev/null
	while [ $# -gt 0 ]; do
		targets=$targets,$1 inputs="$inputs --input=$2"
		shift 2
	done
	# The options and inputs are lists of words without blanks in them.
	"$bundler" --type=o $opts --targets="$targets" $inputs --output="$out"
}
bundle two.hipfb '' hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+ "$tmp/a.co" hipv4-amdgcn-amd-amdhsa--gfx942 "$tmp/b.co"
bundle one.hipfb '' hipv4-amdgcn-amd-amdhsa--gfx900 "$tmp/c.co"
bundle compressed.hipfb --compress hipv4-amdgcn-amd-amdhsa--gfx900 "$tmp/c.co"

printf '.globl main\nmain: ret\n' >"$tmp/host.s"
printf '.section .hip_fatbin,"a",@progbits\n.p2align 8\n.incbin "%s"\n.p2align 8\n.incbin "%s"\n' \
	one.hipfb two.hipfb >"$tmp/fatbin.s"
for part in host fatbin; do
	clang-22 -target x86_64-linux-gnu -c "$tmp/$part.s" -o "$tmp/$part.o"
done
ld.lld-22 -shared "$tmp/host.o" "$tmp/fatbin.o" -o host-with-fatbin.so
ld.lld-22 -shared "$tmp/host.o" -o host.so
chmod -x *.co *.so
