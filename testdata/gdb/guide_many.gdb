# Fewer lanes to look at.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --resident 1 --launch testdata/launch/mandelbrot.json
break 23 if step == 20 && $wave == 3
continue
monitor waves
python print(len(gdb.selected_inferior().threads()))
monitor list active
info threads
# gdb's own numbers count the threads that it has seen; find a lane by its name.
thread find wave 3 lane 57$
kill
