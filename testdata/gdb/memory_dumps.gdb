# Memory as it lies: allocations, LDS of a workgroup, private memory of a lane. What gdb prints of variables there is the judge.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduction.json
compare-sections
monitor allocations
break reduction.hip:14
continue
monitor lds 0 8
monitor lds 0x100 4
monitor scratch 0 4
print/x partial[2]
print/x partial[64]
print input
kill
