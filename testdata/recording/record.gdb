# A session that is recorded: a variable is changed, some steps, back, and interrupted at a breakpoint.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo --record RECORDING
break 24 if $lane == 4 && $wave == 0
continue
set var halved = 5
stepi
stepi
reverse-stepi
delete
break 26 if $lane == 4 && $wave == 1
continue
set var input[0] = 7
detach
