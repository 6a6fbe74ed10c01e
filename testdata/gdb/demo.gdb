# The demonstration: what `make demo` shows. gdb starts the program itself.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
# Stop where the kernel branches; every lane is a thread with its own values.
break 19 if $wave == 0
continue
info threads 1-6 65-66
thread apply 1 4 5 7 -q print value
# Lane 4 goes one way through the divergent if. Lane 3, which waits at the if,
# will go the other way.
thread 5
next
next
print halved
info threads 4-5
# Lane 3 calls a function; unwind out of it.
break weigh thread 4
continue
backtrace
info args
next
next
info locals
finish
print result
# Run to the end: the result is checked.
delete
continue
