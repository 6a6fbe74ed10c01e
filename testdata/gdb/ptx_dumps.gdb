# Memory as it lies in the machine of PTX: allocations, shared memory of a block, private memory of a lane, its registers as
# floats. What gdb prints of variables there is the judge.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduction.json --code-object testdata/ptx/co/reduction.O0.ptx
monitor allocations
break 14 if $wave == 1 && $lane == 2
continue
monitor lds 0 8
monitor lds 0x100 4
print/x partial[2]
print/x partial[64]
print/x &local
print/x local
monitor scratch 0 16
kill
