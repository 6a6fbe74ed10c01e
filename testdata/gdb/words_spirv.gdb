# The words of other debuggers on SPIR-V: those of ROCgdb, cuda-gdb, Oclgrind, and what kernels call their places.
source testdata/gdb/settings
set trace-commands off
shell bin/simtgdb gdbscript > bin/simtgdb_words_spirv.py
source bin/simtgdb_words_spirv.py
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/shared.json
break 17
continue
echo \nROCgdb\n
info agents
info queues
info dispatches
print $_dispatch
info lanes 0-1
lane 1
print $_lane
print $_siginfo.si_signo
echo \ncuda-gdb\n
info cuda kernels
info cuda blocks
info cuda threads
info cuda warps
info cuda sms
info cuda devices
cuda block 1 thread 3
cuda
print threadIdx
print blockIdx.x * blockDim.x + threadIdx.x
print gridDim
print warpSize
cuda warp 0 lane 2
cuda kernel 0 block 0 thread 1
echo \nOclgrind\n
print get_global_id(0)
print get_global_id(0) == threadIdx.x + blockIdx.x * blockDim.x
print gl_GlobalInvocationID.x + get_local_id(0)
workitem 1
workitem
lmem 0 16
pmem 0 16
gmem
echo \nthe compiler's words\n
maint print dwarf
maint print unwind
echo \nwhere all stand\n
monitor map
delete
kill
