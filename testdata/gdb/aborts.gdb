# llvm.trap in three lanes of a wave: gdb can catch it, and continue ends the program.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio testdata/check/traps.co --kernel abort --grid 64 --block 64 --arg buf:f32[64]=iota --arg buf:f32[64]=zero
catch signal SIGABRT
continue
info threads 60-64
continue
continue
