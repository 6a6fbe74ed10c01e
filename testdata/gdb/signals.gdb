# A division by zero where the kernel's descriptor enables its exception. gdb can catch it; signal 0 goes on.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio testdata/check/traps.co --kernel reciprocal --grid 64 --block 64 --arg buf:f32[64]=iota --arg buf:f32[64]=zero
catch signal SIGFPE
continue
print $v2
signal 0
