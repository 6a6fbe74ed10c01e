# Recursion 200 deep: by the record of calls in code of stock clang, where one
# lane is made to go deeper than the others.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --grid 64
tbreak walk if $lane == 6
continue
set var depth = 199
break walk if depth == 0 && $lane == 6
continue
backtrace -3
backtrace 3
frame 100
info args
frame 199
info args
frame 200
info locals
# The lanes that are not so deep wait for it.
thread 6
backtrace
kill
