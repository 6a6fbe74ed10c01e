# Barriers that not all work-items come to.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio testdata/check/defects.O0.co --kernel half_barrier --grid 128 --block 128 --arg buf:i32[128]=iota --arg buf:i32[128]=zero
monitor check
monitor check barrier
continue
backtrace
monitor check none
continue
