# A kernel for Intel's Gen9 whose recursion is as deep as the lane's number. Its
# frames are found by vISA tables.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/recurse.json
# The deepest call: every lane has its own number of frames with its own values.
break 6 if n == 0 && $lane == 6
continue
thread apply 1 2 4 7 8 -q backtrace
monitor frame 3
# Outer frames of a lane: variables, and registers that its callees have saved.
thread 7
up 2
info locals
print n + acc
monitor registers r60
# Back to the right caller, with the value.
delete
frame 0
finish
finish
thread 4
backtrace 1
up
tbreak 15
continue
info locals
continue
