# A half of what one instruction writes is watched: the upper one, which begins behind where the store does.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/wide.json
break integers if $lane == 3
continue
delete
watch *((unsigned *) &out[2] + 1)
continue
print a * b == out[2]
reverse-continue
print out[2]
kill
