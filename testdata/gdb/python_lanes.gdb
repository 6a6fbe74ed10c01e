# The helper script: commands for lanes.
source testdata/gdb/settings
directory testdata/src
shell bin/simtgdb gdbscript > bin/simtgdb_lanes.py
source bin/simtgdb_lanes.py
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth == 2 && $lane == 9
continue
lane
info lanes
lane 5
print $_lane()
print depth
lane apply 3-4,8 print depth
print $_lane("depth", 13) + 100
kill
