# Where a lane is, by the names that AMD's and Intel's gdbs have for it, in conditions that the server evaluates:
# workgroups of two waves.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduction.json
break 15 if $_thread_workgroup_pos == 1 && $_lane == 3
continue
info breakpoints
print $_lane
print $_simd_lane
print $_simd_width
print $_thread_workgroup_pos
print $_thread_workgroup
print $_workitem_local_id
print $_workitem_global_id
delete
break 15 if $_workitem_global_id[0] == 325
continue
print $_thread_workgroup
print $_workitem_local_id
print $_workitem_global_id
thread apply 1 2 66 -q print $_workitem_local_id
monitor lanes print $_simd_width
monitor lanes print workgroup $_thread_workgroup_pos
monitor lanes print $_workitem_global_id[0] / 16
kill
