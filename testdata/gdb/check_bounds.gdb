# An address that is computed from one buffer and leads to another.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds testdata/check/registers.co --kernel other_bounds --grid 64 --block 64 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
continue
