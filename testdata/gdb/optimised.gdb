# Optimised code: variables in registers, location lists, inlined functions.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/mandelbrot.json --code-object testdata/co/mandelbrot.gfx942.O2.co
break 25
continue
info args
info locals
print cx
thread 5
print cx
print px
stepi
bt
delete
continue
