# Fewer lanes to look at, in warps of 32: those that are active, those of a workgroup, one warp's; then all again.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --resident 1 --launch testdata/launch/mandelbrot.json --code-object testdata/ptx/co/mandelbrot.O0.ptx
break 23 if step == 20 && $wave == 3
continue
python print(len(gdb.selected_inferior().threads()))
monitor list active
python print(len(gdb.selected_inferior().threads()))
monitor waves
monitor list wave 4
python print(len(gdb.selected_inferior().threads()))
monitor list workgroup 1
python print(len(gdb.selected_inferior().threads()))
monitor list all
kill
