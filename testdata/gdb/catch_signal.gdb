# A fault is a signal, which can be caught and not passed.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --kernel vecadd --grid 128 --block 64 --arg buf:f32[100]=iota --arg buf:f32[128]=iota --arg buf:f32[128]=zero --arg i32:128 testdata/co/vecadd.gfx90a.O0.co
catch signal SIGSEGV
continue
info breakpoints
kill
