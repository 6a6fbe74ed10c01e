# A program of two kernels in ocloc's container of patch tokens: debugging information of both, a function that each has
# a copy of, variables of outer frames, what is printed.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --kernel second --grid 8 --block 8 --arg buf:i32[8]=zero --arg i32:3 testdata/igc/debug/patch/pair-gen9.bin
break scaled if $lane == 3 && v == 2
break first
continue
backtrace
next
info locals
up
info args
info locals
print out[0]@3
monitor frame
frame 0
finish
delete
tbreak 24
continue
next
print sum
continue
