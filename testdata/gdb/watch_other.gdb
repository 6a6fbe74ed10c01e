# Watch what another lane writes, by an expression with a variable of a frame.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 26 if $lane == 0 && $wave == 0
continue
delete
watch output[5]
continue
continue
