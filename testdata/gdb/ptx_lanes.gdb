# The same in PTX; structures, arrays and registers. By the source, a of lane 5 has what in[5] % 7 - 3 is and so on.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel matrices --grid 128 --block 64 --arg buf:u32[96]=iota --arg buf:u32[512]=zero --arg i32:96 testdata/ptx/co/matrices.O0.ptx
break look if id == 5
continue
monitor lanes
delete 1
finish
monitor lanes
monitor lanes print a.m[1]
monitor lanes print fib
monitor lanes print workgroup det
monitor lanes print a.x
monitor lanes print %r1
kill
