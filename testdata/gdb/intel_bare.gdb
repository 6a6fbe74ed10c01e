# The recursion of intel_tables, with frames found by
# the machine's record of calls, since the file has neither tables nor .debug_frame.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/recurse_bare.json
break 6 if n == 0 && $lane == 6
continue
thread apply 1 2 4 7 8 -q backtrace
monitor frame 3
thread 7
up 2
info locals
print n + acc
monitor registers r60
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
