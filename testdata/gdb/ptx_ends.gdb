# Lanes that end, in the machine of PTX: one that is stepped past its end says so and is not listed any more; those
# without an element wait for the others before the end. From there it goes back, and forward again.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/demo.json --code-object testdata/ptx/co/demo.O0.ptx
break 27 if $lane == 4 && $wave == 0
continue
delete
next
break 27 if $lane == 2 && $wave == 3
continue
delete
info threads 1 99 119-128
reverse-stepi
stepi
stepi
info threads 99
continue
