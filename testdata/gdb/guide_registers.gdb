# The GPU's registers, of the lane that is selected.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 24 if $lane == 4
continue
info registers rip exec vcc scc m0 lane wave workgroup_x workitem_x
print $v0
thread apply 5 6 -q print $v0
print $s33
kill
