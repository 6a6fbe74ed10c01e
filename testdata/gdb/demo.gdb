# The demonstration: what `make demo` shows. gdb starts the program itself.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 19 if id < 70
continue
info threads 1-6 65-66
thread apply 1 4 5 70 -q print value
# One lane goes one way through the divergent if, another the other way.
thread 5
next
next
print halved
thread 4
tbreak weigh
continue
backtrace
info args
finish
info locals
delete
continue
