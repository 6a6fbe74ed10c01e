# Three ways through one stack: plain says nothing of how to unwind it, so its
# caller is found in the record of calls; all others have call frame information.
source testdata/gdb/settings
directory testdata/asm
target remote | bin/simtgdb serve --stdio --launch testdata/asm/mixed.json
break leaf
continue
backtrace
monitor frame
monitor registers s34 v41 v0 exec
# Every function has its values in the same registers.
frame apply all -q info locals
# Write to a frame in the middle, through the record and through the rules.
frame function f
set var kept = 7
set var mine = 8
frame function h
set var kept = 5
set var mine = 6
frame apply all -q info locals
# They are what the functions go on with.
delete
tbreak *h+0xa4
continue
info locals
tbreak *f+0x98
continue
info locals
kill
