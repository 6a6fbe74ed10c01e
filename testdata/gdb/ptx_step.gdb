# PTX: stepping lanes of one warp that part at an if; the call in one of its arms.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/demo.json --code-object testdata/ptx/co/demo.O0.ptx
break 19 if $wave == 0
continue
delete
thread 4
next
step
info args
print/x $activemask
info threads 4-5
step
info args
backtrace
next
finish
print $laneid
next
print result
thread 5
next
next
info locals
next
print output[4]
kill
