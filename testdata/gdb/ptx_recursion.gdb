# PTX, optimised with whole debugging information: recursion of another depth in each lane.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --code-object testdata/ptx/co/recursion.O2d.ptx
break walk if depth <= 0 && $wave == 0 && $lane == 6
continue
delete
backtrace
thread 4
backtrace
thread 7
# Registers of every frame, by the names that the text has for them.
monitor registers %r1 r2
print $laneid
print $tid_x
print $ctaid_x
print/x $activemask
finish
backtrace
up
info args
kill
