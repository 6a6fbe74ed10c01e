# Where things are: private memory, LDS, global memory.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduce_cl.json
break 26 if $lane == 3
continue
# Private memory: each lane's variable has an address of its own.
print &mine
thread apply 3 4 -q print &mine
# LDS: an address says which workgroup's.
print partial
print partial[3]@4
# Global memory, as the kernel's pointers have it.
print sums
print input[0]@4
x/4fw input
# Change a variable, and look at what the program sees.
set var partial[3] = 100
print partial[local_id]
kill
