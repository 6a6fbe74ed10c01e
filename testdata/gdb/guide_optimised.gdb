# The same kernel at -O2.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/mandelbrot.json --code-object testdata/co/mandelbrot.gfx90a.O2.co
break 25
continue
info locals
thread 6
info locals
kill
