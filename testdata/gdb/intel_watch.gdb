# Watchpoints of every kind in the machine of Gen9: a structure and an element in private memory, reads of local memory, a
# condition. By the source, lane 3 of the first group reads shared[3] to shared[6] for its mine, lanes 1 to 4 shared[4].
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/tile.json
break 17 if $lane == 3
continue
delete
watch p
awatch mine[1]
rwatch -location shared[4]
info watchpoints
continue
print k
continue
print k
delete 4
continue
continue
print mine[0] + mine[3]
continue
reverse-continue
delete
watch -location out[2] if out[2] > 10
continue
print p.second + v.w
print p
kill
