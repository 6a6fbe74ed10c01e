# A buffer of numbers as an image, on gfx9: what the lanes have written of it so far.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --resident 1 --launch testdata/launch/mandelbrot.json
break 27 if $wave == 5
continue
monitor image steps 30x16
monitor image steps 30x16 at 12 3
kill
