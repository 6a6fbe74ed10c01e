# Going back on Gen9: out of functions, to the call, and into one that has returned. Lane 3 is three calls deep; n counts down,
# acc up from 3.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/recurse.json
break 7 if $lane == 3 && n == 1
continue
delete
backtrace
reverse-finish
print n
reverse-finish
print n
print acc
finish
reverse-step
reverse-step
print n
print acc
reverse-continue
kill
