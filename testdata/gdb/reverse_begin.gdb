# Going back to breakpoints that waves begin at, which they come to by no instruction of theirs: the first at time 0, others
# when the wave before them has ended; and to a breakpoint of all lanes, which is met in the lane that the user goes back in.
# Then back from a breakpoint where the history begins, over which gdb steps the lane that it was met in first.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --resident 1 --demo
break *demo
continue
print $wave
stepi
reverse-continue
print $wave
reverse-continue
delete
kill
target remote | bin/simtgdb serve --stdio --demo
break 19 if $wave == 0
continue
thread 5
next
reverse-continue
delete
kill
target remote | bin/simtgdb serve --stdio --demo
break *demo
stepi
reverse-stepi
thread 70
reverse-stepi
reverse-stepi
delete
thread 70
reverse-stepi
stepi
kill
