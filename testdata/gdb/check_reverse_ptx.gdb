# Going back stops at defects where going forward does, on PTX.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=race testdata/check/defects.O0.ptx --kernel tile_race --grid 128 --block 128 --arg buf:i32[128]=iota --arg buf:i32[128]=zero
continue
monitor goto begin
reverse-stepi
continue
continue
reverse-continue
reverse-stepi
reverse-continue
kill
