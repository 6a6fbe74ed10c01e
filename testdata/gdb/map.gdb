# Where all lanes stand at first, and at a fault of some lanes of one wave.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --kernel vecadd --grid 128 --block 64 --arg buf:f32[100]=iota --arg buf:f32[128]=iota --arg buf:f32[128]=zero --arg i32:128 testdata/ptx/co/vecadd.O0.ptx
monitor map
continue
monitor map
kill
