# Lanes are threads.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 24 if $wave == 1
continue
# Thread 68 is lane 67 % 64 = 3 of wave 67 / 64 = 1.
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
