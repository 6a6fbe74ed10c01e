# gfx1100: waves of 32 lanes, whose private memory is addressed by lanes, and registers of the wave.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --code-object testdata/rdna/co/recursion.gfx1100.O0.co
break walk if depth == 4 && $wave == 0
continue
delete
backtrace
info locals
up
info locals
monitor lanes print depth
