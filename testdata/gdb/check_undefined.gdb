# A division by zero, of which SPIR-V does not say what it gives.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --check=undefined testdata/check/defects.O0.spv --kernel divide_undefined --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
continue
