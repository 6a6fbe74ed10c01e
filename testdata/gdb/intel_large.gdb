# Frames of functions with 256 registers, compiled for Intel's Xe-HPC: their descriptor is r253.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --grid 16 --block 16 --arg buf:i32[16]=zero --arg buf:i32[16]=iota testdata/igc/debug/patch/recurse-256.bin
tbreak 6 if $lane == 4
continue
backtrace
up
print n
info locals
monitor registers r253
frame 0
finish
