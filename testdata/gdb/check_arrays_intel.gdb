# The same of a private array of a Gen9 kernel, where each array of a frame has all lanes side by side.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds --source testdata/check/src testdata/check/arrays.frame_bounds.O0.zebin --kernel frame_bounds --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
print in[i] % 64 - 16
continue
