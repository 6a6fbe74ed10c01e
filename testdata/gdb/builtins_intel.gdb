# What kernels call their places by, in expressions and conditions, without the script: Gen9.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/tile.json
break 20 if get_global_id(0) == 9
continue
print threadIdx
print blockIdx.x * blockDim.x + threadIdx.x
print gl_GlobalInvocationID
print get_global_id(0) + get_local_size(0) * 1000
print get_sub_group_local_id() == gl_SubgroupInvocationID
print warpSize
print gridDim.x * blockDim.x == get_global_size(0)
ptype threadIdx
thread 2
print get_global_id(0)
thread apply 1-3 -q print threadIdx.x
delete
break 20 if threadIdx.x == 3 && blockIdx.x == 1
continue
print get_global_id(0)
monitor lanes print get_group_id(0)
kill
