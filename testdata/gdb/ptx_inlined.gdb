# PTX, optimised: a function that is inlined in two places, with the frames that gdb makes of it. x is the sum of a, f,
# w and 0x5a827999.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel hash --grid 32 --block 32 --arg buf:u32[16]=random:1 --arg buf:u32[128]=zero --arg i32:16 --arg i32:32 testdata/ptx/co/hash.O2d.ptx
break rotate
continue
backtrace
info args
up
info locals
print a + f + w + 0x5a827999
down
continue
backtrace
info args
up
print d + g + id
monitor disasm 0x10180 3
delete
continue
