# A loop that lanes leave one by one, at different iterations.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/mandelbrot.json
break 25 if step == 6 && $wave == 0
continue
# Lanes that have left the loop keep the line where they left it.
info threads 1-2 51-56
thread apply 1-2 51-56 -q print step
# Steps of an active lane are reported for that lane alone, whatever others do.
print $lane
step
step
step
step
print step
print $lane
# A lane that has left waits; stepping it runs the others to the end of the loop.
thread 1
step
step
info threads 1-2 51-56
delete
continue
