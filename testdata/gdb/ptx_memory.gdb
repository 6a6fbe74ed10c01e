# PTX: shared memory, a watchpoint on a lane's own variable, a condition evaluated in the stub.
source testdata/gdb/settings
directory testdata/ptx/src
target remote | bin/simtgdb serve --stdio --kernel histogram --grid 64 --block 64 --arg buf:u32[100]=random:11 --arg buf:i32[16]=zero --arg buf:i32[1]=fill:100 --arg buf:i32[1]=zero --arg buf:u64[1]=zero --arg buf:f32[1]=zero --arg i32:100 testdata/ptx/co/histogram.O0.ptx
break 16 if value % 16 == 3
continue
print value
print value % 16
print mine
print mine[3]
next
print mine[3]
print &mine
print i
delete
watch i
continue
delete
break 22
continue
print mine
print $tid_x
kill
