# A recursion on Intel's Gen9: each lane is as deep as its number says.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/recurse.json
break 6 if $lane == 4
continue
backtrace
thread apply 2 -q backtrace
up
info locals
frame 0
finish
kill
