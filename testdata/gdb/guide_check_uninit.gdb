# The last element of a tile is read that nobody has written.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=uninit testdata/check/defects.O0.ptx --kernel local_uninit --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
backtrace
continue
