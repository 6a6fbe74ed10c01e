# LDS of functions that lies elsewhere in each kernel, and of the launch.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --kernel two --grid 64 --block 64 --arg buf:i32[64]=zero testdata/debug/co/tables.O0.co
break wait if $lane == 3
continue
finish
print own[1]@4
print &own
continue
finish
print far[1]@4
print &far
continue
finish
print near[1]@4
print &near
delete
kill
file
target remote | bin/simtgdb serve --stdio --kernel three --lds 256 --grid 64 --block 64 --arg buf:i32[64]=zero testdata/debug/co/tables.O2.co
tbreak second if $lane == 3
continue
print &far
finish
tbreak third if $lane == 3
continue
finish
print sizeof(__dynamic_shared)
print *(int (*)[8]) __dynamic_shared
print ((int *) __dynamic_shared)[3]
kill
