# OpenCL C: LDS that the launch provides, and the kernel's two functions.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduce_cl.json
break 26
continue
backtrace
info args
info locals
print partial[local_id]
print partial[local_id + stride]
print top[3]
next
print partial[local_id]
delete
continue
