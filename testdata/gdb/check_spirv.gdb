# The same kernel as SPIR-V.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --check=all testdata/check/defects.O0.spv --kernel count_race --grid 128 --block 128 --arg buf:i32[128]=iota --arg buf:i32[128]=zero
continue
backtrace
print i
continue
