# PTX backwards: by statements and by lines, into and out of calls, over breakpoints, to who wrote a variable last. The
# values are those that the same places have forwards.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --history 64MiB --launch testdata/launch/recursion.json --code-object testdata/ptx/co/recursion.O0.ptx
break walk if depth == 1 && $lane == 3 && $wave == 0
continue
print path
continue
print path
backtrace 2
reverse-continue
print path
print depth
stepi 7
info registers rip
reverse-stepi 7
info registers rip
next
next
print left
reverse-next
reverse-next
backtrace 2
reverse-finish
backtrace 1
reverse-continue
info breakpoints
kill
