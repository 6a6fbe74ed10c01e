# LDS of functions that kernels call, inlined or not, of one kernel and of two.
source testdata/gdb/settings
directory testdata/debug
set print elements 6
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/shared.O0.co --kernel shared --grid 64 --block 64 --lds 256 --arg buf:f32[64]=iota --arg buf:f32[64]=zero
break 16
continue
print turn
print &turn
up
print own
print *(float (*)[64]) 0x1000000000300
break 23
continue
print sums
print &sums
kill
