source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --code-object testdata/ptx/co/recursion.O2d.ptx
break walk if depth <= 0 && $wave == 0 && $lane == 3
continue
backtrace
up
info args
monitor registers %r1 %r2
print $tid_x
print/x $activemask
finish
kill
