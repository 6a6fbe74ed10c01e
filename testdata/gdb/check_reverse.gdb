# Going back stops at defects where going forward does, on gfx9: the last one first.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=race testdata/check/defects.O0.co --kernel tile_race --grid 128 --block 128 --arg buf:i32[128]=iota --arg buf:i32[128]=zero
break 14 if $wave == 1 && $lane == 0
continue
continue
continue
delete
reverse-continue
reverse-continue
stepi
reverse-continue
reverse-continue
continue
kill
