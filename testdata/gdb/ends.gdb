# The end is not the end: a buffer is not as expected, and from before the last instruction one goes back to who wrote it.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio testdata/co/vecadd.gfx90a.O0.co --grid 256 --block 64 --arg buf:f32[256]=random:1 --arg buf:f32[256]=random:2 --arg buf:f32[256]=fill:0 --arg i32:250 --expect 2=testdata/launch/vecadd.c.bin
break 8 if i == 249
continue
set variable sum = 1
delete
continue
watch *(float *) 0x7e00100403e4
reverse-continue
print i
delete
# Once more, and then it is gone.
continue
continue
