# A subscript that leads out of its row, found again from the time before it: the text of the source says which, its
# value in the lane that it does.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=bounds --source testdata/check/src testdata/check/rows.O0.co --kernel column_bounds --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print x
print &tile[y][x + 1]
print &tile[y + 1][0]
monitor goto 0
reverse-stepi
continue
continue
