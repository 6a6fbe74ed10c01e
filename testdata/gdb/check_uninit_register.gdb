# A register that nothing has written in half of the lanes is stored where others see it.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=uninit testdata/check/registers.co --kernel part_uninit --grid 64 --block 64 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
