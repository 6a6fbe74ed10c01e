# Which lanes execute: EXEC is a register that can be watched.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 19 if $wave == 0
continue
delete
p/x $exec
watch $exec
continue
continue
backtrace 1
info watchpoints
kill
