# An address that is computed from one array in shared memory and leads to its neighbour.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds testdata/check/defects.O0.ptx --kernel array_bounds --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
print in[i] & 31
continue
