# Lanes that end, in the machine of PTX: one that is stepped past its end says so and is not listed any more, nor are
# those without an element, which do not wait for the others. From there it goes back, which lists them again, and
# forward.
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
break 16 if $lane == 26 && $wave == 3
reverse-continue
info threads 119-131
next
next
info threads 119-131
delete
continue
