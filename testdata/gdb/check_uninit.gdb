# An element of a private array that nothing has written is reported when it is stored where others see it.
source testdata/gdb/settings
directory testdata/check/src
target remote | bin/simtgdb serve --stdio --check=uninit testdata/check/defects.O0.co --kernel private_uninit --grid 128 --block 128 --arg buf:i32[512]=iota --arg buf:i32[512]=zero
continue
print i
print in[i] & 15
continue
