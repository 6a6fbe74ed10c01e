# Variables of unoptimised code for Intel's Xe-HPG, in memory at addresses that registers have: they are shown as
# long as code keeps their addresses. A breakpoint at a kernel is at its first statement, behind what loads arguments.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/xe-hpg/scalars.json
info args
info locals
break scalars
continue
info args
next
next
next
info args
info locals
next
next
info locals
print out[1]
