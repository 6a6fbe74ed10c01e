# Go back: over lines, to who wrote last, to the beginning.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --demo
break 26 if $lane == 4 && $wave == 0
continue
delete
reverse-step
print halved
reverse-stepi
info threads 4-6
watch -location output[4]
continue
reverse-continue
print output[4]
delete
reverse-continue
continue
