# Go back out of a function; keep a time and go to it; gdb's own recording is not needed.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break weigh thread 4
continue
delete
monitor checkpoint
next
next
next
next
print total
reverse-finish
info record
monitor goto checkpoint 1
reverse-stepi
monitor checkpoint list
break weigh thread 7
reverse-continue
continue
kill
