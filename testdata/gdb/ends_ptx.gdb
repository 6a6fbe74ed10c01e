# A fault that continue does not end at once, of PTX: from there one goes back to what led there.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --kernel vecadd --grid 128 --block 64 --arg buf:f32[100]=iota --arg buf:f32[128]=iota --arg buf:f32[128]=zero --arg i32:128 testdata/ptx/co/vecadd.O0.ptx
continue
continue
reverse-step
print i
continue
continue
continue
