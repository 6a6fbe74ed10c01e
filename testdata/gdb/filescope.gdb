# LDS at namespace scope: beside that of a function, and where its place is not certain.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --kernel whole --grid 64 --block 64 --arg buf:f32[64]=zero testdata/debug/co/filescope.O0.co
break 27 if $lane == 5
continue
print all[1]@4
print half[1]@4
print &all
print &half
delete
kill
file
target remote | bin/simtgdb serve --stdio --kernel part --grid 64 --block 64 --arg buf:f32[64]=zero testdata/debug/co/filescope.O0.co
break 34 if $lane == 5
continue
print half[1]@4
print &half
print all
monitor lanes print half[15]
kill
