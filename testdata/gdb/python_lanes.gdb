# Lanes by the commands of the Python script, spelled as in ROCgdb's manual. By the source, depth is i % 7 at first.
source testdata/gdb/settings
directory testdata/src
shell bin/simtgdb gdbscript > bin/simtgdb_lanes.py
source bin/simtgdb_lanes.py
target remote | bin/simtgdb serve --stdio --demo
break 24 if $lane == 4
continue
print $_lane
info lanes 2-6
info lanes -active 0-7
lane 3
print $_lane
lane
thread 6
print $_lane
print value
lane apply 3-4 7 print value
lane apply 3-5 -inactive -q print value
lane apply 0-7 -active -q -s printf "%d ", value
laas -q printf "%d ", nothing
print $_lane_eval("value", 8) + 100
lane name fives
lane find fives
lane find lane 1[2-4]
info lanes 5
print $_lane_find("lane 6[0-3]")
lane apply 3-4 -q print $_lane_workgroup_pos()
print $_dispatch_pos()
delete
break 26 if $_streq($_lane_workgroup_pos(), "[9,0,0]") && $_streq($_dispatch_pos(), "(1,0,0)/0")
continue
kill
