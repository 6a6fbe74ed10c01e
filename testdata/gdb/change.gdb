# Change registers and the pc, break by "hardware", hold the other threads.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
hbreak weigh if $lane == 3 && $wave == 0
continue
info breakpoints
delete
# A register of the lane, and one of the wave.
print $v1
set var $v1 = 77
print $v1
set var $vcc = 12345
thread 7
print $vcc
thread 4
stepi
thread 7
print $vcc
print $v1 == 77
thread 4
# The whole wave goes to another place.
next
next
next
print total
tbreak 10 thread 4
jump 9
print total
info symbol $pc
# Alone: the others stay where they are.
set scheduler-locking on
monitor waves
next
next
monitor waves
set scheduler-locking step
next
set scheduler-locking off
kill
