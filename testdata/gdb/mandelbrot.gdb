# A loop that lanes leave one by one, at different iterations.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/mandelbrot.json
break 27
continue
info threads 1-8
delete
# Wave 0 is at the end now; wave 1 begins.
break 25 if step == 3 && $wave == 3
continue
info threads 193-208
print step
print $lane
step
print $lane
step
step
step
print $lane
step
step
step
print $lane
thread apply 193-208 -q print step
delete
continue
