# PTX, optimised: location lists with registers and constants, inlined functions, stepping.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/mandelbrot.json --code-object testdata/ptx/co/mandelbrot.O2d.ptx
break mandelbrot
continue
info args
next
next
next
info locals
break 25
continue
info locals
print cx
print zx
thread 5
print cx
print px
stepi
monitor disasm 0x100a8 2
bt
delete
continue
