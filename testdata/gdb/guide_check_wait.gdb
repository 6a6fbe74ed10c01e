# A register that is written before the load comes that writes it too, and one that is used before its load.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=wait testdata/check/registers.co --kernel overwrite_wait --grid 64 --block 64 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
continue
