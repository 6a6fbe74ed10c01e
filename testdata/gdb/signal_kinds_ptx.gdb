# The signals of what else can go wrong, in PTX: an atomic operation off its alignment, in the lane that makes it.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel histogram --grid 64 --block 64 --arg buf:u32[100]=random:11 --arg buf:i32[16]=zero --arg buf:i32[1]=fill:100 --arg buf:i32[1]=zero --arg buf:u64[1]=zero --arg buf:f32[1]=zero --arg i32:100 testdata/ptx/co/histogram.O0.ptx
break 14 if $lane == 3 && $wave == 1
continue
delete
set var least = (int *) ((char *) least + 2)
catch signal SIGBUS
continue
print $lane
kill
