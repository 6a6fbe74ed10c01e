# Going back stops at traps where going forward does: at exceptions of arithmetic in two waves, the last one first.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio testdata/check/traps.co --kernel reciprocal --grid 128 --block 64 --arg buf:f32[128]=zero --arg buf:f32[128]=zero
catch signal SIGFPE
continue
monitor time
signal 0
monitor time
reverse-continue
monitor time
print/f $v3
reverse-continue
continue
signal 0
monitor time
signal 0
