# Going back stops at brkpt in the lane that executes it, where going forward does.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio testdata/check/src/traps.ptx --kernel debug --grid 64 --block 64 --arg buf:i32[64]=iota --arg buf:i32[64]=zero
continue
monitor time
continue
monitor time
watch *(int *) 0x7e001002000c
reverse-continue
monitor time
reverse-continue
continue
delete
continue
continue
