# LDS of functions that kernels call, inlined or not, where the compiler optimises.
source testdata/gdb/settings
directory testdata/debug
set print elements 6
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/shared.O2.co --kernel shared --grid 64 --block 64 --lds 256 --arg buf:f32[64]=iota --arg buf:f32[64]=zero
break turned
break 24
continue
print &turn
up
print own
continue
print sums
print &sums
print *(float (*)[64]) 0x1000000000200
kill
