# Conditions are evaluated in each lane.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 19 if $workgroup_x == 1 && $workitem_x == 37
tbreak weigh if rounds == 4 && value > 50
continue
print value
continue
info args
# Only where a lane of the wave is switched off.
delete
break 24 if $exec != -1
continue
print/x $exec
# For one thread alone.
delete
break 26 thread 13
continue
print value
kill
