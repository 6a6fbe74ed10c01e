# Breakpoints for one thread, and finish in one lane while others share its
# wave.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break weigh thread 7
continue
print $lane
info args
finish
delete
break 26 thread 100
continue
print $lane
print id
print result
delete
continue
