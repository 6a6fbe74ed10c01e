# PTX with lines alone, which is what clang makes with -O2 -g: stepping by line, and registers by their names.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/vecadd.json --code-object testdata/ptx/co/vecadd.O2.ptx
break vecadd
continue
next
next
info locals
monitor registers %r1 %r4 %rd1
print $tid_x
thread 3
print $tid_x
monitor registers %r1
backtrace
delete
continue
