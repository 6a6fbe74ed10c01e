# Lanes whose recursion is of different depth: id % 7. When the deepest has
# arrived, the others wait in calls of their own.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth <= 0 && $wave == 0 && $lane == 6
continue
delete
backtrace
thread 4
backtrace
thread 1
backtrace
# Each returns to the caller of its own.
thread 7
finish
backtrace
thread 4
finish
backtrace
up
info args
info locals
thread 1
finish
backtrace
continue
