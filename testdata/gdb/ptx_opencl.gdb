# PTX of OpenCL C, unoptimised: a kernel whose body is a function of its own, vectors, constant memory, local memory.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel blur --grid 8,8 --block 8,8 --arg buf:f32[256]=iota --arg buf:f32[256]=zero --arg buf:i32[2]=zero --arg i32:8 --arg i32:8 testdata/ptx/co/blur.O0.ptx
break blur
continue
next
next
print x
delete
break 15 if x == 2 && y == 1 && dx == 0 && dy == 0
continue
print sum
print sum.w
print weights
print weights[dy + 1][dx + 1]
print &sum
print image[9]
info locals
backtrace
delete
continue
