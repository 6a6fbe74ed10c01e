# Stepping one lane through code where its wave diverges.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 19 if $wave == 0
continue
delete
# Lane 4 goes to the else branch, which this code executes first.
thread 5
next
info threads 4-5
# Lane 3 waits at the if. To step it, its wave runs until lane 3 is on again.
thread 4
next
info threads 4-5
next
step
step
info args
finish
# Lane 4 has done its branch long ago and waits where the branches meet.
thread 5
print result
next
kill
