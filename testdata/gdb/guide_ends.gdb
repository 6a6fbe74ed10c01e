# A step past a lane's end, which says so; signals can be caught.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 27 if $lane == 4 && $wave == 0
continue
delete
next
next
info threads 4-5
continue
