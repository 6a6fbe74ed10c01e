# The LDS that a launch adds.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --kernel three --lds 256 --grid 64 --block 64 --arg buf:i32[64]=zero testdata/debug/co/tables.O0.co
break 31 if $lane == 3
continue
next
next
print *(int (*)[8]) __dynamic_shared
print sizeof(__dynamic_shared)
set var $heap = (int *) __dynamic_shared
print $heap[id]
print $heap[id ^ 4]
kill
