# Lanes whose recursion is of different depth: id % 7.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth <= 0
continue
backtrace
finish
# Of wave 0, lanes 6, 3 and 1 go to the deepest call of their own.
delete
break walk if depth <= 0 && $wave == 0 && $lane == 6
continue
backtrace
finish
backtrace
delete
break walk if depth <= 0 && $wave == 0 && $lane == 3
continue
thread
backtrace
up
info args
up
info locals
finish
delete
kill
