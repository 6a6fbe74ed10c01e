# A session that was recorded before, without the files it was launched from: what was changed then is changed again.
source testdata/gdb/settings
target remote | bin/simtgdb replay --stdio testdata/recording/demo.simtgdb
monitor time
break 24 if $lane == 4 && $wave == 0
continue
print halved
stepi
print halved
reverse-stepi
delete
print input[0]
continue
print input[0]
continue
continue
