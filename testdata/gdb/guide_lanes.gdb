# Lanes are threads.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 24 if $wave == 1
continue
# Workgroups have 64 work-items: thread 68 is lane 3 of the second one, of its only wave.
thread 68
print $lane
print $workgroup_x
print $workitem_x
print id
print value
info threads 1 67-69
thread apply 67-69 -q print value
monitor waves
kill
