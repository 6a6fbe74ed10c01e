# Watch a variable of one lane.
source testdata/gdb/settings
set can-use-hw-watchpoints 0
target remote | bin/simtgdb serve --stdio --demo
break weigh thread 4
continue
delete
watch total
continue
continue
info watchpoints
delete
up
watch -location output[id]
continue
kill
