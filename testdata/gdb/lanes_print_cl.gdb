# Expressions over buffers, LDS, elements by a variable, pointers and registers. By the source partial[l] is what
# work-item l has added up; n is 500.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduce_cl.json
break 26 if local_id == 3
continue
monitor lanes print partial[local_id] == mine
monitor lanes print local_id < 4 ? partial[local_id] : 0
print partial[0]@4
monitor lanes print &partial[local_id & 3]
monitor lanes print input[local_id + 256 >= n ? 0 : 1]
print input[0]@2
monitor lanes print *(unsigned int *)&mine >> 23
monitor lanes print dispatch &sums[$workgroup_x]
monitor lanes print &mine
monitor lanes print dispatch $workitem_x / 128
monitor lanes print dispatch $lane < 3
monitor lanes print /x local_id * 16 & 0xf0
monitor lanes print partial[1000000]
monitor lanes print --frame 1 local_id
kill
