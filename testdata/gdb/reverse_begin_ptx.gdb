# The same in PTX, whose first instruction is at time 0 too.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --resident 1 --launch testdata/launch/demo.json --code-object testdata/ptx/co/demo.O0.ptx
break *demo
continue
print $wave
stepi
reverse-continue
print $wave
reverse-continue
reverse-continue
delete
break 19 if $wave == 0
continue
thread 5
next
reverse-continue
delete
kill
