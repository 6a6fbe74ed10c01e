#!/bin/sh
# Compiles those kernels of ../src that ../native.json names for the host, into one program with a symbol for each. The
# environment's KERNEL is the one that it runs; ../../host/main.cpp says with what arguments.
#
#   usage: build.sh PROGRAM
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=$(sed -n 's/"\([a-z0-9_]*\)": \[/\n\1\n/gp' "$here/../native.json" | grep -x '[a-z0-9_]*')
{
  echo '#include "gpu.h"'
  echo '#include <cstring>'
  for name in $names; do
    case $(ls "$here/../src/$name".*) in
    *.cl) file=$name.cl ;;
    *) file=$name.cu ;;
    esac
    echo "namespace in_$name {"
    echo "#include \"$file\""
    echo '}'
    echo '#undef SIDE'
  done
  echo 'typedef void Kernel(const unsigned *, unsigned *, int);'
  echo 'static Kernel *pick(const char *name) {'
  for name in $names; do
    echo "  if (!strcmp(name, \"$name\")) return in_$name::$name;"
  done
  echo '  return nullptr;'
  echo '}'
  echo 'static Kernel *chosen = pick(getenv("KERNEL"));'
} >"$work/kernels.h"
cp "$here"/../src/* "$work"
rm "$work/gpu.h" # the host's is the one
"${CLANG:-clang-22}" --driver-mode=g++ -std=c++20 -g -O0 -w -pthread -ffp-contract=off -I "$here" -I "$here/../../host" \
  -I "$work" -DKERNEL_NAME=chosen '-DKERNEL_FILE="kernels.h"' "$here/../../host/main.cpp" -lm -o "$1"
