# PTX with lines alone whose rows name the functions that they are inlined from: frames of functions inlined in each
# other. By the source, clamp is called by filter at line 20 and by blend at line 11.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel nested --grid 128 --block 64 --arg buf:u32[96]=file:testdata/ptx/want/in.bin --arg buf:u32[256]=zero --arg i32:96 testdata/ptx/co/nested.inlined.ptx
break blend
info breakpoints
continue
backtrace
break clamp
continue
backtrace
frame 1
up
delete
frame 0
next
next
backtrace
kill
