# An element before the first of an array in LDS: the source says which array is meant, the line table where.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds --source testdata/check/src testdata/check/arrays.O0.co --kernel before_bounds --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
print &b
print &b[in[i] % 32 - 1]
continue
