# Optimised OpenCL C: the body is inlined into the kernel, LDS of its own is known to it alone.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduce_cl.json --code-object testdata/co/reduce_cl.gfx90a.O2.co
break *0x1c40 if $lane == 3
continue
backtrace
print local_id
print other
print top[3]
print &top[3]
print size
print partial
print *(float (*)[4]) 0x1000000000100
ptype top
set var top[3] = 7
continue
print top[3]
delete
continue
continue
