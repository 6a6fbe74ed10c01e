# Going back in the machine of Gen9: who wrote this word of local memory, which call it was, and how the lane came
# to it.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/tile.json
break 20 if $lane == 2
continue
delete
watch -location shared[5]
reverse-continue
reverse-stepi
print shared[5]
reverse-continue
continue
delete
monitor checkpoint
next
next
print mine[0]
reverse-next
reverse-stepi
monitor goto checkpoint 1
reverse-stepi
frame
kill
